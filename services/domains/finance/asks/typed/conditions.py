"""Types what is wanted only where a level holds: "환율이 1400원 넘으면 삼성전자 수익률도 알려줘"."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskCondition, AskForm, AskVerdict, Said
from services.domains.finance.asks.drafting import draft
from services.domains.finance.asks.named import numbers_of, series_named
from services.domains.finance.asks.typed.bounds import operator
from services.plugin.asks.answering import Claim, Found, Outcome, declined
from services.plugin.asks.forms import Clause
from services.plugin.asks.sheet import Sheet

_IF: Final = (
    r"^(?P<ko>.{4,40}?(?:넘으면|넘어서면|이상이면|이하이면|이하면|미만이면|초과면|아래면|밑이면|밑돌면|웃돌면|높으면|낮으면))[\s,]+(?P<then>\S.*)$"
    r"|^if (?P<en>.{4,60}?(?:above|below|over|under|exceeds?|at least|more than|less than)\s\S+(?:\s(?:percent|won|points?))?),?\s+(?P<do>(?:tell|show|give|what|how|let)\b.*)$"
)
_WANTS: Final = r"알려|보여|말해|얼마|몇|뭐|어때|tell|show|give|what|how much|let me know"
_HELD_BACK: Final = Said(
    "조건이 맞지 않아 그다음 값은 알려 드리지 않았습니다.",
    "The condition does not hold, so what was to follow is not told.",
)
_NAME: Final = "if"
Read = Callable[[Sheet], Sequence[Claim]]


def type_conditional(sheet: Sheet, read: Read) -> Sequence[Claim]:
    """Return the verdict on a level and what is wanted where it holds; nothing where the message has no such condition.

    Args:
        sheet: The message.
        read: Types the asks of what is wanted.
    """
    match = sheet.find(_IF)
    if match is None:
        return ()
    first, then = ("ko", "then") if match["ko"] else ("en", "do")
    test = sheet.part(Clause(match[first], match.start(first), match.end(first)))
    wanted = Clause(match[then], match.start(then), match.end(then))
    series, numbers = series_named(test, wide=True), numbers_of(test)
    if len(series) != 1 or len(numbers) != 1 or not sheet.part(wanted).says(_WANTS):
        return ()
    claims = read(sheet.part(wanted))
    if not claims or any(one.ask.form is AskForm.EFFECT for one in claims):
        return ()
    number = numbers[0]
    bound = AskCondition("level", operator(test, number), f"{number.value.normalize():f}", number.unit, number.words)
    verdict = replace(draft(test, AskForm.VERDICT, "verdict", series, conditions=(bound,)), ask_id=_NAME)
    kept = [Claim(replace(one.ask, depends_on=(_NAME,), start=wanted.start, end=wanted.end), 0.97) for one in claims]
    return [Claim(verdict, 0.97), *kept]


def only_where_it_holds(answer: Callable[[Ask, Found], Outcome]) -> Callable[[Ask, Found], Outcome]:
    """Return an answer that is held back where the verdict that it depends on is no."""

    def held_back(ask: Ask, found: Found) -> Outcome:
        if any(one.verdict is AskVerdict.NO for one in found.answers):
            return Outcome(declined(ask, _HELD_BACK))
        return answer(ask, found)

    return held_back
