"""The messages of run_context, decision, failure, evidence, route, plan, result, question, memory.

Generated from protos/hapju/flow/v1 by protos/generate.py: change these and run `make protos`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from hapju.flow.v1 import (
    decision_pb2,
    evidence_pb2,
    failure_pb2,
    memory_pb2,
    plan_pb2,
    question_pb2,
    result_pb2,
    route_pb2,
    run_context_pb2,
)
from services.contract.abilities import Summed
from services.contract.asks import Ask, AskAnswer
from services.contract.drops import Dropped
from services.contract.entities import Entity
from services.contract.forms import check_run
from services.contract.mapping import message


class DecisionSource(StrEnum):
    """Who made a decision."""

    LLM = "LLM"
    """A model answered inside the schema."""
    RULE = "RULE"
    """The deterministic rule decided and no model was asked."""
    FALLBACK = "FALLBACK"
    """A model was asked and failed, and the deterministic rule decided instead."""


class FailureTag(StrEnum):
    """What went less than well in a flow that still answered."""

    INTENT_LOW_CONFIDENCE = "INTENT_LOW_CONFIDENCE"
    """The intent's confidence was below the gate and the user was asked."""
    MULTIPLE_INTENTS_CONFLICT = "MULTIPLE_INTENTS_CONFLICT"
    """Several intents that exclude each other."""
    AGENT_CALL_FAILED = "AGENT_CALL_FAILED"
    """An agent failed or could not be reached."""
    RESPONSE_SYNTHESIS_FAILED = "RESPONSE_SYNTHESIS_FAILED"
    """The answer was composed from templates because its synthesis failed."""
    MISSING_REQUIRED_SLOTS = "MISSING_REQUIRED_SLOTS"
    """Something that the intent needs is missing and was asked for."""
    POLICY_BLOCKED = "POLICY_BLOCKED"
    """The policy check blocked the question."""
    TOOL_GATEWAY_REJECTED = "TOOL_GATEWAY_REJECTED"
    """The tool gateway refused a call."""
    CONTEXT_OVERFLOW = "CONTEXT_OVERFLOW"
    """The history does not fit even after summarising."""
    INVALID_SLOT_VALUE = "INVALID_SLOT_VALUE"
    """A given value cannot be used for its slot."""
    USER_DECLINED = "USER_DECLINED"
    """The user declined."""
    TOO_MANY_QUESTIONS = "TOO_MANY_QUESTIONS"
    """The bound on questions in a row was reached."""


class Freshness(StrEnum):
    """Whether data may still be relied on."""

    FRESH = "FRESH"
    """Fresh."""
    AGEING = "AGEING"
    """Old enough that the answer says so."""
    STALE = "STALE"
    """Too old to be relied on."""


class NextAction(StrEnum):
    """What happens after routing."""

    PROCEED = "PROCEED"
    """Go on to planning."""
    CONFIRM = "CONFIRM"
    """Ask one confirming question first."""
    CLARIFY = "CLARIFY"
    """Answer with a clarifying question; nothing else runs."""
    RESPOND = "RESPOND"
    """Answer at once with guidance; nothing else runs."""


class ToolMode(StrEnum):
    """How the branches of a plan may run."""

    SINGLE = "SINGLE"
    """One branch at a time."""
    PARALLEL = "PARALLEL"
    """The sql and the graph branch side by side."""


class Strategy(StrEnum):
    """How the steps of a plan run."""

    SEQUENTIAL = "SEQUENTIAL"
    """One step after another."""
    PARALLEL = "PARALLEL"
    """Independent steps side by side."""
    ADAPTIVE = "ADAPTIVE"
    """A step has a condition, so the order is decided while it runs."""
    CONDITIONAL_PARALLEL = "CONDITIONAL_PARALLEL"
    """The sql and graph branches side by side where both are needed."""


class Branch(StrEnum):
    """Which way a step reaches its data."""

    SQL = "SQL"
    """Tables."""
    GRAPH = "GRAPH"
    """The graph."""
    LLM_DIRECT = "LLM_DIRECT"
    """No data: a direct answer."""


