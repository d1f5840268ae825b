"""Dataclasses and messages: the same fields, and the same values after a round trip."""

import copy
import dataclasses
import importlib
import pickle
import pkgutil
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given
from hypothesis import strategies as st

import services.contract
from hapju.flow.v1 import decision_pb2, flow_event_pb2, run_context_pb2
from services.contract.events import Delta, FlowEvent, Phase, PhaseChanged
from services.contract.flow import Budget, Decision, DecisionSource, RunContext, Usage
from services.contract.mapping import ContractViolation, Mapped, from_proto, to_proto

MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.iter_modules(services.contract.__path__, "services.contract.")
]
KINDS = sorted(
    {
        kind
        for module in MODULES
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Mapped) and kind is not Mapped
    },
    key=lambda kind: kind.__name__,
)


def is_map(one: Any) -> bool:
    """Tell whether a field of a message is a map, by its descriptor."""
    return one.message_type is not None and one.message_type.GetOptions().map_entry


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 3, 1, 9, 30, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_dataclass_has_its_message(kind: type[Mapped]) -> None:
    """A dataclass names every field of its message, once."""
    message_class = kind.MESSAGE
    names = {field.name for field in message_class.DESCRIPTOR.fields}
    inside = {
        field.name
        for oneof in message_class.DESCRIPTOR.oneofs
        for field in oneof.fields
        if oneof.name in kind.__annotations__
    }
    outer = {oneof.name for oneof in message_class.DESCRIPTOR.oneofs if oneof.name in kind.__annotations__}
    assert names - inside | outer == set(kind.__annotations__)


WITH_MAPS = [kind for kind in KINDS if any(is_map(one) for one in kind.MESSAGE.DESCRIPTOR.fields)]


@pytest.mark.parametrize("kind", WITH_MAPS, ids=lambda kind: kind.__name__)
def test_what_holds_a_map_is_hashable(kind: type[Mapped]) -> None:
    """Events are counted when a flow is gone on with, whatever they hold."""
    filled: Any = kind.MESSAGE()
    for one in filled.DESCRIPTOR.fields:
        if is_map(one):
            getattr(filled, one.name)["key"] = "value"
    held: object = from_proto(filled, kind)
    assert hash(held) == hash(from_proto(filled, kind))
    assert held == from_proto(filled, kind)
    assert held != from_proto(type(filled)(), kind)


def test_what_is_written_out_is_a_dataclass_all_the_same() -> None:
    """A class of the contract is frozen, replaced, shown, compared, copied and told as any dataclass."""
    usage = Usage(1, 2, 3)
    assert (usage + Usage(output_tokens=4)).tokens == 9
    assert dataclasses.replace(usage, input_tokens=5) == Usage(1, 5, 3) != usage
    assert [one.name for one in dataclasses.fields(usage)] == list(dataclasses.asdict(usage)) == list(Usage.__slots__)
    assert repr(Budget(1, 2, 3, 4)) == "Budget(model_calls=1, tokens=2, model_failures=3, cost_micro_usd=4)"
    assert pickle.loads(pickle.dumps(usage)) == copy.deepcopy(usage) == usage  # noqa: S301 - made here
    with pytest.raises(dataclasses.FrozenInstanceError):
        usage.input_tokens = 1  # type: ignore[misc]


def test_a_part_that_is_all_defaults_is_there_all_the_same() -> None:
    """What nothing was written into is told apart from what is absent."""
    decision = Decision("s", "k", DecisionSource.RULE, "", "", "", b"", None, "", "", timedelta(), Usage(), EPOCH)
    made = to_proto(decision, decision_pb2.Decision)
    assert all(made.HasField(name) for name in ("usage", "latency", "decide_time"))
    assert not made.HasField("confidence")
    assert from_proto(decision_pb2.Decision.FromString(made.SerializeToString()), Decision) == decision


@given(
    seconds=st.integers(-10_000_000, 10_000_000),
    micros=st.integers(0, 999_999),
    confidence=st.none() | st.floats(0, 1),
    tokens=st.integers(0, 2**40),
)
def test_values_survive_the_round_trip(seconds: int, micros: int, confidence: float | None, tokens: int) -> None:
    """Instants, spans, absent and present optionals and 64-bit numbers come back as they went."""
    decision = Decision(
        service="router",
        kind="intent_analysis",
        source=DecisionSource.FALLBACK,
        prompt_version="abc",
        model="m",
        input_digest="d",
        output_json='{"이름": 1}'.encode(),
        confidence=confidence,
        reasoning="왜냐하면",
        fallback_reason="TIMED_OUT",
        latency=timedelta(seconds=abs(seconds), microseconds=micros),
        usage=Usage(1, tokens, 3, 4, 5),
        decide_time=NOW + timedelta(seconds=seconds, microseconds=micros),
    )
    assert decision == from_proto(to_proto(decision, decision_pb2.Decision), Decision)


def test_a_oneof_is_the_dataclass_of_its_case() -> None:
    """Each case of a oneof is its own dataclass, and absence of a sequence is not zero."""
    for event in (FlowEvent(None, NOW, Delta(1, 0, "가")), FlowEvent(7, NOW, PhaseChanged(Phase.ROUTED))):
        assert event == from_proto(to_proto(event, flow_event_pb2.FlowEvent), FlowEvent)


def test_what_is_missing_or_unknown_names_its_field() -> None:
    """A message without a required part, or with an enum value that is none of ours, says where."""
    with pytest.raises(ContractViolation, match=r"^now: is required"):
        from_proto(run_context_pb2.RunContext(), RunContext)
    unmade = decision_pb2.Decision(usage=decision_pb2.Usage(), latency=Duration(), decide_time=Timestamp())
    with pytest.raises(ContractViolation, match=r"^source: must be one of LLM, RULE, FALLBACK"):
        from_proto(unmade, Decision)
    told = flow_event_pb2.FlowEvent(emit_time=Timestamp(), phase_changed=flow_event_pb2.PhaseChanged())
    with pytest.raises(ContractViolation, match=r"^event\.phase: |^phase: |^event: "):
        from_proto(told, FlowEvent)


def test_a_naive_instant_does_not_cross() -> None:
    """An instant without a time zone is refused, never guessed."""
    context = RunContext("f", "s", "ko", datetime(2026, 1, 1), "Asia/Seoul", Budget(1, 1, 1, 1), ("finance",))  # noqa: DTZ001
    with pytest.raises(TypeError, match="time zone"):
        to_proto(context, run_context_pb2.RunContext)
