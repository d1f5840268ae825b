"""A short message on markets as an edit of the last ask: another share, measure or time, or what was told pointed to."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.finance.asks.drafting import as_quantity, intent_of
from services.domains.finance.asks.last.going_on import asks_why, caused, gone_on
from services.domains.finance.asks.last.sides import (
    BOTH,
    before_pick,
    chooses,
    first_of_set,
    on_one_side,
    side_taken,
    told_set,
    told_things,
)
from services.domains.finance.asks.last.times import NOW, THAN, as_of_now, is_since, quarter_of_year, spanned_anew
from services.domains.finance.asks.named import countries_named, entity_of, measures_named, numbers_of, series_named
from services.domains.finance.asks.spans import quarter_of, span_of
from services.domains.finance.asks.typed.classes import HIGH, LOW
from services.domains.finance.asks.typed.sums import share_count
from services.domains.finance.asks.vocabulary import BY_ID, GROWS, NEWS, SERIES
from services.plugin.asks.answering import Claim
from services.plugin.asks.comparatives import side
from services.plugin.asks.edits import adds, carried, compares, is_fresh, is_of_last, last_of, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.standing import PAIR
from services.plugin.entities import Entity
from services.text.patterns import Pattern

_WORDS_MAX: Final = 13
_LEVELS: Final = frozenset(
    {
        "finance.level",
        "finance.change",
        "finance.compare",
        "finance.rank",
        "finance.listing",
        "finance.extreme",
        "finance.verdict",
        "finance.news",
        "finance.cause",
        "finance.advice",
        "finance.invest",
        "finance.worth",
        "finance.exchange",
        "finance.report",
        "finance.beat",
        "finance.counted",
    }
)
_ALONE: Final = (
    r"(?:는|은|도|이?요)(?:\s?(?:알려|보여|말해|어때|어떤|궁금|얼마|몇|부탁)[가-힣\s]*)?\?*$"
    r"|^(?:and|what about|how about|then|same for|make (?:it|that)|do)\b|비교|랑|와|과|compare"
)
_AT_RATE: Final = r"환율(?:이|로)?(?:었|라|이)?(?:으)?면|환율(?:로|로는|이면)|at (?:the|that|last|a) .*rate|if the rate"
_YES: Final = r"[나어아야지까죠요]\s?\?|웃돌|넘었|잘\s?나왔|beat|better|\b(?:did|was|were|is)\b"
_HOMES: Final = r"아파트|전세|월세|매매|집|구\b|동\b|apartment|jeonse|home"


def leans(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> bool:
    """Tell whether a message says less than an ask: a share alone ("그럼 엔비디아는?"), or a comparison with what stands."""
    last = last_of(before, "finance")
    if last is None or is_fresh(sheet) or not short(sheet.text, _WORDS_MAX):
        return False
    if sheet.says(NEWS):
        return False
    if last.answerer == "finance.exchange" and is_of_last(before, "finance") and sheet.says(_AT_RATE):
        return True
    alone = bool(shares) and not measures_named(sheet) and span_of(sheet) is None
    waits = last.answerer == "finance.compare" and len(last.subjects) == 1 and len(shares) == 1
    both = alone and bool(_both_measures(sheet, shares, before))
    joins = adds(sheet) or (compares(sheet, shares) and len(shares) == 1)
    return waits or both or (alone and sheet.says(_ALONE)) or joins


def edited(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the last ask with what a message replaces in it; nothing where the message is none of its edits."""
    before = before_pick(sheet, before)
    last = last_of(before, "finance")
    if last is None or is_fresh(sheet) or not short(sheet.text, _WORDS_MAX) or last.answerer not in _LEVELS:
        return ()
    just = is_of_last(before, "finance")
    measures, series = measures_named(sheet), _series(sheet, last, just=just)
    span = None if series and _is_a_maturity(series, sheet) else span_of(sheet)
    twins = _twins(sheet, last)
    if just and not (shares or series) and (one := one_side(sheet, last, before, measures)) is not None:
        return (one,)
    set_of = told_things(sheet, before) if just or sheet.says(r"종목|주식|stock|share") else ()
    if just and (made := _going_on(sheet, before, last, shares or series, set_of)) is not None:
        return (made,)
    quarter = just and bool(quarter_of(sheet))
    since = just and is_since(sheet, last)
    names = since or bool(
        shares or series or twins or quarter or [one for one in measures if one != "price"] or (measures and just)
    )
    if not (
        names
        or set_of
        or (span is not None and just)
        or (just and (compares(sheet) or sheet.superlative or _country(sheet)))
        or (just and last.answerer == "finance.compare" and chooses(sheet))
    ):
        return ()
    if not just and not (shares or series) and sheet.says(_HOMES):
        return ()
    set_of = set_of or (told_set(sheet, before) if just and not (shares or series or twins) else ())
    # A comparison of one side alone waits for the other.
    waits = last.answerer == "finance.compare" and len(last.subjects) == 1
    joined = not _alone_named(sheet, shares or series) and (
        waits
        or ((adds(sheet) or compares(sheet, shares or series)) and bool(shares or series))
        or (bool(twins) and sheet.says(THAN))
    )
    ask = _carried(sheet, last, shares or set_of or twins or series, joined=joined)
    ask = _measured(sheet, _renumbered(sheet, ask), measures or _both_measures(sheet, shares, before))
    ask = spanned_anew(sheet, ask, last) if span is not None or since or not series else ask
    ask = as_of_now(ask) if span is None and sheet.says(NOW) else ask
    return (Claim(_formed(sheet, ask, last), 0.95 if just else 0.9),)


