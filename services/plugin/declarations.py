"""The shapes of what a domain declares and of the core's routing.yaml; the catalog's loader reads and checks them."""

from typing import Literal

from pydantic import Field

from services.plugin.entries import AgentName, Bilingual, Confidence, DomainName, Entry, Identifier
from services.plugin.planning import DomainPlanning, Reuse, SlotRule, ValueRule
from services.plugin.rulings import Rulings


class Cue(Entry):
    """Words that together speak for an intent.

    An item is alternatives joined by "|": a phrase (whole words or morphemes; "떨어지-" is a verb stem), "@name" for a
    group of the language, of words.yaml or of a required domain's, or "#name" for a fact (services/catalog/facts.py).
    """

    score: Confidence
    """The confidence that it gives when every item of `all` and none of `none` is there."""
    all: tuple[str, ...] = Field(min_length=1)
    """Each of these items must be there."""
    none: tuple[str, ...] = ()
    """None of these may be there: what tells the domain's own cues apart. Other domains' words have no place here."""


class Intent(Entry):
    """One thing that a user may want."""

    id: Identifier
    """Its name in the scope table."""
    description: Bilingual
    """What it covers, for the model and for clarifying questions."""
    examples: dict[Literal["ko", "en"], tuple[str, ...]]
    """Utterances that mean it, for the scope voter's embedding and for clarifying questions."""
    cues: tuple[Cue, ...] = ()
    """What the keyword voter goes by; empty for an intent that is what is left when nothing speaks for another."""
    priority: int = Field(default=5, ge=2, le=7)
    """What decides between intents of equal standing, the lower first.

    2 what costs money, 3 what takes back, 4 what finds, 5 what informs, 6 what tells an opinion, 7 what a business does
    for itself."""
    owners: tuple[AgentName, ...] = ()
    """Agents that answer it, in the order of their work; empty where it is answered at once."""
    always: tuple[AgentName, ...] = ()
    """Agents that stand in its plan whatever the words say; empty for the first owner alone."""
    leaves_open: tuple[Identifier, ...] = ()
    """Plan values that it needs of every kind: its calls name none, whichever the question names."""
    direct: bool = False
    """Whether its owner answers it out of a model's knowledge and reads nothing."""
    required_slots: tuple[Identifier, ...] = ()
    """What the planner asks for when it is missing, in the order of asking."""
    required_data: tuple[Identifier, ...] = ()
    """Data types that an answer rests on."""
    sql: bool = False
    """Whether it reads tables by default."""
    graph: bool = False
    """Whether it reads the graph by default."""
    graph_words: Identifier | None = None
    """The group of words that add the graph: why, cause, relation and outlook."""
    requires_login: bool = False
    """Whether it touches the user's account."""
    requires_confirmation: bool = False
    """Whether its action needs the user's confirmation."""
    tells_all: bool = False
    """Whether all that is found on its subject is the answer, as in a report: nothing in particular is asked."""
    welcomes: bool = False
    """Whether its reply tells what can be asked: it is guidance, and no refusal."""
    answered_at_once: bool = False
    """Whether it is answered without a plan and without agents: a greeting, what is unclear, what nobody does here."""
    reply: Bilingual | None = None
    """What is answered at once; {domains} are the titles of the enabled domains."""
    replies: tuple["WordedReply", ...] = ()
    """What is answered at once instead where the question says words of a group: to thanks no greeting."""


class WordedReply(Entry):
    """A reply to what a group of words says."""

    words: Identifier
    """The group of the domain's words."""
    text: Bilingual
    """The reply; {domains} are the titles of the enabled domains."""


class ToolBinding(Entry):
    """A tool that an agent calls, with where its arguments come from."""

    name: Identifier
    """The tool's name in routing.yaml."""
    arguments: dict[str, str | int | float | bool | tuple[str, ...]]
    """By argument: a literal, or "$name" for a value of the plan."""

    def values(self) -> tuple[str, ...]:
        """Return the names of the plan's values that the arguments are bound to."""
        texts = (text for text in self.arguments.values() if isinstance(text, str) and text.startswith("$"))
        return tuple(text[1:] for text in texts)


