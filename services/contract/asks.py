"""The messages of ask.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

# ruff: noqa
from collections.abc import Mapping
from typing import Any, Self

from hapju.flow.v1 import ask_pb2
from services.contract.abilities import BothLanguages
from services.contract.charts import Chart
from services.contract.documents import FinalDocument
from services.contract.entities import Entity
from services.contract.mapping import (
    Mapped,
    Numbered,
    dataclass,
    each,
    missing,
    numbered,
    within,
)


@numbered(ask_pb2.AskForm)
class AskForm(Numbered):
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


@numbered(ask_pb2.Origin)
class Origin(Numbered):
    """Where a value comes from."""

    GIVEN = "GIVEN"
    """The person said it in this message."""
    CARRIED = "CARRIED"
    """The person said it earlier in the conversation, or it is what an earlier answer told."""
    DATA = "DATA"
    """It was read from data."""
    ASSUMED = "ASSUMED"
    """It was assumed, and the answer says so."""


@numbered(ask_pb2.AnswerState)
class AnswerState(Numbered):
    """How far an ask was answered."""

    ANSWERED = "ANSWERED"
    """Answered in its own form."""
    DECLINED = "DECLINED"
    """It cannot be answered here, and the sentence says why: not in the data, not served."""
    ASKING = "ASKING"
    """Something has to be known first; the sentence asks for it."""
    OPEN = "OPEN"
    """Not answered: nothing was found, or a call failed."""


@numbered(ask_pb2.AskVerdict)
class AskVerdict(Numbered):
    """The verdict on a question of yes or no."""

    YES = "YES"
    """Yes."""
    NO = "NO"
    """No."""
    DEPENDS = "DEPENDS"
    """It depends; the sentence says on what."""


@dataclass(frozen=True)
class AskQuantity(Mapped):
    """A number of the question, bound to what it is for."""

    __slots__ = (
        "role",
        "value",
        "unit",
        "words",
        "start",
        "end",
        "origin",
    )
    MESSAGE = ask_pb2.AskQuantity
    role: str
    """What it is for, for example "price", "deposit", "rate", "term"; empty where nothing in the question says so."""
    value: str
    """A decimal number in plain notation."""
    unit: str
    """The unit: krw, usd, percent, percentage_point, years, months, days, m2, count, ratio."""
    words: str
    """The words that it was read from."""
    start: int
    """Where the words begin, in code points of the normalised text; 0 where it is carried."""
    end: int
    """Where they end, exclusive."""
    origin: Origin
    """Where it comes from."""

    def __init__(
        self,
        role: str,
        value: str,
        unit: str,
        words: str = "",
        start: int = 0,
        end: int = 0,
        origin: Origin = Origin.GIVEN,
    ) -> None:
        put = object.__setattr__
        put(self, "role", role)
        put(self, "value", value)
        put(self, "unit", unit)
        put(self, "words", words)
        put(self, "start", start)
        put(self, "end", end)
        put(self, "origin", origin)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.role,
            self.value,
            self.unit,
            self.words,
            self.start,
            self.end,
            self.origin,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.role:
            target.role = item
        if item := self.value:
            target.value = item
        if item := self.unit:
            target.unit = item
        if item := self.words:
            target.words = item
        if item := self.start:
            target.start = item
        if item := self.end:
            target.end = item
        target.origin = self.origin.number

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.role,
            source.value,
            source.unit,
            source.words,
            source.start,
            source.end,
            within("origin", Origin.read_from, source.origin),
        )


@dataclass(frozen=True)
class AskCondition(Mapped):
    """What rows have to meet to be told."""

    __slots__ = (
        "field",
        "operator",
        "value",
        "unit",
        "words",
        "applied",
        "reason",
    )
    MESSAGE = ask_pb2.AskCondition
    field: str
    """What is limited: a measure or a dimension of the domain, for example "deposit", "area_m2", "dong"."""
    operator: str
    """How: eq, ne, lt, le, gt, ge."""
    value: str
    """The value: a decimal number in plain notation, or a word of the data."""
    unit: str
    """The unit of a number; empty for words."""
    words: str
    """The words that it was read from."""
    applied: bool
    """True once it has been applied in the reading of data."""
    reason: str
    """Why it was not applied, in the flow's language; empty where it was, or before the data is read."""

    def __init__(
        self,
        field: str,
        operator: str,
        value: str,
        unit: str = "",
        words: str = "",
        applied: bool = False,
        reason: str = "",
    ) -> None:
        put = object.__setattr__
        put(self, "field", field)
        put(self, "operator", operator)
        put(self, "value", value)
        put(self, "unit", unit)
        put(self, "words", words)
        put(self, "applied", applied)
        put(self, "reason", reason)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.field,
            self.operator,
            self.value,
            self.unit,
            self.words,
            self.applied,
            self.reason,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.field:
            target.field = item
        if item := self.operator:
            target.operator = item
        if item := self.value:
            target.value = item
        if item := self.unit:
            target.unit = item
        if item := self.words:
            target.words = item
        if item := self.applied:
            target.applied = item
        if item := self.reason:
            target.reason = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.field, source.operator, source.value, source.unit, source.words, source.applied, source.reason
        )