def _going_on(
    sheet: Sheet, before: Sequence[AskedBefore], last: Ask, named: Sequence[Entity], told: Sequence[Entity]
) -> Claim | None:
    """Return the last ask gone on from, or why that moved which is pointed to; None where a message does neither."""
    if told and asks_why(sheet, told):
        return Claim(caused(sheet, replace(last, subjects=tuple(told))), 0.96)
    former = before[1].asks[-1] if len(before) > 1 and before[1].asks else None
    return gone_on(sheet, last, is_named=bool(named), former=former)


def _both_measures(sheet: Sheet, shares: Sequence[Entity], before: Sequence[AskedBefore]) -> tuple[str, ...]:
    """Return the two measures asked last, one message after another, of which another share is asked: "기아는 둘 다 어때"."""
    if not shares or not sheet.says(BOTH):
        return ()
    lately_asked = (one for message in before for ask in message.asks for one in ask.measures if one in BY_ID)
    both = tuple(islice(dict.fromkeys(lately_asked), PAIR))
    return tuple(reversed(both)) if len(both) == PAIR else ()


def _alone_named(sheet: Sheet, named: Sequence[Entity]) -> bool:
    """Tell whether a message keeps but the thing that it names: "기아만", "just Apple"."""
    return any(
        sheet.text[one.end : one.end + 1] == "만" or _ONLY.before(sheet.text, one.start) for one in named if one.end
    )


_ONLY: Final = Pattern(r"\b(?:just|only)\s(?:for\s|the\s)?$", re.IGNORECASE)


def _series(sheet: Sheet, last: Ask, *, just: bool) -> tuple[Entity, ...]:
    """Return the series that a message names; after one of a class ("the 2-year") a bare word means one too."""
    named = series_named(sheet)
    of_series = any(one.kind == "series" for one in last.subjects)
    if named or not just or not of_series or sheet.of_kind("security"):
        return named
    wide = series_named(sheet, wide=True)
    return tuple(one for one in wide if one.value not in {"KR_BASE_RATE", "FEDFUNDS"}) or wide


def _is_a_maturity(series: Sequence[Entity], sheet: Sheet) -> bool:
    """Tell whether the years of a message are those of a bond, and no time: "the 10-year?"."""
    years = r"(?:2|10|이|십)\s?년\s?(?:짜리|물|만기|국채|채)|\b(?:2|10|two|ten)[- ]years?\b"
    return (
        any(one.value in {"DGS2", "DGS10"} for one in series)
        and sheet.says(years)
        and not sheet.says(r"\bago\b|전(?:에|엔|보다)|동안|over|since|past|last|말\s?(?:에|엔)|end of")
    )


def _twins(sheet: Sheet, last: Ask) -> tuple[Entity, ...]:
    """Return the same series of the one country that a message names: "한국은?" after the inflation of the US."""
    country = _country(sheet)
    known = [SERIES[one.value] for one in last.subjects if one.kind == "series" and one.value in SERIES]
    if not (country and known) or any(not one.twin or one.country == country for one in known):
        return ()
    return tuple(entity_of(SERIES[one.twin], sheet) for one in known)


