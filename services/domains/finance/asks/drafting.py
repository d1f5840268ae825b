"""What every ask of markets is made of: its words, its day, its span, its intent, its numbers."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from services.contract.asks import Ask, AskForm, AskQuantity
from services.domains.finance.asks.spans import market_day, span_of
from services.plugin.asks.numbers import Number
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

SECTORS: Final = r"(?:어느|어떤|무슨|제일|가장)\s?(?:업종|섹터)|(?:업종|섹터)(?:별|\s?(?:중|가운데))|\b(?:which|what|best|worst|top|strongest|weakest)\b[^.?]{0,16}\b(?:sectors?|industr(?:y|ies))\b|\bby (?:sector|industry)\b"
"""Words that range over sectors, of which the data holds no index."""
DEFINES: Final = r"(?:이|가|은|는|란|이란)?\s?(?:뭐야|뭐예요|뭐에요|뭔가요|뭐임|뭐지|뭔지|무엇|뭔데)|무슨\s?(?:뜻|말|의미)|뜻|의미|개념|what (?:is|are|does) .*(?:mean|stand for)|\bmean(?:s|ing)?\b|define|definition|explain|what(?:.s| is| are) an? [\w-]+(?:\s[\w-]+){0,2}(?=\W*$|,?\s(?:and|or) (?:why|how|what|should|does|is)\b)|\bwhy (?:does|do|is|are) (?:it|they|that) (?:matter|important)|왜\s?중요"


def draft(sheet: Sheet, form: AskForm, answerer: str, subjects: Sequence[Entity] = (), **more: object) -> Ask:
    """Return an ask of a question as far as it says the same of all: its words, its day, its country."""
    notes = {"today": market_day(sheet.today).isoformat(), **more.pop("notes", {})}  # type: ignore[dict-item]
    return Ask(
        words=sheet.text,
        start=0,
        end=len(sheet.text),
        form=form,
        subjects=tuple(subjects),
        answerer=answerer,
        intent=intent_of(form, answerer, subjects),
        notes=notes,
        **more,  # type: ignore[arg-type]
    )


def intent_of(form: AskForm, answerer: str, subjects: Sequence[Entity]) -> str:  # noqa: PLR0911 - one for each kind
    """Return the intent whose agents answer an ask of markets."""
    shares = [one for one in subjects if one.kind == "security"]
    if answerer == "effect":
        return "general_macro"
    if answerer == "missing" and not shares:
        return "market_summary"
    if len(shares) > 1:
        return "compare_outlook"
    if shares:
        if form is AskForm.CAUSE:
            return "explain_drop"
        return "us_single_stock" if shares[0].value.startswith("US:") else "kr_single_stock"
    if any(one.kind == "series" for one in subjects):
        return "indicator_lookup"
    return "sector_recommendation"


def spanned(ask: Ask, sheet: Sheet, usual: str = "") -> Ask:
    """Return an ask with the ends of its change; a usual one where the question names none."""
    span = span_of(sheet)
    if span is None and usual:
        return with_usual(ask, usual, sheet)
    if span is None:
        return ask
    return replace(ask, against_date=span.base, end_date=span.end, notes=span.noted(ask.notes))


def with_usual(ask: Ask, usual: str, sheet: Sheet) -> Ask:
    """Return an ask with the span that is meant where none is named: this year, or a day."""
    last = market_day(sheet.today)
    if usual == "day":
        return replace(ask, notes={**ask.notes, "span": "day"})
    return replace(ask, against_date=f"{last.year - 1}-12-31", notes={**ask.notes, "span": "ytd"})


def as_quantity(number: Number, role: str) -> AskQuantity:
    """Return a number as a quantity with its role."""
    return AskQuantity(
        role, f"{number.value.normalize():f}", number.unit or "count", number.words, number.start, number.end
    )


def reach(start: str, end: str) -> str:
    """Return the first day of a level; of one day as far back as the market was last open before it."""
    if start and start == end:
        return (date.fromisoformat(start) - timedelta(days=9)).isoformat()
    return start
