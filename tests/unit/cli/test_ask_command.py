"""`hapju ask` against a gateway that says what the test tells it to."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import jwt
import pytest

from hapju.flow.v1 import answer_pb2, failure_pb2, flow_event_pb2, result_pb2
from services.runtime.environment import process_environment
from services.runtime.settings import dev_key
from tests.unit.cli.scripted_gateway import FLOW_RUN_ID, ScriptedGateway, answered, refusal, told, wait_until

Hapju = Callable[..., tuple[int, str, str]]


def accepted() -> flow_event_pb2.FlowEvent:
    return told(accepted=flow_event_pb2.Accepted(flow_run_id=FLOW_RUN_ID))


def delta(attempt: int, offset: int, text: str) -> flow_event_pb2.FlowEvent:
    return told(delta=flow_event_pb2.Delta(answer_attempt=attempt, text_offset=offset, text=text))


def test_the_answer_and_its_sources_go_to_standard_output(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """Standard output holds the text once and its sources; progress, cautions and the flow's id go elsewhere."""
    end = answered()
    caution = result_pb2.AgentResult(cautions=["표본으로 답했습니다"])
    end.finished.answer.selected_agents.append(answer_pb2.SelectedAgent(output=caution))
    gateway.events = [accepted(), delta(1, 0, "실업률은 "), delta(1, 5, "4.1%입니다."), end]
    code, out, err = hapju("ask", "미국 실업률은?")
    assert code == 0
    assert out == ("실업률은 4.1%입니다.\n\n출처\n  - US unemployment rate — hapju, 2026-10-01 기준 [표본 데이터]\n")
    assert "유의: 표본으로 답했습니다" in err
    assert FLOW_RUN_ID in err


