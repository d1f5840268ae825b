"""What callers see of flows that run or have run: each with its record, and lists of them."""

from collections.abc import Mapping
from dataclasses import replace

from services.contract.events import FlowEvent, FlowRecord, FlowSummary, PhaseChanged
from services.durable.memory import SUMMARY_PLACE
from services.durable.overseeing import check_operator, without_content
from services.durable.store import FlowStore
from services.orchestrator.chain import after_chain, chain_of, dropped_of
from services.orchestrator.supervision import RunningFlow
from services.runtime.clock import Clock
from services.runtime.identity import Caller


class Looking:
    """Looks at flows for callers.

    Args:
        store: Where they are kept.
        running: The flows that this replica drives.
        clock: The present instant.
    """

    def __init__(self, store: FlowStore, running: Mapping[str, RunningFlow], clock: Clock) -> None:
        self._store = store
        self._running = running
        self._clock = clock

    async def record(self, caller: Caller, flow_run_id: str) -> FlowRecord:
        """Return all that is kept of a flow.

        Raises:
            UnknownFlow: The caller has no such flow.
        """
        reads = self._store.reads
        kept = await reads.own(caller, flow_run_id)
        events, after = await reads.events(flow_run_id), await reads.spent_at(flow_run_id, SUMMARY_PLACE)
        chain = chain_of(events)
        summary = self._present(_reached(kept.summary, events))
        later = after_chain(chain, after.decisions if after is not None else ())
        return FlowRecord(summary, chain, events, later, dropped_of(events))

    async def overseen(self, caller: Caller, flow_run_id: str, *, with_content: bool) -> FlowRecord:
        """Return a flow of the operator's tenant, without what was said unless that is wanted, allowed and noted.

        Raises:
            Forbidden: The caller has not the role that it takes.
            UnknownFlow: The tenant has no such flow.
        """
        owner = await self._store.overseeing.owner_of(caller, flow_run_id)
        if with_content and owner.user_id != caller.user_id:
            await self._store.overseeing.note_view(caller, owner, flow_run_id)
        record = await self.record(owner, flow_run_id)
        record = replace(record, summary=replace(record.summary, user_id=owner.user_id))
        return record if with_content or owner.user_id == caller.user_id else without_content(record)

    async def page(
        self, caller: Caller, session_id: str, before: str, flows_max: int, *, of_tenant: bool = False
    ) -> tuple[FlowSummary, ...]:
        """Return the caller's flows before an id, the newest first; an operator's are those of the tenant.

        Raises:
            Forbidden: Those of the tenant are wanted by nobody who may.
        """
        if of_tenant:
            check_operator(caller)
        found = await self._store.reads.page(
            caller, session_id=session_id, before=before, flows_max=flows_max, of_tenant=of_tenant
        )
        elsewhere = [one for one in found if one.end_time is None and one.flow_run_id not in self._running]
        reached = await self._store.reads.phases([one.flow_run_id for one in elsewhere]) if elsewhere else {}
        return tuple(self._present(replace(one, phase=reached.get(one.flow_run_id, one.phase))) for one in found)

    async def count(self, caller: Caller, session_id: str, *, of_tenant: bool = False) -> int:
        """Return how many flows `page` has on all its pages; raise what it raises."""
        if of_tenant:
            check_operator(caller)
        return await self._store.reads.count(caller, session_id=session_id, of_tenant=of_tenant)

    def _present(self, summary: FlowSummary) -> FlowSummary:
        """Return a summary with the phase of a running flow, which the store learns at its end."""
        running = self._running.get(summary.flow_run_id)
        if running is None:
            return summary
        state = running.state
        return replace(summary, phase=state.phase, latency=self._clock() - summary.start_time, usage=state.budget.usage)


def _reached(summary: FlowSummary, events: tuple[FlowEvent, ...]) -> FlowSummary:
    """Return a summary with the phase that the events of a flow tell, which the store's row learns at its end."""
    entered = [told.event.phase for told in events if isinstance(told.event, PhaseChanged)]
    return replace(summary, phase=entered[-1]) if entered and summary.end_time is None else summary