@dataclass(frozen=True)
class Ask(Mapped):
    """One thing that a person asks for in a message."""

    __slots__ = (
        "ask_id",
        "words",
        "start",
        "end",
        "form",
        "domain",
        "intent",
        "answerer",
        "subjects",
        "measures",
        "start_date",
        "end_date",
        "against_date",
        "conditions",
        "order_by",
        "descending",
        "count",
        "quantities",
        "depends_on",
        "notes",
        "attachments",
    )
    MESSAGE = ask_pb2.Ask
    ask_id: str
    """"q1" for the first."""
    words: str
    """The words that it rests on."""
    start: int
    """Where they begin, in code points of the normalised text."""
    end: int
    """Where they end, exclusive."""
    form: AskForm | None
    """What kind of answer is wanted."""
    domain: str
    """The domain whose words it is in."""
    intent: str
    """The intent of that domain that it belongs to."""
    answerer: str
    """What answers it: the id of the domain's answerer; empty where the domain has none for it."""
    subjects: tuple[Entity, ...]
    """What it is about: places, shares, goods."""
    measures: tuple[str, ...]
    """What is asked of them: ids of measures or topics of the domain."""
    start_date: str
    """The first day of its period, ISO 8601; empty where none is named."""
    end_date: str
    """The last day of its period; empty where none is named."""
    against_date: str
    """The day that it is compared with; empty where none is."""
    conditions: tuple[AskCondition, ...]
    """What rows have to meet."""
    order_by: str
    """The measure that the rows are ordered by; empty for none."""
    descending: bool
    """True where the greatest comes first."""
    count: int
    """How many are wanted; 0 where nothing says."""
    quantities: tuple[AskQuantity, ...]
    """The numbers of the question and what they are for."""
    depends_on: tuple[str, ...]
    """The asks whose answer it builds on."""
    notes: Mapping[str, str]
    """Words, codes and flags of its own that the domain's answerer reads, by name."""
    attachments: tuple[str, ...]
    """The digests of the attachments that it rests on."""

    def __init__(
        self,
        ask_id: str = "",
        words: str = "",
        start: int = 0,
        end: int = 0,
        form: AskForm | None = None,
        domain: str = "",
        intent: str = "",
        answerer: str = "",
        subjects: tuple[Entity, ...] = (),
        measures: tuple[str, ...] = (),
        start_date: str = "",
        end_date: str = "",
        against_date: str = "",
        conditions: tuple[AskCondition, ...] = (),
        order_by: str = "",
        descending: bool = False,
        count: int = 0,
        quantities: tuple[AskQuantity, ...] = (),
        depends_on: tuple[str, ...] = (),
        notes: Mapping[str, str] | None = None,
        attachments: tuple[str, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "ask_id", ask_id)
        put(self, "words", words)
        put(self, "start", start)
        put(self, "end", end)
        put(self, "form", form)
        put(self, "domain", domain)
        put(self, "intent", intent)
        put(self, "answerer", answerer)
        put(self, "subjects", subjects)
        put(self, "measures", measures)
        put(self, "start_date", start_date)
        put(self, "end_date", end_date)
        put(self, "against_date", against_date)
        put(self, "conditions", conditions)
        put(self, "order_by", order_by)
        put(self, "descending", descending)
        put(self, "count", count)
        put(self, "quantities", quantities)
        put(self, "depends_on", depends_on)
        put(self, "notes", {} if notes is None else notes)
        put(self, "attachments", attachments)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.ask_id,
            self.words,
            self.start,
            self.end,
            self.form,
            self.domain,
            self.intent,
            self.answerer,
            self.subjects,
            self.measures,
            self.start_date,
            self.end_date,
            self.against_date,
            self.conditions,
            self.order_by,
            self.descending,
            self.count,
            self.quantities,
            self.depends_on,
            self.notes,
            self.attachments,
        )

    def __hash__(self) -> int:
        return hash(
            (
                self.ask_id,
                self.words,
                self.start,
                self.end,
                self.form,
                self.domain,
                self.intent,
                self.answerer,
                self.subjects,
                self.measures,
                self.start_date,
                self.end_date,
                self.against_date,
                self.conditions,
                self.order_by,
                self.descending,
                self.count,
                self.quantities,
                self.depends_on,
                self.attachments,
            )
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.ask_id:
            target.ask_id = item
        if item := self.words:
            target.words = item
        if item := self.start:
            target.start = item
        if item := self.end:
            target.end = item
        if (item := self.form) is not None:
            target.form = item.number
        if item := self.domain:
            target.domain = item
        if item := self.intent:
            target.intent = item
        if item := self.answerer:
            target.answerer = item
        for item in self.subjects:
            item.write_to(target.subjects.add())
        target.measures.extend(self.measures)
        if item := self.start_date:
            target.start_date = item
        if item := self.end_date:
            target.end_date = item
        if item := self.against_date:
            target.against_date = item
        for item in self.conditions:
            item.write_to(target.conditions.add())
        if item := self.order_by:
            target.order_by = item
        if item := self.descending:
            target.descending = item
        if item := self.count:
            target.count = item
        for item in self.quantities:
            item.write_to(target.quantities.add())
        target.depends_on.extend(self.depends_on)
        target.notes.update(self.notes)
        target.attachments.extend(self.attachments)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.ask_id,
            source.words,
            source.start,
            source.end,
            within("form", AskForm.read_from, source.form) if source.form else None,
            source.domain,
            source.intent,
            source.answerer,
            each("subjects", Entity.read_from, source.subjects),
            tuple(source.measures),
            source.start_date,
            source.end_date,
            source.against_date,
            each("conditions", AskCondition.read_from, source.conditions),
            source.order_by,
            source.descending,
            source.count,
            each("quantities", AskQuantity.read_from, source.quantities),
            tuple(source.depends_on),
            dict(source.notes),
            tuple(source.attachments),
        )


