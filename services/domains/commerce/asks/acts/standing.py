"""A message after an act was shown that no reader is sure of: it is about that act before it is a search. Pure.

Whether it puts the act off is told by its likeness to what people say of it (stopping.yaml).

it puts the act off, by what it means        the act is let be
it asks for nothing and names no other       what was not understood is told, and it is asked what shall become of the act
thing
it asks something, or another reader is      it stays what it is
sure of it
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Final

from services.contract.asks import AnswerState, Ask, AskedBefore, AskForm, Said
from services.domains.commerce.asks.acts import words
from services.domains.commerce.asks.acts.editing import dropped
from services.domains.commerce.asks.acts.proposing import still_asking
from services.domains.commerce.asks.acts.underway import under_way
from services.domains.commerce.asks.goods.subjects import GOODS
from services.domains.commerce.asks.meant import ELSEWHERE, Meant, meant, plain
from services.plugin.asks.answering import CERTAIN, Answerer, Claim, Found, Outcome, asking_back
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet
from services.plugin.asks.telling import filled
from services.plugin.documents import read_yaml
from services.text.likeness import Likeness

UNHEARD: Final = "act_unheard"
"""The answerer of a message that is about an act in a way which is not understood."""
WAS: Final = "was"
"""The note that keeps the answerer of the act that stands."""
_NEAR: Final = 0.4
_WORDS_MAX: Final = 16
_SURE: Final = 0.93
_OWN: Final = frozenset({"category", "product", "product_code", "order_id", "amount", "quantity", "period", "area"})
"""The kinds of names that a message about an act may have; any other is of another subject."""
_GOODS: Final = tuple(f"{GOODS}{one}" for one in ("list", "one", "rank", "recommend", "total", "which", "missing"))
FILE: Final = "stopping.npz"
"""The vectors of the examples; `python -m services.domains.commerce.asks.encoding` writes them."""
_STOP, _OTHER = "stop", "other"
_STOP_NEAR: Final = 0.34
_STOP_AHEAD: Final = 0.05


def held(sheet: Sheet, before: Sequence[AskedBefore], claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return the asks of a message, those on the act that stands first where no reader is sure of another thing."""
    act = _act(before)
    if act is None and (let_be := _of_declined(sheet, before)) is not None and not claims:
        return (Claim(let_be, CERTAIN, is_whole=True),)
    if act is None or not short(sheet.text, _WORDS_MAX) or any(not _is_weak(one.ask) for one in claims):
        return claims
    if words.asks_something(sheet) or any(one.kind not in _OWN and one.value != one.words for one in sheet.entities):
        return claims
    if puts_off(sheet) and not (sheet.says(words.YES) or sheet.says(words.PURCHASE)):
        return (Claim(dropped(act, sheet), CERTAIN, is_whole=True),)
    if _is_elsewhere(meant(sheet)) or (claims and _looks_for(sheet)):
        return claims
    return (Claim(_unheard(act, sheet), _SURE, is_whole=bool(claims)),)


def _act(before: Sequence[AskedBefore]) -> Ask | None:
    """Return the act that was shown or asked about just before, and is not done."""
    found = under_way(before[:1])
    if found is None or found[1] is None or found[1].state in {AnswerState.ANSWERED, AnswerState.DECLINED}:
        return None
    return None if found[0].answerer.endswith("act_dropped") else found[0]


@cache
def likeness() -> Likeness:
    """Return what people say of what is shown."""
    document = read_yaml(__package__ or "", "stopping.yaml")
    if not isinstance(document, dict):
        raise TypeError("stopping.yaml is a mapping")
    examples = {str(kind): tuple(map(str, said)) for kind, said in document.items()}
    return Likeness(examples, resources.files(__package__ or "").joinpath(FILE))


def puts_off(sheet: Sheet) -> bool:
    """Tell whether a message puts off what is shown."""
    scores = likeness().scores(plain(sheet), {_STOP, _OTHER})
    near = scores.get(_STOP, 0.0)
    return near >= _STOP_NEAR and near - scores.get(_OTHER, 0.0) >= _STOP_AHEAD


def _of_declined(sheet: Sheet, before: Sequence[AskedBefore]) -> Ask | None:
    """Return that what was declined just before is let be, where a message puts it off; None where it does not."""
    found = under_way(before[:1])
    if found is None or found[1] is None or found[1].state is not AnswerState.DECLINED:
        return None
    return dropped(found[0], sheet) if short(sheet.text, _WORDS_MAX) and puts_off(sheet) else None


def _is_weak(ask: Ask) -> bool:
    """Tell whether an ask is a reading of goods, which any noun may give."""
    return ask.answerer.rpartition(".")[2] in _GOODS


def _is_elsewhere(near: Meant) -> bool:
    return near.kind == ELSEWHERE and near.nearness >= _NEAR


def _looks_for(sheet: Sheet) -> bool:
    """Tell whether a message looks for goods."""
    return sheet.says(words.LOOKS_FOR) or sheet.wants(AskForm.LIST, AskForm.RECOMMEND, AskForm.COMPARE)


def _unheard(act: Ask, sheet: Sheet) -> Ask:
    notes = {**act.notes, WAS: act.notes.get(WAS) or act.answerer, "unheard": sheet.text[:80]}
    return replace(act, words=sheet.text, start=0, end=len(sheet.text), answerer=UNHEARD, notes=notes)


def _ask_what(ask: Ask, _found: Found) -> Outcome:
    """Tell what was not understood, and ask what shall become of the act that stands."""
    is_order = ask.notes.get(WAS, "").endswith("act_order")
    form = _OF_ORDER if is_order else _OF_ACT
    sentence = filled(form.ko, form.en, words=ask.notes.get("unheard", ""))
    return still_asking(ask, Outcome(asking_back(ask, sentence, Said("어떻게 할지", "what shall be done"))))


_OF_ORDER: Final = Said(
    "‘{words}’라는 말씀을 알아듣지 못했습니다. 결제된 것은 없습니다. 이대로 주문할까요, 그만둘까요? 바꾸시려면 수량, 상품, 배송지, 결제 수단, 쿠폰, 포인트 중에서 말씀해 주세요.",
    "I did not understand “{words}”. Nothing has been paid. Shall I order it as it stands, or leave it? To change it, name the number, the product, the address, how you pay, a coupon or points.",
)
_OF_ACT: Final = Said(
    "‘{words}’라는 말씀을 알아듣지 못했습니다. 아직 아무것도 하지 않았습니다. 이대로 진행할까요, 그만둘까요?",
    "I did not understand “{words}”. Nothing has been done yet. Shall I go on as it stands, or leave it?",
)

ANSWERERS: Final = (Answerer(UNHEARD, ("commerce.order_flow", "commerce.after_sales"), _ask_what),)
