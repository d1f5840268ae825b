"""Types the asks of a question on markets: its form by grammar, its subjects and measures by vocabulary, its days."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import AskedBefore, AskForm
from services.domains.finance.asks.against.sectors import type_sectors
from services.domains.finance.asks.against.valued import type_against_mean, type_valued
from services.domains.finance.asks.drafting import draft, spanned
from services.domains.finance.asks.ever import type_ever
from services.domains.finance.asks.last import editing, following
from services.domains.finance.asks.last.strangers import standing_frame
from services.domains.finance.asks.maturities import with_maturities
from services.domains.finance.asks.multiples import type_multiple_at
from services.domains.finance.asks.named import measures_named, shares_named
from services.domains.finance.asks.positions import type_position
from services.domains.finance.asks.spans import quarter_of, quarters_each
from services.domains.finance.asks.turns import type_counted, type_due, type_turned
from services.domains.finance.asks.typed.classes import type_alone, type_of_class, type_real_rates, type_several
from services.domains.finance.asks.typed.conditions import type_conditional
from services.domains.finance.asks.typed.effects import type_effect
from services.domains.finance.asks.typed.levels import (
    type_crossed,
    type_extreme,
    type_moved,
    type_standing,
    type_tested,
)
from services.domains.finance.asks.typed.stories import (
    type_advice,
    type_cause,
    type_forecast,
    type_missing,
    type_news,
    type_report,
    type_unknown,
)
from services.domains.finance.asks.typed.sums import type_sums
from services.domains.finance.asks.vocabulary import BY_ID, SERIES, TOLD
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import is_of_last
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import PERIOD
from services.text.patterns import Pattern

_WHOLE: Final = r"요약|보고서|리스크|summar|report|시나리오|scenario|포트폴리오|종합"
"""Words that ask for a whole study, which more than an answer to an ask is made for."""
_STUDY: Final = (
    r"보고서|종합적|위험도|리스크|시나리오|포트폴리오|요약|\breport on|\bscenario|\bportfolio|summar|overview"
)
"""Words that ask for such a study of whatever is named."""
_HOMES: Final = r"보증금|월세|전세(?!가율)|매매가|평당|아파트(?!\s?(?:값|가격))|오피스텔|빌라|jeonse(?! ratio)|\brent\b|apartment|officetel"


_OWN_YEAR: Final = Pattern(r"\s?\(?(?:전년\s?(?:동월\s?)?(?:비|대비)|\byoy\b|year[- ]on[- ]year)\)?", re.IGNORECASE)
"""Words for the change over a year."""


def _without_own_year(sheet: Sheet) -> Sheet:
    """Return a message of several series without the "yoy" behind prices, which are told as their change over a year."""
    series = [one for one in sheet.of_kind("series") if one.value in SERIES]
    if len(series) <= 1:
        return sheet
    for one in series:
        match = _OWN_YEAR.match(sheet.text, one.end) if SERIES[one.value].yearly else None
        if match is not None:
            blank = " " * (match.end() - match.start())
            sheet = replace(sheet, text=sheet.text[: match.start()] + blank + sheet.text[match.end() :])
    return sheet


def _in_quarters(sheet: Sheet, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return the accounts of each quarter that a message names, and what is asked beside them as of now.

    "2분기랑 3분기 영업이익", "revenue in Q1, and its share price".
    """
    one = claims[0].ask if len(claims) == 1 else None
    if one is None or one.form is not AskForm.LEVEL or not (quarter := one.notes.get("quarter", "")):
        return claims
    accounts = tuple(it for it in one.measures if BY_ID[it].items and not BY_ID[it].priced)
    others = tuple(it for it in one.measures if it not in accounts)
    quarters = quarters_each(sheet) or (quarter,)
    if not accounts or (len(quarters) == 1 and not others):
        return claims
    asks = [replace(one, measures=accounts, notes={**one.notes, "quarter": it}) for it in quarters]
    if others:
        notes = {name: value for name, value in one.notes.items() if name != "quarter"}
        asks.append(replace(one, measures=others, start_date="", end_date="", against_date="", notes=notes))
    return [replace(claims[0], ask=ask) for ask in asks]


