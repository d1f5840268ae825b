"""Loads, checks and caches the catalog; a fault in the data stops the process at its start with the entry's name."""

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib import resources

from services.catalog.bindings import binding_faults
from services.catalog.facts import is_fact
from services.catalog.lexicon import Lexicon
from services.catalog.planning_checks import planning_faults, ruling_faults
from services.plugin.declarations import Agent, Cue, Domain, Intent, RoutingDeclaration, ToolName
from services.plugin.documents import read_model
from services.plugin.entities import CORE_KINDS, EntityKind, installed_kinds
from services.plugin.figures.declared import installed_figures
from services.plugin.figures.kinds import FigureKind
from services.plugin.installed import DECLARATION, installed_domains
from services.plugin.planning import DomainPlanning, HeldType, SlotRule, ValueRule
from services.plugin.vocabulary import Words, installed_words
from services.runtime.settings import SettingsError


class CatalogError(SettingsError):
    """The catalog's data contradicts itself; the text names the file, the entry and the fault."""


class Catalog:
    """Everything that hapju knows about what it answers; immutable."""

    def __init__(self, routing: RoutingDeclaration, domains: tuple[Domain, ...], words: Mapping[str, Words]) -> None:
        self.routing = routing
        self.domains: Mapping[str, Domain] = {domain.domain: domain for domain in domains if domain.intents}
        self.agents: Mapping[str, Agent] = {agent.id: agent for domain in domains for agent in domain.agents}
        self.intents: Mapping[str, Intent] = {intent.id: intent for domain in domains for intent in domain.intents}
        self.tools: Mapping[str, ToolName] = {tool.name: tool for tool in tools_of(routing, domains)}
        self.slots: Mapping[str, SlotRule] = {name: rule for one in domains for name, rule in one.slots.items()}
        self.values: Mapping[str, ValueRule] = {name: rule for one in domains for name, rule in one.values.items()}
        self.held_types: Mapping[str, HeldType] = {k: v for one in domains for k, v in one.reuse.types.items()}
        self.facets: Mapping[str, Mapping[str, tuple[str, ...]]] = {
            name: words for one in domains for name, words in one.reuse.facets.items()
        }
        self.evaluated: Mapping[str, str] = {k: v for one in domains for k, v in one.evaluated.items()}
        self.pointing_back = tuple(word for one in domains for word in one.reuse.pointing_back)
        self.lexicon = Lexicon(routing.groups, domains, words)
        self.kind_owners = {one.id: one.domain for one in self.kinds.values() if one.is_shared}
        """The domains by the kinds that speak for them where one is named."""
        self._every = {domain.domain: domain for domain in domains}
        self._domain_of = {intent.id: domain.domain for domain in domains for intent in domain.intents}

    def intent(self, intent_id: str) -> Intent:
        """Return an intent; raises KeyError when there is none of that name."""
        return self.intents[intent_id]

    def agent(self, name: str) -> Agent:
        """Return an agent by its full name ("finance.macro"); raises KeyError when there is none of that name."""
        return self.agents[name]

    def tool(self, name: str) -> ToolName:
        """Return a tool; raises KeyError when there is none of that name."""
        return self.tools[name]

    def domain_of(self, intent_id: str) -> str:
        """Return the domain of an intent; raises KeyError when there is no such intent."""
        return self._domain_of[intent_id]

    def with_grounds(self, domain: str) -> tuple[Domain, ...]:
        """Return a domain with what it builds on, each once; raises KeyError when there is no such domain."""
        found, waiting = dict[str, Domain](), [domain]
        while waiting:
            one = self._every[waiting.pop()]
            found[one.domain] = one
            waiting += [name for name in one.requires if name not in found]
        return tuple(found.values())

    def owner_agents(self, intent_id: str) -> tuple[Agent, ...]:
        """Return the agents that answer an intent, in the order of their work; raises KeyError for no such intent."""
        return tuple(self.agents[name] for name in self.intents[intent_id].owners)

    def is_served(self, intent_id: str) -> bool:
        """Tell whether this version runs an agent that owns the intent, or needs none for it."""
        owners = self.owner_agents(intent_id)
        return not owners or any(agent.served for agent in owners)

    @functools.cached_property
    def fallback_intent(self) -> str:
        """The intent where nothing speaks for any."""
        return next(one.rulings.fallback for one in self.domains.values() if one.rulings.fallback is not None)

    @functools.cached_property
    def cue_facts(self) -> frozenset[str]:
        """The facts that some cue names."""
        items = (item for intent in self.intents.values() for cue in intent.cues for item in (*cue.all, *cue.none))
        return frozenset(term[1:] for item in items for term in item.split("|") if term.startswith("#"))

    @property
    def figures(self) -> Mapping[str, FigureKind]:
        """The kinds of figures by the names of metrics; a family stands for every name of its form."""
        return installed_figures().kinds

    def planning_of(self, intent_id: str) -> DomainPlanning:
        """Return who takes part in the plans of an intent's domain; raises KeyError when there is no such intent."""
        return self.domains[self._domain_of[intent_id]].planning

    @property
    def kinds(self) -> Mapping[str, EntityKind]:
        """The kinds of entities that the domains declare, in the order in which they are read."""
        return installed_kinds()

    def group(self, name: str) -> tuple[str, ...]:
        """Return the words of a group of some domain; raises KeyError when there is none of that name."""
        return next(groups[name] for one in self.domains if name in (groups := self.lexicon.groups(one)))


