"""Which agents answer, in which order: the pure rule (spec 2.1.4).

A fact needs the intent's first owner. Judgement, advice and sums add analysis, a report adds a document. A conditional
request becomes a step that checks the fact and a step with a condition. Finance reads tables, the graph, or both.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from services.catalog.keywords import KeywordTable
from services.catalog.loader import Catalog
from services.contract.flow import Branch, RouteDecision
from services.planner.conditions import Conditional, conditionals
from services.planner.rules import PlanningRules, Want
from services.planner.values import Spoken, tickers_of
from services.plugin.declarations import Agent, PlanValue
from services.plugin.entities import of_kind
from services.text.morphemes import morphemes
from services.text.words import Vocabulary, phrase_index

GRAPH_DATA = "graph"
"""The kind of data that relations are."""
_CONDITIONAL_DOMAINS = frozenset({"realty", "commerce"})
_THOUGHT: tuple[Want, ...] = ("judgement", "advice", "computed")
_DRAFT_WORDS = ("초안", "계약서", "draft", "contract")
_CONSEQUENCE_LEAST = 0.86
"""From here on the words of a consequence name an intent of their own."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A step before it has arguments and an id."""

    agent: str
    """The agent's full name."""
    intent: str
    """The intent that it serves."""
    branch: Branch
    """How it reaches its data."""
    needs: tuple[int, ...] = ()
    """Places, from 0, of earlier drafts whose result it needs."""
    condition: str = ""
    """The fact that must hold; empty where it always runs."""
    sub_question: str = ""
    """The part of the question that it answers; empty for the whole."""
    required: bool = False
    """Whether the intent cannot be answered without it."""


