"""That an answer about shares, timing or sectors is no advice to trade."""

import re
from collections.abc import Iterator
from typing import Final

from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import serves
from services.plugin.wording import Text
from services.text.language import Language
from services.text.patterns import Pattern

_INTENTS: Final = frozenset({"timing_scenario", "sector_recommendation"})
_EQUITY: Final = "finance.equity"
_NO_ADVICE: Final = Text(
    "이 답은 판단을 돕는 정보이며 매수나 매도를 권하는 것이 아닙니다.",
    "This is information to help you decide, not advice to trade.",
)
_SAYS_NO_ADVICE: Final = Pattern(
    r"(?:매매|매수|매도)\S*\s?(?:\S+\s)?권하|\b(?:no|not)\b[^.]{0,20}\badvice\b", re.IGNORECASE
)


def no_advice(request: SynthesizeRequest, language: Language) -> Iterator[str]:
    """Yield the caution, where no agent has said it."""
    advises = serves(_INTENTS, request.route) or any(result.agent == _EQUITY for result in request.results)
    said = (caution for result in request.results for caution in result.cautions)
    if advises and not any(_SAYS_NO_ADVICE.search(caution) for caution in said):
        yield _NO_ADVICE.said(language)