class AgentStatus(StrEnum):
    """How an agent's run ended."""

    ANSWERED = "ANSWERED"
    """It answered from its rows."""
    LIMITED = "LIMITED"
    """It answered, and what it rests on is short: fewer rows than the method asks for."""
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"
    """It found no rows and says so; it writes no number."""
    FAILED = "FAILED"
    """Its tools failed."""


class Trend(StrEnum):
    """Where a thing is heading."""

    BULL = "BULL"
    """Up."""
    BEAR = "BEAR"
    """Down."""
    NEUTRAL = "NEUTRAL"
    """Neither."""


class OnDisconnect(StrEnum):
    """What a flow does when nobody watches it any more."""

    CANCEL = "CANCEL"
    """Cancel it."""
    CONTINUE = "CONTINUE"
    """Let it go on."""


class OnBusy(StrEnum):
    """What happens to a question while another one of its conversation is being answered."""

    REJECT = "REJECT"
    """It is refused with FAILED_PRECONDITION, SESSION_BUSY."""
    QUEUE = "QUEUE"
    """It waits until the other one has ended, within its own time."""
    INTERRUPT = "INTERRUPT"
    """The other one is cancelled, and it begins when that one has ended."""


class Speaker(StrEnum):
    """Who spoke."""

    USER = "USER"
    """The user."""
    ASSISTANT = "ASSISTANT"
    """The system."""


class MemoryTier(StrEnum):
    """How far back an earlier conversation lies among a user's conversations."""

    SHORT = "SHORT"
    """The 1st to the 5th before the present one: its last messages, at most 10, in full."""
    MID = "MID"
    """The 6th to the 10th: its summary."""
    LONG = "LONG"
    """The 11th to the 20th: its summary."""


@message(run_context_pb2.Budget)
@dataclass(frozen=True, slots=True)
class Budget:
    """The rest of a flow's allowance. A decision that finds a part of it spent goes by its rule and says so."""

    model_calls: int
    """Model calls left, 0 or more."""
    tokens: int
    """Input plus output tokens left, 0 or more."""
    model_failures: int
    """Model failures that are still borne before the rest of the flow goes by rule without asking, 0 or more."""
    cost_micro_usd: int
    """Money left in millionths of a US dollar, 0 or more."""


@message(run_context_pb2.RunContext, check_run)
@dataclass(frozen=True, slots=True)
class RunContext:
    """What every call of one flow knows about it. Identity is not here: it travels as a signed assertion in metadata.
    Remaining time is not here either: it is the call's deadline.
    """

    flow_run_id: str
    """The flow's id, a UUIDv7 in its canonical text form, made by the server."""
    session_id: str
    """The conversation that the flow belongs to; 1 to 64 characters of [A-Za-z0-9_.-]."""
    locale: str
    """The language of every text that the user reads: "ko" or "en"."""
    now: datetime
    """The instant that the flow treats as now, the same at every hop, so that relative dates agree."""
    time_zone: str
    """The user's IANA time zone, for example "Asia/Seoul"."""
    budget: Budget
    """What the flow may still spend when this call is made."""
    domains: tuple[str, ...]
    """The domains that may answer, of realty, finance, commerce and general; never empty."""
    settled_kinds: tuple[str, ...] = ()
    """Kinds of decisions that leave nothing to decide in this flow, for example because what was found earlier stands
    in for everything that would be read: they go by their rule, and no model is asked.
    """
    models_away: tuple[str, ...] = ()
    """Models that questions have waited for in vain of late: what would ask one goes by its rule at once."""


@message(decision_pb2.Usage)
@dataclass(frozen=True, slots=True)
class Usage(Summed):
    """What was spent."""

    model_calls: int = 0
    """Requests sent to a model, repairs and failures included."""
    input_tokens: int = 0
    """Tokens sent."""
    output_tokens: int = 0
    """Tokens received."""
    cost_micro_usd: int = 0
    """Price in millionths of a US dollar; 0 where no price is configured."""
    tool_calls: int = 0
    """Tool calls that reached the data."""


