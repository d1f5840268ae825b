"""A risk score of a home whose terms are all shown. Pure.

    term               value                                         no points     all its points   points
    jeonse ratio       jeonse / sale of the same complex and area    60 %          90 %             35
    deposit ratio      the deposit asked for / the sale level        60 %          90 %             25
    dangers            dangers named in the question                 none          two              20
    sale spread        of the sale prices by the square metre        20 %          100 %            10
    thin market        deals behind the prices                       50            5                10

Between the two ends the points grow evenly. The score is the points of the terms that could be computed out of their
most, times 100. It is told only with a term that speaks of the deposit or of the home itself: a ratio or a danger. The
ends and weights are this method's own, no law's and no bank's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from services.plugin.wording import rounded

TermName = Literal["jeonse_ratio", "deposit_ratio", "dangers", "sale_spread", "thin_market"]
LevelName = Literal["low", "medium", "high"]
MEDIUM_FROM: Final = 30
"""From this score on the risk is medium."""
HIGH_FROM: Final = 60
"""From this score on it is high."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How a value becomes points."""

    none_at: Decimal
    """Here it has no points."""
    all_at: Decimal
    """Here it has all of them; below `none_at` where less is worse."""
    most: int
    """The points that it has at most."""

    def points(self, value: Decimal) -> Decimal:
        """Return the points of a value, one digit."""
        share = (value - self.none_at) / (self.all_at - self.none_at)
        return rounded(min(Decimal(1), max(Decimal(0), share)) * self.most, 1)


SCALES: Final[dict[TermName, Scale]] = {
    "jeonse_ratio": Scale(Decimal(60), Decimal(90), 35),
    "deposit_ratio": Scale(Decimal(60), Decimal(90), 25),
    "dangers": Scale(Decimal(0), Decimal(2), 20),
    "sale_spread": Scale(Decimal(20), Decimal(100), 10),
    "thin_market": Scale(Decimal(50), Decimal(5), 10),
}
"""The scale of each term, in the order in which they are told."""
_TELLING: Final = frozenset({"jeonse_ratio", "deposit_ratio", "dangers"})


@dataclass(frozen=True, slots=True)
class RiskTerm:
    """One term of a score."""

    name: TermName
    """Which."""
    value: Decimal
    """Its value: percent, or a count for dangers and deals."""
    points: Decimal
    """Its points."""
    most: int
    """The points that it has at most."""


@dataclass(frozen=True, slots=True)
class RiskScore:
    """A risk score with its terms."""

    value: Decimal
    """0 to 100, whole."""
    terms: tuple[RiskTerm, ...]
    """The terms that it was computed from."""
    missing: tuple[TermName, ...]
    """The terms that could not be computed."""

    @property
    def level(self) -> LevelName:
        """What the score is called; with a danger named it is never low, however prices stand."""
        if self.value >= HIGH_FROM:
            return "high"
        endangered = any(term.name == "dangers" and term.value > 0 for term in self.terms)
        return "medium" if endangered or self.value >= MEDIUM_FROM else "low"


def score(values: dict[TermName, Decimal]) -> RiskScore | None:
    """Return the score of the values that are known; None where none of them speaks of the deposit or the home."""
    terms = tuple(
        RiskTerm(name, values[name], scale.points(values[name]), scale.most)
        for name, scale in SCALES.items()
        if name in values
    )
    # Without any danger named nothing is known of the home itself.
    telling = [term for term in terms if term.name in _TELLING and (term.name != "dangers" or term.value > 0)]
    if not telling:
        return None
    reached = sum((term.points for term in terms), Decimal(0))
    value = rounded(reached / sum(term.most for term in terms) * 100, 0)
    return RiskScore(value, terms, tuple(name for name in SCALES if name not in values))


def ratio_percent(pairs: Sequence[tuple[int, int, int]]) -> Decimal | None:
    """Return the deal-weighted mean of deposit / sale price in percent, one digit; None without pairs.

    Args:
        pairs: Deposit, sale price and deals of the same complex at the same area; without deals they count alike.
    """
    usable = [(deposit, sale, deals) for deposit, sale, deals in pairs if sale > 0]
    if not usable:
        return None
    weights = [deals for _, _, deals in usable] if any(deals for _, _, deals in usable) else [1] * len(usable)
    ratios = [Decimal(deposit) / sale for deposit, sale, _ in usable]
    total = sum((ratio * weight for ratio, weight in zip(ratios, weights, strict=True)), Decimal(0))
    return rounded(total / sum(weights) * 100, 1)
