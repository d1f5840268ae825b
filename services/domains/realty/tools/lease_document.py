"""lease_document: the draft of a lease or sale contract, with visible placeholders for what is not given."""

import datetime as dt
import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints, model_validator

from services.contract.tool import ToolCost
from services.domains.realty.agreements.draft import drafted
from services.domains.realty.agreements.forms import FormName, Kind, forms
from services.domains.realty.agreements.written import DAY_OF_MONTH_MAX, written
from services.plugin.computed import computed
from services.plugin.fields import WHOLE, FreeText
from services.plugin.reads import ReadResult, Reads, Row
from services.plugin.tool import Arguments, Tool, canonical

_KRW_MAX: Final = 100_000_000_000
_AREA_M2_MAX: Final = 10_000
_UNITS: Final[Mapping[Kind, str]] = {"money": "_krw", "area": "_m2"}
# Of two days of a contract, the first is not after the second.
_ORDERED_DAYS: Final = (("start", "end"), ("middle_date", "balance_date"))

Name = Annotated[FreeText, StringConstraints(min_length=1, max_length=100)]
Line = Annotated[FreeText, StringConstraints(min_length=1, max_length=200)]
Terms = Annotated[FreeText, StringConstraints(min_length=1, max_length=2_000)]
Krw = Annotated[int, Field(ge=1, le=_KRW_MAX), WHOLE]


class LeaseDocumentArguments(Arguments):
    """The form, and what is known of the contract. A field that is absent is a placeholder in the draft."""

    form: FormName = Field(description="Which contract: jeonse lease, monthly rent lease or sale.")
    locale: Literal["ko", "en"] = Field(default="ko", description="Language of the draft.")
    landlord: Name | None = Field(default=None, description="Landlord's name.")
    tenant: Name | None = Field(default=None, description="Tenant's name.")
    seller: Name | None = Field(default=None, description="Seller's name.")
    buyer: Name | None = Field(default=None, description="Buyer's name.")
    address: Line | None = Field(default=None, description="Address of the home, with building and unit.")
    area_m2: float | None = Field(default=None, gt=0, le=_AREA_M2_MAX, description="Exclusive area.")
    deposit_krw: Krw | None = Field(default=None, description="Deposit of a lease.")
    rent_krw: Krw | None = Field(default=None, description="Rent a month.")
    rent_day: Annotated[int, Field(ge=1, le=DAY_OF_MONTH_MAX), WHOLE] | None = Field(
        default=None, description="Day of the month on which rent is due."
    )
    price_krw: Krw | None = Field(default=None, description="Price of a sale.")
    earnest_krw: Krw | None = Field(default=None, description="Earnest money, paid on signing.")
    middle_krw: Krw | None = Field(default=None, description="Instalment of a sale.")
    middle_date: dt.date | None = Field(default=None, description="Day of the instalment.")
    balance_krw: Krw | None = Field(default=None, description="Balance.")
    balance_date: dt.date | None = Field(default=None, description="Day of the balance.")
    start: dt.date | None = Field(default=None, description="First day of a lease.")
    end: dt.date | None = Field(default=None, description="Last day of a lease.")
    handover: dt.date | None = Field(default=None, description="Day by which the home is handed over.")
    account: Name | None = Field(default=None, description="Bank, number and holder of the account that is paid to.")
    special: Terms | None = Field(default=None, description="Further special terms.")
    signed_on: dt.date | None = Field(default=None, description="Date of the contract.")

    @property
    def given(self) -> dict[str, Any]:
        """What is given, by field of the form."""
        values = {name: getattr(self, argument_of(name)) for name in forms().fields}
        return {name: value for name, value in values.items() if value is not None}

    @model_validator(mode="after")
    def _of_the_form(self) -> "LeaseDocumentArguments":
        fields = forms().forms[self.form].fields()
        for name in self.given:
            if name not in fields:
                raise ValueError(f"{argument_of(name)} is no field of the form {self.form}")
        return self

    @model_validator(mode="after")
    def _consistent(self) -> "LeaseDocumentArguments":
        given = self.given
        for first, second in _ORDERED_DAYS:
            if first in given and second in given and given[first] > given[second]:
                raise ValueError(f"{second} lies before {first}")
        whole = "price" if self.form == "sale" else "deposit"
        parts = sum(given.get(name, 0) for name in ("earnest", "middle", "balance"))
        if whole in given and parts > given[whole]:
            raise ValueError(f"{argument_of(whole)} is less than what is to be paid of it")
        return self


class LeaseDocumentRow(Row):
    """The draft. It is final only once a person has approved it."""

    form: FormName
    """Which contract."""
    locale: Literal["ko", "en"]
    """Its language."""
    title: str
    """Its title."""
    text: str
    """The whole text, a blank line between two paragraphs; 【 】 marks a placeholder."""
    missing: tuple[str, ...]
    """The fields that are still placeholders, in the order of the contract."""
    missing_names: tuple[str, ...]
    """The same as a reader knows them."""
    approval: Literal["required"]
    """A draft waits for a person's word."""


def argument_of(name: str) -> str:
    """Return the argument that gives a field of the forms: its name, with the unit where it has one."""
    return name + _UNITS.get(forms().fields[name].kind, "")


async def _read(arguments: LeaseDocumentArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    del reads, timeout_seconds
    return computed("lease_document.v1", _shown(arguments), [_drafted(arguments)])


def _shown(arguments: LeaseDocumentArguments) -> dict[str, Any]:
    """Return the arguments as provenance shows them: which are given, and a digest for the names and sums in them."""
    digest = hashlib.sha256(canonical(arguments)).hexdigest()
    return {
        "form": arguments.form,
        "locale": arguments.locale,
        "given": sorted(map(argument_of, arguments.given)),
        "arguments_sha256": digest,
    }


def _drafted(arguments: LeaseDocumentArguments) -> LeaseDocumentRow:
    fields, locale = forms().fields, arguments.locale
    values = {name: written(fields[name].kind, value, locale) for name, value in arguments.given.items()}
    draft = drafted(arguments.form, values, locale)
    return LeaseDocumentRow(
        form=draft.form,
        locale=locale,
        title=draft.title,
        text=draft.text,
        missing=draft.missing,
        missing_names=tuple(fields[name].said(locale) for name in draft.missing),
        approval="required",
    )


TOOL = Tool(
    name="lease_document",
    description_ko="전세·월세·매매 계약서 초안을 만들며, 정해지지 않은 항목은 【 】 자리표시로 남깁니다.",
    description_en="Drafts a jeonse lease, monthly rent lease or sale contract; what is not given stays a placeholder.",
    arguments=LeaseDocumentArguments,
    row=LeaseDocumentRow,
    read=_read,
    domain="realty",
    data_type="contract",
    cost=ToolCost.LOW,
    typical_seconds=0.1,
    quality_prior=0.95,
    timeout_seconds=2,
    concurrency_max=16,
)