@message(decision_pb2.Decision)
@dataclass(frozen=True, slots=True)
class Decision:
    """One decision as it was made: one prompt, one schema, one rule."""

    service: str
    """The service that decided, for example "router" or "finance.macro"."""
    kind: str
    """The kind, which is its prompt's name, for example "intent_analysis"."""
    source: DecisionSource
    """Where it came from."""
    prompt_version: str
    """The digest of the prompt's texts and schema, 12 hexadecimal digits."""
    model: str
    """The model that was asked; empty under RULE."""
    input_digest: str
    """SHA-256 of the canonical inputs, in hexadecimal."""
    output_json: bytes
    """The decision's output as UTF-8 JSON."""
    confidence: float | None
    """0 to 1; absent where the decision states none or it could not be read."""
    reasoning: str
    """Why, in a sentence; may be empty."""
    fallback_reason: str
    """Why the model did not decide, an UPPER_SNAKE reason; empty under LLM, and under RULE when none is configured."""
    latency: timedelta
    """Wall time from being asked to having decided."""
    usage: Usage
    """What it cost."""
    decide_time: datetime
    """When it was made."""


@message(decision_pb2.ToolExchange)
@dataclass(frozen=True, slots=True)
class ToolExchange:
    """One call of a tool with what it came to, kept where flows are recorded so that they can be replayed."""

    step_id: str
    """The step that called."""
    tool: str
    """The tool."""
    arguments_json: bytes
    """Its arguments as UTF-8 JSON."""
    response: bytes = b""
    """The hapju.tool.v1.InvokeToolResponse in binary form; empty where the call ended with a status, and where it is
    left out.
    """
    code: str = ""
    """The name of the status that the call ended with, for example UNAVAILABLE; empty where it had a response."""
    reason: str = ""
    """Why, UPPER_SNAKE; empty where it had a response."""
    left_out: bool = False
    """True where the response is not kept because the call's recording would be too large."""


@message(decision_pb2.Spent)
@dataclass(frozen=True, slots=True)
class Spent:
    """What a failed call had spent until it failed; travels as a detail of its status."""

    decisions: tuple[Decision, ...] = ()
    """The decisions made, in order."""
    usage: Usage = Usage()
    """The usage, these decisions' included."""
    tool_exchanges: tuple[ToolExchange, ...] = ()
    """The calls of tools with what they came to, in the order in which they ended; empty where flows are not recorded,
    and in a status.
    """


@message(failure_pb2.Warning)
@dataclass(frozen=True, slots=True)
class Warning:
    """Something that a client should show or log, though the flow goes on."""

    reason: str
    """Why, an UPPER_SNAKE reason such as "RATE_LIMITED" or "BUDGET_SPENT"."""
    message: str
    """A sentence in the flow's language."""
    service: str
    """The service that it concerns."""
    decision_kind: str = ""
    """The decision kind that it concerns; empty where none does."""


@message(evidence_pb2.Provenance)
@dataclass(frozen=True, slots=True)
class Provenance:
    """Where rows come from."""

    source: str
    """Who publishes or generates them, for example "U.S. Bureau of Labor Statistics via statsmodels 0.15.0"."""
    dataset: str
    """The data set's id."""
    table: str
    """The table that was read."""
    filters_json: bytes
    """The filters that were bound, as UTF-8 JSON."""
    as_of_time: datetime | None
    """The newest instant that the rows speak of."""
    row_count: int
    """How many rows were returned."""
    template_id: str
    """The template that was run; empty for data that no template reads."""
    fingerprint: str
    """SHA-256 over template, bound values and rows, in hexadecimal."""
    sample: bool
    """True where the rows are sample data and no published figures."""


@message(evidence_pb2.Column)
@dataclass(frozen=True, slots=True)
class Column:
    """One column of rows."""

    name: str
    """Its name in a row; in rows that hold `fields`, the name of a field."""
    title: str
    """What a user calls it."""
    unit: str = ""
    """What its numbers are in: krw, usd, percent, count, days ...; empty where they bear none."""
    words: Mapping[str, str] = field(default_factory=dict, hash=False)
    """What its codes are called, those that the rows hold: "jeonse" for example."""


