"""Fees, taxes and lending limits by law as dated data: brackets.yaml."""

import functools
from datetime import date
from decimal import Decimal
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from services.contract.asks import Said
from services.plugin.documents import read_yaml


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Title(_Strict):
    """A text in both languages."""

    ko: str
    """In Korean."""
    en: str
    """In English."""

    @property
    def said(self) -> Said:
        """The text as answers hold it."""
        return Said(self.ko, self.en)


class Bracket(_Strict):
    """One bracket of a fee."""

    below: int | None = None
    """Where it ends, exclusive; None for the last."""
    percent: Decimal
    """Its rate."""
    cap: int | None = None
    """The highest fee in it; None without one."""


class _Deals(_Strict):
    sale: tuple[Bracket, ...]
    lease: tuple[Bracket, ...]


class Brokerage(_Strict):
    """The highest fees of agents."""

    source: Title
    """Where they stand."""
    since: date = Field(alias="from")
    """Since when they hold."""
    home: _Deals
    """Of homes."""
    officetel: _Deals
    """Of officetels to live in."""

    def of(self, deal: Literal["sale", "lease"], *, is_officetel: bool) -> tuple[Bracket, ...]:
        """Return the brackets of a deal."""
        kind = self.officetel if is_officetel else self.home
        return kind.sale if deal == "sale" else kind.lease


class _Low(_Strict):
    up_to: int
    percent: Decimal


class _High(_Strict):
    above: int
    percent: Decimal


class _Officetel(_Strict):
    percent: Decimal
    education_percent: Decimal
    rural_percent: Decimal


class AcquisitionTax(_Strict):
    """The tax on buying a first home."""

    source: Title
    """Where it stands."""
    since: date = Field(alias="from")
    """Since when it holds."""
    low: _Low
    """Its lowest rate."""
    high: _High
    """Its highest rate."""
    education_share: Decimal
    """Local education tax, as a share of the tax."""
    rural_percent: Decimal
    """Special tax for rural development, in percent of the price."""
    rural_above_m2: Decimal
    """The area above which it is due."""
    officetel: _Officetel
    """The rates of an officetel in percent of the price: whatever it is used for, it is no home when it is bought."""


class Lending(_Strict):
    """Limits of mortgages that are assumed where a person names none."""

    source: Title
    """Where they stand."""
    since: date = Field(alias="from")
    """Since when they hold."""
    ltv_percent: Decimal
    """LTV outside regulated areas."""
    dsr_percent: Decimal
    """DSR of banks."""


class DepositLoan(_Strict):
    """What is lent on a deposit where a person names no share."""

    source: Title
    """Whose assumption it is."""
    percent: Decimal
    """The share of the deposit."""


class CreditRate(_Strict):
    """The credit up to a salary."""

    income_max: int
    """The highest salary of a year, inclusive."""
    percent: Decimal
    """What of the rent comes off the tax."""


class RentCredit(_Strict):
    """What of a rent comes off the income tax."""

    source: Title
    """Where it stands."""
    since: date = Field(alias="from")
    """Since when it holds."""
    rent_max: int
    """The rent of a year that counts at most."""
    rates: tuple[CreditRate, ...]
    """The rates by salary, the lowest salary first."""


class Protection(_Strict):
    """What small deposits are in some places."""

    title: Title
    """How these places are called."""
    places: tuple[str, ...]
    """How the codes of the places begin; an empty one is everywhere else."""
    deposit_max: int
    """The highest deposit that counts as small."""
    paid_max: int
    """What of it is paid first at most."""


class ProtectionPeriod(_Strict):
    """The limits of small deposits from a day on."""

    since: date = Field(alias="from")
    """The day."""
    zones: tuple[Protection, ...]
    """The limits by place, the most special first."""

    def of(self, code: str) -> Protection:
        """Return the limits of a place."""
        return next(zone for zone in self.zones if any(code.startswith(one) for one in zone.places))


class SmallTenants(_Strict):
    """What tenants with small deposits are paid before all others."""

    source: Title
    """Where it stands."""
    periods: tuple[ProtectionPeriod, ...]
    """The limits by the day of the first mortgage, the newest first."""


class BracketRules(_Strict):
    """Everything in brackets.yaml."""

    brokerage: Brokerage
    """Fees of agents."""
    acquisition_tax: AcquisitionTax
    """Tax on buying."""
    lending: Lending
    """Limits of lending."""
    deposit_loan: DepositLoan
    """What is assumed to be lent on a deposit."""
    rent_credit: RentCredit
    """What of a rent comes off the tax."""
    small_tenants: SmallTenants
    """What small deposits are, and what of them is paid first."""


@functools.cache
def rules() -> BracketRules:
    """Return the fees, taxes and limits of brackets.yaml."""
    return BracketRules.model_validate(read_yaml("services.domains.realty", "brackets.yaml"))
