"""The words by which a text names figures, signals and ids: the language's own and those that domains declare."""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from services.plugin.figures.declared import Figures, installed_figures
from services.plugin.figures.kinds import FigureKind, Slot
from services.plugin.installed import installed_domains
from services.text.hints import Hints
from services.text.patterns import Pattern

_STATISTICS: Final = (
    (
        "mean",
        r"(?:거래량\s?)?가중\s?평균|평균|(?a:(?:deal-)?weighted\s(?:mean|average)|\bmean\b|\baverage[sd]?\b)",
    ),
    ("median", r"중간값|중앙값|중위\S*|(?a:\bmedian\b)"),
    ("drawdown", r"(?:최대\s?)?낙폭|(?a:deepest\sfall|\b(?:maximum\s)?drawdown\b)"),
    (
        "high",
        r"최고(?:가|치|점|값)?|(?<![가-힣])고(?:가|점)(?![가-힣]{2})|(?a:\bhigh(?:est|s)?\b|\bpeak\b|\bmaximum\b)",
    ),
    ("low", r"최저(?:가|치|점|값)?|(?<![가-힣])저(?:가|점)(?![가-힣]{2})|(?a:\blow(?:est|s)?\b|\bminimum\b)"),
    (
        "previous",
        r"(?:직전|이전)\s?값(?!인)|(?a:(?<!from\sthe\s)(?:value|reading)\sbefore|previous\s(?:value|reading))",
    ),
    ("spread", r"격차|스프레드|(?a:\bspread\b|\bgap\b)"),
)
_PRICE: Final = ("price", r"(?a:(?<!share\s)(?<!stock\s)\bprices?\b)")
_REACHES: Final = (
    ("52w", r"52\s?주|(?a:\b52-week\b)|1년(?=\s?(?:최고|최저|중))"),
    ("period", r"조회\s?기간|기간\s?중|(?a:\bin\sthe\speriod\b|\bperiod(?=\s(?:high|low)))"),
    ("ever", r"사상|역대|(?a:\ball-time\b|\brecord\b|\bever\b)"),
)
_AGAINST: Final = (
    (
        "year",
        (
            r"전년|지난해보다|작년보다|1년\s?전"
            r"|(?a:year\s(?:earlier|ago|before)|year[\s-](?:on|over)[\s-]year|previous\syear)"
        ),
    ),
    (
        "before",
        (
            r"직전\s?(?:거래일|관측일|대비|값인)|전\s?거래일|전일|전날|전월|전달|지난달보다|전주|전\s?분기|하루(?=\s?(?:만에|동안|새))"
            r"|(?a:(?:session|day|week|month|quarter|observation|value)\sbefore|the\s(?:previous|prior)\s(?:session|day|week|month|quarter)"
            r"|month[\s-](?:on|over)[\s-]month|day[\s-](?:on|over)[\s-]day)"
        ),
    ),
)
_WINDOW: Final = (
    r"(?P<days>[0-9]{1,3})\s?(?:거래일|영업일|일(?!선?[0-9가-힣]*원)"
    r"|(?a:(?:trading\s)?-?\s?(?:days?|sessions?)\b|d\b))|(?a:\bMA\s?(?P<mean>[0-9]{1,3}))"
)
_CHANGE: Final = r"변화|변동(?:률|폭)|증감|등락|증가율|상승률|하락률|낙폭|차이|change|growth|\bfall\b|drawdown|moved"
_TRENDS: Final = {
    "up": r"상승\s?(?:추세|국면|세)|오름세|강세장?|(?a:\bup[\s-]?trend|\bupward\strend|\bbullish|\brally\b)",
    "down": r"하락\s?(?:추세|국면|세)|내림세|약세장?|(?a:\bdown[\s-]?trend|\bdownward\strend|\bbearish|\bsell-?off)",
}
_TREND_HINTS: Final = (
    "상승",
    "오름",
    "강세",
    "up",
    "bullish",
    "rally",
    "하락",
    "내림",
    "약세",
    "down",
    "bearish",
    "sell",
)


