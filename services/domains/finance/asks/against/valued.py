"""Whether a share is dear or cheap: its figures beside those of its market's or its sector's shares, and no word on what they should be."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from statistics import median
from typing import Final

from services.contract.asks import Ask, AskForm, AskVerdict, Ground, Said
from services.domains.finance.asks.calls import share_calls
from services.domains.finance.asks.drafting import DEFINES, draft, spanned
from services.domains.finance.asks.figures.held import Held
from services.domains.finance.asks.figures.rows import Figure
from services.domains.finance.asks.levels.outcomes import nothing, shares_of, whole
from services.domains.finance.asks.named import measures_named
from services.domains.finance.asks.vocabulary import BY_ID
from services.domains.finance.asks.wording import decimals_of, times
from services.domains.finance.planning import peers_of
from services.plugin.asks.answering import Answerer, Call, Claim, Found, Outcome
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled, percent, sentences
from services.plugin.entities import Entity

_VALUED: Final = (
    r"고평가|저평가|거품|비싼\s?(?:편|거|건|가격)|싼\s?(?:편|거|건|가격)|(?:비싸|싸)(?:야|요|나요|니|냐|지|다고|\?)|적정\s?(?:주가|가격)"
    r"|\b(?:over|under)[- ]?(?:valued|priced)|\b(?:is|are|looks?|look|seem\w*) .{1,24}\b(?:expensive|cheap|pricey|dear)\b(?! (?:in|at|for)\b)|fair value"
)
_MULTIPLES: Final = ("per", "pbr")


_MEAN: Final = (
    r"(?:업종|업계|섹터|동종|경쟁사)\S*(?:\s\S+)?\s?(?:평균|대비|보다|에\s?비(?:해|하면|교)|수준)|시장\s?(?:전체\s?)?평균|평균(?:보다|이랑|하고|과|와|에\s?비|\s?대비)"
    r"|\b(?:sector|industry|peers?|market|group)(?:['’]s?)?(?: \w+)? (?:average|mean|norm|median)\b|\b(?:than|against|versus|vs\.?|compared (?:to|with)|relative to|next to) (?:its |the |their )?(?:peers|sector|industry|rivals|competitors)\b|\b(?:average|mean) (?:of|for|in) (?:its|the) (?:sector|industry|peers|group|market)\b"
)
_OF_MARKET: Final = r"시장|\bmarket"


def type_against_mean(sheet: Sheet, shares: Sequence[Entity], *, measures: Sequence[str] = ()) -> Sequence[Claim]:
    """Type a figure of one share held against the mean of its sector, or of its market.

    Args:
        sheet: The message.
        shares: The shares that it is about.
        measures: What was told of them before, for a message that names no measure.
    """
    if len(shares) != 1 or not sheet.says(_MEAN) or sheet.says(DEFINES):
        return ()
    usual = _MULTIPLES[:1] if sheet.says(_VALUED) else ()
    if not (named := _held_by(measures_named(sheet) or measures) or usual):
        return ()
    notes = {"class": shares[0].value[:2], "mean": "market"}
    if not sheet.says(_OF_MARKET):
        notes = {"class": "=" + ",".join((shares[0].value, *peers_of(shares[0].value))), "mean": "sector"}
    asks = [draft(sheet, AskForm.COMPARE, "against_mean", shares, measures=(one,), notes=notes) for one in named]
    return [Claim(spanned(one, sheet, "ytd") if one.measures == ("return",) else one, 0.96) for one in asks]


def _held_by(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the measures that shares of any size are held against each other by, two at most; none where none is named."""
    return tuple(one for one in measures if BY_ID[one].unit in {"times", "percent"} and one != "surprise")[:2]


def against_mean(ask: Ask, found: Found) -> Outcome:
    """Return a figure of a share beside the mean of the other shares of its sector that the data has."""
    held, subject, measure = Held(ask, found), shares_of(ask)[0], ask.measures[0]
    own = held.share(measure, subject)
    others = [one for it in held.ids() if it != subject and (one := held.share(measure, it)) is not None]
    # A multiple of a loss is none.
    others = [one for one in others if one.value > 0 or BY_ID[measure].unit != "times"]
    if own is None:
        return nothing(ask, held)
    whole_mean = Said("업종 전체의 평균은 자료에 없습니다.", "The data has no mean of a whole sector.")
    if ask.notes["mean"] == "market":
        whole_mean = Said("시장 전체의 평균은 자료에 없습니다.", "The data has no mean of the whole market.")
    alone = filled(
        "{name}의 {label:은/는} {value}입니다.", "The {label} of {name} is {value}.",
        name=own.name, label=BY_ID[measure].label, value=own.said,
    )  # fmt: skip
    if not others:
        return whole(ask, held, sentences(whole_mean, alone), [own])
    mean = sum((one.value for one in others), Decimal(0)) / len(others)
    said = _as_told(mean, own)
    way = Said("높습니다", "above") if own.value > mean else Said("낮습니다", "below")
    way = Said("거의 같습니다", "practically at") if said == own.said else way
    lead = filled(
        "{name}의 {label:은/는} {value}로, 자료에 있는 {group} {count}개 종목의 평균 {mean}{than} {way}."
        if others[1:]
        else "{name}의 {label:은/는} {value}로, {group} 종목으로 자료에 하나 있는 {other}의 {mean}{than} {way}.",
        "The {label} of {name} is {value}, {way} the mean of {mean} of {count} other {group} in the data."
        if others[1:]
        else "The {label} of {name} is {value}, {way} the {mean} of {other}, the only one of the other {group} in the data.",
        other=others[0].name,
        name=own.name, label=BY_ID[measure].label, value=own.said, count=str(len(others)), mean=said, way=way,
        group=_GROUPS[ask.notes["mean"]], than=Said("와" if said == own.said else "보다", ""),
    )  # fmt: skip
    grounds = [Ground(Said(f"{one.name.ko} {one.said.ko}", f"{one.name.en} {one.said.en}")) for one in others[:6]]
    return whole(ask, held, sentences(lead, whole_mean), [own, *others], grounds=grounds)


_GROUPS: Final = {
    "sector": Said("같은 업종의 다른", "shares of its sector"),
    "market": Said("같은 시장의 다른", "shares of its market"),
}


def _as_told(mean: Decimal, own: Figure) -> Said:
    """Return a mean as the figure beside it is told."""
    if BY_ID[own.measure].unit == "times":
        return times(mean, decimals_of(own.measure))
    return percent(mean, 2 if own.measure == "return" else 1, signed=own.measure == "return")


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
    """Return the answerers of what a share is valued at, served by the agents that read prices of shares."""
    return (
        Answerer("valued", agents, valued, valued_calls),
        Answerer("against_mean", agents, against_mean, valued_calls),
    )
