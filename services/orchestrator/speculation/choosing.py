"""The calls of a run's steps: chosen at each step's turn, and for the steps behind it while it runs.

    s1   choose ─► run the agent ──────► assess ─┐
    s2   choose ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─ ─┴─► as foreseen: used · otherwise: thrown away, and chosen anew

A choice made ahead holds for the same step of the plan, asked about in the same words: what an assessment has changed
is chosen again. Choices for steps that are left out are thrown away.
"""

from dataclasses import replace

from prompts.orchestrator.tool_orchestration import Inputs, Output
from services.catalog.loader import catalog
from services.contract.flow import PlanStep, Spent, ToolCall
from services.contract.forms import COMPANION_OF
from services.contract.tool import ToolDescription
from services.llm.ahead import PendingDecision
from services.orchestrator.calls import Ensemble
from services.orchestrator.flow.state import FlowState
from services.orchestrator.speculation.choice import CallChoice
from services.orchestrator.speculation.early import AskedAhead, can_spare
from services.orchestrator.speculation.loans import Loan
from services.orchestrator.steps.machine import Run, StepRun
from services.orchestrator.steps.tooling import KnownTools, ToolChoice, calls_of


class Choosing:
    """Chooses the calls of steps.

    Args:
        ensemble: Knows the tools, and which agents are served.
        tool_choice: Puts the question.
        ahead: Whether it is put for the steps behind the present one as well.
    """

    def __init__(self, ensemble: Ensemble, tool_choice: ToolChoice, *, ahead: bool) -> None:
        self._ensemble = ensemble
        self._tool_choice = tool_choice
        self._registry = KnownTools(ensemble)
        self._ahead = ahead

    async def calls(self, state: FlowState, run: Run, step: StepRun, place: str, loan: Loan) -> tuple[ToolCall, ...]:
        """Return an attempt's calls, and ask for those of the steps behind it.

        Its loan pays for them, unless they were chosen ahead: that had a loan of its own, and the step has its part
        whole. Where the registry cannot be read, the calls are those that the plan suggests.
        """
        await self._look_ahead(state, run)
        if step.next_calls is not None:
            return step.next_calls
        if step.step.asks:
            # An ask names its calls exactly: there is nothing to choose.
            return step.step.suggested_calls
        if _holds_all(run, step.step):
            return ()
        kept = state.checkpoints
        paid_from: Loan | None = loan
        chosen, spent = kept.get(f"{place}/choice", PlanStep), kept.get(f"{place}/choice/spent", Spent)
        if chosen is None or spent is None:
            tools = _tools_of(step.step, await self._registry.tools(state.locale))
            if not tools:
                return step.step.suggested_calls
            asking = self._asking(run, step.step, tools)
            choice = await self._ahead_of(run, step.step, asking)
            paid_from = None if choice else loan
            output, spent = await _made(choice or CallChoice(step.step, AskedAhead.of(state, asking, loan)))
            chosen = replace(step.step, suggested_calls=calls_of(output, tools))
            await kept.keep({f"{place}/choice": chosen, f"{place}/choice/spent": spent})
        await state.account(spent, paid_from)
        return chosen.suggested_calls

    async def registry(self, locale: str) -> dict[str, ToolDescription]:
        """Return the tools by name; none where the registry cannot be read."""
        return await self._registry.tools(locale)

    async def drop_needless(self, run: Run) -> None:
        """Throw away the choices for steps that have ended without them."""
        for step in run.steps:
            if step.has_ended and (choice := run.choices.pop(step.step.step_id, None)) is not None:
                await choice.prepared.thrown_away(_place_of(step.step))

    async def give_up(self, run: Run) -> None:
        """Let go of every choice that is still open, where a run ends before its time."""
        while run.choices:
            await run.choices.popitem()[1].prepared.lost()

    async def _ahead_of(self, run: Run, step: PlanStep, asking: PendingDecision[Inputs, Output]) -> CallChoice | None:
        """Return the choice that was made ahead for a step's turn; None, with what was asked in vain thrown away."""
        choice = run.choices.pop(step.step_id, None)
        if choice is None or choice.serves(step, asking):
            return choice
        await choice.prepared.thrown_away(_place_of(step))
        return None

    async def _look_ahead(self, state: FlowState, run: Run) -> None:
        """Ask for the calls of the steps whose turn has not come."""
        likely = [one.step for one in run.remaining() if self._is_likely(state, run, one)]
        if not (self._ahead and likely and self._tool_choice.takes_time):
            return
        registry = await self._registry.tools(state.locale)
        for step in likely:
            # While the registry was read, a step that runs beside this one may have asked.
            if (tools := _tools_of(step, registry)) and step.step_id not in run.choices and can_spare(state):
                run.choices[step.step_id] = CallChoice(step, AskedAhead.of(state, self._asking(run, step, tools)))

    def _is_likely(self, state: FlowState, run: Run, pending: StepRun) -> bool:
        """Return whether a step will be asked about at its turn, as far as it can be seen now."""
        step = pending.step
        is_made = pending.next_calls is not None or state.checkpoints.has(f"step/{step.step_id}/1/choice")
        is_asked = step.step_id in run.choices
        is_wanted = not step.condition.startswith(COMPANION_OF) and self._ensemble.serves(step.agent)
        is_open = not step.asks and not _holds_all(run, step)
        return is_wanted and not is_asked and not is_made and is_open

    def _asking(self, run: Run, step: PlanStep, tools: tuple[ToolDescription, ...]) -> PendingDecision[Inputs, Output]:
        known = tuple(call for one in run.steps for call in one.step.suggested_calls)
        return self._tool_choice.asking(step, tools, known)


async def _made(choice: CallChoice) -> tuple[Output, Spent]:
    decided, spent = await choice.prepared.used()
    return decided.output, spent


def _tools_of(step: PlanStep, registry: dict[str, ToolDescription]) -> tuple[ToolDescription, ...]:
    # An agent may bind one tool twice, in two ways; it is offered once.
    names = dict.fromkeys(binding.name for binding in catalog().agent(step.agent).tools)
    return tuple(registry[name] for name in names if name in registry)


def _holds_all(run: Run, step: PlanStep) -> bool:
    """Return whether what a step would look up is held already."""
    return not step.suggested_calls and bool(run.takers.get(step.step_id))


def _place_of(step: PlanStep) -> str:
    return f"step/{step.step_id}/choice"
