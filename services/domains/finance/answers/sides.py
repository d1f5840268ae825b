"""The four sides of a share: price, earnings, valuation and risk; what no row holds is said to be missing."""

from collections.abc import Iterator
from typing import Final

from services.contract.flow import AgentResult, Metric
from services.contract.forms import WEB_PART
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.answers import Section, serves
from services.plugin.figures.lines import found_in, frequencies_of, is_beside, items, kind_of, listed
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.language import Language

_INTENTS: Final = frozenset({"us_single_stock", "kr_single_stock"})
_EQUITY: Final = "finance.equity"
_PRICE: Final = "price"
_SIDES: Final = {
    _PRICE: Text("가격", "Price"),
    "earnings": Text("실적", "Earnings"),
    "valuation": Text("밸류에이션", "Valuation"),
    "risk": Text("위험", "Risk"),
}
"""The sides by the aspect of the kinds of figures, in the order of the answer; a figure without one is of the price."""
_MISSING: Final = Text(
    "{sides} 조회한 자료에 없어 판단하지 않았습니다.",
    "{sides}: the data at hand does not hold this, so it is not judged.",
)


def sides(request: SynthesizeRequest, language: Language) -> Iterator[Section]:
    """Yield the figures of the only share of an answer by its sides; a side without figures has no section."""
    if not _is_of_one_share(request):
        return
    found = found_in(request.results)
    frequencies = frequencies_of(found)
    metrics = [metric for result in found for metric in result.metrics if not is_beside(metric)]
    for aspect, title in _SIDES.items():
        own = items((metric for metric in metrics if _aspect(metric) == aspect), language)
        yield listed(title.said(language), own, frequencies, language)


def missing_sides(request: SynthesizeRequest, language: Language) -> Iterator[str]:
    """Yield which sides no row holds; nothing where all are held, or a caution names them already."""
    if not _is_of_one_share(request):
        return
    held = {_aspect(metric) for result in request.results for metric in result.metrics}
    titles = [title.said(language) for aspect, title in _SIDES.items() if aspect not in held]
    said = (caution.lower() for result in request.results for caution in result.cautions)
    if titles and not any(all(title.lower() in caution for title in titles) for caution in said):
        yield _MISSING.said(language, sides=_joined(titles, language))


def _is_of_one_share(request: SynthesizeRequest) -> bool:
    results: tuple[AgentResult, ...] = request.results
    covered = [result for result in results if result.agent == _EQUITY and result.metrics]
    subjects = {metric.subject for result in covered for metric in result.metrics if not is_beside(metric)}
    own = [result for result in results if result.agent != WEB_PART]
    return len(subjects) == 1 and (serves(_INTENTS, request.route) or len(own) == 1)


def _aspect(metric: Metric) -> str:
    kind = kind_of(metric)
    return kind.aspect if kind is not None and kind.aspect else _PRICE


def _joined(titles: list[str], language: Language) -> str:
    """Return the sides as one phrase: "실적과 밸류에이션은", "Earnings and valuation"."""
    if language == "ko":
        return josa("".join(josa(title, "과/와") + " " for title in titles[:-1]) + titles[-1], "은/는")
    return " and ".join(titles).capitalize()
