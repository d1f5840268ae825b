"""Scores policy, router and planner against rows of an evaluation set, by the rules that the set's README states.

A pure part says what a row wants and what was got; `Ensemble` asks the services' own parts, without a model. The
command line and the tests use both.
"""

import dataclasses
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from services.catalog.loader import catalog
from services.contract.flow import (
    Budget,
    ExecutionPlan,
    IntentAlternative,
    NextAction,
    RouteDecision,
    RunContext,
    Speaker,
    Turn,
)
from services.contract.planner import DraftPlanRequest
from services.contract.policy import Verdict
from services.contract.router import RouteRequest
from services.llm.build import decider_from
from services.planner.planning import Planning
from services.planner.rules import checked, planning_rules
from services.policy.rule_table import rule_table
from services.policy.safety import Judgement, Safety
from services.router.routing import Routing
from services.runtime import ledger, run
from services.runtime.identity import Caller
from services.runtime.ids import new_flow_run_id
from services.runtime.settings import LlmSettings
from services.text.reading import read

CLOCK = datetime.fromisoformat("2026-11-27T09:00+09:00")
"""The sets' own clock; the machine's is never asked."""
ZONE = "Asia/Seoul"
Row = Mapping[str, Any]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


@dataclass(frozen=True, slots=True)
class Miss:
    """One thing that a row wanted and did not get."""

    row_id: str
    """The row."""
    name: str
    """What was scored: intent, domain, policy, next_action, entities, ..."""
    got: str
    """What came."""
    want: str
    """What was wanted."""
    voters: str = ""
    """The voters' scores, where a route was scored."""


@dataclass(slots=True)
class Score:
    """Counts by name, with every miss."""

    right: Counter[str] = field(default_factory=Counter)
    """Right answers by name."""
    of: Counter[str] = field(default_factory=Counter)
    """Scored answers by name."""
    by_trait: dict[str, Counter[bool]] = field(default_factory=lambda: defaultdict(Counter))
    """Rows that are right in everything scored, by trait."""
    misses: list[Miss] = field(default_factory=list)
    """Every miss."""
    hard_fails: list[Miss] = field(default_factory=list)
    """Violations that no accuracy makes good."""

    def count(self, name: str, *, right: bool, miss: Miss) -> None:
        """Count one scored answer."""
        self.of[name] += 1
        self.right[name] += right
        if not right:
            self.misses.append(miss)

    def accuracy(self, name: str) -> float:
        """Return the share of right answers; 1.0 where nothing was scored."""
        return self.right[name] / self.of[name] if self.of[name] else 1.0

    def lines(self) -> list[str]:
        """Return the table that a person reads."""
        table = [f"{name:14} {self.right[name]:4}/{self.of[name]:<4} {self.accuracy(name):7.2%}" for name in self.of]
        traits = [
            f"  {name:14} {c[True]:4}/{c.total():<4} {c[True] / c.total():7.2%}" for name, c in self.by_trait.items()
        ]
        fails = [f"HARD {one.row_id} {one.name}: got {one.got}, want {one.want}" for one in self.hard_fails]
        misses = [f"MISS {one.row_id} {one.name}: got {one.got}, want {one.want} {one.voters}" for one in self.misses]
        return [*table, *sorted(traits), *fails, *misses]


class Ensemble:
    """Policy, router and planner in one process, without a model."""

    def __init__(self) -> None:
        """Build the parts as the services do; needs a running event loop."""
        decider = decider_from(LlmSettings(), "evals")
        self.safety = Safety(rule_table())
        self.routing = Routing(catalog(), decider, decider)
        self.planning = Planning(catalog(), checked(planning_rules(), catalog()), decider, decider)

    def judge(self, row: Row) -> Judgement:
        """Return the policy's verdict on a row's query."""
        return self.safety.judge(read(row["query"], now=CLOCK, time_zone=ZONE))

    async def route(self, row: Row, intent: str = "") -> RouteDecision:
        """Return the route of a row's query."""
        asked = RouteRequest(_run(row), row["query"], _history(row), intent)
        with ledger.opened(), run.use(asked.run):
            return await self.routing.route(asked, _caller(row))

    async def plan(self, row: Row, route: RouteDecision) -> ExecutionPlan:
        """Return the plan of a row's query under a route."""
        asked = DraftPlanRequest(_run(row), row["query"], route, _history(row))
        with ledger.opened(), run.use(asked.run):
            return (await self.planning.draft(asked))[0]


