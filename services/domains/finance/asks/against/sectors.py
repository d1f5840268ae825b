"""Sectors held against each other: by how the shares that the data has of each did on average."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskForm, Ground, Said
from services.domains.finance.asks.calls import share_calls
from services.domains.finance.asks.drafting import draft, spanned
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, whole
from services.domains.finance.asks.named import measures_named
from services.domains.finance.asks.wording import span_said
from services.domains.finance.planning import sectors_named
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, listed, percent, points, sentences
from services.plugin.entities import Entity
from services.plugin.wording import rounded

_PAIR: Final = (1, 2)
_AGAINST: Final = r"어디|어느|누가|뭐가|더\s|보다|비교|차이|중에|나아|나았|잘\s?(?:나갔|버[텼틴]|됐)|which|who|better|worse|more|versus|\bvs\b|\bor\b|compar|against|than|best|worst"


def type_sectors(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type a comparison of how two and more sectors did."""
    if shares or not sheet.says(_AGAINST) or sheet.wants(AskForm.EFFECT, AskForm.ADVICE):
        return ()
    named = sectors_named(sheet.text)
    if len(named) < len(_PAIR) or set(measures_named(sheet)) - {"return", "price"}:
        return ()
    every = dict.fromkeys(one for _, ids in named for one in ids)
    notes = {"class": "=" + ",".join(every), "groups": "|".join(f"{words}={','.join(ids)}" for words, ids in named)}
    ask = draft(sheet, AskForm.COMPARE, "sectors", measures=("return",), notes=notes)
    return (Claim(replace(spanned(ask, sheet, "ytd"), descending=True), 0.96),)


def sectors_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the returns of the sectors' shares."""
    return share_calls(ask, ask.measures)


def sectors(ask: Ask, found: Found) -> Outcome:
    """Return which sector's shares rose most on average, and by how much."""
    held = Held(ask, found)
    rows: list[tuple[Decimal, str, list[Figure]]] = []
    for group in ask.notes["groups"].split("|"):
        words, _, ids = group.partition("=")
        own = [one for it in ids.split(",") if (one := held.share("return", it)) is not None]
        if not own:
            return nothing(ask, held)
        rows.append((sum((one.value for one in own), Decimal(0)) / len(own), words, own))
    rows.sort(key=lambda one: one[0], reverse=True)
    first, last = rows[0], rows[-1]
    parts = listed([_told(mean, words, own) for mean, words, own in rows])
    lead = filled(
        "{time} {first} 쪽이 더 나았습니다: {parts}로 차이는 {gap}입니다.",
        "{first} did better {time}: {parts}, a difference of {gap}.",
        time=span_said(ask), first=Said(first[1], first[1][:1].upper() + first[1][1:]), parts=parts,
        gap=points(rounded(first[0], 2) - rounded(last[0], 2)),
    )  # fmt: skip
    of_what = Said(
        "업종 지수가 아니라 자료에 있는 종목의 평균입니다.",
        "This is the mean of the shares in the data, not an index of the sector.",
    )
    grounds = [
        Ground(Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}")) for *_, own in rows for one in own
    ]
    told = [one for *_, own in rows for one in own]
    return whole(ask, held, sentences(lead, of_what), told, grounds=grounds[:7])


def _told(mean: Decimal, words: str, own: Sequence[Figure]) -> Said:
    value, count = percent(mean, 2, signed=True), len(own)
    return Said(f"{words} {count}개 종목 평균 {value.ko}", f"{words} {value.en} on average of {count}")


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerer of sectors held against each other, served by the agents that read prices of shares."""
    return (Answerer("sectors", agents, sectors, sectors_calls),)
