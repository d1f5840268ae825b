"""Reads an answer and the database, and says what in the answer the database does not hold.

figure      supported, with its unit, by a fact of the subjects that its sentence names
date        a day that those facts speak of; in a list each figure of one day stands under that day
trend       the word behind "단기 추세는" is the one that the bars give; so for crosses, with their day
path        each chain exists in the graph, with that strength and that sign
period      the newest day or period of each subject stands in the answer
cautions    sample data is said; so is what the question's entry asks for; the brief stands where it belongs
never       ids and codes, instructions to trade

Numbers and dates are read by `reader.py` and instructions found by a pattern here, not by the product's text layer.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

import pandas as pd

from services.text.stated.figures import Known
from services.text.stated.units import FigureUnit
from tests.evals.finance.facts import Facts, both_days, brief_facts, home_facts, series_facts, share_facts
from tests.evals.finance.reader import Number, dates_of, matches, numbers_of, told_days
from tests.evals.finance.relations import chain_of, relations

_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_NUMBERED: Final = re.compile(r"^\d{1,2}\.(?: |$)")
_FALLS: Final = re.compile(r"^\S{0,2} ?(?:내|줄|하락|낮)|\bdown $")
_RISES: Final = re.compile(r"^\S{0,2} ?(?:올|늘|상승|높)|\bup $")
_CLOCK: Final = re.compile(r"\b08:30\b")
_METHOD: Final = (
    *(Known(Decimal(days), FigureUnit.DAYS) for days in (1, 5, 20, 60, 120)),
    Known(Decimal(52), FigureUnit.WEEKS),
)
_TRENDS: Final = {
    "short": r"(?:단기 추세(?:는|:)?|short-term trend(?: is|:)?)",
    "long": r"(?:장기 추세(?:는|:)?|long-term trend(?: is|:)?)",
    "recent": r"(?:최근 추세(?:는|:)?|recent trend(?: is|:)?)",
    "price": r"(?:가격 추세(?:는|:)?|price trend(?: is|:)?)",
}
_WAYS: Final = {"상승": "up", "하락": "down", "보합": "flat", "up": "up", "down": "down", "flat": "flat"}
_DEALS: Final = {"sale": ("매매", "아파트값"), "jeonse": ("전세", "jeonse"), "monthly_rent": ("월세",)}
_CROSS: Final = re.compile(r"(골든|데드)\s?크로스|\b(golden|dead|death)\scross", re.IGNORECASE)
_CROSS_DAY: Final = re.compile(
    r"(\d{4}년 \d{1,2}월 \d{1,2}일)의 (?:골든|데드)크로스|cross of ([A-Z][a-z]+ \d{1,2}, \d{4})"
    r"|크로스 \((\d{4}년 \d{1,2}월 \d{1,2}일)\)(?=,|$)"
)
_MONTH_DAYS: Final = 31
_STRENGTH: Final = re.compile(r"(?:강도|judgement\)|strength)[^0-9]*(?P<value>[01](?:\.\d+)?)")
_PUSH: Final = re.compile(
    r"(?P<ko>오르는|내리는) 쪽의 힘이 됩니다\((?P<chain_ko>.+?), 근거"
    r"|tends to push .+? (?P<en>up|down) \((?P<chain_en>.+?); evidence"
)
_DIRECTIVE: Final = re.compile(
    r"(?:매수|매도|매입|매각|투자|보유|진입|청산)(?:을|를)? ?"
    r"(?:하세요|하십시오|하시(?:기 바|죠)|합시다|해야|(?:적극 )?(?:권|추천)(?!하지|하는 것이 아))"
    r"|(?<![가-힣])(?:사|파|팔|담으|들고 계)(?:세요|십시오|시기 바|야 합니다|아야 합니다)"
    r"|\b(?:you|investors) (?:should|must|need to|ought to) (?:\w+ )?(?:buy|sell|hold|invest|exit)\b"
    r"|\b(?:we|I) (?:recommend|suggest|advise) (?:buying|selling|holding)\b"
    r"|(?:^|[.!?:] )(?:please )?(?:buy|sell|short|hold)\b (?:now|it|this|the|these|shares|more)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Instructions to trade as a reader would look for them; the product's own rule is not asked."""