class Selection:
    """Selects agents by rule; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules) -> None:
        self._catalog = catalog
        self._rules = rules
        self._keywords = KeywordTable(catalog)
        self._wanted = Vocabulary(word for words in rules.wants.values() for word in words)
        self._cues = Vocabulary(self._keywords.phrases)

    def drafts(self, spoken: Spoken, route: RouteDecision, intents: Sequence[str]) -> tuple[Draft, ...]:
        """Return the steps for the intents of a route, in the order in which they may run."""
        found: list[Draft] = []
        for intent in intents:
            part = self._conditional(spoken, intent) or self._plain(spoken, route, intent)
            shift = len(found)
            found += [replace(one, needs=tuple(place + shift for place in one.needs)) for one in part]
        return tuple(found)

    def wants(self, spoken: Spoken) -> frozenset[Want]:
        """Return what the question wants beyond a fact."""
        said = spoken.now.said(self._wanted)
        return frozenset(want for want, words in self._rules.wants.items() if any(word in said for word in words))

    def _plain(self, spoken: Spoken, route: RouteDecision, intent: str) -> list[Draft]:
        domain = self._catalog.domain_of(intent)
        if domain == "general":
            return [Draft(name, intent, Branch.LLM_DIRECT, required=True) for name in self._owners(intent)[:1]]
        if domain == "finance":
            return self._finance(spoken, route, intent)
        wants = self.wants(spoken)
        always = self._rules.always.get(intent) or self._owners(intent)[:1]
        adds = self._rules.adds.get(domain, {})
        added = [name for want in _adding(intent) if want in wants for name in adds.get(want, ())]
        names = list(dict.fromkeys((*always, *added)))
        # What is to be computed, or judged of sums that the question gives, no number of rows found answers.
        needed = [*always, *(added if "computed" in wants or _gives_figures(spoken) else ())]
        return self._with_stand_ins(self._in_order(intent, names), intent, needed)

    def _in_order(self, intent: str, names: list[str]) -> list[str]:
        """Order agents as the domain declares them: search before analysis before document."""
        declared = [agent.id for agent in self._catalog.domains[self._catalog.domain_of(intent)].agents]
        return sorted(names, key=declared.index)

    def _with_stand_ins(self, names: list[str], intent: str, always: Sequence[str]) -> list[Draft]:
        """Chain the agents; before one that is not served stands a served one that shares a tool with it."""
        chain: list[Draft] = []
        for name in names:
            agent = self._catalog.agent(name)
            stand_in = None if agent.served else self._stand_in(agent)
            if stand_in is not None and all(one.agent != stand_in for one in chain):
                chain.append(Draft(stand_in, intent, Branch.SQL, _last(chain), required=True))
            required = name in always and stand_in is None
            chain.append(Draft(name, intent, Branch.SQL, _last(chain), required=required))
        return chain

    def _stand_in(self, agent: Agent) -> str | None:
        tools = {binding.name for binding in agent.tools}
        for other in self._catalog.domains[agent.domain].agents:
            if other.served and tools & {binding.name for binding in other.tools}:
                return other.id
        return None

    def _finance(self, spoken: Spoken, route: RouteDecision, intent: str) -> list[Draft]:
        agents = self._finance_agents(spoken, route, intent)
        needs_graph = route.graph_need if intent == route.intent else self._catalog.intent(intent).graph
        needs_sql = route.sql_need if intent == route.intent else self._catalog.intent(intent).sql
        answers = Draft(agents[-1], intent, Branch.SQL, required=True)
        drafts = (
            [*(Draft(one, intent, Branch.SQL) for one in agents[:-1]), answers] if needs_sql or not needs_graph else []
        )
        if needs_graph:
            drafts.append(Draft(self._graph_agent(intent), intent, Branch.GRAPH, required=not drafts))
        return drafts

    def _finance_agents(self, spoken: Spoken, route: RouteDecision, intent: str) -> tuple[str, ...]:
        """Return the owner that answers; before it, where it cannot, the one that the question is for."""
        owners = self._owners(intent)
        about_homes = bool(of_kind(route.entities, "region")) or spoken.says(self._rules.wants["housing"])
        homes = (*self._rules.housing_agents, *self._rules.housing_market_agents)
        if about_homes and not of_kind(route.entities, "security"):
            fit = [name for name in homes if name in owners]
        else:
            fit = [name for name in owners if name not in self._rules.housing_agents]
        first = (fit or list(owners))[0]
        if intent not in self._rules.sector_intents or tickers_of(spoken, route, intent, self._rules):
            return (first,)
        # Without a covered share there is no price to read, which its agent says; the market at large answers.
        others = [name for name in fit if not self._needs_a_share(name)]
        return (first, others[0]) if self._needs_a_share(first) and others else (first,)

    def _needs_a_share(self, name: str) -> bool:
        first = self._catalog.agent(name).tools[:1]
        return any(PlanValue.TICKER in binding.values() for binding in first)

    def _graph_agent(self, intent: str) -> str:
        """Return the agent whose first tool reads the graph: an owner if one is, else the domain's."""
        domain = self._catalog.domains[self._catalog.domain_of(intent)]
        for name in (*self._owners(intent), *(agent.id for agent in domain.agents)):
            first = self._catalog.agent(name).tools[:1]
            if any(self._catalog.tool(binding.name).data_type == GRAPH_DATA for binding in first):
                return name
        return self._owners(intent)[0]

    def _conditional(self, spoken: Spoken, intent: str) -> list[Draft]:
        """Return a check of the facts and a step for each consequence; empty where nothing is conditional."""
        if self._catalog.domain_of(intent) not in _CONDITIONAL_DOMAINS:
            return []
        found = conditionals(spoken.now.text)
        wanted = [(one, target) for one in found if (target := self._target(one, intent)) is not None]
        base = self._checks(found, intent, {target.agent for _, target in wanted})
        taken = {(one.agent, one.intent) for one in base}
        steps = [
            replace(target, needs=tuple(range(len(base))), condition=one.condition, sub_question=one.consequence)
            for one, target in wanted
            if (target.agent, target.intent) not in taken
        ]
        return [*base, *steps] if base and steps else []

    def _target(self, one: Conditional, intent: str) -> Draft | None:
        """Return the step that a consequence asks for, None where it asks for nothing of an agent's."""
        said = phrase_index(one.consequence).find
        adds = self._rules.adds.get(self._catalog.domain_of(intent), {})
        for want in _THOUGHT:
            if want in adds and any(said(word) for word in self._rules.wants[want]):
                return Draft(adds[want][0], intent, Branch.SQL)
        wanted = self._intent_of(one.consequence)
        if wanted is None and self._catalog.domain_of(intent) == "realty" and any(said(word) for word in _DRAFT_WORDS):
            wanted = "CONTRACT_CREATION"
        if wanted is None or not self._owners(wanted):
            return None
        return Draft(self._owners(wanted)[0], wanted, Branch.SQL)

    def _checks(self, found: Sequence[Conditional], intent: str, targets: Collection[str]) -> list[Draft]:
        """Return the steps that find the facts out: what the intent always needs, and who knows of the condition."""
        domain = self._catalog.domain_of(intent)
        own = self._rules.always.get(intent) or [name for name in self._owners(intent)[:1] if name not in targets]
        steps = {(name, intent): Draft(name, intent, Branch.SQL, required=True) for name in own}
        for one in found:
            known = self._intent_of(one.condition)
            if known is not None and self._catalog.domain_of(known) == domain and known != intent:
                agent = self._owners(known)[0]
                steps.setdefault((agent, known), Draft(agent, known, Branch.SQL, required=True))
            said = phrase_index(one.condition).find
            for name, words in self._rules.facts.get(domain, {}).items():
                if any(said(word) for word in words) and all(agent != name for agent, _ in steps):
                    steps[name, intent] = Draft(name, intent, Branch.SQL, required=True)
        return list(steps.values())

    def _intent_of(self, text: str) -> str | None:
        found = self._keywords.scores(frozenset(phrase_index(text).find_all(self._cues)), ())
        return found[0].intent if found and found[0].score >= _CONSEQUENCE_LEAST else None

    def _owners(self, intent: str) -> tuple[str, ...]:
        return self._catalog.intent(intent).owners


def _gives_figures(spoken: Spoken) -> bool:
    return bool(spoken.now.amounts) or "%" in spoken.now.text or "퍼센트" in spoken.now.text


def _adding(intent: str) -> tuple[Want, ...]:
    """Return what may add an agent: a contract is drafted and nothing else, only a full report has a document."""
    if intent == "CONTRACT_CREATION":
        return ()
    return ("judgement", "advice", "computed", "report") if intent == "COMPREHENSIVE" else _THOUGHT


def keywords_of(text: str, without: Collection[str], most: int = 8) -> tuple[str, ...]:
    """Return the content nouns and names of a normalised text, in order, each once; `without` are no content."""
    nouns = [
        piece.surface
        for piece in morphemes(text)
        if piece.tags[0] in {"NNG", "NNP", "SL"} and len(piece.surface) > 1 and piece.lemma not in without
    ]
    return tuple(dict.fromkeys(nouns))[:most]


def _last(chain: Sequence[Draft]) -> tuple[int, ...]:
    return (len(chain) - 1,) if chain else ()