async def score_routing(rows: Iterable[Row], ensemble: Ensemble) -> Score:
    """Score policy, route, combined next action and entities."""
    score = Score()
    for row in rows:
        before = len(score.misses) + len(score.hard_fails)
        judged, route = ensemble.judge(row), await ensemble.route(row)
        goes_on = judged.verdict is not Verdict.BLOCK and route.next_action is NextAction.PROCEED
        plan = await ensemble.plan(row, route) if goes_on else None
        _score_policy(row, judged, score)
        if judged.verdict is not Verdict.BLOCK:
            _score_route(row, route, plan, score)
        _hard_fails(row, judged, route, plan, score)
        for trait in row.get("traits", ()):
            score.by_trait[trait][len(score.misses) + len(score.hard_fails) == before] += 1
    return score


def _score_policy(row: Row, judged: Judgement, score: Score) -> None:
    want = row["expect"]
    score.count(
        "policy", right=judged.verdict == want["policy"], miss=Miss(row["id"], "policy", judged.verdict, want["policy"])
    )
    if want.get("policy_tags") is not None:
        tags = sorted(judged.tags)
        right = tags == sorted(want["policy_tags"])
        score.count(
            "policy_tags", right=right, miss=Miss(row["id"], "policy_tags", str(tags), str(want["policy_tags"]))
        )


def _score_route(row: Row, route: RouteDecision, plan: ExecutionPlan | None, score: Score) -> None:
    want, voters = row["expect"], " ".join(f"{one.voter}={one.intent}:{one.score}" for one in route.voter_scores)
    action = _combined(route, plan)
    got = {"intent": route.intent, "domain": route.domain, "next_action": action}
    for name, value in got.items():
        if want.get(name) is not None:
            allowed = {want[name], *want.get(f"acceptable_{name}s", ())}
            miss = Miss(row["id"], name, value, str(sorted(allowed)), voters)
            score.count(name, right=value in allowed, miss=miss)
    needs = {"sql_need": route.sql_need, "graph_need": route.graph_need}
    if any(want.get(name) is not None for name in needs):
        wrong = [name for name, value in needs.items() if want.get(name) not in {None, value}]
        score.count("sql_graph", right=not wrong, miss=Miss(row["id"], "sql_graph", str(needs), str(wrong)))
    wrong = _wrong_entities(row, route)
    score.count("entities", right=not wrong, miss=Miss(row["id"], "entities", str(wrong), ""))


def _combined(route: RouteDecision, plan: ExecutionPlan | None) -> str:
    """Return what router and planner do together: the planner's question asks back as well."""
    return "CLARIFY" if plan is not None and plan.slot_question is not None else route.next_action.value


def _wrong_entities(row: Row, route: RouteDecision) -> list[str]:
    named = route.entities
    got: dict[str, list[Any]] = {
        "regions": sorted(one.code for one in named.regions),
        "tickers": sorted(one.security_id for one in named.securities),
        "amounts_krw": sorted(figure for one in named.amounts for figure in _figures(one.surface)),
        "dates": [f"{one.start_date}/{one.end_date}" for one in named.dates],
        "quantities": list(named.quantities),
        "order_ids": list(named.order_ids),
    }
    days = row["expect"].get("dates_tolerance_days", 0)
    wrong = []
    for name, wanted in row["expect"].get("entities", {}).items():
        if wanted is None:
            continue
        want = sorted(one["code"] or "" for one in wanted) if name == "regions" else list(wanted)
        want = sorted(want) if name in {"tickers", "amounts_krw"} else want
        same = _near(got[name], want, days) if name == "dates" else got[name] == want
        wrong += [] if same else [f"{name}: {got[name]} for {want}"]
    return wrong


def _figures(surface: str) -> tuple[int, ...]:
    """Return the sums as they were said: "under 300" says 300, though its range ends below."""
    return tuple(figure for one in read(surface, now=CLOCK).amounts for figure in one.named)


def _near(got: Sequence[str], want: Sequence[str], days: int) -> bool:
    if len(got) != len(want):
        return False
    ends = zip(
        (part for one in got for part in one.split("/")), (part for one in want for part in one.split("/")), strict=True
    )
    return all(abs((date.fromisoformat(one) - date.fromisoformat(other)).days) <= days for one, other in ends)