@functools.lru_cache(maxsize=1)
def catalog() -> Catalog:
    """Return the catalog of this package's data; the first call reads and checks it.

    Raises:
        CatalogError: the data is malformed or contradicts itself.
    """
    routing = read_model(resources.files("services.catalog") / "routing.yaml", RoutingDeclaration)
    domains = (one.declaration for one in installed_domains())
    return checked(routing, tuple(sorted(domains, key=lambda one: (one.precedence, one.domain))))


def checked(
    routing: RoutingDeclaration, domains: tuple[Domain, ...], words: Mapping[str, Words] | None = None
) -> Catalog:
    """Return the catalog made of these parts.

    Args:
        routing: What all share.
        domains: The domains.
        words: What people say of each; by default what lies beside their declarations.

    Raises:
        CatalogError: some part names what another does not declare; every fault is listed.
    """
    known = _installed_words(domains) if words is None else words
    faults = list(_faults(routing, domains, known))
    if faults:
        raise CatalogError("\n".join(_placed(fault, domains) for fault in faults))
    return Catalog(routing, domains, known)


def _installed_words(domains: tuple[Domain, ...]) -> Mapping[str, Words]:
    return {one.domain: installed_words()[one.domain] for one in domains if one.domain in installed_words()}


def tools_of(routing: RoutingDeclaration, domains: Iterable[Domain]) -> tuple[ToolName, ...]:
    """Return the tools of the core and of domains."""
    return (*routing.tools, *(tool for domain in domains for tool in domain.tools))


def _placed(fault: str, domains: tuple[Domain, ...]) -> str:
    """Return a fault with the file and line of the intent or agent that it begins with."""
    kind, _, rest = fault.partition(" ")
    name = rest.partition(":")[0]
    own = {one.domain: one.intents if kind == "intent" else one.agents for one in domains}
    declaring = [domain for domain, parts in own.items() if any(part.id == name for part in parts)]
    files = {one.name: one.folder / DECLARATION for one in installed_domains()}
    if kind not in {"intent", "agent"} or not declaring or declaring[-1] not in files:
        return fault
    path = files[declaring[-1]]
    lines = [line.strip().removeprefix("- ") for line in path.read_text(encoding="utf-8").splitlines()]
    return f"{path}:{lines.index(f'id: {name}') + 1}: {fault}" if f"id: {name}" in lines else f"{path}: {fault}"


def _faults(routing: RoutingDeclaration, domains: tuple[Domain, ...], words: Mapping[str, Words]) -> Iterator[str]:
    yield from _gate_faults(routing)
    intents = [intent for domain in domains for intent in domain.intents]
    agents = {agent.id: agent for domain in domains for agent in domain.agents}
    tools = {tool.name: tool for tool in tools_of(routing, domains)}
    yield from _repeated("intent", [intent.id for intent in intents])
    yield from _repeated("agent", [agent.id for domain in domains for agent in domain.agents])
    yield from _repeated("tool", [tool.name for tool in tools_of(routing, domains)])
    lexicon = Lexicon(routing.groups, domains, words)
    yield from lexicon.faults()
    kinds = CORE_KINDS | installed_kinds().keys()
    for domain in domains:
        yield from cue_faults(domain, lexicon, kinds)
        yield from ruling_faults(domain, lexicon)
    fallbacks = [one.domain for one in domains if one.rulings.fallback is not None]
    if len(fallbacks) != 1:
        yield f"rulings.fallback: one domain declares it, not {', '.join(fallbacks) or 'none'}"
    known = {*installed_kinds(), *(name for domain in domains for name in domain.values)}
    for domain in domains:
        for agent in domain.agents:
            if agent.domain != domain.domain:
                yield f"agent {agent.id}: declared in domain {domain.domain!r}"
            yield from binding_faults(tools, agent, known)
    yield from _idle_tools(domains)
    for intent in intents:
        yield from _intent_faults(intent, agents)
    yield from planning_faults(domains, kinds)


