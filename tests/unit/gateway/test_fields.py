"""What does not fit is refused with its field and a short echo; nothing of it becomes a fault of ours."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import process_time
from typing import Any

import jwt
import pytest
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc.error_details_pb2 import BadRequest

from gateway.admission import HISTORY_CHARACTERS_MAX, Admission, seen_answer
from gateway.authentication import Authentication
from hapju.flow.v1 import question_pb2, run_context_pb2
from hapju.gateway.v1 import gateway_service_pb2 as pb
from services.contract.flow import OnDisconnect, Question, RunContext, Speaker, Turn
from services.contract.forms import ECHOED_CHARACTERS_MAX
from services.contract.mapping import ContractViolation, from_proto
from services.runtime import fields
from services.runtime.errors import TEXT_CHARACTERS_MAX, InvalidRequest, Unauthenticated, status_of
from services.runtime.identity import Caller
from services.runtime.settings import Settings, dev_key

ADMISSION = Admission(("realty", "finance"), ("realty",), ("realty.search",))
LONG = "가" * 5_000
NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)


def refused(question: Question) -> InvalidRequest:
    """Returns how a question is refused."""
    with pytest.raises(InvalidRequest) as caught:
        ADMISSION.admit(question, Caller("u"), OnDisconnect.CANCEL)
    return caught.value


@pytest.mark.parametrize("hidden", ["\U000e0041", "\u200b", "\x1b[0m", "\r\n"])
def test_what_nobody_sees_has_an_end_too(hidden: str) -> None:
    """Millions of marks before a short question cost no more than their count."""
    begin = process_time()
    flood = hidden * 1_000_000
    assert [one.field for one in refused(Question(f"{flood}애플 주가")).violations] == ["question.text"]
    told = refused(Question("그럼?", history=(Turn(Speaker.USER, flood),)))
    assert [one.field for one in told.violations] == ["question.history"]
    with pytest.raises(InvalidRequest):
        seen_answer(f"{flood}네")
    assert process_time() - begin < 1.0
    few = hidden * 100
    assert ADMISSION.admit(Question(f"{few}애플 주가"), Caller("u"), OnDisconnect.CANCEL).question.text.endswith(
        "애플 주가"
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("locale", LONG),
        ("time_zone", LONG),
        ("time_zone", "Asia/../../etc/passwd"),
        ("time_zone", "Asia"),
        ("time_zone", "a/\ud7ff" * 20),
        ("intent_hint", LONG),
        ("domains", (LONG,)),
        ("domains", ("x",) * 10_000),
        ("session_id", "a" * 65),
        ("session_id", "한글"),
        ("request_id", "a b"),
        ("flow_timeout", timedelta(days=-1)),
        ("flow_timeout", timedelta(days=999_999)),
    ],
    ids=lambda value: str(value)[:20].encode("unicode_escape").decode(),
)
def test_a_value_that_does_not_fit_is_named_and_echoed_in_part(field: str, value: Any) -> None:
    """The field stands in the status, the value's beginning in its text, and all of it fits into a trailer."""
    error = refused(replace(Question("hello"), **{field: value}))
    assert {violation.field for violation in error.violations} == {f"question.{field}"}
    status = status_of(error)
    assert len(status.message) <= TEXT_CHARACTERS_MAX + 1
    assert LONG[: ECHOED_CHARACTERS_MAX + 1] not in status.message
    assert status.ByteSize() < 6_000


