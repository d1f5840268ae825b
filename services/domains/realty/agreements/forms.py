"""The forms of contracts and their fields, read once from forms.yaml."""

from collections.abc import Iterator
from functools import cache
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from services.plugin.documents import read_yaml
from services.plugin.entries import Bilingual
from services.text.patterns import Pattern

FormName = Literal[
    "jeonse", "monthly_rent", "sale", "deposit_demand", "renewal_request", "end_notice", "repair_request"
]
LETTERS: Final = ("deposit_demand", "renewal_request", "end_notice", "repair_request")
"""The forms that are letters of one side, and no contract."""
Kind = Literal["text", "address", "area", "money", "date", "day_of_month", "account"]
_FIELD: Final = Pattern(r"\{([a-z_]+)\}")


class Field(Bilingual):
    """A field of a contract with what it is called."""

    kind: Kind
    """What may stand in it."""


class FormClause(Bilingual):
    """One clause."""

    title: Bilingual | None = None
    """Its title; None for the opening and the signatures, which bear no number."""
    only_with: tuple[str, ...] = ()
    """Fields of which one has to be given for the clause to stand in the contract; empty where it always does."""

    def fields(self) -> tuple[str, ...]:
        """Return the names of its fields, in order, each once."""
        return tuple(dict.fromkeys(_FIELD.findall(self.ko)))


class ContractForm(BaseModel):
    """One kind of contract."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Bilingual
    """What it is called."""
    needs: tuple[str, ...] = ()
    """Fields that this kind always has, so that clauses which hang on them stand even before they are given."""
    clauses: tuple[FormClause, ...]
    """Its clauses in order."""

    def fields(self) -> tuple[str, ...]:
        """Return the names of the fields of all its clauses, in order, each once."""
        return tuple(dict.fromkeys(name for clause in self.clauses for name in clause.fields()))


class Forms(BaseModel):
    """All forms with their fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fields: dict[str, Field]
    """The fields by name."""
    kinds: dict[Kind, Bilingual]
    """What a reader is told to fill in, by kind."""
    forms: dict[FormName, ContractForm]
    """The forms by name."""

    @model_validator(mode="after")
    def _fields_are_known(self) -> Self:
        for place, clause in self._placed():
            unknown = {*clause.fields(), *clause.only_with} - set(self.fields)
            if unknown:
                raise ValueError(f"{place}: unknown fields {sorted(unknown)}")
            if set(clause.fields()) != set(_FIELD.findall(clause.en)):
                raise ValueError(f"{place}: the two languages name different fields")
        return self

    def _placed(self) -> Iterator[tuple[str, FormClause]]:
        for name, form in self.forms.items():
            for number, clause in enumerate(form.clauses):
                yield f"forms.{name}.clauses[{number}]", clause


@cache
def forms() -> Forms:
    """Return the forms.

    Raises:
        pydantic.ValidationError: The data is malformed; the text names the entry.
    """
    return Forms.model_validate(read_yaml("services.domains.realty.agreements", "forms.yaml"))