class Agent(Entry):
    """One agent of the scope table, running or only declared."""

    id: AgentName
    """Domain and name: "finance.macro"."""
    title: Bilingual
    """What a user calls its part of an answer."""
    figures_listed: bool = False
    """Whether its figures stand in the answer's lists, so that of its summary only what opens a subject is told."""
    from_knowledge: bool = False
    """Whether it answers from what a model knows and reads no data."""
    port: int | None = Field(default=None, ge=1024, le=65535)
    """The default port of its process; without one a free port is found for it."""
    answers: Bilingual
    """What it answers."""
    declines: Bilingual
    """What it does not, so that nobody sends it there."""
    tools: tuple[ToolBinding, ...] = ()
    """Tools that it calls."""
    actions: tuple[Identifier, ...] = ()
    """Types of the actions that it may ask for; the tool gateway proves at its start that it does each of them."""
    only_for: tuple[Identifier, ...] = ()
    """Subjects (`planning: subjects`) that a question has to be about for it to answer; empty for any question."""
    also_for: tuple[Identifier, ...] = ()
    """Subjects that it answers for where no other owner answers for them alone."""
    needs: tuple[Identifier, ...] = ()
    """Plan values without which it finds nothing; another owner stands beside it then."""
    counted: bool = False
    """Whether each row of its result is a hit of a search, so that their number tells how good it is."""
    served: bool = False
    """Whether this version runs it; an intent of another one is planned and then said to be not available here."""

    @property
    def domain(self) -> str:
        """The domain that it belongs to."""
        return self.id.partition(".")[0]


class ToolName(Entry):
    """A tool of the tool gateway, by name."""

    name: Identifier
    """Its name."""
    data_type: Identifier
    """What its rows are: market, legal, loan, price, macro, product."""
    parameters: tuple[Identifier, ...]
    """Arguments that a binding may give."""
    required: tuple[Identifier, ...] = ()
    """Arguments without which it cannot be called."""
    by_asks: bool = False
    """Whether the asks that an agent answers say with what it is called, so that no binding does."""
    narrowing: tuple[Identifier, ...] = ()
    """Arguments that may be left out to find more, the narrowest first; a limit that the user set is none of them."""


class Domain(Entry):
    """One domain with everything that belongs to it."""

    domain: DomainName
    """Its name, by which a deployment enables it."""
    title: Bilingual
    """What a user calls it."""
    offers: Bilingual | None = None
    """What can be asked of it, in a phrase, for where something else could not be answered."""
    reads: Bilingual | None = None
    """What its asks read in files that come with a question, in a phrase; None where they read none."""
    web_searched: bool = False
    """Whether an answer of it may look at the web where its own data are few or old."""
    requires: tuple[DomainName, ...] = ()
    """The domains that it builds on; they are known wherever it is."""
    always: bool = False
    """Whether no deployment leaves it out, whatever HAPJU_DOMAINS names."""
    precedence: int = Field(default=100, ge=1)
    """Where it stands among the others in help and examples; the lower first, by name where equal."""
    intents: tuple[Intent, ...] = ()
    """Its intents; a domain without any is the ground that others require, and is offered to nobody."""
    agents: tuple[Agent, ...] = ()
    """Its agents."""
    tools: tuple[ToolName, ...] = ()
    """What its tools take."""
    rulings: Rulings = Rulings()
    """What it settles of its own intents."""
    told_apart: Bilingual | None = None
    """What a model is told of how its intents differ from each other and from what others answer; a line each."""
    planning: DomainPlanning = DomainPlanning()
    """Who takes part in the plans of its intents."""
    values: dict[Identifier, ValueRule] = Field(default_factory=dict)
    """What the bindings of its agents' tools stand for, beside entities."""
    slots: dict[Identifier, SlotRule] = Field(default_factory=dict)
    """What its intents cannot do without."""
    reuse: Reuse = Reuse()
    """Which results of earlier look-ups still hold."""
    evaluated: dict[str, Identifier] = Field(default_factory=dict)
    """Kinds of entities by the name under which rows of evaluation sets list them."""


class Weights(Entry):
    """Weights of the voters."""

    llm: float = Field(gt=0.0)
    """The model's vote."""
    keyword: float = Field(gt=0.0)
    """The keyword vote."""
    scope: float = Field(gt=0.0)
    """The scope vote."""


class Gates(Entry):
    """Confidence from which each next action is taken, and the other limits of routing."""

    proceed: Confidence
    """From here on the question is answered."""
    confirm: Confidence
    """From here on it is confirmed first; below it is clarified."""
    fast_path: Confidence
    """Keyword and scope both at least here and of one mind: the model is not asked."""
    alternative: Confidence
    """An intent below is no alternative."""
    multi_intent: Confidence
    """Two intents at least here are several intents."""
    cap: Confidence
    """No confidence is above."""
    hint: Confidence
    """The confidence of an explicit intent hint."""


class RoutingDeclaration(Entry):
    """What all domains share."""

    weights: Weights
    """Weights of the voters."""
    gates: Gates
    """Gates of confidence."""
    groups: dict[Identifier, tuple[str, ...]]
    """Words of the language, which the cues of every domain may name, by group name."""
    tools: tuple[ToolName, ...] = ()
    """The tools that are no domain's."""
