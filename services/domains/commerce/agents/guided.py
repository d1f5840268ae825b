"""Agents that answer typed asks alone: where a message asks for none that can be typed, they say what can be asked."""

from services.plugin.agent import AgentSpec, Source
from services.plugin.findings import Asking, Findings, Reading
from services.plugin.wording import Text


def guided(name: str, *, sources: tuple[Source, ...], how: Text, reading: Text, computing: Text) -> AgentSpec:
    """Return an agent of this domain that reads typed queries, and says how it is asked where no ask is typed.

    Args:
        name: Its name in the domain.
        sources: The queries that it reads through.
        how: What it says where no ask is typed: what can be asked and how.
        reading: What it says while it reads.
        computing: What it says while it computes.
    """

    def analyse(_readings: tuple[Reading, ...], asking: Asking) -> Findings:
        return Findings(summary=asking.say(how.ko, how.en))

    return AgentSpec(
        id=f"commerce.{name}",
        sources=sources,
        analyse=analyse,
        covers=how,
        reading=reading,
        computing=computing,
    )