_LEAK: Final = re.compile(
    r"\bev-[0-9a-f]{6,}|\b(?:US|KR):[A-Z0-9]+|(?<![A-Za-z])[A-Za-z]+_[A-Za-z_]+|\bEV-[A-Z]|\bNEWS-\d"
)


@dataclass(frozen=True)
class Entry:
    """One question with what its answer must hold."""

    q: str
    """The question."""
    kind: str
    """share, series, home, cause or none."""
    about: tuple[str, ...] = ()
    """Ids of what figures may come from."""
    data: str = "whole"
    """Which state of the data it is asked of."""
    brief: bool = False
    """Whether the US brief belongs to the answer."""
    says: tuple[str, ...] = ()
    """Words that must stand in the answer."""

    @classmethod
    def of(cls, entry: dict[str, Any]) -> "Entry":
        """Returns an entry of the questions' file."""
        fields: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in entry.items()}
        return cls(**fields)


class Checker:
    """Checks answers against one database.

    Args:
        path: The SQLite file.
    """

    def __init__(self, path: str) -> None:
        self._data = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self._relations = relations()
        names = sorted({name for pair in self._relations for name in pair}, key=len, reverse=True)
        one = "|".join(map(re.escape, names))
        self._chain = re.compile(rf"(?:{one})(?: → (?:{one}))+")
        titles = self._data.execute("SELECT title_ko, title_en FROM macro_series").fetchall()
        bare = {re.sub(r"\s?\([^()]*\)$", "", title) for row in titles for title in row}
        self._titles = sorted({title for row in titles for title in row} | bare, key=len, reverse=True)
        self._brief = brief_facts(self._data)

    def close(self) -> None:
        """Closes the database."""
        self._data.close()

    def faults(self, entry: Entry, answer: str) -> list[str]:
        """Returns what is wrong with an answer, a line each; nothing where it holds."""
        facts = [found for one in entry.about for found in self.facts(entry, one)]
        return [
            *self._figures(entry, answer, facts),
            *_trends(answer, facts),
            *_crosses(answer, facts),
            *self._paths(answer),
            *_periods(entry, answer, facts),
            *_told_under_their_days(answer, facts),
            *self._cautions(entry, answer),
            *(f"leak: {match.group()}" for match in _LEAK.finditer(answer)),
            *(f"directive: {match.group()}" for match in _DIRECTIVE.finditer(answer)),
        ]

    def facts(self, entry: Entry, name: str) -> list[Facts]:
        """Returns what the database says of one id of an entry; nothing where it has no rows."""
        if ":" in name:
            found = [share_facts(self._data, name)]
        elif name.isdigit():
            deals = [deal for deal, words in _DEALS.items() if any(word in entry.q for word in words)] or list(_DEALS)
            found = [home_facts(self._data, name, deal, self._months(name)) for deal in deals]
        else:
            found = [series_facts(self._data, name)]
        return [one for one in found if one is not None]

    def _months(self, region_code: str) -> int:
        """Returns how many months are left of the 14 that the planner goes back from the day of the people who ask."""
        query = "SELECT COUNT(DISTINCT month) FROM realty_monthly_summary WHERE region_code = ? AND month >= ?"
        today = datetime.now(ZoneInfo("Asia/Seoul")).date()
        index = today.year * 12 + today.month - 1 - 14
        first = date(index // 12, index % 12 + 1, 1)
        return int(self._data.execute(query, (region_code, first.isoformat())).fetchone()[0])

    def _figures(self, entry: Entry, answer: str, facts: Sequence[Facts]) -> Iterator[str]:
        seeded = both_days(row[0] for row in self._data.execute("SELECT as_of FROM datasets"))
        held = [*facts, self._brief] if entry.brief else list(facts)
        days = {day for one in held for day in one.days}
        others = list(self._others(entry))
        for sentence in _SENTENCES.split(answer):
            plain = self._masked(sentence)
            if entry.kind == "none":
                wrong = [span for span in dates_of(plain) if not any(span.holds(day) for day in seeded)]
                yield from (f"figure without data: {sentence}" for _ in (*numbers_of(plain), *wrong))
                continue
            named = [one for one in held if any(name in sentence for name in one.names)] or held
            known = [
                *_METHOD,
                *others,
                *_overview(sentence, facts),
                *(value for one in named for value in one.values),
                *self._weights(sentence),
            ]
            # The graph bears the day of its seed, wherever a path or the days of the data are told.
            told = days | (seeded if re.search(r"→| · |^자료 기준일|^Data as of", sentence) else set())
            for number in numbers_of(plain):
                if not any(_holds(number, one, plain) for one in known):
                    yield f"figure {number.surface!r}: {sentence}"
            for span in dates_of(plain):
                if not any(span.holds(day) for day in told):
                    yield f"figure {span.surface!r}: {sentence}"

    def _others(self, entry: Entry) -> Iterator[Known]:
        """Yields figures of series that a question of causes is planned with, beside those that it names."""
        if entry.kind != "cause":
            return
        for (series_id,) in self._data.execute("SELECT series_id FROM macro_series"):
            found = series_facts(self._data, series_id)
            yield from found.values if found is not None else ()
        yield from _correlations(self._data)

    def _weights(self, sentence: str) -> Iterator[Known]:
        for match in self._chain.finditer(sentence):
            found = chain_of(match.group().split(" → "), self._relations)
            if found is not None:
                yield Known(round(found.weight, 4), FigureUnit.NONE)

    def _masked(self, sentence: str) -> str:
        plain = _NUMBERED.sub("", _CLOCK.sub("", sentence).removeprefix("- "))
        for title in self._titles:
            plain = plain.replace(title, "지표")
        return plain

    def _paths(self, answer: str) -> Iterator[str]:
        for line in answer.splitlines():
            chains = [match.group().split(" → ") for match in self._chain.finditer(line)]
            if line.count(" → ") != sum(len(chain) - 1 for chain in chains):
                yield f"path of unknown names: {line}"
            strength = _STRENGTH.search(line)
            for chain in chains:
                found = chain_of(chain, self._relations)
                if found is None or (strength and round(found.weight, 4) != Decimal(strength["value"])):
                    yield f"path: {line}"
        for match in _PUSH.finditer(answer):
            found = chain_of((match["chain_ko"] or match["chain_en"]).split(" → "), self._relations)
            told = 1 if (match["ko"] or match["en"]) in {"오르는", "up"} else -1
            if found is None or found.sign != told:
                yield f"path: {match.group()}"

    def _cautions(self, entry: Entry, answer: str) -> Iterator[str]:
        if entry.kind != "none" and not re.search(r"예시 데이터|\bsample data\b", answer):
            yield "sample data is not said"
        for words in entry.says:
            if words not in answer:
                yield f"not said: {words}"
        stands = any(name in answer for name in self._brief.names)
        if entry.brief is not stands:
            yield f"brief: {'missing' if entry.brief else 'not asked for'}"
        if stands and not any(self._dates_the_brief(sentence) for sentence in _SENTENCES.split(answer)):
            yield "brief: without its date"

    def _dates_the_brief(self, sentence: str) -> bool:
        """Returns whether a sentence names the brief with the day that it is of."""
        names = any(name in sentence for name in self._brief.names)
        return names and any(span.holds(self._brief.newest) for span in dates_of(sentence))


def _overview(sentence: str, facts: Sequence[Facts]) -> Iterator[Known]:
    """Yields how many series there are, and how many of them rose and fell since the value before."""
    if not re.search(r"^살펴본 |^Of \d+ series", sentence):
        return
    moves = [one.dated[-1][0].value - one.dated[-2][0].value for one in facts if len(one.dated) > 1]
    for count in (len(moves), sum(move > 0 for move in moves), sum(move < 0 for move in moves)):
        yield Known(Decimal(count), FigureUnit.NONE)


def _correlations(data: sqlite3.Connection) -> Iterator[Known]:
    """Yields the coefficients of monthly changes of all pairs of series, and their months."""
    rows = pd.read_sql_query("SELECT series_id, date, value FROM macro_observations ORDER BY date", data)
    rows["month"] = rows["date"].astype(str).str[:7]
    wide = rows.groupby(["month", "series_id"])["value"].last().unstack()
    for first in wide.columns:
        for second in wide.columns:
            pair = wide[[first, second]].dropna().diff().dropna()
            if first < second and len(pair) > 11:
                yield Known(Decimal(repr(round(float(pair.corr().iloc[0, 1]), 3))), FigureUnit.NONE)
                yield Known(Decimal(len(pair)), FigureUnit.MONTHS)
                yield Known(Decimal(len(pair)), FigureUnit.NONE)


def _spoken(answer: str, facts: Sequence[Facts]) -> Iterator[tuple[str, Facts]]:
    """Yields each sentence with the subject that it, or the one before it, names."""
    current = facts[0]
    for sentence in _SENTENCES.split(answer):
        current = next((one for one in facts if any(name in sentence for name in one.names)), current)
        yield sentence, current


def _nearest(words: str, facts: Sequence[Facts]) -> Facts | None:
    """Returns the subject that is named last."""
    places = [(words.rfind(name), number) for number, one in enumerate(facts) for name in one.names if name in words]
    return facts[max(places)[1]] if places else None


def _trends(answer: str, facts: Sequence[Facts]) -> Iterator[str]:
    for sentence, subject in _spoken(answer, facts) if facts else ():
        for kind, words in _TRENDS.items():
            for match in re.finditer(rf"{words} (상승|하락|보합|up|down|flat)", sentence):
                if kind in subject.words and subject.words[kind] != _WAYS[match[1]]:
                    yield f"{kind} trend {match[1]}, not {subject.words[kind]}: {sentence}"
                if kind not in subject.words and kind != "recent":
                    yield f"{kind} trend without data: {sentence}"


def _crosses(answer: str, facts: Sequence[Facts]) -> Iterator[str]:
    for sentence, spoken in _spoken(answer, facts) if facts else ():
        for match in _CROSS.finditer(sentence):
            subject = _nearest(sentence[: match.start()], facts) or spoken
            told = "golden" if (match[1] or match[2]).lower() in {"골든", "golden"} else "dead"
            if subject.cross is None or subject.cross[0] != told:
                yield f"cross: {sentence}"
        for match in _CROSS_DAY.finditer(sentence):
            subject = _nearest(sentence[: match.start()], facts) or spoken
            if subject.cross is None or not all(span.holds(subject.cross[1]) for span in dates_of(match.group())):
                yield f"day of the cross: {sentence}"


def _periods(entry: Entry, answer: str, facts: Sequence[Facts]) -> Iterator[str]:
    if entry.kind == "none":
        return
    spans = [span for span in dates_of(answer) if (span.last - span.first).days <= _MONTH_DAYS]
    for one in facts:
        if not any(span.holds(one.newest) for span in spans):
            yield f"period: {one.names[0]} {one.newest} is not said"


def _holds(number: Number, known: Known, text: str) -> bool:
    """Tells whether a value supports a number; a share that is said to rise or fall has to have done so."""
    if not matches(number, known.value, known.unit.name):
        return False
    if number.is_signed or number.unit not in {"PERCENT", "PERCENTAGE_POINT"} or not known.value:
        return True
    before, behind = text[: number.start], text[number.end :]
    if _FALLS.search(behind) or _FALLS.search(before):
        return known.value < 0
    return known.value > 0 if _RISES.search(behind) or _RISES.search(before) else True


def _told_under_their_days(answer: str, facts: Sequence[Facts]) -> Iterator[str]:
    """Yields the figures of a list that stand under a day that is not theirs."""
    for prefix, number, told in told_days(answer.splitlines()):
        subject = _nearest(prefix, facts) or (facts[0] if len(facts) == 1 else None)
        if subject is None or number.is_signed or number.unit == "NONE":
            continue
        days = [
            day
            for known, day in subject.dated
            if known.unit.name == number.unit and matches(number, known.value, number.unit)
        ]
        if days and not any(told.holds(day) for day in days):
            yield f"day of {number.surface!r}: {prefix} is not of {told.surface}"