@dataclass(frozen=True)
class Said(BothLanguages, Mapped):
    """A text in both languages."""

    __slots__ = (
        "ko",
        "en",
    )
    MESSAGE = ask_pb2.Said
    ko: str
    """In Korean."""
    en: str
    """In English."""

    def __init__(self, ko: str, en: str) -> None:
        put = object.__setattr__
        put(self, "ko", ko)
        put(self, "en", en)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.ko,
            self.en,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.ko:
            target.ko = item
        if item := self.en:
            target.en = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.ko, source.en)


@dataclass(frozen=True)
class Ground(Mapped):
    """A sentence with what it rests on."""

    __slots__ = (
        "text",
        "evidence_ids",
    )
    MESSAGE = ask_pb2.Ground
    text: Said
    """The sentence, or a row, without line ends."""
    evidence_ids: tuple[str, ...]
    """The evidence; empty for what rests on the question's own numbers."""

    def __init__(self, text: Said, evidence_ids: tuple[str, ...] = ()) -> None:
        put = object.__setattr__
        put(self, "text", text)
        put(self, "evidence_ids", evidence_ids)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.text,
            self.evidence_ids,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        self.text.write_to(target.text)
        target.evidence_ids.extend(self.evidence_ids)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            within("text", Said.read_from, source.text) if source.HasField("text") else missing("text"),
            tuple(source.evidence_ids),
        )


