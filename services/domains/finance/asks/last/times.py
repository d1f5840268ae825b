"""What time a message asks of the last ask of markets: a day, a span, a year of accounts, since then, now."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Final

from services.contract.asks import Ask, AskForm
from services.domains.finance.asks.last.sides import year_of_accounts
from services.domains.finance.asks.spans import Span, level_day, quarter_of, span_of
from services.domains.finance.asks.vocabulary import BY_ID, FALL, RISE, SERIES
from services.plugin.asks.sheet import Sheet

_AT_A_TIME: Final = r"전(?:엔|에는|에)|말에는(?!\s?비)|이맘[때땐]|this time last year|이었|였(?:어|지|나|더라|을까|습니까|죠)|말엔|그때|당시|(?:[말초일]|월)\s?기준|as of|\bwas\b|\bwere\b|\bago\b|back then|at the (?:end|time)"
MOVED: Final = f"{RISE}|{FALL}|변(?:했|화|동)|움직|대비|보다|이후|부터|since|\bchanged?|moved?|differen|between"
_SINCE_THEN: Final = r"몇\s?(?:%|프로|퍼센트|퍼)(?:\s?(?:수익|손실|이익|오른|내린)\S*)?(?:야|지|나|로|예요|인가)?\?*$|퍼센트로|in percent|as a percentage|what percent|그동안|그\s?(?:뒤|후|때부터|날부터)|since then|since that|from then|in (?:that|the mean)"
THAN: Final = r"보다|차이|높(?:아|나|은)|낮(?:아|나|은)|than|differen|versus|higher|lower|gap"
NOW: Final = r"지금|현재|요즘|요새|최신|\bnow\b|\bcurrent|\btoday\b|\blatest\b"
_OF_A_DAY: Final = frozenset({"ago", "year", "quarter", "through"})
"""Notes that say of when a level is."""


def as_of_now(ask: Ask) -> Ask:
    """Return a level of another time as of now, which the message asks for."""
    if ask.answerer not in {"finance.level", "finance.compare"} or "return" in ask.measures:
        return ask
    notes = {name: value for name, value in ask.notes.items() if name not in _OF_A_DAY}
    return replace(ask, start_date="", end_date="", against_date="", notes=notes)


def spanned_anew(sheet: Sheet, ask: Ask, last: Ask) -> Ask:  # noqa: PLR0911 - the first time that fits
    """Return an ask of the time that a message names: of another day, over a span, of a year of accounts."""
    span = span_of(sheet)
    if span is not None and (dated := _at_a_time(sheet, ask, last, span)) is not None:
        return dated
    if span is None:
        return _unspanned(sheet, ask, last)
    of_quarter = quarter_of(sheet) or quarter_of_year(sheet, ask)
    if of_quarter and ask.measures and BY_ID[ask.measures[0]].items:
        return ask
    if year := year_of_accounts(ask, span):
        notes = {name: value for name, value in ask.notes.items() if name not in {"quarter", "span", "months", "days"}}
        return replace(ask, start_date="", end_date="", against_date="", notes={**notes, "year": year})
    notes = span.noted(ask.notes)
    if ask.answerer == "finance.compare" and ask.measures == ("price",):
        ask = replace(ask, measures=("return",), order_by="return")
    ask = replace(ask, against_date=span.base, end_date=span.end, start_date="", notes=notes)
    series = any(one.kind == "series" for one in ask.subjects)
    accounts = bool(ask.measures) and all(BY_ID[one].items and not BY_ID[one].priced for one in ask.measures)
    if ask.answerer == "finance.level" and accounts and span.kind in {"yoy", "qoq"}:
        return replace(ask, answerer="finance.change", form=AskForm.CHANGE, end_date="")
    if ask.answerer == "finance.level" and (series or ask.measures in {("price",), ()}):
        return replace(ask, answerer="finance.change", form=AskForm.CHANGE, measures=() if series else ("return",))
    return ask


_YEARS: Final = (
    (2, r"재작년|the year before last"),
    (1, r"(?<!재)(?:작년|지난해)(?!\s?(?:거|것|꺼)?\s?(?:말고|아니|빼고))|(?<!not )last year"),
    (0, r"(?:올해|금년)(?!\s?(?:거|것|꺼)?\s?(?:말고|아니|빼고))|(?<!not )this year"),
)


def quarter_of_year(sheet: Sheet, ask: Ask) -> str:
    """Return the same quarter of the year that a message names ("아니 올해 걸로"); empty where it holds two against each other."""
    own = ask.notes.get("quarter", "")
    if not own[:1].isdigit() or "through" in ask.notes or sheet.says(f"{MOVED}|{THAN}"):
        return ""
    back = next((back for back, words in _YEARS if sheet.says(words)), None)
    return "" if back is None else f"{sheet.today.year - back}Q{own[-1]}"


_PRICED: Final = (("return",), ("price",), ())


def _unspanned(sheet: Sheet, ask: Ask, last: Ask) -> Ask:
    """Return an ask whose message names no time: since the day that was told of ("그동안"), else this year."""
    if is_since(sheet, last) and ask.measures in _PRICED:
        notes, series = {**ask.notes, "span": "since"}, any(one.kind == "series" for one in ask.subjects)
        made = replace(ask, against_date=last.end_date, start_date="", end_date="", notes=notes)
        measures = () if series else ("return",)
        return replace(made, answerer="finance.change", form=AskForm.CHANGE, measures=measures)
    if "return" in ask.measures and not ask.against_date and ask.notes.get("span") != "day":
        year = int(ask.notes["today"][:4]) - 1
        notes = {**ask.notes, "span": "ytd"}
        return replace(ask, against_date=f"{year}-12-31", start_date="", end_date="", notes=notes)
    return ask


def is_since(sheet: Sheet, last: Ask) -> bool:
    """Tell whether a change is asked since the day that was told of: "그동안", or "how much is it up?" after its level."""
    moved = last.answerer == "finance.level" and sheet.says(MOVED)
    return bool(last.end_date) and (moved or sheet.says(_SINCE_THEN))


_AGO: Final = frozenset({"back", "yoy", "mom", "qoq"})


def _is_monthly(ask: Ask) -> bool:
    return any(one.kind == "series" and not SERIES[one.value].daily for one in ask.subjects if one.value in SERIES)


def _at_a_time(sheet: Sheet, ask: Ask, last: Ask, span: Span) -> Ask | None:
    """Return a level that was asked, now of another time: "1년 전엔 얼마였어?"; None where a change is asked for."""
    levels = {"finance.level", "finance.exchange", "finance.compare"}
    if last.answerer not in levels or ask.answerer not in levels or "return" in ask.measures or sheet.says(MOVED):
        return None
    # After the level of a day, a bare month or day asks for the level of that one.
    is_dated = bool(last.end_date) and span.kind in {"period", "day"}
    if ask.answerer != "finance.exchange" and not (is_dated or sheet.says(_AT_A_TIME)):
        return None
    start, end = level_day(sheet)
    notes = {name: value for name, value in ask.notes.items() if name not in {"span", "months", "ago"}}
    if span.kind in _AGO and span.months and _is_monthly(ask):
        return replace(ask, start_date="", end_date="", against_date="", notes={**notes, "ago": str(span.months)})
    if not end and span.kind in _AGO:
        end = span.base
    if not end or any(BY_ID[one].items and not BY_ID[one].priced for one in ask.measures):
        return None
    first = (date.fromisoformat(end) - timedelta(days=40)).isoformat() if not start or start == end else start
    return replace(ask, start_date=first, end_date=end, against_date="", notes=notes)