def _beside_test(sheet: Sheet, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return what a message asks of a share beside a test on one of its figures: "its EPS and P/E, is it above 40?"."""
    one = claims[0].ask if len(claims) == 1 else None
    if one is None or one.answerer != "verdict" or len(one.measures) != 1 or len(one.subjects) != 1:
        return claims
    others = tuple(it for it in measures_named(sheet) if it not in {*one.measures, "price", "return"})
    if not others or not all(BY_ID[it].items for it in others):
        return claims
    quarter = quarter_of(sheet)
    level = draft(sheet, AskForm.LEVEL, "level", one.subjects, measures=others)
    accounts = all(not BY_ID[it].priced for it in others)
    return Claim(
        replace(level, notes={**level.notes, "quarter": quarter}) if quarter and accounts else level, 0.95
    ), claims[0]


_BOTH_TIMES: Final = Pattern(
    r"\W*(?:(?:에|은|는|이|가|동안)?\s?(?:이?나|이?랑|하고|와|과|보다)|(?:so far )?(?:or|and|than|versus|vs\.?))\s(?:in |the |during )*",
    re.IGNORECASE,
)
"""What stands between two times that are held against each other."""


def _in_times(sheet: Sheet, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return how a share moved in each of two times: "last month or this month", "지난주보다 이번 주에"."""
    one = claims[0].ask if len(claims) == 1 else None
    times = [it for it in sheet.of_kind(PERIOD) if it.value]
    if one is None or one.answerer != "change" or one.measures != ("return",) or len(times) != _TWO:
        return claims
    if _BOTH_TIMES.fullmatch(sheet.text[times[0].end : times[1].start]) is None:
        return claims
    asks = []
    for other in reversed(times):
        # Without the other time, and without the words between both, which hold neither against now.
        first, last = min(other.start, times[0].end), max(other.end, times[1].start)
        text = sheet.text[:first] + " " * (last - first) + sheet.text[last:]
        alone = replace(sheet, text=text, entities=tuple(it for it in sheet.entities if it is not other))
        asks.append(spanned(replace(one, start_date="", end_date="", against_date=""), alone, "ytd"))
    return [replace(claims[0], ask=ask) for ask in asks]


_TWO: Final = 2


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a question on markets; a short message edits the last one of them."""
    before = standing_frame(before)
    sheet = with_maturities(_without_own_year(sheet), before)
    shares = shares_named(sheet, of_markets=is_of_last(before, "finance"))
    if not shares and sheet.says(_WHOLE) and (claims := type_missing(sheet, shares)):
        return claims
    if sheet.says(_STUDY) and not sheet.says(TOLD):
        return ()
    if sheet.says(_HOMES) and not shares and not sheet.of_kind("series"):
        return tuple(one for one in type_effect(sheet, shares) if one.ask.notes.get("instead"))
    claims = type_conditional(sheet, lambda part: read(part, before)) or following.followed(sheet, shares, before)
    if claims:
        return claims
    for step in (
        type_missing,
        type_multiple_at,
        type_advice,
        type_counted,
        type_turned,
        type_due,
        type_forecast,
        type_cause,
        type_effect,
        type_news,
        type_report,
        type_ever,
        type_position,
        type_sums,
        type_against_mean,
        type_crossed,
        type_valued,
        type_sectors,
        type_of_class,
        type_real_rates,
        type_several,
        type_alone,
        type_extreme,
        type_tested,
        type_moved,
        type_standing,
    ):
        if claims := _beside_test(sheet, _in_times(sheet, _in_quarters(sheet, step(sheet, shares)))):
            return (
                claims if not editing.leans(sheet, shares, before) else editing.edited(sheet, shares, before) or claims
            )
    return following.with_lent(sheet, shares, before) or editing.edited(sheet, shares, before) or type_unknown(sheet)