@message(evidence_pb2.Evidence)
@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that an answer may rest on: a row, a series, an article. Its id is opaque and never a position."""

    evidence_id: str
    """The id, unique in the flow."""
    data_type: str
    """The kind of data, which decides how it ages: market, macro, price, product, legal, loan, knowledge."""
    title: str
    """A title that a user can read."""
    excerpt: str
    """What it says, in the flow's language; names and numbers as a user reads them."""
    rows_json: bytes
    """The rows themselves as UTF-8 JSON, an array of objects; at most 64 KiB."""
    rows_schema_id: str
    """The schema of the rows, for example "hapju.tool.macro_series.rows.v1"."""
    provenance: Provenance
    """Where they come from."""
    columns: tuple[Column, ...] = ()
    """How a person reads the rows: their columns in the order in which they are told, in the flow's language. What is
    not among them only identifies, or says the same in the other language.
    """


@message(evidence_pb2.Citation)
@dataclass(frozen=True, slots=True)
class Citation:
    """A reference from the answer to a piece of evidence."""

    evidence_id: str
    """The evidence's id."""
    title: str
    """Its title."""
    source: str
    """Who publishes it."""
    as_of_time: datetime | None
    """The newest instant that it speaks of."""
    sample: bool
    """True where it is sample data."""


@message(evidence_pb2.DataFreshness)
@dataclass(frozen=True, slots=True)
class DataFreshness:
    """How fresh one kind of data is that an answer rests on."""

    data_type: str
    """The kind of data."""
    as_of_time: datetime | None
    """The newest instant of it."""
    age_hours: int
    """Whole hours between that instant, or the release that followed it, and the flow's now."""
    freshness: Freshness
    """How it ages."""


@message(route_pb2.IntentAlternative)
@dataclass(frozen=True, slots=True)
class IntentAlternative:
    """One reading of the question that was not chosen."""

    intent: str
    """The intent."""
    confidence: float
    """0.60 to 0.99."""


@message(route_pb2.VoterScore)
@dataclass(frozen=True, slots=True)
class VoterScore:
    """What one voter said."""

    voter: str
    """The voter: llm, keyword, scope, detector, shortcut or hint."""
    intent: str
    """The intent that it voted for; empty where it abstained."""
    score: float
    """0 to 1."""
    weight: float
    """Its weight in the vote; 0 where it was not cast."""
    reason: str
    """Why, or why it was not cast."""


@message(route_pb2.RouteDecision)
@dataclass(frozen=True, slots=True)
class RouteDecision:
    """How a question is understood."""

    domain: str
    """The domain that answers."""
    intent: str
    """The intent, which is also the selected type."""
    confidence: float
    """0 to 0.99."""
    alternatives: tuple[IntentAlternative, ...]
    """Up to three other readings at 0.60 or above, the best first."""
    selected_type: str
    """The seed's word for the chosen reading; equals intent in every domain but general."""
    sql_need: bool
    """True where tables are needed."""
    graph_need: bool
    """True where the graph is needed."""
    tool_mode: ToolMode
    """Parallel only when both are needed."""
    target_agents: tuple[str, ...]
    """The owner agents, for example "finance.macro"."""
    entities: tuple[Entity, ...]
    """What the question names."""
    country_scope: tuple[str, ...]
    """Countries that the question is about, "US" or "KR"."""
    next_action: NextAction
    """What happens next."""
    route_source: str
    """Which step of the order of precedence decided: hint, detector, shortcut, vote."""
    voter_scores: tuple[VoterScore, ...]
    """Every voter's score, so that a reader can see why."""
    message: str
    """What is said to the user where next_action is not PROCEED, in the flow's language."""
    examples: tuple[str, ...]
    """Two or three concrete examples under CLARIFY, in the flow's language."""
    reason: str
    """Why the question is answered at once or not in scope, an UPPER_SNAKE reason; empty under PROCEED."""
    requires_confirmation: bool
    """True where an action of this intent needs the user's confirmation."""
    asks: tuple[Ask, ...] = ()
    """What the question asks for, typed by rule; empty where no domain has an answerer for it."""


