"""How far apart two sums are that were told one by one: "한 달에 얼마 차이야?" behind two payments."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm, AskQuantity, Origin, Said
from services.domains.realty.asks.proved import ALONE, money, number_of
from services.plugin.asks.answering import Answerer, Claim, Found, Outcome, answered
from services.plugin.asks.edits import is_fresh, short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled

_TOLD: Final = {
    "payment": Said("매달 갚는 금액이", "The payment a month is"),
    "loan_limit": Said("빌릴 수 있는 금액이", "The loan is"),
    "rise_limit": Said("올릴 수 있는 금액이", "The limit is"),
}
"""Kinds of sums that answers tell alone, and how each is spoken of."""
_APART: Final = (
    r"차이|격차|얼마(?:나|씩)?\s?(?:더|덜|줄|늘|적|많|아끼|절약|이득|손해)|\bdiffer|\bgap\b|\bby how much\b"
    r"|\bhow much (?:more|less|higher|lower|cheaper|dearer)|\bhow much (?:do|would|will) (?:i|we) save"
)
_WORDS_MAX: Final = 10
_PAIR: Final = 2


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the difference of the last two sums of one kind, where a message asks for it and names nothing new."""
    told = [_sum_of(message) for message in before[:_PAIR]]
    names = any(one.value and one.value != one.words for one in sheet.entities)
    new = any(not (one.unit in {"months", "years"} and one.value == 1) for one in sheet.numbers)
    late, early = told if len(told) == _PAIR else (None, None)
    if late is None or early is None or late[0] != early[0] or late[1] == early[1]:
        return ()
    if names or new or is_fresh(sheet) or not short(sheet.text, _WORDS_MAX) or not sheet.says(_APART):
        return ()
    sums = (("late", late[1]), ("early", early[1]))
    quantities = tuple(
        AskQuantity(role, f"{value:f}", "krw", money(value).of(sheet.language), origin=Origin.CARRIED)
        for role, value in sums
    )
    last = before[0].asks[-1]
    ask = Ask(
        words=sheet.text, end=len(sheet.text), form=AskForm.AMOUNT, intent=last.intent, answerer="sums_apart",
        quantities=quantities, notes={"of": late[0]},
    )  # fmt: skip
    return (Claim(ask, 0.97),)


def _sum_of(message: AskedBefore) -> tuple[str, Decimal] | None:
    """Return the one sum that a message was answered with; None where it was another answer."""
    told = [one for answer in message.answers for one in answer.told]
    if len(told) != 1 or len(message.asks) != 1 or told[0].kind not in _TOLD:
        return None
    return told[0].kind, Decimal(told[0].value)


def _apart(ask: Ask, found: Found) -> Outcome:
    """Return by how much the later sum is more or less than the one before it."""
    del found
    late, early = number_of(ask, "late") or Decimal(0), number_of(ask, "early") or Decimal(0)
    sentence = filled(
        "{of} {gap} {way}: {early}에서 {late:으로/로} 바뀝니다.",
        "{of} {gap} {way}: {late} against {early} before.",
        of=_TOLD[ask.notes["of"]],
        gap=money(abs(late - early)),
        way=Said("늘어납니다", "more") if late > early else Said("줄어듭니다", "less"),
        early=money(early),
        late=money(late),
    )
    return Outcome(answered(ask, sentence))


ANSWERERS: Final = (Answerer("sums_apart", ALONE, _apart),)