@dataclass(frozen=True, slots=True)
class DomainVocabulary:
    """The words of one set of domains."""

    kinds: Mapping[str, FigureKind]
    """What the domains declare of figures, by the names of metrics and fields of rows."""
    concepts: tuple[tuple[Slot, str, Pattern], ...]
    """What names a figure: slot, value and words; of words that overlap the earlier ones count."""
    loose: frozenset[str]
    """Measures whose words also stand beside figures of other names."""
    names_change: frozenset[str]
    """Statistics and measures by which a change may be told though its kind has none."""
    changes: Pattern
    """The words of labels and rows' fields that name a change and not a level."""
    signals: Mapping[str, Pattern]
    """The words of sentences that say a signal or trend, by the word that stands as a metric's value."""
    foreign: Pattern
    """What no agent computes."""
    signal_hints: Hints
    """Each text that says a signal, or what no agent computes, holds one of these."""
    ids: Pattern
    """What has the shape of an internal id."""
    acts_ko: Pattern
    """The Korean nouns of what is done for people."""
    acts_en: str
    """The expression that finds the English words of it; empty where no domain has any."""


@functools.cache
def vocabulary() -> DomainVocabulary:
    """Return the words of the installed domains; the first call reads their declarations."""
    return vocabulary_of(installed_figures(), tuple(domain.name for domain in installed_domains()))


def vocabulary_of(figures: Figures, domains: tuple[str, ...]) -> DomainVocabulary:
    """Return the words of some domains and of the language."""
    stems = tuple(stem for one in figures.signals.values() for stem in one.stems)
    stems += tuple(stem for one in figures.foreign for stem in one.stems)
    signals = {word: one.words.joined for word, one in figures.signals.items()}
    return DomainVocabulary(
        kinds=figures.kinds,
        concepts=tuple((slot, value, _compiled(words)) for slot, value, words in _concepts(figures)),
        loose=frozenset({"price", *(one.value for one in figures.words if one.is_loose)}),
        names_change=frozenset({"price", "mean", *(one.value for one in figures.words if one.names_change)}),
        changes=_compiled("|".join(part for part in (_CHANGE, figures.changes) if part)),
        signals={word: _compiled(words) for word, words in (*signals.items(), *_TRENDS.items())},
        foreign=_compiled("|".join(one.words.joined for one in figures.foreign) or r"(?!)"),
        signal_hints=Hints((*_TREND_HINTS, *stems)),
        ids=_ids(domains),
        acts_ko=_compiled(figures.acts.ko or r"(?!)"),
        acts_en=figures.acts.en or "",
    )


def _concepts(figures: Figures) -> Iterator[tuple[Slot, str, str]]:
    """Yield what names a figure: a domain's statistics, the language's, what a domain measures, bare prices last."""
    own = [one for one in figures.words if one.slot is Slot.STATISTIC]
    for one in own:
        yield one.slot, one.value, one.words.joined
    for value, words in _STATISTICS:
        yield Slot.STATISTIC, value, words
    for one in figures.words:
        if one not in own:
            yield one.slot, one.value, one.words.joined
    yield Slot.MEASURE, *_PRICE
    for value, words in _REACHES:
        yield Slot.REACH, value, words
    for value, words in _AGAINST:
        yield Slot.AGAINST, value, words
    yield Slot.WINDOW, "", _WINDOW


def _ids(domains: tuple[str, ...]) -> Pattern:
    """Return what an id looks like: of evidence, tools, reasons, securities and flows, and a full id of a domain."""
    own = rf"|(?:{'|'.join(map(re.escape, domains))})\.[a-z_]+" if domains else ""
    return Pattern(
        r"(?<![0-9A-Za-z])(?:ev-[0-9a-f]{4,}|[a-z]{2,}(?:_[a-z0-9]+)+|[A-Z]{2,}(?:_[A-Z0-9]+)+"
        rf"{own}|[A-Z]{{2}}:[0-9A-Z.\-]+|[0-9a-f]{{8}}-[0-9a-f]{{4}}-[0-9a-f]{{4}}-[0-9a-f-]{{8,}})(?![0-9A-Za-z])"
    )


def _compiled(words: str) -> Pattern:
    return Pattern(words, re.IGNORECASE)
