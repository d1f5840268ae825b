"""What a person asks for, and what came of it. Field meanings stand in protos/hapju/flow/v1/ask.proto."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hapju.flow.v1 import ask_pb2
from services.contract.charts import Chart
from services.contract.documents import FinalDocument
from services.contract.entities import Entity
from services.contract.mapping import message


class AskForm(StrEnum):
    """What kind of answer a person wants."""

    LEVEL = "LEVEL"
    FACT = "FACT"
    CHANGE = "CHANGE"
    COMPARE = "COMPARE"
    RANK = "RANK"
    LIST = "LIST"
    VERDICT = "VERDICT"
    AMOUNT = "AMOUNT"
    EFFECT = "EFFECT"
    CAUSE = "CAUSE"
    PROCEDURE = "PROCEDURE"
    REVIEW = "REVIEW"
    DRAFT = "DRAFT"
    DEFINE = "DEFINE"
    RECOMMEND = "RECOMMEND"
    ADVICE = "ADVICE"
    STATUS = "STATUS"
    ACT = "ACT"


class Origin(StrEnum):
    """Where a value comes from."""

    GIVEN = "GIVEN"
    CARRIED = "CARRIED"
    DATA = "DATA"
    ASSUMED = "ASSUMED"


class AnswerState(StrEnum):
    """How far an ask was answered."""

    ANSWERED = "ANSWERED"
    DECLINED = "DECLINED"
    ASKING = "ASKING"
    OPEN = "OPEN"


class AskVerdict(StrEnum):
    """The verdict on a question of yes or no."""

    YES = "YES"
    NO = "NO"
    DEPENDS = "DEPENDS"


@message(ask_pb2.AskQuantity)
@dataclass(frozen=True, slots=True)
class AskQuantity:
    """A number of the question, bound to what it is for."""

    role: str
    value: str
    unit: str
    words: str = ""
    start: int = 0
    end: int = 0
    origin: Origin = Origin.GIVEN


@message(ask_pb2.AskCondition)
@dataclass(frozen=True, slots=True)
class AskCondition:
    """What rows have to meet to be told."""

    field: str
    operator: str
    value: str
    unit: str = ""
    words: str = ""
    applied: bool = False
    reason: str = ""


@message(ask_pb2.Ask)
@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a person asks for in a message."""

    ask_id: str = ""
    words: str = ""
    start: int = 0
    end: int = 0
    form: AskForm | None = None
    domain: str = ""
    intent: str = ""
    answerer: str = ""
    subjects: tuple[Entity, ...] = ()
    measures: tuple[str, ...] = ()
    start_date: str = ""
    end_date: str = ""
    against_date: str = ""
    conditions: tuple[AskCondition, ...] = ()
    order_by: str = ""
    descending: bool = False
    count: int = 0
    quantities: tuple[AskQuantity, ...] = ()
    depends_on: tuple[str, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict, hash=False)
    attachments: tuple[str, ...] = ()


@message(ask_pb2.Said)
@dataclass(frozen=True, slots=True)
class Said:
    """A text in both languages."""

    ko: str
    en: str

    def of(self, locale: str) -> str:
        """Return the text of a locale; anything but English is Korean."""
        return self.en if locale.lower().startswith("en") else self.ko


@message(ask_pb2.Ground)
@dataclass(frozen=True, slots=True)
class Ground:
    """A sentence with what it rests on."""

    text: Said
    evidence_ids: tuple[str, ...] = ()


@message(ask_pb2.AskInput)
@dataclass(frozen=True, slots=True)
class AskInput:
    """A value that an answer was computed from."""

    name: str
    label: Said
    value: str
    unit: str
    origin: Origin


@message(ask_pb2.Told)
@dataclass(frozen=True, slots=True)
class Told:
    """One thing of a set that an answer told of."""

    kind: str
    value: str
    label: str
    figures: Mapping[str, str] = field(default_factory=dict, hash=False)


@message(ask_pb2.AskAnswer)
@dataclass(frozen=True, slots=True)
class AskAnswer:
    """What came of one ask."""

    ask_id: str
    form: AskForm | None
    state: AnswerState
    verdict: AskVerdict | None = None
    sentence: Said | None = None
    evidence_ids: tuple[str, ...] = ()
    grounds: tuple[Ground, ...] = ()
    inputs: tuple[AskInput, ...] = ()
    conditions: tuple[AskCondition, ...] = ()
    missing: tuple[Said, ...] = ()
    next_steps: tuple[Said, ...] = ()
    cautions: tuple[Said, ...] = ()
    told: tuple[Told, ...] = ()
    charts: tuple[Chart, ...] = ()
    documents: tuple[FinalDocument, ...] = ()


@message(ask_pb2.AskedBefore)
@dataclass(frozen=True, slots=True)
class AskedBefore:
    """A message of the conversation that was answered."""

    asks: tuple[Ask, ...]
    answers: tuple[AskAnswer, ...] = ()
    asked_slot: str = ""
    options: tuple[str, ...] = ()
    text: str = ""