@message(plan_pb2.ToolCall)
@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call that a step is to make."""

    tool: str
    """The tool's name."""
    arguments_json: bytes
    """Its arguments as a UTF-8 JSON object."""
    arguments_schema_id: str
    """The schema of the arguments, for example "hapju.tool.macro_series.arguments.v1"."""


@message(plan_pb2.PlanStep)
@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan."""

    step_id: str
    """The id, unique in the plan, for example "s1"."""
    agent: str
    """The agent that takes it."""
    task: str
    """What it is to do, in a sentence."""
    sub_question: str
    """The part of the question that it answers, in the user's language."""
    depends_on: tuple[str, ...]
    """The steps that must have ended first."""
    branch: Branch
    """The way to its data."""
    suggested_calls: tuple[ToolCall, ...]
    """The calls that the planner suggests; the orchestrator decides."""
    keywords: tuple[str, ...]
    """Words to search by."""
    condition: str
    """The fact that must hold for it to run; empty where it always runs. "companion_of:s1" holds where the agent of
    step s1 asked for the opposite branch; anything else is a sentence.
    """
    required: bool
    """True where the intent cannot be answered without it."""
    asks: tuple[Ask, ...] = ()
    """The asks that it answers, with what the user has said since; none where it answers the question as a whole."""


@message(plan_pb2.SlotValue)
@dataclass(frozen=True, slots=True)
class SlotValue:
    """A value for one slot of the intent."""

    slot: str
    """The slot, for example "region"."""
    value_json: bytes
    """The value as a UTF-8 JSON value."""
    source: str
    """Where it was found: question, history, profile."""


@message(plan_pb2.Sufficiency)
@dataclass(frozen=True, slots=True)
class Sufficiency:
    """Whether held data answers the question."""

    is_sufficient: bool
    """True where it does."""
    confidence: float
    """0 to 1."""
    data_source: str
    """chat_history, long_term_memory or none."""
    missing_types: tuple[str, ...]
    """The data types that are missing."""
    reasoning: str
    """Why."""


@message(plan_pb2.Facet)
@dataclass(frozen=True, slots=True)
class Facet:
    """What a question names of one kind."""

    kind: str
    """The kind: region, ticker, series, product, topic, period, ..."""
    names: tuple[str, ...]
    """The names, as codes and ids where there are such."""


@message(plan_pb2.DataNeed)
@dataclass(frozen=True, slots=True)
class DataNeed:
    """What data a question needs, and about what; held data is measured by it."""

    required_types: tuple[str, ...]
    """The data types that its answer rests on."""
    given_types: tuple[str, ...]
    """The types that the question brings along itself, such as the text of a contract."""
    facets: tuple[Facet, ...]
    """What it names, by kind."""
    words: tuple[str, ...]
    """Its words of content."""
    points_back: bool
    """True where it says that it means what was found before."""
    asks_anew: bool = False
    """True where it asks for data to be looked up anew, whatever was found before."""


@message(plan_pb2.HeldLookUp)
@dataclass(frozen=True, slots=True)
class HeldLookUp:
    """What one look-up of an earlier flow of the conversation has found of one type of data."""

    data_type: str
    """The type of data."""
    agent: str
    """The agent that found it."""
    row_count: int
    """How many rows it has."""
    facets: tuple[Facet, ...]
    """What its question named, by kind."""
    words: tuple[str, ...]
    """That question's words of content."""
    found_time: datetime
    """When it was read."""


@message(plan_pb2.SlotQuestion)
@dataclass(frozen=True, slots=True)
class SlotQuestion:
    """A question to the user that the plan waits for."""

    slot: str
    """The slot that it fills."""
    question: str
    """The question in the flow's language."""
    options: tuple[str, ...]
    """Values to choose from; empty where any will do."""


@message(plan_pb2.ExecutionPlan)
@dataclass(frozen=True, slots=True)
class ExecutionPlan:
    """What is to be done to answer a question."""

    normalised_question: str
    """The question with references, dates, sums and names resolved."""
    slots: tuple[SlotValue, ...]
    """The slots that are known."""
    sufficiency: Sufficiency | None
    """The first judgement on held data."""
    steps: tuple[PlanStep, ...]
    """The steps, in the order in which they may run; never empty without a slot question."""
    strategy: Strategy
    """How they run."""
    estimated_duration: timedelta
    """A guess of the whole, from the tools' measured seconds."""
    slot_question: SlotQuestion | None
    """Set where something must be asked before anything runs."""
    unavailable_agents: tuple[str, ...]
    """Agents that the plan would need and that this deployment does not serve."""
    need: DataNeed | None = None
    """What data its answer rests on; absent where nothing is planned."""