def test_a_history_is_bounded_in_all() -> None:
    """Many turns, each short enough, are refused together where they are too much to read."""
    turn = Turn(Speaker.USER, "가" * 3_900, None)
    ADMISSION.admit(Question("hi", history=(turn,) * 10), Caller("u"), OnDisconnect.CANCEL)
    error = refused(Question("hi", history=(turn,) * 11))
    assert str(HISTORY_CHARACTERS_MAX) in error.message


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("now", Timestamp(seconds=-62_135_596_800)),
        ("now", Timestamp(seconds=253_402_300_799)),
        ("now", Timestamp(seconds=2**63 - 1)),
        ("now", Timestamp(seconds=-(2**63))),
        ("now", Timestamp(nanos=-1)),
        ("now", Timestamp(nanos=2**31 - 1)),
        ("flow_timeout", Duration(seconds=2**63 - 1)),
        ("flow_timeout", Duration(seconds=-(2**63))),
        ("flow_timeout", Duration(nanos=2**31 - 1)),
    ],
    ids=lambda value: str(value)[:20].strip(),
)
def test_an_instant_or_a_time_that_cannot_be_is_named(field: str, value: Any) -> None:
    """The first and the last year, and what no calendar holds, are refused with their field."""
    message = question_pb2.Question(text="hi", **{field: value})
    with pytest.raises(ContractViolation) as caught:
        from_proto(message, Question)
    assert caught.value.field == field
    turn = question_pb2.Turn(speaker=question_pb2.SPEAKER_USER, text="hi")
    if isinstance(value, Timestamp):
        turn.say_time.CopyFrom(value)
        with pytest.raises(ContractViolation) as caught:
            from_proto(question_pb2.Question(text="hi", history=[turn]), Question)
        assert caught.value.field == "history.say_time"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("time_zone", LONG),
        ("time_zone", "Nowhere/At_All"),
        ("locale", "fr"),
        ("flow_run_id", LONG),
        ("flow_run_id", "no-uuid"),
        ("flow_run_id", ""),
        ("session_id", LONG),
    ],
    ids=lambda value: str(value)[:20].encode("unicode_escape").decode(),
)
def test_a_run_context_has_its_form_whoever_sends_it(field: str, value: str) -> None:
    """A service behind the gateway refuses what it cannot build on."""
    message = run_context_pb2.RunContext(
        flow_run_id="01890000-0000-7000-8000-000000000001", locale="ko", time_zone="Asia/Seoul"
    )
    setattr(message, field, value)
    message.now.FromDatetime(NOW)
    message.budget.SetInParent()
    with pytest.raises(ContractViolation) as caught:
        from_proto(message, RunContext)
    assert (caught.value.field, len(caught.value.problem) < 200) == (field, True)


@pytest.mark.parametrize(
    "claims",
    [
        {"roles": None},
        {"roles": "router"},
        {"roles": [1, None]},
        {"roles": ["x" * 65]},
        {"roles": ["x"] * 65},
        {"sub": None},
        {"sub": 7},
        {"tenant": None},
        {"tenant": ["a"]},
        {"user_type": None},
        {"exp": 1e400},
        {"exp": "soon"},
        {"exp": None},
        {"iat": "x"},
    ],
    ids=lambda value: str(value)[:20].encode("unicode_escape").decode(),
)
def test_a_claim_without_its_form_is_no_token(tmp_path: Any, claims: dict[str, Any]) -> None:
    """Whatever stands in a signed token, it is known or it does not hold."""
    authentication = Authentication.from_settings(Settings(data_dir=tmp_path))
    whole = {"sub": "u", "aud": "hapju", "exp": 4_000_000_000, "roles": []} | claims
    token = jwt.encode(whole, dev_key(tmp_path), "HS256")
    with pytest.raises(Unauthenticated) as caught:
        authentication.identify((("authorization", f"Bearer {token}"),))
    assert caught.value.reason == "TOKEN_INVALID"


@pytest.mark.parametrize(
    "token",
    ["", "a", "a.b", "a.b.c", "....", "\x00", "é.é.é", "eyJhbGciOiJub25lIn0.e30.", "9" * 9_000],
    ids=range(9),
)
def test_what_is_no_token_at_all_does_not_hold(tmp_path: Any, token: str) -> None:
    """Neither form nor length of what stands in a token's place is a fault of ours."""
    authentication = Authentication.from_settings(Settings(data_dir=tmp_path))
    with pytest.raises(Unauthenticated):
        authentication.identify((("authorization", f"Bearer {token}"),))


def test_a_null_character_is_found_wherever_it_stands() -> None:
    """In a field, in a list, in a message of a list: the path names it."""
    for request, path in (
        (pb.GetFlowRequest(flow_run_id="a\0"), "flow_run_id"),
        (pb.AskRequest(question=question_pb2.Question(domains=["a", "b\0"])), "question.domains"),
        (
            pb.AskRequest(question=question_pb2.Question(history=[question_pb2.Turn(text="\0")])),
            "question.history.text",
        ),
        (pb.AskRequest(question=question_pb2.Question(text="a")), ""),
    ):
        assert fields.null_in(request) == path


def test_a_status_has_bounds() -> None:
    """However much is wrong, what is told of it is a trailer's worth."""
    many = tuple(InvalidRequest.of(f"f{number}", "x" * 9_000).violations[0] for number in range(500))
    status = status_of(InvalidRequest("y" * 90_000, violations=many, metadata={"value": "z" * 90_000}))
    bad = next(detail for detail in status.details if detail.Is(BadRequest.DESCRIPTOR))
    unpacked = BadRequest()
    bad.Unpack(unpacked)
    assert (len(unpacked.field_violations), status.ByteSize() < 16_000) == (10, True)
