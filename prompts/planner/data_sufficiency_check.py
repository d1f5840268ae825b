"""Do the results of earlier turns answer this question, so that no search is needed? The first judgement."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import Field

from prompts.fields import Confidence, PromptInputs, PromptOutput, PromptTurn, Reasoning, Trusted, Untrusted
from prompts.prompt import Prompt


class DataSource(StrEnum):
    """Where held data comes from."""

    CHAT_HISTORY = "chat_history"
    LONG_TERM_MEMORY = "long_term_memory"
    NONE = "none"


class RequiredType(PromptInputs):
    """A type of data that an answer rests on."""

    name: Trusted
    """The type."""
    told_apart_by: tuple[Trusted, ...] = ()
    """Kinds of names in which held data of it has to be of what the question asks."""
    days: int = 0
    """The age in days from which on it counts lower; 0 where it does not age."""


class Inputs(PromptInputs):
    """What the first judgement sees."""

    question: Untrusted = Field(max_length=4_000)
    """The question, made whole."""
    intent: Trusted
    """The route's intent."""
    required_types: tuple[RequiredType, ...]
    """Data types that an answer rests on."""
    held: tuple[Untrusted, ...]
    """One line for each earlier look-up: its type, its subject and its age; it may hold the user's words."""
    history: tuple[PromptTurn, ...] = ()
    """The turns before, oldest first."""


class Output(PromptOutput):
    """The judgement."""

    is_sufficient: bool
    """Whether what is held answers the question; false when unsure."""
    confidence: Confidence = None
    """How sure it is that what is held will do, 0 to 1."""
    data_source: DataSource
    """Where the held data comes from; none where nothing fits."""
    missing_types: tuple[str, ...] = Field(max_length=8)
    """Required types that are not held."""
    reasoning: Reasoning
    """Why, in one sentence."""


def _problems(inputs: Inputs, output: Output) -> Sequence[str]:
    required = {str(one.name) for one in inputs.required_types}
    unknown = sorted(set(output.missing_types) - required)
    found = [f"missing_types: {unknown} are not required; required are {sorted(required)}"] if unknown else []
    if output.is_sufficient and output.missing_types:
        found.append("is_sufficient: false where a type is missing")
    if output.is_sufficient and output.data_source is DataSource.NONE and required:
        found.append("data_source: sufficient data has a source")
    return found


PROMPT = Prompt.load(__file__, inputs=Inputs, output=Output, problems=_problems)
