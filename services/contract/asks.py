"""The messages of ask.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from hapju.flow.v1 import ask_pb2
from services.contract.abilities import BothLanguages
from services.contract.charts import Chart
from services.contract.documents import FinalDocument
from services.contract.entities import Entity
from services.contract.mapping import message


class AskForm(StrEnum):
    """What kind of answer a person wants."""

    LEVEL = "LEVEL"
    """How much, what is it now: a figure with its day."""
    FACT = "FACT"
    """When, which article, who, where: the name, the day or the article."""
    CHANGE = "CHANGE"
    """How has it moved since, or against: difference and direction between two days."""
    COMPARE = "COMPARE"
    """Which of these, and by how much."""
    RANK = "RANK"
    """The first of a class by a measure."""
    LIST = "LIST"
    """Those that meet conditions."""
    VERDICT = "VERDICT"
    """May I, must I, is it safe, is it over: yes, no, or it depends."""
    AMOUNT = "AMOUNT"
    """How much will or may it be: a sum that is computed."""
    EFFECT = "EFFECT"
    """If this then what: direction and path."""
    CAUSE = "CAUSE"
    """Why: what happened in that time and how it is known."""
    PROCEDURE = "PROCEDURE"
    """What do I do: steps in order."""
    REVIEW = "REVIEW"
    """What is wrong with this text."""
    DRAFT = "DRAFT"
    """Write it."""
    DEFINE = "DEFINE"
    """What is it: one sentence."""
    RECOMMEND = "RECOMMEND"
    """What suits: at most three."""
    ADVICE = "ADVICE"
    """Should I buy, sell, wait: what speaks for and against."""
    STATUS = "STATUS"
    """How do my own things stand."""
    ACT = "ACT"
    """Do it."""


class Origin(StrEnum):
    """Where a value comes from."""

    GIVEN = "GIVEN"
    """The person said it in this message."""
    CARRIED = "CARRIED"
    """The person said it earlier in the conversation, or it is what an earlier answer told."""
    DATA = "DATA"
    """It was read from data."""
    ASSUMED = "ASSUMED"
    """It was assumed, and the answer says so."""


class AnswerState(StrEnum):
    """How far an ask was answered."""

    ANSWERED = "ANSWERED"
    """Answered in its own form."""
    DECLINED = "DECLINED"
    """It cannot be answered here, and the sentence says why: not in the data, not served."""
    ASKING = "ASKING"
    """Something has to be known first; the sentence asks for it."""
    OPEN = "OPEN"
    """Not answered: nothing was found, or a call failed."""


class AskVerdict(StrEnum):
    """The verdict on a question of yes or no."""

    YES = "YES"
    """Yes."""
    NO = "NO"
    """No."""
    DEPENDS = "DEPENDS"
    """It depends; the sentence says on what."""


@message(ask_pb2.AskQuantity)
@dataclass(frozen=True, slots=True)
class AskQuantity:
    """A number of the question, bound to what it is for."""

    role: str
    """What it is for, for example "price", "deposit", "rate", "term"; empty where nothing in the question says so."""
    value: str
    """A decimal number in plain notation."""
    unit: str
    """The unit: krw, usd, percent, percentage_point, years, months, days, m2, count, ratio."""
    words: str = ""
    """The words that it was read from."""
    start: int = 0
    """Where the words begin, in code points of the normalised text; 0 where it is carried."""
    end: int = 0
    """Where they end, exclusive."""
    origin: Origin = Origin.GIVEN
    """Where it comes from."""


@message(ask_pb2.AskCondition)
@dataclass(frozen=True, slots=True)
class AskCondition:
    """What rows have to meet to be told."""

    field: str
    """What is limited: a measure or a dimension of the domain, for example "deposit", "area_m2", "dong"."""
    operator: str
    """How: eq, ne, lt, le, gt, ge."""
    value: str
    """The value: a decimal number in plain notation, or a word of the data."""
    unit: str = ""
    """The unit of a number; empty for words."""
    words: str = ""
    """The words that it was read from."""
    applied: bool = False
    """True once it has been applied in the reading of data."""
    reason: str = ""
    """Why it was not applied, in the flow's language; empty where it was, or before the data is read."""


