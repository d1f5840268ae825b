"""What does a person ask for, each thing in plain words? Asked where the rules could not read it."""

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from prompts.fields import PromptInputs, PromptOutput, PromptTurn, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt

ASKS_MAX = 4

Form = Literal[
    "LEVEL",
    "FACT",
    "CHANGE",
    "COMPARE",
    "RANK",
    "LIST",
    "VERDICT",
    "AMOUNT",
    "EFFECT",
    "CAUSE",
    "PROCEDURE",
    "REVIEW",
    "DRAFT",
    "DEFINE",
    "RECOMMEND",
    "ADVICE",
    "STATUS",
    "ACT",
]


class DomainTitle(PromptInputs):
    """One enabled domain."""

    name: Trusted
    """Its name in the catalog."""
    description: Trusted
    """What it covers, in the flow's language."""


class Inputs(PromptInputs):
    """What the reading sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question as the user put it; never empty."""
    domains: tuple[DomainTitle, ...] = Field(min_length=1)
    """The domains that this deployment enables."""
    history: tuple[PromptTurn, ...] = ()
    """The turns before, oldest first; empty for a first question."""


class AskedThing(PromptOutput):
    """One thing that the person asks for."""

    words: str = Field(min_length=1, max_length=400)
    """The words of the question that it rests on, copied exactly."""
    form: Form
    """What kind of answer is wanted."""
    request: str = Field(min_length=1, max_length=400)
    """The same request in plain, complete words, in the question's language, with its own names and numbers only."""


class Output(PromptOutput):
    """The reading of the question."""

    asks: tuple[AskedThing, ...] = Field(max_length=ASKS_MAX)
    """What is asked for, in the order of the text; empty where nothing is."""
    reasoning: Reasoning
    """Why, in one sentence."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    question = _plain(inputs.question)
    return [
        f"words: {one.words[:80]!r} is not copied from the question"
        for one in output.asks
        if _plain(one.words) not in question
    ]


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text).lower()


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
