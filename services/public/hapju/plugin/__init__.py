"""What a domain imports of hapju: the shapes of its agents, tools and figures, and what they are written with.

A domain is a package of any distribution that names it in the entry point group `hapju.domains`. Beside the generated
stubs (`hapju.*.v1`) this module and `hapju.plugin.tables` are all that such a package imports of hapju;
services/plugin/README.md makes one, step by step.
"""

from services.contract.entities import Entity
from services.contract.flow import AgentResult, Evidence, Metric, Provenance, SlotValue, Trend
from services.contract.synthesizer import SynthesizeRequest
from services.contract.tool import SideEffect, ToolCost
from services.plugin.agent import AgentSpec, Source
from services.plugin.answers import AnswerCaution, AnswerPart, Line, Place, Section, Style, serves
from services.plugin.data.rows import rows_of
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
from services.plugin.figures.declared import declared_kind, said_word
from services.plugin.figures.kinds import FigureKind
from services.plugin.figures.lines import (
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
from services.plugin.findings import (
    Asking,
    Findings,
    Reading,
    Subject,
    action_request,
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
from services.plugin.tools.effect import (
    KEY_PARTS,
    Applied,
    Effect,
    Missing,
    Money,
    RuleViolated,
    Scope,
    Shown,
    money_krw,
    quantity,
    target,
    text,
)
from services.plugin.tools.fields import FreeText, Identifier, PriceKrw, Quantity, WholeNumber
from services.plugin.tools.foreign import ForeignAnswer, ForeignQuestion, by_a2a, quoted
from services.plugin.tools.reads import ReadResult, Reads, Row, UtcTime, read_own
from services.plugin.tools.servers import by_mcp
from services.plugin.tools.tool import Arguments, NotOwned, Tool, UnknownIdentifier, by_statement, own_by_statement
from services.plugin.wording import Text, plain, rounded
from services.runtime.identity import Caller
from services.text.ko.written import josa
from services.text.language import Language
from services.text.reading import TextReading
from services.text.saying import day, figure, period

__all__ = [
    "CODES",
    "KEY_PARTS",
    "NAMES",
    "TERMS",
    "AgentResult",
    "AgentSpec",
    "AnswerCaution",
    "AnswerPart",
    "Applied",
    "Arguments",
    "Asking",
    "Bilingual",
    "Caller",
    "Effect",
    "Entity",
    "EntityKind",
    "Evidence",
    "FigureKind",
    "Findings",
    "ForeignAnswer",
    "ForeignQuestion",
    "FreeText",
    "Identifier",
    "Language",
    "Line",
    "Metric",
    "Missing",
    "Money",
    "NameRow",
    "NotOwned",
    "Place",
    "PlannedQuestion",
    "PriceKrw",
    "Provenance",
    "Quantity",
    "ReadResult",
    "ReadSoFar",
    "Reading",
    "Reads",
    "Row",
    "RuleViolated",
    "Scope",
    "Section",
    "Shown",
    "SideEffect",
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
    "TextReading",
    "Tool",
    "ToolCost",
    "Trend",
    "UnknownIdentifier",
    "UtcTime",
    "Value",
    "WholeNumber",
    "action_request",
    "bare_amount",
    "by_a2a",
    "by_mcp",
    "by_statement",
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
    "money_krw",
    "name_rows",
    "named_kind",
    "number_in",
    "number_of",
    "of_kind",
    "only",
    "own_by_statement",
    "period",
    "picked_or_text",
    "plain",
    "quantity",
    "quoted",
    "read_own",
    "rounded",
    "rows_of",
    "said_word",
    "serves",
    "shown",
    "target",
    "text",
    "values",
    "whole_number",
    "within",
]