def _country(sheet: Sheet) -> str:
    """Return the one market that a message names; empty for none and for both."""
    found = countries_named(sheet)
    return found[0] if len(found) == 1 else ""


def one_side(sheet: Sheet, last: Ask, before: Sequence[AskedBefore], measures: Sequence[str]) -> Claim | None:
    """Return a measure of the one of two that a message picks by its figure, or what is on one side of nothing.

    "The cheaper one's dividend yield?", "마이너스인 데 있어?".
    """
    if of_sign := on_one_side(sheet, last, before):
        return Claim(_formed(sheet, _carried(sheet, last, of_sign, joined=False), last), 0.96)
    if not measures and (first := first_of_set(sheet, last, before)) is not None:
        return Claim(_formed(sheet, _carried(sheet, last, (first,), joined=False), last), 0.96)
    own = [one for one in measures if one not in {"price", "return"}]
    if not own and "price" in measures and sheet.superlative is not None:
        own = ["price"]
    picked = side_taken(sheet, last, before) if len(own) == 1 and own[0] not in last.measures else None
    if picked is None:
        return None
    ask = _measured(sheet, _carried(sheet, last, (picked,), joined=False), own)
    ask = replace(ask, answerer="finance.level", form=AskForm.LEVEL, conditions=(), count=0)
    return Claim(replace(ask, intent=intent_of(AskForm.LEVEL, "level", ask.subjects)), 0.96)


def _carried(sheet: Sheet, last: Ask, subjects: Sequence[Entity], *, joined: bool) -> Ask:
    now = Ask(words=sheet.text, end=len(sheet.text), subjects=tuple(subjects))
    ask = carried(now, last, adds_subjects=joined)
    if subjects and not joined:
        ask = replace(ask, subjects=tuple(subjects))
    country = _country(sheet)
    notes = dict(ask.notes)
    if country and "class" in notes:
        notes["class"] = country
    return replace(ask, notes=notes, form=ask.form or last.form)


def _renumbered(sheet: Sheet, ask: Ask) -> Ask:
    """Return a sum of shares with the number that a message says, where it says one: no number of it is left out."""
    if ask.answerer not in {"finance.worth", "finance.invest"}:
        return ask
    numbers = numbers_of(sheet)
    one = share_count(sheet, numbers) or next(
        (it for it in numbers if it.unit in {"krw", "usd", "shares", "weeks"}), None
    )
    if one is None:
        return ask
    role, unit = ("sum", one.unit) if one.unit in {"krw", "usd"} else ("shares", "shares")
    return replace(ask, quantities=(replace(as_quantity(one, role), unit=unit),))


def _measured(sheet: Sheet, ask: Ask, measures: Sequence[str]) -> Ask:
    named = tuple(one for one in measures if one != "price") or tuple(measures)
    if quarter := quarter_of(sheet) or quarter_of_year(sheet, ask):
        ask = replace(
            ask, notes={**{name: one for name, one in ask.notes.items() if name != "year"}, "quarter": quarter}
        )
    shares = any(one.kind == "security" for one in ask.subjects) or "class" in ask.notes
    if not named or not shares:
        return replace(ask, measures=ask.measures or ("price",)) if shares and not ask.measures else ask
    answerer = ask.answerer
    if named == ("surprise",) and sheet.says(_YES):
        notes = {**ask.notes, "quarter": "last"}
        return replace(ask, measures=named, answerer="finance.beat", form=AskForm.VERDICT, conditions=(), notes=notes)
    if answerer in {
        "finance.change",
        "finance.extreme",
        "finance.verdict",
        "finance.news",
        "finance.cause",
        "finance.advice",
        "finance.report",
        "finance.worth",
    } and named != ("return",):
        answerer = "finance.level"
    if answerer == "finance.level" and named == ("return",):
        answerer = "finance.change"
    kept = ask.conditions if answerer in {"finance.listing", "finance.rank"} else ()
    ask = replace(ask, measures=named, order_by=named[0], answerer=answerer, conditions=kept)
    if answerer == "finance.level":
        ask = replace(ask, form=AskForm.LEVEL)
    if all(BY_ID[one].items for one in named):
        ask = replace(ask, start_date="", end_date="")
    return ask