@dataclass(frozen=True)
class AskInput(Mapped):
    """A value that an answer was computed from."""

    __slots__ = (
        "name",
        "label",
        "value",
        "unit",
        "origin",
    )
    MESSAGE = ask_pb2.AskInput
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

    def __init__(self, name: str, label: Said, value: str, unit: str, origin: Origin) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "label", label)
        put(self, "value", value)
        put(self, "unit", unit)
        put(self, "origin", origin)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.name,
            self.label,
            self.value,
            self.unit,
            self.origin,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.name:
            target.name = item
        self.label.write_to(target.label)
        if item := self.value:
            target.value = item
        if item := self.unit:
            target.unit = item
        target.origin = self.origin.number

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.name,
            within("label", Said.read_from, source.label) if source.HasField("label") else missing("label"),
            source.value,
            source.unit,
            within("origin", Origin.read_from, source.origin),
        )


@dataclass(frozen=True)
class Told(Mapped):
    """One thing of a set that an answer told of, for later messages to point to."""

    __slots__ = (
        "kind",
        "value",
        "label",
        "figures",
    )
    MESSAGE = ask_pb2.Told
    kind: str
    """What it is: a kind of entity, for example "region", "security", "product", "listing"."""
    value: str
    """Its value: a code or an id."""
    label: str
    """How it was told."""
    figures: Mapping[str, str]
    """Its figures by measure, in plain notation."""

    def __init__(self, kind: str, value: str, label: str, figures: Mapping[str, str] | None = None) -> None:
        put = object.__setattr__
        put(self, "kind", kind)
        put(self, "value", value)
        put(self, "label", label)
        put(self, "figures", {} if figures is None else figures)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.kind,
            self.value,
            self.label,
            self.figures,
        )

    def __hash__(self) -> int:
        return hash(
            (
                self.kind,
                self.value,
                self.label,
            )
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.kind:
            target.kind = item
        if item := self.value:
            target.value = item
        if item := self.label:
            target.label = item
        target.figures.update(self.figures)

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(source.kind, source.value, source.label, dict(source.figures))


@dataclass(frozen=True)
class AskAnswer(Mapped):
    """What came of one ask."""

    __slots__ = (
        "ask_id",
        "form",
        "state",
        "verdict",
        "sentence",
        "evidence_ids",
        "grounds",
        "inputs",
        "conditions",
        "missing",
        "next_steps",
        "cautions",
        "told",
        "charts",
        "documents",
    )
    MESSAGE = ask_pb2.AskAnswer
    ask_id: str
    """The ask."""
    form: AskForm | None
    """Its form."""
    state: AnswerState
    """How far it was answered."""
    verdict: AskVerdict | None
    """The verdict, where the form has one."""
    sentence: Said | None
    """One or two sentences that answer it, ready to be told."""
    evidence_ids: tuple[str, ...]
    """What the sentence rests on."""
    grounds: tuple[Ground, ...]
    """Sentences and rows behind it, the most important first."""
    inputs: tuple[AskInput, ...]
    """What it was computed from."""
    conditions: tuple[AskCondition, ...]
    """The conditions with what became of them."""
    missing: tuple[Said, ...]
    """What is missing, in a person's words; empty where nothing is."""
    next_steps: tuple[Said, ...]
    """What may be done next; each is possible here."""
    cautions: tuple[Said, ...]
    """What has to be kept in mind about this answer."""
    told: tuple[Told, ...]
    """What it told of, in its order, so that "the second one" finds it."""
    charts: tuple[Chart, ...]
    """Pictures of what it tells; few, and only of what was asked."""
    documents: tuple[FinalDocument, ...]
    """Documents that it made final."""

    def __init__(
        self,
        ask_id: str,
        form: AskForm | None,
        state: AnswerState,
        verdict: AskVerdict | None = None,
        sentence: Said | None = None,
        evidence_ids: tuple[str, ...] = (),
        grounds: tuple[Ground, ...] = (),
        inputs: tuple[AskInput, ...] = (),
        conditions: tuple[AskCondition, ...] = (),
        missing: tuple[Said, ...] = (),
        next_steps: tuple[Said, ...] = (),
        cautions: tuple[Said, ...] = (),
        told: tuple[Told, ...] = (),
        charts: tuple[Chart, ...] = (),
        documents: tuple[FinalDocument, ...] = (),
    ) -> None:
        put = object.__setattr__
        put(self, "ask_id", ask_id)
        put(self, "form", form)
        put(self, "state", state)
        put(self, "verdict", verdict)
        put(self, "sentence", sentence)
        put(self, "evidence_ids", evidence_ids)
        put(self, "grounds", grounds)
        put(self, "inputs", inputs)
        put(self, "conditions", conditions)
        put(self, "missing", missing)
        put(self, "next_steps", next_steps)
        put(self, "cautions", cautions)
        put(self, "told", told)
        put(self, "charts", charts)
        put(self, "documents", documents)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.ask_id,
            self.form,
            self.state,
            self.verdict,
            self.sentence,
            self.evidence_ids,
            self.grounds,
            self.inputs,
            self.conditions,
            self.missing,
            self.next_steps,
            self.cautions,
            self.told,
            self.charts,
            self.documents,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        if item := self.ask_id:
            target.ask_id = item
        if (item := self.form) is not None:
            target.form = item.number
        target.state = self.state.number
        if (item := self.verdict) is not None:
            target.verdict = item.number
        if (item := self.sentence) is not None:
            item.write_to(target.sentence)
        target.evidence_ids.extend(self.evidence_ids)
        for item in self.grounds:
            item.write_to(target.grounds.add())
        for item in self.inputs:
            item.write_to(target.inputs.add())
        for item in self.conditions:
            item.write_to(target.conditions.add())
        for item in self.missing:
            item.write_to(target.missing.add())
        for item in self.next_steps:
            item.write_to(target.next_steps.add())
        for item in self.cautions:
            item.write_to(target.cautions.add())
        for item in self.told:
            item.write_to(target.told.add())
        for item in self.charts:
            item.write_to(target.charts.add())
        for item in self.documents:
            item.write_to(target.documents.add())

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            source.ask_id,
            within("form", AskForm.read_from, source.form) if source.form else None,
            within("state", AnswerState.read_from, source.state),
            within("verdict", AskVerdict.read_from, source.verdict) if source.verdict else None,
            within("sentence", Said.read_from, source.sentence) if source.HasField("sentence") else None,
            tuple(source.evidence_ids),
            each("grounds", Ground.read_from, source.grounds),
            each("inputs", AskInput.read_from, source.inputs),
            each("conditions", AskCondition.read_from, source.conditions),
            each("missing", Said.read_from, source.missing),
            each("next_steps", Said.read_from, source.next_steps),
            each("cautions", Said.read_from, source.cautions),
            each("told", Told.read_from, source.told),
            each("charts", Chart.read_from, source.charts),
            each("documents", FinalDocument.read_from, source.documents),
        )


