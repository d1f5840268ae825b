"""graph_paths: how indicators and events reach indicators, companies and districts, with the evidence of each step."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Literal

from pydantic import Field, field_validator, model_validator

from services.contract.tool import ToolCost
from services.domains.finance.nodes import GraphNode, require_nodes
from services.domains.finance.tools.equity_prices import SecurityId
from services.domains.finance.tools.macro_series import SeriesId
from services.domains.finance.tools.real_estate_trend import RegionCode
from services.plugin.tools.reads import Exact, ReadResult, Reads, Row, UtcTime, reading_of
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_PATHS_MAX: Final = 60
Polarity = Literal["POSITIVE", "NEGATIVE"]
# By what is asked: the statements of one step, of two steps, and of events that led to an event.
_IMPACTS: Final = ("graph_impacts_1.v1", "graph_impacts_2.v1")
_CAUSES: Final = ("graph_causes_1.v1", "graph_causes_2.v1")
_EVENTS: Final = "graph_events.v1"


class GraphPathsArguments(Arguments):
    """From which series, to which security or district; either alone, or both."""

    series_ids: list[SeriesId] = Field(
        default=[], max_length=8, description="Series whose effects are wanted; with a target, the paths between them."
    )
    ticker: SecurityId | None = Field(default=None, description="Security that is affected.")
    region_code: RegionCode | None = Field(default=None, description="District that is affected.")
    toward: Literal["effects", "causes"] = Field(
        default="effects", description="Of series without a target: what they affect, or what affects them."
    )
    steps_max: int = Field(default=2, ge=1, le=2, description="Relations in a row at most.")
    limit: int = Field(default=20, ge=1, le=_PATHS_MAX, description="Paths to return, strongest first.")

    @model_validator(mode="after")
    def _names_something(self) -> "GraphPathsArguments":
        if not self.series_ids and not self.ticker and not self.region_code:
            raise ValueError("series_ids is empty, and neither ticker nor region_code names a target")
        return self

    @property
    def targets(self) -> list[str]:
        """The nodes that are affected."""
        return [one for one in (self.ticker, self.region_code) if one]


class GraphStep(Row):
    """One relation of a path."""

    relation: Literal["AFFECTS", "CAUSES"]
    """Its type."""
    polarity: Polarity | None
    """POSITIVE where the effect moves with the cause, NEGATIVE against it; null for CAUSES."""
    weight: Exact = Field(ge=0, le=1)
    """How strong the relation is taken to be, 0 to 1."""
    evidence_id: str
    """Id of its evidence."""
    evidence_ko: str
    """The evidence for Korean readers."""
    evidence_en: str
    """The evidence for English readers."""

    @property
    def has_evidence(self) -> bool:
        """Whether something supports it."""
        return bool(self.evidence_id.strip() and self.evidence_ko.strip() and self.evidence_en.strip())

    def said(self, locale: str) -> str:
        """Return what the evidence says, without its full stop."""
        return (self.evidence_ko if locale == "ko" else self.evidence_en).strip().rstrip(".")


class GraphPathsRow(Row):
    """One path: a node more than steps."""

    nodes: tuple[GraphNode, ...]
    """The nodes from cause to effect."""
    steps: tuple[GraphStep, ...]
    """The relations between them."""
    polarity: Polarity | None
    """POSITIVE where the end moves with the beginning; null where an event begins by causing another."""
    strength: Exact
    """Product of the weights, 0 to 1."""
    as_of: UtcTime
    """The moment that the relations speak of."""

    @field_validator("steps")
    @classmethod
    def _not_empty(cls, steps: tuple[GraphStep, ...]) -> tuple[GraphStep, ...]:
        if not steps:
            raise ValueError("steps: a path has a relation")
        return steps

    def model_post_init(self, _: object, /) -> None:
        """Refuse a path whose nodes and relations do not fit.

        Raises:
            ValueError: There is not one node more than relations.
        """
        if len(self.nodes) != len(self.steps) + 1:
            raise ValueError("nodes: there is one more than relations")

    @property
    def is_supported(self) -> bool:
        """Whether each relation has its evidence."""
        return all(step.has_evidence for step in self.steps)

    @property
    def sign(self) -> int:
        """1 where the end moves with the beginning, -1 where against it, 0 where a relation has no sign."""
        product = 1
        for step in self.steps:
            product *= {"POSITIVE": 1, "NEGATIVE": -1, None: 0}[step.polarity]
        return product

    def names(self, locale: str) -> tuple[str, ...]:
        """Return the names along the path."""
        return tuple(node.name(locale) for node in self.nodes)

    def subject(self, locale: str) -> str:
        """Return the chain: "미국 기준금리 → 원/달러 환율"."""
        return " → ".join(self.names(locale))


async def _read(arguments: GraphPathsArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    await require_nodes(reads, [*arguments.series_ids, *arguments.targets], timeout_seconds)
    templates = _templates(arguments)
    ids = arguments.targets or arguments.series_ids
    paths: list[dict[str, Any]] = []
    for template_id in templates:
        records = await reads.graph.records(
            template_id, {"ids": ids}, rows_max=_PATHS_MAX + 1, timeout_seconds=timeout_seconds
        )
        paths.extend(_path(record) for record in records)
    wanted, note = _between(arguments, paths)
    wanted.sort(key=lambda path: (-path["strength"], [node["id"] for node in path["nodes"]]))
    origin = await reads.graph.origin(templates, "AFFECTS")
    values = {**arguments.model_dump(mode="json"), "templates": templates}
    reading = reading_of(origin, GraphPathsRow, values, wanted[: arguments.limit + 1], rows_max=arguments.limit)
    return replace(reading, note="; ".join(filter(None, (reading.note, note))))


def _templates(arguments: GraphPathsArguments) -> list[str]:
    if arguments.targets or arguments.toward == "causes":
        between = arguments.targets and arguments.series_ids
        events = [_EVENTS] if arguments.steps_max > 1 and not between else []
        return [*_CAUSES[: arguments.steps_max], *events]
    return [*_IMPACTS[: arguments.steps_max]]


def _between(arguments: GraphPathsArguments, paths: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str]:
    """Return the paths that lead from the asked series to the asked target."""
    if not paths:
        return [], "the graph holds no such path"
    if not arguments.targets or not arguments.series_ids:
        return paths, ""
    through = [path for path in paths if {node["id"] for node in path["nodes"]} & set(arguments.series_ids)]
    return through, "" if through else "no path leads from these series to the target; leave series_ids out for others"


def _path(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record of one or two steps as a path."""
    count = 2 if "id_3" in record else 1
    steps = [_step(record, number) for number in range(1, count + 1)]
    strength = 1.0
    for step in steps:
        strength *= step["weight"]
    return {
        "nodes": [_node(record, number) for number in range(1, count + 2)],
        "steps": steps,
        "polarity": _net(steps),
        "strength": round(strength, 4),
        **{name: record[name] for name in ("dataset_id", "dataset_source", "dataset_sample", "as_of")},
    }