@message(result_pb2.Metric)
@dataclass(frozen=True, slots=True)
class Metric:
    """One computed or read figure."""

    name: str
    """The name, for example "latest_value" or "return_20d"."""
    label: str
    """What a user calls it, in the flow's language."""
    value: str
    """A decimal number in plain notation, never a float's repr; empty where the metric is a word."""
    word: str
    """A word such as "up" or "golden_cross"; empty where the metric is a number."""
    unit: str
    """The unit: percent, percentage_point, krw, usd, index, persons, count, days, ratio; empty for words."""
    as_of_time: datetime | None
    """The instant that it speaks of."""
    evidence_ids: tuple[str, ...]
    """The evidence that it was read or computed from; never empty."""
    subject: str
    """What it is about, for example a series' or a security's name as a user reads it."""


@message(result_pb2.ActionRequest)
@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An action that an agent wants done; nothing is done before the tool gateway has approved it."""

    action_type: str
    """The action's type, for example "ADD_TO_CART"."""
    arguments_json: bytes
    """Its arguments as a UTF-8 JSON object."""
    arguments_schema_id: str
    """The schema of the arguments."""
    ask_id: str = ""
    """The ask that it is for; empty where it is for none."""


@message(result_pb2.CausalChain)
@dataclass(frozen=True, slots=True)
class CausalChain:
    """A relation of cause that evidence supports."""

    names: tuple[str, ...]
    """What it leads through, each as a user reads it."""


@message(result_pb2.ToolProbe)
@dataclass(frozen=True, slots=True)
class ToolProbe:
    """What one call of an agent came to."""

    tool: str
    """The tool."""
    branch: Branch
    """The branch that it reads."""
    row_count: int
    """Rows that it returned."""
    template_id: str
    """The named statement that returned them; empty for a call that failed."""
    reason: str
    """Why it failed, UPPER_SNAKE; empty for one that returned."""


@message(result_pb2.AgentResult)
@dataclass(frozen=True, slots=True)
class AgentResult:
    """What one agent found."""

    agent: str
    """The agent."""
    step_id: str
    """The step that it took."""
    status: AgentStatus
    """How it ended."""
    summary: str = ""
    """What it found, in a few sentences of the flow's language; every number in it is in its rows."""
    key_drivers: tuple[str, ...] = ()
    """What drives it, one line each."""
    primary_trend: Trend | None = None
    """Where the thing is heading."""
    metrics: tuple[Metric, ...] = ()
    """The figures."""
    evidence: tuple[Evidence, ...] = ()
    """What they rest on."""
    confidence: float = 0.0
    """0 to 1."""
    needs_companion_branch: bool = False
    """True where the opposite branch should run once."""
    suggested_actions: tuple[str, ...] = ()
    """What the user may do next, in the flow's language."""
    action_requests: tuple[ActionRequest, ...] = ()
    """Actions to be approved."""
    cautions: tuple[str, ...] = ()
    """Conditions and limits, in the flow's language."""
    reason: str = ""
    """Why it failed or found nothing, an UPPER_SNAKE reason; empty when it answered."""
    dropped: tuple[Dropped, ...] = ()
    """What a model wrote and the rows do not hold, sentence by sentence."""
    tool_probes: tuple[ToolProbe, ...] = ()
    """What came of each call of its branch, in order."""
    reused_flow_run_id: str = ""
    """The earlier flow whose result this is; empty where it was found for this one."""
    answers: tuple[AskAnswer, ...] = ()
    """What came of each ask that it was given, in the order of the asks."""
    causes: tuple[CausalChain, ...] = ()
    """The causes that may be told: a sentence that tells one names two of the same relation."""


