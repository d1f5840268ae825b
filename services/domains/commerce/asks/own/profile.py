"""The address on file: another one in its place, shown and approved before it is so."""

from typing import Final

from services.contract.asks import Ask, Said
from services.domains.commerce.asks.acts import places
from services.domains.commerce.asks.acts.proposing import OWN, lacking, prepared
from services.plugin.asks.answering import Answerer, Call, Found, Outcome, answered, declined
from services.plugin.asks.telling import filled, query, rows_of
from services.plugin.findings import action_request

AGENTS: Final = ("commerce.order_flow",)
"""Who keeps where goods go."""


def _calls(_ask: Ask) -> tuple[Call, ...]:
    return (query("own_points", ["shipping_address"], mode="rows", tool=OWN, limit=1),)


def _address(ask: Ask, found: Found) -> Outcome:
    person = next(iter(rows_of(found.readings, "own_points")), None)
    now = person.text("shipping_address") if person is not None else ""
    if ask.notes.get(places.OF_ORDER):
        return Outcome(declined(ask, filled(_NOT_OF_ORDER.ko, _NOT_OF_ORDER.en, now=now)))
    wanted = ask.notes.get("address", "")
    if wanted in {"", places.DEFAULT} or wanted.startswith(places.UNKNOWN):
        which = filled(_WHICH.ko, _WHICH.en, now=now) if now else _WHICH_FIRST
        return lacking(ask, "address", which)
    if wanted == now:
        return Outcome(answered(ask, filled(_THE_SAME.ko, _THE_SAME.en, now=now)))
    return prepared(ask, [action_request("UPDATE_PROFILE", "account_update_profile", shipping_address=wanted)])


_WHICH: Final = Said(
    "어떤 주소로 바꿀까요? 지금 등록된 배송지는 {now}입니다.",
    "What shall your shipping address be? The one on file is {now}.",
)
_WHICH_FIRST: Final = Said(
    "어떤 주소를 등록할까요? 아직 등록된 배송지가 없습니다.",
    "What shall your shipping address be? There is none on file yet.",
)
_THE_SAME: Final = Said(
    "등록된 배송지가 이미 {now}입니다. 바뀐 것은 없습니다.",
    "The address on file is {now} already; nothing was changed.",
)
_NOT_OF_ORDER: Final = Said(
    "이미 만든 주문의 배송지는 바꿀 수 없습니다. 발송 전이면 그 주문을 취소하고 새 주소로 다시 주문할 수 있습니다. 등록된 배송지({now})는 앞으로의 주문을 위해 바꿀 수 있습니다.",
    "The address of an order that is made cannot be changed. Until it is shipped it can be cancelled and ordered again to another address. The address on file ({now}) can be changed for what you order next.",
)


def tell_address(ask: Ask, found: Found) -> Outcome:
    """Return the address on file."""
    person = next(iter(rows_of(found.readings, "own_points")), None)
    now = person.text("shipping_address") if person is not None else ""
    if not now:
        return Outcome(answered(ask, Said("등록된 배송지가 없습니다.", "There is no address on file.")))
    sentence = filled("등록된 배송지는 {now}입니다.", "The shipping address on file is {now}.", now=now)
    return Outcome(answered(ask, sentence))


ANSWERERS: Final = (
    Answerer("own_address", AGENTS, tell_address, _calls),
    Answerer("act_address", AGENTS, _address, _calls),
)
