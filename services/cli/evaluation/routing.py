"""Scores policy, route, combined next action and entities of a routing set."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from services.catalog.loader import catalog
from services.catalog.reading import read_question
from services.cli.evaluation.asking import Services, said_in
from services.cli.evaluation.plans import completed
from services.cli.evaluation.rows import CLOCK, Row
from services.cli.evaluation.score import Miss, Score
from services.contract.flow import ExecutionPlan, NextAction, RouteDecision
from services.contract.policy import CheckPolicyResponse, Verdict
from services.planner.rules import which_of
from services.plugin.entities import AMOUNT, PERIOD, QUANTITY, of_kind
from services.runtime.settings import Settings

NEEDED: Final = ("id", "query", "expect")


@dataclass(frozen=True, slots=True)
class _Got:
    """What the services said of a row."""

    judged: CheckPolicyResponse
    """The policy's verdict."""
    route: RouteDecision
    """The route."""
    plan: ExecutionPlan | None
    """The plan; None where the flow ends before it."""
    whole: ExecutionPlan | None
    """The plan after the slots that it asks for are answered."""


async def score_routing(rows: Iterable[Row], services: Services, settings: Settings) -> Score:
    """Return the score of rows."""
    score = Score()
    for row in rows:
        score.rows += 1
        before = len(score.misses) + len(score.hard_fails)
        said = said_in(row, settings)
        judged, route = await services.check(said), await services.route(said)
        blocked = judged.verdict is Verdict.BLOCK
        goes_on = not blocked and route.next_action is NextAction.PROCEED
        plan = (await services.plan(said, route)).plan if goes_on else None
        _score_policy(row, judged, score)
        if not blocked:
            _score_route(row, route, plan, score)
        whole = await completed(services, said, route) if goes_on and row["expect"].get("forbid_agents") else plan
        _hard_fails(row, _Got(judged, route, plan, whole), score)
        for trait in row.get("traits", ()):
            score.by_trait[trait][len(score.misses) + len(score.hard_fails) == before] += 1
    return score


def _score_policy(row: Row, judged: CheckPolicyResponse, score: Score) -> None:
    want = row["expect"]
    if want.get("policy") is not None:
        score.compare(row["id"], "policy", judged.verdict.value, want["policy"])
    if want.get("policy_tags") is not None:
        tags = sorted(tag.value for tag in judged.tags)
        score.compare(row["id"], "policy_tags", tags, sorted(want["policy_tags"]))


def _score_route(row: Row, route: RouteDecision, plan: ExecutionPlan | None, score: Score) -> None:
    want = row["expect"]
    got = {"intent": route.intent, "domain": route.domain, "next_action": combined(route, plan)}
    for name, value in got.items():
        if want.get(name) is not None:
            allowed = {want[name], *want.get(f"acceptable_{name}s", ())}
            miss = Miss(row["id"], name, value, " | ".join(sorted(allowed)), _voters(route))
            score.count(name, right=value in allowed, miss=miss)
    _count_intent(want, route, score)
    needs = {"sql_need": route.sql_need, "graph_need": route.graph_need}
    if any(want.get(name) is not None for name in needs):
        wrong = [name for name, value in needs.items() if want.get(name) not in {None, value}]
        score.count("sql_graph", right=not wrong, miss=Miss(row["id"], "sql_graph", str(needs), str(wrong)))
    wrong = _wrong_entities(row, route)
    score.count("entities", right=not wrong, miss=Miss(row["id"], "entities", "; ".join(wrong), ""))


def _count_intent(want: Row, route: RouteDecision, score: Score) -> None:
    if want.get("intent") is None:
        return
    right = route.intent in {want["intent"], *want.get("acceptable_intents", ())}
    score.by_intent[want["intent"]][right] += 1
    if not right:
        score.confused[want["intent"], route.intent] += 1


def _voters(route: RouteDecision) -> str:
    return " ".join(f"{one.voter}={one.intent or '-'}:{one.score:.2f}" for one in route.voter_scores)


def combined(route: RouteDecision, plan: ExecutionPlan | None) -> str:
    """Return what router and planner do together.

    A name that is missing or fits several things makes it CLARIFY. Other slots are collected while the flow
    proceeds: they are no doubt about what is wanted.
    """
    asked = plan.slot_question.slot if plan is not None and plan.slot_question is not None else ""
    rule = catalog().slots.get(which_of(asked))
    is_unclear = rule is not None and rule.which is not None
    return NextAction.CLARIFY.value if is_unclear else route.next_action.value


def _wrong_entities(row: Row, route: RouteDecision) -> list[str]:
    named = route.entities
    got: dict[str, list[Any]] = {
        **{name: sorted(one.value for one in of_kind(named, kind)) for name, kind in catalog().evaluated.items()},
        "amounts_krw": sorted(figure for one in of_kind(named, AMOUNT) for figure in _figures(one.words)),
        "dates": [one.value for one in of_kind(named, PERIOD)],
        "quantities": [int(one.value) for one in of_kind(named, QUANTITY)],
    }
    days = row["expect"].get("dates_tolerance_days", 0)
    wrong = []
    for name, wanted in (row["expect"].get("entities") or {}).items():
        if wanted is None or name not in got:
            continue
        want = [one["code"] or "" if isinstance(one, dict) else one for one in wanted]
        want = sorted(want) if name in {*catalog().evaluated, "amounts_krw"} else want
        same = _near(got[name], want, days) if name == "dates" else got[name] == want
        wrong += [] if same else [f"{name}: {got[name]} for {want}"]
    return wrong


def _figures(surface: str) -> tuple[int, ...]:
    """Return the sums as they were said: "under 300" says 300, though its range ends below."""
    return tuple(figure for one in read_question(surface, now=CLOCK).amounts for figure in one.named)


def _near(got: Sequence[str], want: Sequence[str], days: int) -> bool:
    if len(got) != len(want):
        return False
    pairs = [(one.split("/"), other.split("/")) for one, other in zip(got, want, strict=True)]
    ends = [pair for one, other in pairs for pair in zip(one, other, strict=True)]
    return all(abs((date.fromisoformat(one) - date.fromisoformat(other)).days) <= days for one, other in ends)


def _hard_fails(row: Row, got: _Got, score: Score) -> None:
    want, route = row["expect"], got.route
    agents = _agents(got.plan)
    asks = got.plan is not None and got.plan.slot_question is not None
    confirms = got.judged.verdict is not Verdict.ALLOW or route.requires_confirmation
    found = {
        "forbid_intents": route.intent in want.get("forbid_intents", ()),
        "forbid_agents": bool(_agents(got.whole) & set(want.get("forbid_agents", ()))),
        "no_agents_run": bool(want.get("no_agents_run")) and bool(agents),
        "must_ask": bool(want.get("must_ask")) and not (asks or route.next_action is NextAction.CLARIFY),
        "requires_confirmation": bool(want.get("requires_confirmation")) and not confirms,
    }
    score.hard_fails += [
        Miss(row["id"], name, route.intent, str(want.get(name)), _voters(route))
        for name, broken in found.items()
        if broken
    ]


def _agents(plan: ExecutionPlan | None) -> set[str]:
    return {step.agent.partition(".")[2] for step in plan.steps} if plan is not None else set()