@message(ask_pb2.Ask)
@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a person asks for in a message."""

    ask_id: str = ""
    """"q1" for the first."""
    words: str = ""
    """The words that it rests on."""
    start: int = 0
    """Where they begin, in code points of the normalised text."""
    end: int = 0
    """Where they end, exclusive."""
    form: AskForm | None = None
    """What kind of answer is wanted."""
    domain: str = ""
    """The domain whose words it is in."""
    intent: str = ""
    """The intent of that domain that it belongs to."""
    answerer: str = ""
    """What answers it: the id of the domain's answerer; empty where the domain has none for it."""
    subjects: tuple[Entity, ...] = ()
    """What it is about: places, shares, goods."""
    measures: tuple[str, ...] = ()
    """What is asked of them: ids of measures or topics of the domain."""
    start_date: str = ""
    """The first day of its period, ISO 8601; empty where none is named."""
    end_date: str = ""
    """The last day of its period; empty where none is named."""
    against_date: str = ""
    """The day that it is compared with; empty where none is."""
    conditions: tuple[AskCondition, ...] = ()
    """What rows have to meet."""
    order_by: str = ""
    """The measure that the rows are ordered by; empty for none."""
    descending: bool = False
    """True where the greatest comes first."""
    count: int = 0
    """How many are wanted; 0 where nothing says."""
    quantities: tuple[AskQuantity, ...] = ()
    """The numbers of the question and what they are for."""
    depends_on: tuple[str, ...] = ()
    """The asks whose answer it builds on."""
    notes: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Words, codes and flags of its own that the domain's answerer reads, by name."""
    attachments: tuple[str, ...] = ()
    """The digests of the attachments that it rests on."""


@message(ask_pb2.Said)
@dataclass(frozen=True, slots=True)
class Said(BothLanguages):
    """A text in both languages."""

    ko: str
    """In Korean."""
    en: str
    """In English."""


@message(ask_pb2.Ground)
@dataclass(frozen=True, slots=True)
class Ground:
    """A sentence with what it rests on."""

    text: Said
    """The sentence, or a row, without line ends."""
    evidence_ids: tuple[str, ...] = ()
    """The evidence; empty for what rests on the question's own numbers."""


@message(ask_pb2.AskInput)
@dataclass(frozen=True, slots=True)
class AskInput:
    """A value that an answer was computed from."""

    name: str
    """Its role, as in AskQuantity."""
    label: Said
    """What a person calls it."""
    value: str
    """A decimal number in plain notation, or a word."""
    unit: str
    """The unit; empty for words."""
    origin: Origin
    """Where it comes from."""


@message(ask_pb2.Told)
@dataclass(frozen=True, slots=True)
class Told:
    """One thing of a set that an answer told of, for later messages to point to."""

    kind: str
    """What it is: a kind of entity, for example "region", "security", "product", "listing"."""
    value: str
    """Its value: a code or an id."""
    label: str
    """How it was told."""
    figures: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Its figures by measure, in plain notation."""


@message(ask_pb2.AskAnswer)
@dataclass(frozen=True, slots=True)
class AskAnswer:
    """What came of one ask."""

    ask_id: str
    """The ask."""
    form: AskForm | None
    """Its form."""
    state: AnswerState
    """How far it was answered."""
    verdict: AskVerdict | None = None
    """The verdict, where the form has one."""
    sentence: Said | None = None
    """One or two sentences that answer it, ready to be told."""
    evidence_ids: tuple[str, ...] = ()
    """What the sentence rests on."""
    grounds: tuple[Ground, ...] = ()
    """Sentences and rows behind it, the most important first."""
    inputs: tuple[AskInput, ...] = ()
    """What it was computed from."""
    conditions: tuple[AskCondition, ...] = ()
    """The conditions with what became of them."""
    missing: tuple[Said, ...] = ()
    """What is missing, in a person's words; empty where nothing is."""
    next_steps: tuple[Said, ...] = ()
    """What may be done next; each is possible here."""
    cautions: tuple[Said, ...] = ()
    """What has to be kept in mind about this answer."""
    told: tuple[Told, ...] = ()
    """What it told of, in its order, so that "the second one" finds it."""
    charts: tuple[Chart, ...] = ()
    """Pictures of what it tells; few, and only of what was asked."""
    documents: tuple[FinalDocument, ...] = ()
    """Documents that it made final."""


@message(ask_pb2.AskedBefore)
@dataclass(frozen=True, slots=True)
class AskedBefore:
    """A message of the conversation that was answered, for one that follows it."""

    asks: tuple[Ask, ...]
    """Its asks as they were answered."""
    answers: tuple[AskAnswer, ...] = ()
    """What came of them."""
    asked_slot: str = ""
    """What hapju asked back, the slot's name; empty where it asked nothing."""
    options: tuple[str, ...] = ()
    """What it offered to choose from."""
    text: str = ""
    """The text of the message."""
