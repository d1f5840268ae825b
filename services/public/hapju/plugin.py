"""What a domain imports of hapju: the shapes of its agents, tools and figures, and what they are written with.

A domain is a package of any distribution that names it in the entry point group `hapju.domains`. Beside the generated
stubs (`hapju.*.v1`) this module is all that such a package imports; services/plugin/README.md tells how one is made.
"""

from services.contract.flow import AgentResult, Entity, Evidence, Metric, Provenance, SlotValue, Trend
from services.plugin.agent import AgentSpec, Source
from services.plugin.entities import (
    CODES,
    NAMES,
    TERMS,
    EntityKind,
    NameRow,
    ReadSoFar,
    days,
    krw_range,
    name_rows,
    named_kind,
    of_kind,
    values,
)
from services.plugin.entries import Bilingual
from services.plugin.figures import FigureKind
from services.plugin.findings import (
    Asking,
    Findings,
    Reading,
    Row,
    Subject,
    evidence,
    held_rows,
    instant,
)
from services.plugin.planning import SlotRule
from services.plugin.questions import PlannedQuestion, SlotReading, Spoken, Value
from services.plugin.slots import (
    bare_amount,
    chosen,
    free_text,
    letters,
    number_in,
    only,
    picked_or_text,
    whole_number,
    within,
)
from services.plugin.wording import Text, plain, rounded
from services.text.korean import josa
from services.text.saying import day, figure, period

__all__ = [
    "CODES",
    "NAMES",
    "TERMS",
    "AgentResult",
    "AgentSpec",
    "Asking",
    "Bilingual",
    "Entity",
    "EntityKind",
    "Evidence",
    "FigureKind",
    "Findings",
    "Metric",
    "NameRow",
    "PlannedQuestion",
    "Provenance",
    "ReadSoFar",
    "Reading",
    "Row",
    "SlotReading",
    "SlotRule",
    "SlotValue",
    "Source",
    "Spoken",
    "Subject",
    "Text",
    "Trend",
    "Value",
    "bare_amount",
    "chosen",
    "day",
    "days",
    "evidence",
    "figure",
    "free_text",
    "held_rows",
    "instant",
    "josa",
    "krw_range",
    "letters",
    "name_rows",
    "named_kind",
    "number_in",
    "of_kind",
    "only",
    "period",
    "picked_or_text",
    "plain",
    "rounded",
    "values",
    "whole_number",
    "within",
]
