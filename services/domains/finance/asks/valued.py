"""Whether a share is dear or cheap: its multiples beside those of its market's shares, and no word on what they should be."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from statistics import median
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Said
from services.domains.finance.asks.drafting import DEFINES, draft
from services.domains.finance.asks.figures import Figure, Held, decimals_of, share_calls, times
from services.domains.finance.asks.levels import nothing, shares_of, whole
from services.domains.finance.asks.named import measures_named
from services.domains.finance.asks.vocabulary import BY_ID
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, sentences
from services.plugin.entities import Entity

_VALUED: Final = (
    r"고평가|저평가|거품|비싼\s?(?:편|거|건|가격)|싼\s?(?:편|거|건|가격)|(?:비싸|싸)(?:야|요|나요|니|냐|지|다고|\?)|적정\s?(?:주가|가격)"
    r"|\b(?:over|under)[- ]?(?:valued|priced)|\b(?:is|are|looks?|look|seem\w*) .{1,24}\b(?:expensive|cheap|pricey|dear)\b(?! (?:in|at|for)\b)|fair value"
)
_MULTIPLES: Final = ("per", "pbr")


def type_valued(sheet: Sheet, shares: Sequence[Entity]) -> Sequence[Claim]:
    """Type whether one share is dear or cheap."""
    if (
        len(shares) != 1
        or not sheet.says(_VALUED)
        or sheet.numbers
        or sheet.says(DEFINES)
        or sheet.wants(AskForm.COMPARE)
    ):
        return ()
    named = tuple(one for one in measures_named(sheet) if one in _MULTIPLES)
    ask = draft(sheet, AskForm.VERDICT, "valued", shares, measures=named or _MULTIPLES)
    return (Claim(replace(ask, notes={**ask.notes, "class": shares[0].value[:2]}), 0.95),)


def valued_calls(ask: Ask) -> Sequence[Call]:
    """Return the calls of the multiples of all shares of a share's market."""
    return share_calls(replace(ask, subjects=()), ask.measures)


def valued(ask: Ask, found: Found) -> Outcome:
    """Return the multiples of a share beside the middle of its market's."""
    held, subject = Held(ask, found), shares_of(ask)[0]
    lines, told = [], []
    for measure in ask.measures:
        every = [one for it in held.ids() if (one := held.share(measure, it)) is not None and one.value > 0]
        own = next((one for one in every if one.subject == subject), None)
        if own is not None:
            told.append(own)
            lines.append(_beside(own, every))
    if not lines:
        return nothing(ask, held)
    first = filled(
        "보는 기준에 따라 다르며, 자료만으로 {name:이/가} 비싸다거나 싸다고 정할 수는 없습니다.",
        "It depends on what one holds it against; the data alone cannot say that {name} is dear or cheap.",
        name=told[0].name,
    )
    return whole(ask, held, sentences(first, *lines), told, verdict=AskVerdict.DEPENDS)


def _beside(own: Figure, every: Sequence[Figure]) -> Said:
    """Return a multiple with its place among those of the market, and their middle."""
    middle = median(one.value for one in every)
    said = times(Decimal(middle), decimals_of(own.measure))
    place = sum(one.value > own.value for one in every) + 1
    market = Said("국내", "Korean") if own.subject.startswith("KR") else Said("미국", "US")
    way = Said("보다 높습니다", "above") if own.value > middle else Said("보다 낮습니다", "below")
    way = way if said != own.said else Said("와 거의 같습니다", "practically at")
    return filled(
        "{label:은/는} {value:으로/로} 자료의 {market} {count}개 종목 가운데 {place}번째로 높고, 중앙값 {middle}{way}.",
        "Its {label} of {value} is number {place} from the top of {count} {market} shares, {way} their median of {middle}.",
        label=BY_ID[own.measure].label, value=own.said, market=market, count=str(len(every)), place=str(place),
        middle=said, way=way,
    )  # fmt: skip


def answerers(agents: tuple[str, ...]) -> tuple[Answerer, ...]:
    """Return the answerer of what a share is valued at, served by the agents that read prices of shares."""
    return (Answerer("valued", agents, valued, valued_calls),)
