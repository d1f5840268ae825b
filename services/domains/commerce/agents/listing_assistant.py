"""commerce.listing_assistant: a seller's own listings, changed or made once the seller approves."""

from typing import Final

from services.plugin.agent import AgentSpec
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_HOW: Final = Text(
    "어떤 상품의 가격, 재고, 판매 상태를 어떻게 바꿀지 말씀해 주시면 먼저 보여 드리고 승인을 받아 바꿉니다.",
    "Say which listing to change and how; you are shown it first, and it is changed once you approve.",
)


def analyse(_readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Say how it is done, where a message asks for none that can be typed."""
    return Findings(summary=_HOW.said("en" if asking.locale.lower().startswith("en") else "ko"))


AGENT = AgentSpec(
    id="commerce.listing_assistant",
    answers="listing goods for sale",
    declines="forbidden goods",
    sources=(QUERY_OWN,),
    analyse=analyse,
    covers=_HOW,
    reading=Text("판매 상품을 확인하고 있습니다.", "Looking at your listings."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
