"""Agents that answer typed asks alone: where a message asks for none that can be typed, they say what can be asked."""

from services.plugin.agent import AgentSpec, Source
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text


def guided(  # noqa: PLR0913 - what an agent says of itself
    name: str, *, answers: str, declines: str, sources: tuple[Source, ...], how: Text, reading: Text, computing: Text
) -> AgentSpec:
    """Return an agent of this domain that reads typed queries, and says how it is asked where no ask is typed.

    Args:
        name: Its name in the domain.
        answers: What it answers, as in domain.yaml.
        declines: What it leaves to others, as in domain.yaml.
        sources: The queries that it reads through.
        how: What it says where no ask is typed: what can be asked and how.
        reading: What it says while it reads.
        computing: What it says while it computes.
    """

    def analyse(_readings: tuple[Reading, ...], asking: Asking) -> Findings:
        return Findings(summary=asking.say(how.ko, how.en))

    return AgentSpec(
        id=f"commerce.{name}",
        answers=answers,
        declines=declines,
        sources=sources,
        analyse=analyse,
        covers=how,
        reading=reading,
        computing=computing,
    )
