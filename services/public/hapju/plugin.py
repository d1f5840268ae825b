"""What a domain imports of hapju: the shapes of its agents, tools and figures, and what they are written with.

A domain is a package of any distribution that names it in the entry point group `hapju.domains`. Beside the generated
stubs (`hapju.*.v1`) this module is all that such a package imports; services/plugin/README.md tells how one is made.
"""

from services.contract.flow import AgentResult, Entity, Evidence, Metric, Provenance, SlotValue, Trend
from services.contract.synthesizer import SynthesizeRequest
from services.plugin.agent import AgentSpec, Source
from services.plugin.answers import AnswerCaution, AnswerPart, Line, Place, Section, Style, serves
from services.plugin.entities import (
    CODES,
    NAMES,
    TERMS,
    EntityKind,
    NameRow,
    ReadSoFar,
    SumWords,
    days,
    krw_range,
    name_rows,
    named_kind,
    of_kind,
    values,
)
from services.plugin.entries import Bilingual
from services.plugin.figure_kinds import FigureKind
from services.plugin.figure_lines import (
    dated,
    found_in,
    frequencies_of,
    grouped,
    items,
    kind_of,
    listed,
    number_of,
    shown,
)
from services.plugin.figures import declared_kind, said_word
from services.plugin.findings import Asking, Findings, Reading, Row, Subject, evidence, held_rows, instant
from services.plugin.planning import SlotRule
from services.plugin.questions import PlannedQuestion, SlotReading, Spoken, Value
from services.plugin.rows import rows_of
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
from services.text.language import Language
from services.text.saying import day, figure, period

__all__ = [
    "CODES",
    "NAMES",
    "TERMS",
    "AgentResult",
    "AgentSpec",
    "AnswerCaution",
    "AnswerPart",
    "Asking",
    "Bilingual",
    "Entity",
    "EntityKind",
    "Evidence",
    "FigureKind",
    "Findings",
    "Language",
    "Line",
    "Metric",
    "NameRow",
    "Place",
    "PlannedQuestion",
    "Provenance",
    "ReadSoFar",
    "Reading",
    "Row",
    "Section",
    "SlotReading",
    "SlotRule",
    "SlotValue",
    "Source",
    "Spoken",
    "Style",
    "Subject",
    "SumWords",
    "SynthesizeRequest",
    "Text",
    "Trend",
    "Value",
    "bare_amount",
    "chosen",
    "dated",
    "day",
    "days",
    "declared_kind",
    "evidence",
    "figure",
    "found_in",
    "free_text",
    "frequencies_of",
    "grouped",
    "held_rows",
    "instant",
    "items",
    "josa",
    "kind_of",
    "krw_range",
    "letters",
    "listed",
    "name_rows",
    "named_kind",
    "number_in",
    "number_of",
    "of_kind",
    "only",
    "period",
    "picked_or_text",
    "plain",
    "rounded",
    "rows_of",
    "said_word",
    "serves",
    "shown",
    "values",
    "whole_number",
    "within",
]