@dataclass(frozen=True)
class AskedBefore(Mapped):
    """A message of the conversation that was answered, for one that follows it."""

    __slots__ = (
        "asks",
        "answers",
        "asked_slot",
        "options",
        "text",
    )
    MESSAGE = ask_pb2.AskedBefore
    asks: tuple[Ask, ...]
    """Its asks as they were answered."""
    answers: tuple[AskAnswer, ...]
    """What came of them."""
    asked_slot: str
    """What hapju asked back, the slot's name; empty where it asked nothing."""
    options: tuple[str, ...]
    """What it offered to choose from."""
    text: str
    """The text of the message."""

    def __init__(
        self,
        asks: tuple[Ask, ...],
        answers: tuple[AskAnswer, ...] = (),
        asked_slot: str = "",
        options: tuple[str, ...] = (),
        text: str = "",
    ) -> None:
        put = object.__setattr__
        put(self, "asks", asks)
        put(self, "answers", answers)
        put(self, "asked_slot", asked_slot)
        put(self, "options", options)
        put(self, "text", text)

    def as_tuple(self) -> tuple[Any, ...]:
        return (
            self.asks,
            self.answers,
            self.asked_slot,
            self.options,
            self.text,
        )

    def write_to(self, target: Any) -> None:
        target.SetInParent()
        item: Any
        for item in self.asks:
            item.write_to(target.asks.add())
        for item in self.answers:
            item.write_to(target.answers.add())
        if item := self.asked_slot:
            target.asked_slot = item
        target.options.extend(self.options)
        if item := self.text:
            target.text = item

    @classmethod
    def read_from(cls, source: Any) -> Self:
        return cls(
            each("asks", Ask.read_from, source.asks),
            each("answers", AskAnswer.read_from, source.answers),
            source.asked_slot,
            tuple(source.options),
            source.text,
        )
