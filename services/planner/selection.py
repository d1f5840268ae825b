"""Which agents answer, in which order: the pure rule, over what the domains declare.

A fact needs one owner of the intent: the first that answers for what the question is about. What is wanted beyond a
fact adds agents. A conditional request becomes a step that checks the fact and a step with a condition. A question
reads tables, the graph, or both.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from services.catalog.keywords import whole_table
from services.catalog.loader import Catalog
from services.contract.asks import Ask
from services.contract.flow import Branch, RouteDecision, ToolCall
from services.planner.conditions import Conditional, conditionals
from services.planner.rules import PlanningRules
from services.planner.values import PlanValues
from services.plugin.declarations import Agent, Intent
from services.plugin.planning import Addition, PreferredSubject, Want
from services.plugin.questions import Spoken
from services.text.ko.morphemes import morphemes
from services.text.words import Vocabulary, phrase_index

GRAPH_DATA = "graph"
"""The kind of data that relations are."""
_THOUGHT: tuple[Want, ...] = ("judgement", "advice", "computed")
"""What the consequence of a condition may want beyond a fact."""
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
    asks: tuple[Ask, ...] = ()
    """The asks that it answers; empty where it answers the question as a whole."""
    calls: tuple[ToolCall, ...] = ()
    """The calls that its asks need."""


class Selection:
    """Selects agents by rule; made once."""

    def __init__(self, catalog: Catalog, rules: PlanningRules) -> None:
        self._catalog = catalog
        self._rules = rules
        self._keywords, self._cues = whole_table(catalog)
        self._wants = {name: _wants_of(rules, one.planning.wants) for name, one in catalog.domains.items()}
        every = (word for wants in self._wants.values() for words in wants.values() for word in words)
        self._wanted = Vocabulary(every)

    def drafts(
        self, spoken: Spoken, route: RouteDecision, intents: Sequence[str], values: Mapping[str, PlanValues]
    ) -> tuple[Draft, ...]:
        """Return the steps for the intents of a route, in the order in which they may run.

        Args:
            spoken: The question and what was said before it.
            route: Its route.
            intents: The intents to plan.
            values: What the bindings stand for, by intent.
        """
        found: list[Draft] = []
        for intent in intents:
            part = self._conditional(spoken, intent) or self._plain(spoken, route, intent, values[intent])
            shift = len(found)
            found += [replace(one, needs=tuple(place + shift for place in one.needs)) for one in part]
        return tuple(found)

    def wants(self, spoken: Spoken, intent: str) -> frozenset[Want]:
        """Return what a question wants beyond a fact, in the words of the language and of the intent's domain."""
        said = spoken.now.said(self._wanted)
        wants = self._wants[self._catalog.domain_of(intent)]
        return frozenset(want for want, words in wants.items() if any(word in said for word in words))

    def _plain(self, spoken: Spoken, route: RouteDecision, intent: str, values: PlanValues) -> list[Draft]:
        declared = self._catalog.intent(intent)
        if declared.direct:
            return [Draft(declared.owners[0], intent, Branch.LLM_DIRECT, required=True)]
        asked = route if intent == route.intent else declared
        graph, sql = _needs(asked)
        reader = self._graph_agent(intent) if graph else None
        drafts = self._reading(spoken, route, intent, values) if sql or reader is None else []
        if reader is not None:
            drafts.append(Draft(reader, intent, Branch.GRAPH, required=not drafts))
        return drafts

    def _reading(self, spoken: Spoken, route: RouteDecision, intent: str, values: PlanValues) -> list[Draft]:
        always, adds = self._catalog.intent(intent).always, self._adds(intent)
        if not always:
            always, helpless = self._answering(spoken, route, intent, values)
            if helpless:
                return [Draft(one, intent, Branch.SQL, required=one in always) for one in (*helpless, *always)]
        wants = self.wants(spoken, intent)
        added = [name for one in adds if wants & set(one.wants) for name in one.agents]
        # What is to be computed, or judged of sums that the question gives, no number of rows found answers.
        needed = [*always, *(added if "computed" in wants or _gives_figures(spoken) else ())]
        names = list(dict.fromkeys((*always, *added)))
        return self._with_stand_ins(self._in_order(intent, names), intent, needed)

    def _answering(
        self, spoken: Spoken, route: RouteDecision, intent: str, values: PlanValues
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the owner that answers; with it the one that the question is for where that lacks what it needs."""
        fit = self._fitting(spoken, route, intent)
        first = fit[0]
        # Without what it needs it finds nothing, which it says; another owner answers beside it.
        others = [name for name in fit if not self._lacks(name, values) and not self._reads_graph(name)]
        return ((others[0],), (first,)) if self._lacks(first, values) and others else ((first,), ())

    def _fitting(self, spoken: Spoken, route: RouteDecision, intent: str) -> list[str]:
        """Return the owners that answer for what the question is about, the best first."""
        owners = self._catalog.owner_agents(intent)
        subjects = self._catalog.planning_of(intent).subjects
        about = {name for name, one in subjects.items() if _is_about(one, spoken, route)}
        alone = [one.id for one in owners if about & set(one.only_for)]
        also = [one.id for one in owners if about & set(one.also_for)]
        return alone + also or [one.id for one in owners if not one.only_for] or [owners[0].id]

    def _lacks(self, name: str, values: PlanValues) -> bool:
        return any(not values.has(value) for value in self._catalog.agent(name).needs)

    def _adds(self, intent: str) -> list[Addition]:
        adds = self._catalog.planning_of(intent).adds
        return [one for one in adds if intent not in one.never_to and (not one.intents or intent in one.intents)]

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

    def _graph_agent(self, intent: str) -> str | None:
        """Return an agent whose first tool reads the graph: an owner if one does, else one of the domain, or None."""
        domain = self._catalog.domains[self._catalog.domain_of(intent)]
        names = (*self._owners(intent), *(agent.id for agent in domain.agents))
        return next((name for name in names if self._reads_graph(name)), None)

    def _reads_graph(self, name: str) -> bool:
        first = self._catalog.agent(name).tools[:1]
        return any(self._catalog.tool(binding.name).data_type == GRAPH_DATA for binding in first)

    def _conditional(self, spoken: Spoken, intent: str) -> list[Draft]:
        """Return a check of the facts and a step for each consequence; empty where nothing is conditional."""
        planning = self._catalog.planning_of(intent)
        if not planning.facts:
            return []
        found = conditionals(spoken.now.text, (*self._rules.verbs, *planning.verbs))
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
        said, planning = phrase_index(one.consequence).find, self._catalog.planning_of(intent)
        wants = self._wants[self._catalog.domain_of(intent)]
        for want in _THOUGHT:
            doing = next((added.agents[0] for added in planning.adds if want in added.wants), None)
            if doing is not None and any(said(word) for word in wants[want]):
                return Draft(doing, intent, Branch.SQL)
        meant = (shortly.intent for shortly in planning.consequences if any(said(word) for word in shortly.words))
        wanted = self._intent_of(one.consequence) or next(meant, None)
        if wanted is None or not self._owners(wanted):
            return None
        return Draft(self._owners(wanted)[0], wanted, Branch.SQL)

    def _checks(self, found: Sequence[Conditional], intent: str, targets: Collection[str]) -> list[Draft]:
        """Return the steps that find the facts out: what the intent always needs, and who knows of the condition."""
        domain = self._catalog.domain_of(intent)
        always = self._catalog.intent(intent).always
        own = always or [name for name in self._owners(intent)[:1] if name not in targets]
        steps = {(name, intent): Draft(name, intent, Branch.SQL, required=True) for name in own}
        for one in found:
            known = self._intent_of(one.condition)
            if known is not None and self._catalog.domain_of(known) == domain and known != intent:
                agent = self._owners(known)[0]
                steps.setdefault((agent, known), Draft(agent, known, Branch.SQL, required=True))
            said = phrase_index(one.condition).find
            for name, words in self._catalog.planning_of(intent).facts.items():
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


def _needs(asked: RouteDecision | Intent) -> tuple[bool, bool]:
    """Return whether the graph and whether tables are to be read."""
    if isinstance(asked, RouteDecision):
        return asked.graph_need, asked.sql_need
    return asked.graph, asked.sql


def _is_about(subject: PreferredSubject, spoken: Spoken, route: RouteDecision) -> bool:
    named = {one.kind for one in route.entities}
    if named & set(subject.unless):
        return False
    return bool(named & set(subject.kinds)) or spoken.says(subject.words)


def _wants_of(rules: PlanningRules, own: Mapping[Want, Sequence[str]]) -> dict[Want, tuple[str, ...]]:
    return {want: (*words, *own.get(want, ())) for want, words in rules.wants.items()}


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
