"""commerce.review_assistant: reviews of what was bought, written once and only of what was received."""

from typing import Final

from services.plugin.agent import AgentSpec
from services.plugin.asks.telling import QUERY, QUERY_OWN
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text

_HOW: Final = Text(
    "어떤 상품에 별 몇 개와 어떤 내용의 후기를 남길지 말씀해 주세요. 사서 받은 상품에만 쓸 수 있습니다.",
    "Say of which product, with how many stars and in which words; only what you bought and received can be reviewed.",
)


def analyse(_readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Say how it is done, where a message asks for none that can be typed."""
    return Findings(summary=_HOW.said("en" if asking.locale.lower().startswith("en") else "ko"))


AGENT = AgentSpec(
    id="commerce.review_assistant",
    answers="reviews of goods that were bought",
    declines="reviews of goods that were not bought",
    sources=(QUERY, QUERY_OWN),
    analyse=analyse,
    covers=_HOW,
    reading=Text("받은 상품을 확인하고 있습니다.", "Looking at what you received."),
    computing=Text("주문 내용을 준비하고 있습니다.", "Preparing it."),
)