@message(question_pb2.Turn)
@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the conversation."""

    speaker: Speaker
    """Who spoke."""
    text: str
    """What was said; at most 4,000 characters."""
    say_time: datetime | None = None
    """When."""


@message(question_pb2.RouterOutput)
@dataclass(frozen=True, slots=True)
class RouterOutput:
    """A reading of the question that a trusted caller brings along and that replaces routing."""

    primary_intent: str
    """The intent."""
    confidence: float
    """0 to 1."""
    alternative_intents: tuple[IntentAlternative, ...]
    """Other readings."""


@message(question_pb2.Attachment)
@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that comes with a question."""

    name: str = ""
    """Its name as the user knows it, without folders; at most 120 characters. By default "attachment 1" and so on."""
    media_type: str = ""
    """Its media type as the client takes it; what it is, its content says: a text, a DOCX or a PDF."""
    content: bytes = b""
    """The file. Only the gateway has it: what goes on and is kept is what it says."""
    text: str = ""
    """What it says. A client that has a text sends it here and no content; otherwise the gateway reads it."""
    page_starts: tuple[int, ...] = ()
    """Where its pages begin in the text, in code points; empty where it has none. Set by the gateway."""
    digest: str = ""
    """SHA-256 of what was sent, in hexadecimal digits. Set by the gateway."""
    earlier: bool = False
    """True where an earlier message of the conversation brought it. Set by the flow's owner."""


@message(question_pb2.Question)
@dataclass(frozen=True, slots=True)
class Question:
    """A question with all that a client may say about it. Everything is optional; without a text, attachments speak."""

    text: str
    """The text as the user wrote it; at most 4,000 characters."""
    locale: str = ""
    """"ko" or "en"; by default the language of the text."""
    domains: tuple[str, ...] = ()
    """The domains that may answer; by default all that the deployment enables."""
    session_id: str = ""
    """The conversation; by default a new one."""
    time_zone: str = ""
    """The user's IANA time zone; "Asia/Seoul" by default."""
    intent_hint: str = ""
    """The intent, where the client knows it (a button, a form)."""
    router_output: RouterOutput | None = None
    """A reading that replaces routing; taken from callers with the role "router" only."""
    now: datetime | None = None
    """The instant to treat as now; taken from callers with the role "evaluator" only."""
    history: tuple[Turn, ...] = ()
    """The turns before this one, the oldest first, where the client keeps the conversation; at most 100."""
    flow_timeout: timedelta | None = None
    """How long the flow may take; at most 10 minutes, 2 by default. Under Ask the call's own deadline holds too."""
    on_disconnect: OnDisconnect | None = None
    """What happens when nobody watches any more."""
    request_id: str = ""
    """The client's id for this request, 1 to 64 characters, its user's own: the same id and question of the same user
    return the same flow.
    """
    interactive: bool = False
    """True where the client can answer questions: the flow then waits for them instead of ending with one."""
    on_busy: OnBusy | None = None
    """What happens while another question of the conversation is being answered. Where that one waits for a person, a
    message without this is the answer to it; with it, it is a question of its own, and QUEUE waits for that person too.
    """
    attachments: tuple[Attachment, ...] = ()
    """Files that the question is about; how many and how large is a setting of the gateway, 3 and 3 MiB in all by
    default. What they say is data: nothing in it is asked, ordered or approved.
    """


@message(memory_pb2.Remembered)
@dataclass(frozen=True, slots=True)
class Remembered:
    """What is remembered of an earlier conversation of the same user."""

    session_id: str
    """The conversation."""
    tier: MemoryTier
    """How far back it lies."""
    last_time: datetime
    """When its last answer was given."""
    turns: tuple[Turn, ...] = ()
    """Its last messages, the oldest first; empty outside SHORT."""
    summary: str = ""
    """What was asked and answered in it, a line each, the oldest first; empty under SHORT."""


@message(memory_pb2.SessionSummary)
@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A conversation in a list."""

    session_id: str
    """The conversation."""
    create_time: datetime
    """When it began."""
    last_time: datetime
    """When its last answer was given."""
    summary: str
    """What was asked and answered in it, a line each, the oldest first."""
