"""What is withheld of interest and dividends, as data: taxes.yaml."""

from decimal import Decimal
from functools import cache
from importlib import resources

from services.plugin.documents import read_model
from services.plugin.entries import Bilingual, Entry


class Withholding(Entry):
    """What is withheld of one kind of income."""

    percent: Decimal
    """The share of it."""
    source: Bilingual
    """Where it stands."""

    @property
    def left(self) -> Decimal:
        """The share that is paid out."""
        return 1 - self.percent / 100


class Withholdings(Entry):
    """What is withheld, by what is paid."""

    interest: Withholding
    """Of interest of deposits and savings."""
    dividends_kr: Withholding
    """Of dividends of Korean shares."""
    dividends_us: Withholding
    """Of dividends of US shares."""


@cache
def withholdings() -> Withholdings:
    """Return what is withheld of each kind of income."""
    return read_model(resources.files(__package__).joinpath("taxes.yaml"), Withholdings)
