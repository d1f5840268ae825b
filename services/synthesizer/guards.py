"""What an answer of some kind must hold whoever writes it: the four sides of a stock, and three cases (spec 3.4)."""

import re
from dataclasses import dataclass
from typing import Final

from services.contract.flow import AgentResult, Metric, RouteDecision
from services.contract.synthesizer import WEB_PART
from services.synthesizer.wording import Text
from services.text.korean import josa
from services.text.language import Language

_STOCK_INTENTS: Final = frozenset({"us_single_stock", "kr_single_stock"})
_SCENARIO_INTENTS: Final = frozenset({"timing_scenario", "sector_recommendation"})
_EQUITY_AGENT: Final = "finance.equity"


@dataclass(frozen=True, slots=True)
class Aspect:
    """One side of a stock that its answer names."""

    title: Text
    """What it is called."""
    names: re.Pattern[str]
    """The metrics that belong to it, by name."""


_PRICE: Final = Aspect(Text("가격", "Price"), re.compile(""))
ASPECTS: Final = (
    _PRICE,
    Aspect(
        Text("실적", "Earnings"),
        re.compile(r"earning|revenue|sales|profit|income|margin|eps|surprise|guidance", re.IGNORECASE),
    ),
    Aspect(
        Text("밸류에이션", "Valuation"),
        re.compile(
            r"(?:^|_)(?:per|pbr|psr|peg|ev|bps)(?:_|$)|valuation|market_cap|multiple|dividend_yield|price_to",
            re.IGNORECASE,
        ),
    ),
    Aspect(
        Text("위험", "Risk"),
        re.compile(r"risk|volatil|drawdown|deepest_fall|beta|downside|debt", re.IGNORECASE),
    ),
)
"""The sides of a stock in the order of the answer; the price takes every metric that no other side names."""
_MISSING: Final = Text(
    "{sides} 조회한 자료에 없어 판단하지 않았습니다.",
    "{sides}: the data at hand does not hold this, so it is not judged.",
)
NO_ADVICE: Final = Text(
    "이 답은 판단을 돕는 정보이며 매수나 매도를 권하는 것이 아닙니다.",
    "This is information to help you decide, not advice to trade.",
)
"""The caution of answers about shares, timing and sectors."""
_SAYS_NO_ADVICE: Final = re.compile(
    r"(?:매매|매수|매도)\S*\s?(?:\S+\s)?권하|\b(?:no|not)\b[^.]{0,20}\badvice\b", re.IGNORECASE
)


def is_about_one_stock(route: RouteDecision, results: tuple[AgentResult, ...]) -> bool:
    """Tell whether the answer is about a single stock and so names its four sides."""
    covered = [result for result in results if result.agent == _EQUITY_AGENT and result.metrics]
    subjects = {metric.subject for result in covered for metric in result.metrics if not is_beside(metric)}
    own = [result for result in results if result.agent != WEB_PART]
    return len(subjects) == 1 and (
        route.intent in _STOCK_INTENTS or route.selected_type in _STOCK_INTENTS or len(own) == 1
    )


def is_beside(metric: Metric) -> bool:
    """Tell whether a metric comes from the brief that stands beside an answer, and is not what was asked."""
    return metric.name.startswith("brief_")


def wants_scenarios(route: RouteDecision) -> bool:
    """Tell whether the answer tells a base, a bull and a bear case apart."""
    return route.intent in _SCENARIO_INTENTS or route.selected_type in _SCENARIO_INTENTS


def cautions(route: RouteDecision, results: tuple[AgentResult, ...], language: Language) -> list[str]:
    """Return what the kind of question asks to be said, where no agent's caution has said it."""
    said = [caution for result in results for caution in result.cautions]
    found = [_missing_sides(route, results, said, language)]
    advises = wants_scenarios(route) or any(result.agent == _EQUITY_AGENT for result in results)
    if advises and not any(_SAYS_NO_ADVICE.search(caution) for caution in said):
        found.append(NO_ADVICE.said(language))
    return [caution for caution in found if caution]


def _missing_sides(route: RouteDecision, results: tuple[AgentResult, ...], said: list[str], language: Language) -> str:
    """Return which sides of a stock no row holds; empty where all are held, or a caution names them already."""
    if not is_about_one_stock(route, results):
        return ""
    held = {aspect_of(metric).title for result in results for metric in result.metrics}
    titles = [aspect.title.said(language) for aspect in ASPECTS if aspect.title not in held]
    if not titles or any(all(title.lower() in caution.lower() for title in titles) for caution in said):
        return ""
    return _MISSING.said(language, sides=_joined(titles, language))


def _joined(titles: list[str], language: Language) -> str:
    """Return the sides as one phrase: "실적과 밸류에이션은", "Earnings and valuation"."""
    if language == "ko":
        return josa("".join(josa(title, "과/와") + " " for title in titles[:-1]) + titles[-1], "은/는")
    return " and ".join(titles).capitalize()


def aspect_of(metric: Metric) -> Aspect:
    """Return the side of a stock that a metric belongs to."""
    return next((aspect for aspect in ASPECTS[1:] if aspect.names.search(metric.name)), _PRICE)
