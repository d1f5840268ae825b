"""policy_matcher: programmes that are valid on a day, and which of their conditions somebody does not meet."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from services.contract.tool import ToolCost
from services.plugin.fields import WHOLE
from services.plugin.reads import ReadResult, Reads, Row, UtcTime, reading_of
from services.plugin.tool import Arguments, Tool

ProgrammePurpose = Literal["buy", "jeonse", "rent"]
_TEMPLATE: Final = "policy_programmes.v1"
_ROWS_MAX: Final = 100
_KRW_MAX: Final = 100_000_000_000

Krw = Annotated[int, Field(ge=0, le=_KRW_MAX), WHOLE]


class PolicyMatcherArguments(Arguments):
    """Who asks, and for which day. What is absent is not known, and a condition on it is neither met nor failed."""

    on_date: dt.date = Field(description="The day on which the programme must be valid.")
    purpose: ProgrammePurpose | None = Field(default=None, description="What for; every purpose where absent.")
    age: Annotated[int, Field(ge=0, le=120), WHOLE] | None = Field(default=None, description="Age in years.")
    annual_income_krw: Krw | None = Field(default=None, description="Household's income.")
    assets_krw: Krw | None = Field(default=None, description="Household's net assets.")
    home_price_krw: Krw | None = Field(default=None, description="Price or deposit.")
    owns_home: bool | None = Field(default=None, description="Whether the household owns a home.")
    first_home: bool | None = Field(default=None, description="Whether it would be the first home ever owned.")
    newlywed: bool | None = Field(default=None, description="Whether they married within seven years.")
    children: Annotated[int, Field(ge=0, le=20), WHOLE] | None = Field(default=None, description="Children.")


class PolicyMatcherRow(Row):
    """One programme."""

    programme_id: str
    """Id of the programme."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    purpose: ProgrammePurpose
    """What for."""
    verdict: Literal["eligible", "not_eligible", "unknown"]
    """Every condition is met; one is not; or some cannot be judged without what is not known."""
    unmet: tuple[str, ...]
    """Conditions that are not met, by the names of the arguments."""
    not_known: tuple[str, ...]
    """Conditions that cannot be judged, by the names of the arguments."""
    age_min: int | None
    """Lowest age; null where none."""
    age_max: int | None
    """Highest age; null where none."""
    income_max_krw: int | None
    """Highest yearly income; null where none."""
    assets_max_krw: int | None
    """Highest net assets; null where none."""
    home_price_max_krw: int | None
    """Highest price or deposit; null where none."""
    limit_krw: int
    """The most that is lent or paid."""
    rate_percent: float | None
    """Rate a year; null for a grant."""
    valid_from: dt.date
    """First day of its validity."""
    valid_until: dt.date
    """Last day of its validity."""
    as_of: UtcTime
    """When the conditions were read."""


_Check = Callable[[Mapping[str, Any], Any], bool]
# By argument: the columns whose condition it meets (any of them set means that there is one), and the condition.
_CONDITIONS: Final[Mapping[str, tuple[tuple[str, ...], _Check]]] = {
    "age": (
        ("age_min", "age_max"),
        lambda row, age: (row["age_min"] or 0) <= age <= (row["age_max"] or 200),
    ),
    "annual_income_krw": (("income_max_krw",), lambda row, income: income <= row["income_max_krw"]),
    "assets_krw": (("assets_max_krw",), lambda row, assets: assets <= row["assets_max_krw"]),
    "home_price_krw": (("home_price_max_krw",), lambda row, price: price <= row["home_price_max_krw"]),
    "owns_home": (("homeless_only",), lambda _, owns: not owns),
    "first_home": (("first_home_only",), lambda _, first: bool(first)),
    "newlywed": (("newlywed_only",), lambda _, newlywed: bool(newlywed)),
    "children": (("children_min",), lambda row, children: children >= row["children_min"]),
}


async def _read(arguments: PolicyMatcherArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    values = {"purpose": arguments.purpose or "", "on_date": arguments.on_date}
    found = await reads.records(_TEMPLATE, values, rows_max=_ROWS_MAX, timeout_seconds=timeout_seconds)
    judged = [_judged(record, arguments) for record in found]
    order = ("eligible", "unknown", "not_eligible")
    judged.sort(key=lambda record: (order.index(record["verdict"]), record["programme_id"]))
    asked = arguments.model_dump(mode="json", exclude_none=True)
    return reading_of(reads.origin(_TEMPLATE), PolicyMatcherRow, asked, judged, rows_max=_ROWS_MAX)


def _judged(record: Mapping[str, Any], arguments: PolicyMatcherArguments) -> dict[str, Any]:
    unmet: list[str] = []
    not_known: list[str] = []
    for name, (columns, is_met) in _CONDITIONS.items():
        if not any(record[column] for column in columns):
            continue
        value = getattr(arguments, name)
        if value is None:
            not_known.append(name)
        elif not is_met(record, value):
            unmet.append(name)
    verdict = "not_eligible" if unmet else "unknown" if not_known else "eligible"
    return {**record, "verdict": verdict, "unmet": unmet, "not_known": not_known}


TOOL = Tool(
    name="policy_matcher",
    description_ko="그 날 유효한 정책 지원 가운데 조건이 맞는 것, 맞지 않는 조건, 알 수 없는 조건을 돌려줍니다.",
    description_en="Returns programmes that are valid on a day, with the conditions that are unmet or not known.",
    arguments=PolicyMatcherArguments,
    row=PolicyMatcherRow,
    read=_read,
    domain="realty",
    data_type="programme",
    cost=ToolCost.LOW,
    typical_seconds=0.5,
    quality_prior=0.8,
    timeout_seconds=5,
    concurrency_max=8,
)
