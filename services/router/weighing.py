"""Votes and what they come to, in whole hundredths, so that a confidence never depends on the order of adding."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.contract.flow import NextAction, VoterScore
from services.plugin.declarations import Gates


@dataclass(frozen=True, slots=True)
class Vote:
    """What one voter says; a voter that has nothing to say casts no vote."""

    voter: str
    """llm, keyword or scope."""
    weight: float
    """Its weight."""
    scores: Mapping[str, float]
    """Confidence by intent, 0 to 1, preferred ones first; an intent that is not there gets nothing from this voter."""
    reason: str
    """Why, for the record."""

    @property
    def intent(self) -> str:
        """The intent that it prefers."""
        return max(self.scores, key=lambda intent: self.scores[intent])

    @property
    def score(self) -> float:
        """Its confidence in that intent."""
        return self.scores[self.intent]


@dataclass(frozen=True, slots=True)
class Standing:
    """An intent with the confidence that the votes give it."""

    intent: str
    """The intent."""
    hundredths: int
    """Its confidence in hundredths."""

    @property
    def confidence(self) -> float:
        """Its confidence, 0 to 0.99."""
        return self.hundredths / 100


@dataclass(frozen=True, slots=True)
class Ballot:
    """The votes on one question and what they come to."""

    source: str
    """hint, detector, shortcut or vote."""
    ranked: tuple[Standing, ...]
    """The intents, the surest first; empty where nobody voted."""
    scores: tuple[VoterScore, ...]
    """Every voter's score, the uncast ones with weight 0."""
    graph_need: bool | None = None
    """What the model says of the graph, where it was asked."""


def alone(vote: Vote, cap: float) -> Ballot:
    """Return the ballot of one voter whose word is enough."""
    return Ballot(vote.voter, standings([vote], cap), (scored(vote),))


def scored(vote: Vote) -> VoterScore:
    """Return a vote for the record."""
    return VoterScore(vote.voter, vote.intent, vote.score, vote.weight, vote.reason)


def standings(votes: Sequence[Vote], cap: float) -> tuple[Standing, ...]:
    """Return every intent that got a vote, the surest first: the weighted mean over the votes that were cast."""
    if not votes:
        return ()
    total = sum(_hundredths(vote.weight) for vote in votes)
    intents = dict.fromkeys(intent for vote in votes for intent in vote.scores)
    means = {
        intent: sum(_hundredths(vote.weight) * _hundredths(vote.scores.get(intent, 0.0)) for vote in votes)
        for intent in intents
    }
    # Equals stand in the order in which the first voter names them.
    ranked = sorted(means.items(), key=lambda item: -item[1])
    return tuple(Standing(intent, min(_half_up(mean, total), _hundredths(cap))) for intent, mean in ranked)


def next_action(hundredths: int, gates: Gates) -> NextAction:
    """Return what a confidence allows: PROCEED, CONFIRM or CLARIFY."""
    if hundredths >= _hundredths(gates.proceed):
        return NextAction.PROCEED
    return NextAction.CONFIRM if hundredths >= _hundredths(gates.confirm) else NextAction.CLARIFY


def mean_hundredths(values: Iterable[int]) -> int:
    """Return the mean of hundredths, half rounded up; 0 for none."""
    numbers = list(values)
    return _half_up(sum(numbers), len(numbers)) if numbers else 0


def _hundredths(value: float) -> int:
    return round(value * 100)


def _half_up(dividend: int, divisor: int) -> int:
    return (2 * dividend + divisor) // (2 * divisor)