def _hard_fails(row: Row, judged: Judgement, route: RouteDecision, plan: ExecutionPlan | None, score: Score) -> None:
    want = row["expect"]
    agents = {step.agent.partition(".")[2] for step in plan.steps} if plan is not None else set()
    runs = judged.verdict is not Verdict.BLOCK and bool(agents)
    asks = plan is not None and plan.slot_question is not None
    confirms = judged.verdict is not Verdict.ALLOW or route.requires_confirmation
    found = {
        "forbid_intents": route.intent in want.get("forbid_intents", ()),
        "forbid_agents": bool(agents & set(want.get("forbid_agents", ()))),
        "no_agents_run": bool(want.get("no_agents_run")) and runs,
        "must_ask": bool(want.get("must_ask")) and not (asks or route.next_action is NextAction.CLARIFY),
        "requires_confirmation": bool(want.get("requires_confirmation")) and not confirms,
    }
    score.hard_fails += [
        Miss(row["id"], name, route.intent, str(want.get(name))) for name, broken in found.items() if broken
    ]


async def score_plans(rows: Iterable[Row], ensemble: Ensemble) -> Score:
    """Score plans, the intent being given; the strategy is scored apart."""
    score = Score()
    for row in rows:
        want = row["expect"]
        route = await ensemble.route(row, want["intent"])
        confirmed = row.get("context", {}).get("confirmed_intents", ())
        if confirmed:
            others = tuple(IntentAlternative(intent, 0.9) for intent in confirmed[1:])
            route = dataclasses.replace(
                route, next_action=NextAction.PROCEED, reason="MULTIPLE_INTENTS", alternatives=others
            )
        plan = await ensemble.plan(row, route)
        wrong = _plan_faults(plan, want)
        score.count("plan", right=not wrong, miss=Miss(row["id"], "plan", str(wrong), str(want.get("must_include"))))
        if want.get("strategy_scored") is not False:
            allowed = want.get("acceptable_strategies") or [want["strategy"]]
            got = plan.strategy.value.lower()
            score.count("strategy", right=got in allowed, miss=Miss(row["id"], "strategy", got, str(allowed)))
    return score


def _plan_faults(plan: ExecutionPlan, want: Mapping[str, Any]) -> list[str]:
    agents = [step.agent.partition(".")[2] for step in plan.steps]
    faults = [f"no {name}" for name in want.get("must_include", ()) if name not in agents]
    faults += [f"none of {names}" for names in want.get("must_include_any", ()) if not set(names) & set(agents)]
    faults += [f"has {name}" for name in want.get("must_not_include", ()) if name in agents]
    for first, second in want.get("precedence", ()):
        if first not in agents or second not in agents or agents.index(first) >= agents.index(second):
            faults.append(f"{first} not before {second}")
    for step in want["steps"]:
        faults += _step_faults(plan, step)
    return faults


def _step_faults(plan: ExecutionPlan, want: Mapping[str, Any]) -> list[str]:
    names = want.get("agent_any") or [want["agent"]]
    of_agent = [step for step in plan.steps if step.agent.partition(".")[2] in names]
    faults = []
    if want.get("branch") and all(step.branch.value.lower() != want["branch"] for step in of_agent):
        faults.append(f"{want['agent']}: no {want['branch']} branch")
    if want.get("condition") and not any(step.condition for step in of_agent):
        faults.append(f"{want['agent']}: no condition")
    return faults


def _run(row: Row) -> RunContext:
    context = row.get("context", {})
    domains = context.get("enabled_domains") or tuple(catalog().domains)
    budget = Budget(model_calls=0, tokens=0, model_failures=0, cost_micro_usd=0)
    return RunContext(new_flow_run_id(), "", row["locale"], CLOCK, ZONE, budget, tuple(domains))


def _caller(row: Row) -> Caller:
    context = row.get("context", {})
    user_type = context.get("user_type") or ""
    return Caller("u-1" if context.get("is_logged_in") else "", user_type="" if user_type == "none" else user_type)


def _history(row: Row) -> tuple[Turn, ...]:
    speakers = {"user": Speaker.USER, "assistant": Speaker.ASSISTANT}
    turns = row.get("context", {}).get("history", ())
    return tuple(Turn(speakers[turn["role"]], turn["content"], None) for turn in turns)
