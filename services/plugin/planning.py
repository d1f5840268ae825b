"""What a domain declares of planning: who joins a plan, what calls are bound to, what is asked, what is held.

planning:   who answers beside an intent's first owner, and which facts a condition rests on
values:     what a binding `$name` stands for, where no kind of entity has that name
slots:      what an intent cannot do without, and the question that asks for it
reuse:      which results of earlier look-ups still hold, and for what
"""

from typing import Literal

from pydantic import Field

from services.plugin.entries import AgentName, Bilingual, Entry, Identifier

Want = Literal["judgement", "advice", "computed", "report"]
"""What a question may want beyond a fact."""


class Addition(Entry):
    """Agents that a want adds to the plan of an intent."""

    wants: tuple[Want, ...] = Field(min_length=1)
    """The wants, any of which adds them."""
    agents: tuple[AgentName, ...] = Field(min_length=1)
    """Whom they add; the first also does what the consequence of a condition wants."""
    intents: tuple[Identifier, ...] = ()
    """The only intents that they are added to; empty for each intent of the domain."""
    never_to: tuple[Identifier, ...] = ()
    """Intents that they are not added to."""


class Consequence(Entry):
    """What the consequence of a condition asks for by a word too short to be a request of its own."""

    words: tuple[str, ...] = Field(min_length=1)
    """The words."""
    intent: Identifier
    """The intent that they mean."""


class PreferredSubject(Entry):
    """Something that a question may be about, by which one owner of an intent is preferred to another."""

    words: tuple[str, ...] = ()
    """Words that say so."""
    kinds: tuple[Identifier, ...] = ()
    """Kinds of names that say so."""
    unless: tuple[Identifier, ...] = ()
    """Kinds of names beside which the question is about those."""


class DomainPlanning(Entry):
    """Who takes part in the plans of a domain's intents."""

    wants: dict[Want, tuple[str, ...]] = Field(default_factory=dict)
    """Words of the domain for what is wanted beyond a fact, beside those of the language."""
    adds: tuple[Addition, ...] = ()
    """Agents that a want adds."""
    facts: dict[AgentName, tuple[str, ...]] = Field(default_factory=dict)
    """Words of a condition by the agent who knows whether it holds; without any, no request is taken as conditional."""
    verbs: tuple[str, ...] = ()
    """English verbs of the domain with which a request begins that follows its condition without a comma."""
    consequences: tuple[Consequence, ...] = ()
    """What is meant where the consequence of a condition names it shortly."""
    subjects: dict[Identifier, PreferredSubject] = Field(default_factory=dict)
    """What questions may be about, by name; agents say whether they answer for it."""


class Case(Entry):
    """One value, with what makes it the one."""

    value: str | int | tuple[str, ...]
    """The value."""
    words: tuple[str, ...] = ()
    """Words of a question that it fits, whatever the intent."""
    intents: tuple[Identifier, ...] = ()
    """Intents that it fits, whatever the question says."""


class ValueRule(Entry):
    """What a binding `$name` stands for in a question: a kind's value, a case that fits, or what a function says.

    A value that the question does not hold is absent, and so is the argument bound to it.
    """

    kind: Identifier | None = None
    """The kind of entity whose value it is."""
    part: Literal["value", "low", "high"] = "value"
    """What of it: the value, or an end of a range of amounts; a bare amount is an upper end."""
    cases: tuple[Case, ...] = ()
    """Values by words and intents; the first that fits is taken."""
    otherwise: str = ""
    """The value where no case fits; "$question" for the question's own words, empty for none."""
    function: Identifier | None = None
    """A function of the domain's module `planning` that says it."""
    for_data: tuple[Identifier, ...] = ()
    """Data types on one of which an intent has to rest; empty for every intent."""
    fans_out: bool = False
    """Whether one call is made for each of several values."""
    told: bool = True
    """Whether agents are told it; false for what only says again what the question says."""


class SlotChoice(Bilingual):
    """A value that is offered for a slot."""

    id: str
    """The value."""
    words: tuple[str, ...] = Field(min_length=1)
    """Words that mean it."""


class SlotRule(Bilingual):
    """Something that an intent cannot do without: the question that asks for it, and how its value is read."""

    kind: Identifier
    """How a value is read: a kind of the language (choice, period, quantity, amount), a kind of entity, or one that the
    domain's module `planning` reads."""
    which: Bilingual | None = None
    """The question where a name is ambiguous, with {surface} and its {topic} particle; the answer fills this slot."""
    free: bool = False
    """Whether an answer in other words than the choices' will do."""
    choices: tuple[SlotChoice, ...] = ()
    """Values that are offered with the question."""
    example: str = Field(min_length=1)
    """An answer that fills it, as a user might give it."""


class Age(Entry):
    """From which age on held data of a type is worth less."""

    older_than_days: float = Field(gt=0.0)
    """The age."""
    deduction_hundredths: int = Field(gt=0, le=100)
    """What it takes from the confidence."""


class HeldType(Entry):
    """How held data of one type is judged."""

    ages: tuple[Age, ...] = ()
    """Ages, the greatest first; empty for what does not age."""
    counted: bool = True
    """Whether few rows are worth less."""
    told_apart_by: tuple[Identifier, ...]
    """Kinds of names in which it has to be of what the question names: an entity's kind, or one of the facets."""
    quoted_chars_min: int | None = Field(default=None, ge=1)
    """From which length on a question with a quotation may bring it along itself; None where it never does."""


class Reuse(Entry):
    """Which results of earlier look-ups still hold for a question of the domain."""

    types: dict[Identifier, HeldType] = Field(default_factory=dict)
    """How held data is judged, by data type."""
    facets: dict[Identifier, dict[Identifier, tuple[str, ...]]] = Field(default_factory=dict)
    """What data is told apart by beside entities, by name: words for each value."""
    pointing_back: tuple[str, ...] = ()
    """Words of the domain that mean what was found before, beside those of the language."""
    search: AgentName | None = None
    """The agent whose step goes where what it would look up is held; None where steps only leave their reads out."""
    over: AgentName | None = None
    """Who goes over what is held where no other step is left."""