def test_the_question_speaks_the_language_of_the_labels(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """An English question has English labels, and --locale decides against it."""
    gateway.events = [accepted(), answered("It is 4.1%.")]
    assert "Sources" in hapju("ask", "What is the rate?")[1]
    assert "출처" in hapju("ask", "What is the rate?", "--locale", "ko")[1]


def test_a_review_that_says_no_is_shown(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """Whoever waits reads that what was found is no answer, in the question's language."""
    review = answer_pb2.Review(goal_achieved=answer_pb2.GOAL_ACHIEVED_NO, score=0.1, missing=["위험"])
    gateway.events = [accepted(), told(1, reviewed=flow_event_pb2.Reviewed(review=review)), answered()]
    assert "검토: 답이 되지 못했습니다 (0.10), 빠진 것: 위험" in hapju("ask", "미국 실업률은?")[2]
    assert "does not answer the question (0.10)" in hapju("ask", "What is the rate?")[2]


def test_json_is_the_final_answer_and_nothing_else(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """--json prints one object with every name of the final message, empty ones too."""
    gateway.events = [accepted(), delta(1, 0, "실업률은 4.1%입니다."), answered()]
    code, out, _ = hapju("ask", "미국 실업률은?", "--json")
    answer = json.loads(out)
    assert (code, out.count("\n")) == (0, 1)
    absent = {"usage", "context_meta", "review"}
    assert set(answer) == {field.name for field in answer_pb2.FinalAnswer.DESCRIPTOR.fields} - absent
    assert (answer["flow_run_id"], answer["source"]) == (FLOW_RUN_ID, "DECISION_SOURCE_UNSPECIFIED")
    assert answer["citations"][0]["sample"] is True


def test_events_are_printed_once_each_and_end_with_the_answer(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """--events prints one object a line, drops what was told again, and ends with the terminal event."""
    phase = told(1, phase_changed=flow_event_pb2.PhaseChanged(phase=flow_event_pb2.PHASE_ADMITTED))
    gateway.events = [accepted(), phase, phase, delta(1, 0, "실업"), delta(1, 0, "실업"), delta(1, 2, "률"), answered()]
    code, out, _ = hapju("ask", "미국 실업률은?", "--events")
    lines = [json.loads(line) for line in out.splitlines()]
    kinds = [next(name for name in line if name not in {"sequence", "emit_time"}) for line in lines]
    assert code == 0
    assert kinds == ["accepted", "phase_changed", "delta", "delta", "finished"]
    assert lines[-1]["finished"]["answer"]["final_response"] == "실업률은 4.1%입니다."


def test_a_failed_flow_ends_with_1(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """A `failed` event is an error object with its code and the flow's id; --events prints it as the last line."""
    failed = flow_event_pb2.Failed(code="DEADLINE_EXCEEDED", reason="DEADLINE_EXCEEDED", message="시간이 다 됐습니다.")
    gateway.events = [accepted(), told(1, failed=failed)]
    code, out, _ = hapju("ask", "미국 실업률은?", "--json")
    error = json.loads(out)["error"]
    assert (code, error["code"], error["metadata"]) == (1, "DEADLINE_EXCEEDED", {"flow_run_id": FLOW_RUN_ID})
    code, out, _ = hapju("ask", "미국 실업률은?", "--events")
    assert (code, list(json.loads(out.splitlines()[-1]))) == (1, ["sequence", "failed"])


def test_a_cancelled_flow_ends_with_130(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """A flow that somebody cancelled ends with 130."""
    gateway.events = [accepted(), told(1, cancelled=flow_event_pb2.Cancelled(reason="CLIENT_CANCELLED"))]
    code, out, _ = hapju("ask", "미국 실업률은?", "--json")
    assert (code, json.loads(out)["error"]["reason"]) == (130, "CLIENT_CANCELLED")


def test_a_stream_that_is_cut_is_a_failure(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """A stream without a terminal event never passes for an answer."""
    gateway.events = [accepted(), delta(1, 0, "실업률은")]
    code, out, _ = hapju("ask", "미국 실업률은?", "--json")
    assert (code, json.loads(out)["error"]["reason"]) == (1, "STREAM_CUT")


def test_a_refused_question_ends_with_2_and_names_the_field(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """INVALID_ARGUMENT of the gateway is a usage error with its field and text."""
    text = "'garden' is unknown; enabled are finance, realty"
    gateway.refusal = refusal(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_REQUEST", text, "question.domains")
    code, out, _ = hapju("ask", "물가는?", "--domain", "garden", "--json")
    error = json.loads(out)["error"]
    assert (code, error["violations"]) == (2, [{"field": "question.domains", "description": text}])
    code, out, err = hapju("ask", "물가는?", "--domain", "garden")
    assert (code, out) == (2, "")
    assert text in err


@pytest.mark.timed
def test_options_reach_the_gateway(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """Each option stands in the question; the call lives a little longer than the flow may."""
    gateway.events = [accepted(), answered()]
    hapju(
        *("ask", "물가는?", "--domain", "finance,realty", "--domain", "general", "--locale", "ko"),
        *("--session", "s-1", "--request-id", "r-1", "--timeout", "7.5"),
    )
    question = gateway.requests[0].question
    assert (question.text, question.locale, list(question.domains)) == (
        "물가는?",
        "ko",
        ["finance", "realty", "general"],
    )
    assert (question.session_id, question.request_id) == ("s-1", "r-1")
    assert question.flow_timeout.ToTimedelta().total_seconds() == 7.5
    assert gateway.seconds_left is not None
    assert 7.5 < gateway.seconds_left <= 9.5
    assert "authorization" not in gateway.metadata


def test_a_user_is_vouched_for_by_a_short_lived_token(hapju: Hapju, gateway: ScriptedGateway, tmp_path: Path) -> None:
    """--user and --user-type travel as a token that the data directory's key verifies."""
    gateway.events = [accepted(), answered()]
    hapju("ask", "주문을 보여줘", "--user", "kim", "--user-type", "consumer")
    token = str(gateway.metadata["authorization"]).removeprefix("Bearer ")
    claims = jwt.decode(token, dev_key(tmp_path), ["HS256"], audience="hapju")
    assert (claims["sub"], claims["tenant"], claims["user_type"], claims["roles"]) == ("kim", "default", "consumer", [])
    assert 0 < claims["exp"] - claims["iat"] <= 600


def test_warnings_are_told_once(hapju: Hapju, gateway: ScriptedGateway) -> None:
    """A warning that was told as it came is not told again at the end."""
    warning = failure_pb2.Warning(reason="RATE_LIMITED", message="모델이 바빠 규칙으로 정했습니다")
    end = answered()
    end.finished.answer.warnings.append(warning)
    gateway.events = [accepted(), told(1, warning_raised=flow_event_pb2.WarningRaised(warning=warning)), end]
    _, out, err = hapju("ask", "미국 실업률은?")
    assert err.count(warning.message) == 1
    assert warning.message not in out


@contextmanager
def hearing_interrupts() -> Iterator[None]:
    """Has children hear SIGINT, which a run that was begun in a shell's background ignores, and they with it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_cancels_the_flow(gateway: ScriptedGateway) -> None:
    """SIGINT cancels the RPC, prints one object and ends with 130."""
    gateway.events = [accepted()]
    gateway.is_endless = True
    with hearing_interrupts():
        child = subprocess.Popen(
            [sys.executable, "-m", "services.cli", "ask", "미국 실업률은?", "--json"],
            env=process_environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert child.stderr is not None
    assert child.stderr.readline()  # The first event has arrived.
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert (child.returncode, json.loads(out)["error"]["code"]) == (130, "CANCELLED")
    assert wait_until(gateway.cancelled.is_set)


def test_a_reader_that_goes_away_ends_the_command_quietly(gateway: ScriptedGateway) -> None:
    """A closed pipe is no reason for a traceback."""
    gateway.events = [
        accepted(),
        *(delta(1, index * 50_000, "x" * 50_000) for index in range(20)),
        answered("x" * 10**6),
    ]
    child = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "ask", "미국 실업률은?"],
        env=process_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    child.stdout.read(10)
    child.stdout.close()
    assert child.wait(timeout=20) == 1
    assert child.stderr is not None
    assert "Traceback" not in child.stderr.read()
    child.stderr.close()


@pytest.mark.usefixtures("gateway")
@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("route", "물가는?"), {"flow_run_id", "route"}),
        (("plan", "물가는?"), {"flow_run_id"}),
        (("agents",), {"agents", "titles"}),
        (("tools",), {"tools"}),
        (("flows", "list"), {"flows", "next_page_token", "total_size"}),
        (("flows", "show", FLOW_RUN_ID), {"summary", "chain", "events", "after", "dropped"}),
        (("sessions", "list"), {"sessions", "next_page_token"}),
        (("sessions", "show", "talk"), {"session", "turns", "next_page_token"}),
        (("sessions", "delete", "talk"), {"flows_deleted"}),
    ],
)
def test_other_commands_print_one_object(hapju: Hapju, arguments: tuple[str, ...], names: set[str]) -> None:
    """With --json they print the response's object alone, and without it something that a person can read."""
    code, out, err = hapju(*arguments, "--json")
    assert (code, set(json.loads(out)), out.count("\n"), err) == (0, names, 1, "")
    code, out, _ = hapju(*arguments)
    assert code == 0
    assert not out.startswith("{")
