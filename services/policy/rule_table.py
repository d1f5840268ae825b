"""The policy's rules and messages as typed data, read once from the yaml beside this file."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from pydantic import BaseModel, ConfigDict, Field, model_validator

from services.contract.policy import PolicyTag, Verdict
from services.plugin.documents import read_yaml


class Need(StrEnum):
    """What a rule needs beyond words; the code reads it from the text."""

    MANY_PIECES = "many_pieces"
    """As many pieces as the limit, taken together."""
    STATED_MINOR_AGE = "stated_minor_age"
    """An age below the adult's that the user states."""


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WordGroup(_Table):
    """Phrases that say the same kind of thing."""

    words: tuple[str, ...] = Field(min_length=1)
    """The phrases, matched on whole words or morphemes; "찾-" is a verb stem."""
    exceptions: tuple[str, ...] = Field(default=(), alias="except")
    """Longer phrases inside which a word does not count."""


class Rule(_Table):
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
    needs: Need | None = None
    """What must hold beside the words."""


class Limits(_Table):
    """The figures of the rules."""

    pieces_min: int = Field(gt=0)
    """Pieces from which on a request is excessive."""
    adult_age_years: int = Field(gt=0)
    """Age from which on nobody is a minor."""


class RuleTable(_Table):
    """All rules with the groups that they use."""

    limits: Limits
    """The figures of the rules."""
    groups: Mapping[str, WordGroup]
    """The groups by name."""
    rules: tuple[Rule, ...] = Field(min_length=1)
    """The rules."""

    @model_validator(mode="after")
    def _names_hold(self) -> "RuleTable":
        used = {name for rule in self.rules for name in (*rule.all, *rule.none, *rule.anywhere, *rule.nowhere)}
        if used - set(self.groups):
            raise ValueError(f"rules use unknown groups: {sorted(used - set(self.groups))}")
        if len({rule.name for rule in self.rules}) != len(self.rules):
            raise ValueError("two rules bear one name")
        return self


Wording = Mapping[str, str]
"""One message by locale."""


class Messages(_Table):
    """What a user reads, by verdict and tag."""

    block: Mapping[PolicyTag, Wording] = Field(alias="BLOCK")
    """Reason and what is possible instead, for every tag."""
    warn: Mapping[str, Wording] = Field(alias="WARN")
    """Caution by tag; OTHER for the rest."""

    @model_validator(mode="after")
    def _complete(self) -> "Messages":
        if set(self.block) != set(PolicyTag) or "OTHER" not in self.warn:
            raise ValueError("BLOCK needs a message for every tag, WARN one for OTHER")
        wordings = (*self.block.values(), *self.warn.values())
        if any(set(wording) != {"ko", "en"} for wording in wordings):
            raise ValueError("every message exists in ko and en")
        return self


@cache
def rule_table() -> RuleTable:
    """Return the rules of the installed policy.

    Raises:
        pydantic.ValidationError: The table is malformed; the text names the entry.
    """
    return RuleTable.model_validate(read_yaml("services.policy", "rules.yaml"))


@cache
def messages() -> Messages:
    """Return the messages of the installed policy; raises as `rule_table` does."""
    return Messages.model_validate(read_yaml("services.policy", "messages.yaml"))