def _idle_tools(domains: tuple[Domain, ...]) -> Iterator[str]:
    """Yield tools that no agent is bound to."""
    bound = {binding.name for domain in domains for agent in domain.agents for binding in agent.tools}
    for domain in domains:
        for name in sorted({tool.name for tool in domain.tools} - bound):
            yield f"tool {name}: no agent uses it"


def _repeated(kind: str, names: list[str]) -> Iterator[str]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"{kind} {name}: declared more than once"


def _gate_faults(routing: RoutingDeclaration) -> Iterator[str]:
    """Check that each next action can be reached by the voters, together and by keyword and scope alone."""
    gates, weights = routing.gates, routing.weights
    if not 0 < gates.alternative <= gates.confirm < gates.proceed <= gates.cap:
        yield "gates: alternative <= confirm < proceed <= cap does not hold"
    if gates.fast_path < gates.proceed:
        yield "gates: fast_path is below proceed, so that a question could skip the model and still be confirmed"
    if gates.hint > gates.cap:
        yield "gates: hint is above cap"
    total = weights.llm + weights.keyword + weights.scope
    # The strongest vote against a sure pair may be nought; the pair must still reach the lowest gate.
    if gates.cap * (weights.llm + weights.keyword) / total < gates.alternative:
        yield "weights: two sure voters of three cannot make an alternative"
    if not any(gates.proceed <= score <= gates.cap for score in (gates.cap,)):
        yield "gates: proceed cannot be reached"


def _intent_faults(intent: Intent, agents: Mapping[str, Agent]) -> Iterator[str]:
    where = f"intent {intent.id}"
    for name in intent.owners:
        if name not in agents:
            yield f"{where}: its owner {name!r} is not declared"
    if not intent.owners and not intent.answered_at_once:
        yield f"{where}: it has no owner and is not answered at once"
    for language in ("ko", "en"):
        if not intent.examples.get(language):
            yield f"{where}: no example in {language}"


def cue_faults(domain: Domain, lexicon: Lexicon, kinds: Collection[str]) -> Iterator[str]:
    """Yield what is wrong with the cues of a domain, each fault with its intent."""
    groups = lexicon.groups(domain.domain)
    for group in groups.values():
        for term in group:
            yield from (f"domain {domain.domain}: {fault}" for fault in _term_faults(term, groups, kinds))
    for intent in domain.intents:
        for cue in intent.cues:
            for fault in (*_cue_faults(cue, groups, kinds), *_foreign(cue, domain.domain, lexicon)):
                yield f"intent {intent.id}: cue {cue.all}: {fault}"


def _cue_faults(cue: Cue, groups: Collection[str], kinds: Collection[str]) -> Iterator[str]:
    for item in (*cue.all, *cue.none):
        for term in item.split("|"):
            yield from _term_faults(term, groups, kinds)


def _term_faults(term: str, groups: Collection[str], kinds: Collection[str]) -> Iterator[str]:
    if term.startswith("@") and term[1:] not in groups:
        yield f"no group {term!r}"
    if term.startswith("#") and not is_fact(term, kinds):
        yield f"no fact {term!r}"
    if not term.strip("@#- "):
        yield "an empty term"


def _foreign(cue: Cue, domain: str, lexicon: Lexicon) -> Iterator[str]:
    """Yield the words under `none` that another domain owns: whose a question is is the arbiter's to settle."""
    for term in (term for item in cue.none for term in item.split("|")):
        owner = lexicon.owners.get(term) or lexicon.bare.get(term, domain)
        if owner not in lexicon.ground(domain) and term not in lexicon.language:
            yield f"none: {term!r} is a word of {owner}, which the arbiter settles"
