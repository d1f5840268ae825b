"""What the kinds of data are called and how they age; a section of a domain's figures.yaml."""

from pydantic import Field

from services.plugin.entries import Bilingual, Entry, Identifier

AGEING_AFTER_HOURS = 72
"""From this age on an answer says how old data is, where its kind says nothing else."""
STALE_AFTER_HOURS = 168
"""From this age on data is not to be relied on, where its kind says nothing else."""


class DataPeriod(Entry):
    """Data that comes by the month or quarter without naming its next release."""

    fields: tuple[str, ...] = Field(min_length=1)
    """The fields of a row that may bear the day on which its period ends or begins."""
    due_after_days: int = Field(gt=0)
    """How long after that day the period behind it is due."""


class DataType(Entry):
    """One kind of data, which evidence bears."""

    id: Identifier
    """Its name: "price"."""
    title: Bilingual
    """What a reader calls it."""
    ages: bool = True
    """Whether it ages at all; text of law does not."""
    ageing_after_hours: int | None = AGEING_AFTER_HOURS
    """From this age on an answer says how old it is; None where it is fresh until it is stale."""
    stale_after_hours: int = STALE_AFTER_HOURS
    """From this age on it is not to be relied on."""
    by_session: bool = False
    """Whether its days are those of an exchange, whatever the user's day is; then each day has a value of its own."""
    period: DataPeriod | None = None
    """How it comes by the period; None where each row says when the next is due, or none is."""
