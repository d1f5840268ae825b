"""commerce.after_sales: cancelling, refunding, exchanging; what it does is proposed, approved and done once."""

from typing import Final

from services.plugin.agent import AgentSpec
from services.plugin.asks.telling import QUERY_OWN
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_HOW: Final = Text(
    "어느 주문을 취소하거나 환불할지 말씀해 주세요. 가능한지와 돌려받는 금액을 먼저 보여 드립니다.",
    "Say which order to cancel or refund; you are shown first whether it can be and what goes back.",
)


def analyse(_readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Say how it is done, where a message asks for none that can be typed."""
    return Findings(summary=_HOW.said("en" if asking.locale.lower().startswith("en") else "ko"))


AGENT = AgentSpec(
    id="commerce.after_sales",
    answers="cancelling, refunds, exchanges",
    declines="orders of others",
    sources=(QUERY_OWN,),
    analyse=analyse,
    covers=_HOW,
    reading=Text("주문을 확인하고 있습니다.", "Looking at your orders."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
