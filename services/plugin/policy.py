"""The shape of policy.yaml: what a domain refuses or warns of beside the core's own rules.

groups      sets of phrases; each is matched on whole words or morphemes, "알리-" is a verb stem
adds        the domain's own words for groups of the core: what it calls people, papers and things of its own
rules       each holds where all of its conditions do; they may name the core's groups
kinds       what a model is told of each tag that the domain may set
allows      what is no reason for one, in a clause each
messages    what a user reads, under BLOCK the reason and what is possible instead, under WARN the caution
"""

from pydantic import Field

from services.contract.policy import PolicyTag, Verdict
from services.plugin.entries import Bilingual, Entry, Identifier


class WordGroup(Entry):
    """Phrases that say the same kind of thing."""

    words: tuple[str, ...] = ()
    """The phrases, matched on whole words or morphemes; "찾-" is a verb stem."""
    exceptions: tuple[str, ...] = Field(default=(), alias="except")
    """Longer phrases inside which a word does not count."""


class Rule(Entry):
    """One rule; it holds where all of its conditions do."""

    name: str
    """What it finds, for the record."""
    tag: PolicyTag
    """What it says about the question."""
    verdict: Verdict = Verdict.BLOCK
    """What it does about it."""
    all: tuple[str, ...] = ()
    """Groups that one clause must have."""
    none: tuple[str, ...] = ()
    """Groups that this clause must not have."""
    anywhere: tuple[str, ...] = ()
    """Groups that the question must have."""
    nowhere: tuple[str, ...] = ()
    """Groups that the question must not have."""
    pieces_min: int | None = Field(default=None, gt=0)
    """As many pieces as the question must name, taken together."""
    age_below: int | None = Field(default=None, gt=0)
    """The age below which a person must say to be."""

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that it names."""
        return (*self.all, *self.none, *self.anywhere, *self.nowhere)


class PolicyKind(Entry):
    """What a model is told of a tag."""

    meaning: Bilingual
    """What such a question asks for, in a sentence."""
    warns: bool = False
    """Whether it warns and does not block, where a question has no other tag."""


class Policy(Entry):
    """Rules with the groups that they use and the messages that follow."""

    groups: dict[Identifier, WordGroup] = Field(default_factory=dict)
    """Groups by name."""
    adds: dict[Identifier, WordGroup] = Field(default_factory=dict)
    """Words for groups of the core, by the group's name."""
    rules: tuple[Rule, ...] = ()
    """The rules."""
    kinds: dict[PolicyTag, PolicyKind] = Field(default_factory=dict)
    """What a model is told of the tags that only this part sets."""
    allows: tuple[Bilingual, ...] = ()
    """What a model is told to let pass: questions that only look as if they broke a rule."""
    messages: dict[Verdict, dict[str, Bilingual]] = Field(default_factory=dict)
    """Messages by verdict and tag; the core's OTHER stands for tags without one."""