def _node(record: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {name: record[f"{name}_{number}"] for name in ("id", "name_ko", "name_en")}


def _step(record: Mapping[str, Any], number: int) -> dict[str, Any]:
    polarity = record.get(f"polarity_{number}")
    return {
        "relation": "AFFECTS" if polarity else "CAUSES",
        "polarity": polarity,
        **{name: record[f"{name}_{number}"] for name in ("weight", "evidence_id", "evidence_ko", "evidence_en")},
    }


def _net(steps: list[dict[str, Any]]) -> str | None:
    polarities = [step["polarity"] for step in steps]
    if None in polarities:
        return None
    return "NEGATIVE" if polarities.count("NEGATIVE") % 2 else "POSITIVE"


TOOL = Tool(
    name="graph_paths",
    description_ko="지표와 사건이 다른 지표, 기업, 지역에 미치는 경로를 단계별 근거와 함께 돌려줍니다.",
    description_en="Returns how indicators and events reach indicators, companies and districts, with evidence a step.",
    arguments=GraphPathsArguments,
    row=GraphPathsRow,
    read=_read,
    domain="finance",
    title=Text("관계 경로", "Paths of relations"),
    data_type="graph",
    needs="graph",
    cost=ToolCost.MEDIUM,
    typical_seconds=1.0,
    quality_prior=0.8,
    timeout_seconds=8,
    concurrency_max=4,
)
