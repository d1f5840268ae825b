"""Conversations as whole flows, under each variant of reuse, with every later turn labelled with what is right."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from hapju.flow.v1 import experiment_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.durable.experiments import DATA_REUSE, assigned
from services.runtime.settings import dev_key
from tests.support.cluster import Cluster, Told, embedded
from tests.support.model_server import ModelServer
from tests.support.models import SENSIBLE, Answer, Asked
from tests.support.tokens import token

ROWS_FEW: Final = 2
"""A row that says that so few were found, or none, means just that."""


def judging(asked: Asked) -> str:
    """Answers the first judgement as a model would that trusts what it is shown."""
    held = bool(asked.data("held").strip())
    judgement = {"is_sufficient": held, "confidence": 0.97 if held else 0.9, "missing_types": []}
    source = "chat_history" if held else "none"
    return json.dumps({**judgement, "data_source": source, "reasoning": "what is held speaks of it"})


@asynccontextmanager
async def variants_running(tmp_path: Path, data: Path, variants: Sequence[str]) -> AsyncIterator["Runs"]:
    """Runs the ensemble with a model double behind all decisions, conversations shared out between variants."""
    answers: dict[str, Answer] = {**SENSIBLE, "data_sufficiency_check": judging}
    async with ModelServer(answers) as server:
        model: dict[str, Any] = {"openai_base_url": server.base_url, "openai_api_key": "test"}
        async with embedded(tmp_path, data, **model, reuse_variants=variants) as cluster:
            yield Runs(cluster, variants, token(dev_key(tmp_path), "kim", roles=("evaluator",), seconds=3_600))


@dataclass
class Runs:
    """Has conversations and reports on them."""

    cluster: Cluster
    """The ensemble."""
    variants: Sequence[str]
    """The variants."""
    bearer: str
    """Who talks."""
    right: Counter[str] = field(default_factory=Counter)
    """How many later turns have each label, under each variant alike."""
    names: Counter[str] = field(default_factory=Counter)

    async def had(self, row: Mapping[str, Any]) -> None:
        """Has the conversation of a row under every variant.

        A row that rests on finding little says nothing of what is right where the data holds more: such a turn bears no
        label, and neither does one for which either will do.
        """
        self.names[row["id"]] += 1
        for variant in self.variants:
            session = self._session(row["id"], variant)
            now, is_scarce = datetime.now(UTC), True
            for place, turn in enumerate(row["turns"]):
                now += timedelta(minutes=row["clock"][place - 1] if place else 0)
                told = await self._asked(row, turn, session, now)
                label = turn["expect"]["reuse"]
                if place and (label == "use" or (label == "search" and is_scarce)):
                    await self._label(told, label)
                    self.right[label] += variant == self.variants[0]
                is_scarce = is_scarce and _is_as_scarce(turn.get("search_returns") or {}, told)

    async def report(self) -> dict[str, experiment_pb2.VariantReport]:
        """Returns what each variant has come to."""
        request = pb.ReportExperimentRequest(experiment=DATA_REUSE)
        response = await self.cluster.stub.ReportExperiment(request, timeout=10, metadata=self._as())
        return {one.variant: one for one in response.variants}

    def _session(self, name: str, variant: str) -> str:
        names = (f"{name}-{self.names[name]}-{trial}" for trial in range(10_000))
        return next(name for name in names if assigned(name, self.variants)[0].variant == variant)

    async def _asked(self, row: Mapping[str, Any], turn: Mapping[str, Any], session: str, now: datetime) -> Told:
        # How a turn is understood is told: the model double knows no Korean.
        hint = {"intent_hint": intent} if (intent := turn["expect"].get("intent")) else {}
        locale = row.get("locale", "ko")
        told = await self.cluster.ask(
            turn["user"], session_id=session, now=now, locale=locale, token=self.bearer, **hint
        )
        assert told.terminal == ["finished"], f"{row['id']}: {told.terminal}"
        return told

    async def _label(self, told: Told, label: str) -> None:
        request = pb.LabelFlowRequest(flow_run_id=told.answer.flow_run_id, experiment=DATA_REUSE, label=label)
        await self.cluster.stub.LabelFlow(request, timeout=10, metadata=self._as())

    def _as(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.bearer}"),)


def saved(one: experiment_pb2.VariantReport, without: experiment_pb2.VariantReport) -> float:
    """Returns which share of the model calls of turns that may reuse a variant does without."""
    return 1 - one.usage_where_use_was_right.model_calls / without.usage_where_use_was_right.model_calls


def _is_as_scarce(returns: Mapping[str, int], told: Told) -> bool:
    pieces: Iterable[Any] = (piece for agent in told.answer.selected_agents for piece in agent.output.evidence)
    rows: Counter[str] = Counter()
    for piece in pieces:
        rows[piece.data_type] += len(json.loads(piece.rows_json))
    return all(count > ROWS_FEW or rows[data_type] <= count for data_type, count in returns.items())