_WAYS: Final = rf"{LOW}|{HIGH}|싸|비싸|높|낮|더\s|덜|higher|lower|more|less|better|worse"
"""Words that say which end of a comparison is wanted."""


_OF_PRICE: Final = r"주가|비싼|비싸|싼|싸|저렴|차이|격차|얼마|\bpric|\bgap\b|\bdiffer|\bcheap|\bexpensive|\bdear"


def _of_levels(sheet: Sheet, ask: Ask, last: Ask) -> Ask:
    """Return a comparison of series whose levels were told as one of these, and not of how they moved."""
    if last.answerer != "finance.level" or any(one.kind == "security" for one in ask.subjects) or span_of(sheet):
        return ask
    return replace(ask, against_date="", notes={name: one for name, one in ask.notes.items() if name != "span"})


def _formed(sheet: Sheet, ask: Ask, last: Ask) -> Ask:
    """Return an ask in the form that its subjects and the message's words allow now."""
    shares = [one for one in ask.subjects if one.kind == "security"]
    if len(ask.subjects) > 1 and (
        compares(sheet, ask.subjects)
        or chooses(sheet)
        or sheet.says(r"둘")
        or (any(one.kind == "series" for one in ask.subjects) and sheet.says(THAN))
        or sheet.wants(AskForm.COMPARE)
        or sheet.superlative
        or ask.answerer == "finance.compare"
    ):
        least = sheet.superlative is not None and not sheet.superlative.is_most
        way = side(sheet)
        low = least or (
            way == "down"
            if way is not None
            else sheet.says(r"(?<!비)싼|(?<!비)싸|저렴|낮|작|적|꼴찌|최저|덜|lower|lowest|cheap|worst|least|smallest")
        )
        measures = ask.measures or (("return",) if shares else ())
        # Prices of one currency are held against each other where a price is meant.
        markets = {one.value.partition(":")[0] for one in shares}
        if measures == ("price",) and shares and not (len(markets) == 1 and sheet.says(_OF_PRICE)):
            measures = ("return", "per")
        form, answerer = AskForm.COMPARE, "finance.compare"
        ask = _of_levels(sheet, ask, last)
        again = last.answerer == "finance.compare" and not (way or sheet.says(_WAYS) or sheet.superlative)
        if sheet.says(GROWS) and measures and all(BY_ID[one].items and not BY_ID[one].priced for one in measures):
            ask = replace(ask, notes={**ask.notes, "span": "yoy"}, against_date="", end_date="")
        ask = replace(
            ask, form=form, answerer=answerer, descending=last.descending if again else not low, measures=measures
        )
        if "return" in measures and not ask.against_date:
            ask = replace(
                ask, against_date=f"{int(ask.notes['today'][:4]) - 1}-12-31", notes={**ask.notes, "span": "ytd"}
            )
    elif len(ask.subjects) == 1 and ask.answerer in {"finance.compare", "finance.rank", "finance.listing"}:
        answerer = "finance.change" if ask.measures == ("return",) else "finance.level"
        form = AskForm.CHANGE if answerer == "finance.change" else AskForm.LEVEL
        ask = replace(ask, answerer=answerer, form=form, conditions=(), measures=ask.measures or ("price",))
    elif ask.answerer in {"finance.rank", "finance.listing"} and sheet.superlative is not None and "class" in ask.notes:
        ask = replace(ask, descending=sheet.superlative.is_most, answerer="finance.rank", form=AskForm.RANK)
    elif ask.answerer in {"finance.rank", "finance.listing"} and ask.order_by and sheet.says(LOW) != sheet.says(HIGH):
        ask = replace(ask, descending=sheet.says(HIGH), answerer="finance.rank", form=AskForm.RANK)
    if shares and ask.answerer == "finance.level" and not ask.measures:
        ask = replace(ask, measures=("price",))
    if not shares and ask.answerer == "finance.level":
        ask = replace(ask, measures=() if any(one.value in SERIES for one in ask.subjects) else ask.measures)
    return replace(
        ask, intent=intent_of(ask.form or AskForm.LEVEL, ask.answerer.removeprefix("finance."), ask.subjects)
    )
