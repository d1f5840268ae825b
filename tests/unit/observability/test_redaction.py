"""What may leave a service in a span or a log line, and what may not."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from observability.redaction import (
    DEPTH_MAX,
    ITEMS_MAX,
    MASK,
    TEXT_CHARACTERS_MAX,
    TOO_DEEP,
    keep,
    messages,
    redact_text,
)

MASKED = [
    ("postgresql://hapju:s3cr/t@db:5432/hapju", f"postgresql://hapju:{MASK}@db:5432/hapju"),
    ("postgresql+psycopg://hapju:p@ss@db/hapju", f"postgresql+psycopg://hapju:{MASK}@db/hapju"),
    ("redis://:only@cache:6379/0 is down", f"redis://:{MASK}@cache:6379/0 is down"),
    ("Authorization: Bearer abcdefgh12345678", f"Authorization: Bearer {MASK}"),
    ("sent BEARER abcdefgh12345678 again", f"sent BEARER {MASK} again"),
    ("key sk-proj-0123456789abcdef was refused", f"key {MASK} was refused"),
    ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", MASK),
    ("api_key=0123abc, model=small", f"api_key={MASK}, model=small"),
    ('{"password": "hunter2", "user": "kim"}', f'{{"password": "{MASK}", "user": "kim"}}'),
    ("비밀번호: hunter2 입니다", f"비밀번호: {MASK} 입니다"),
    ("주민번호 900101-1234567입니다", f"주민번호 {MASK}입니다"),
    ("번호는 9001011234567", f"번호는 {MASK}"),
    ("카드 4111-1111-1111-1111로 결제", f"카드 {MASK}로 결제"),
    ("card 4111 1111 1111 1111.", f"card {MASK}."),
    ("card 378282246310005", f"card {MASK}"),
]

KEPT = [
    "강남구 아파트 전세 시세 알려줘",
    "01931234-5678-7123-8123-012345678901",
    "00000000-4111-1111-1111-111111111111",
    "0.4111111111111111",
    "주문 4111-1111-1111-1112",
    "input_tokens=1500 output_tokens=300",
    "http://router:50053/path",
    "2026-11-27T23:28:08.833884Z",
    "비밀번호 재설정 방법",
    "991399-1234567",
    "key figures: 5.1, 4.2",
]


@pytest.mark.parametrize(("text", "expected"), MASKED)
def test_secrets_and_personal_numbers_are_masked(text: str, expected: str) -> None:
    """Each kind of secret and personal number is masked, and the text around it stays."""
    assert expected == redact_text(text)


@pytest.mark.parametrize("text", KEPT)
def test_figures_and_ids_are_kept(text: str) -> None:
    """Ids, figures, dates and words that only look like a secret stay as they are."""
    assert text == redact_text(text)


@given(st.uuids())
def test_no_uuid_is_masked(value: object) -> None:
    """A flow_run_id is never taken for a card or a resident number."""
    assert str(value) == redact_text(str(value))


@given(st.text(max_size=100))
def test_masking_twice_changes_nothing(text: str) -> None:
    """A masked text has nothing left to mask, whatever it was."""
    once = redact_text(text)
    assert once == redact_text(once)


@given(st.text(alphabet=string.ascii_letters + string.digits + "!#$%^*()_+/@:", min_size=1, max_size=30))
def test_no_password_of_a_dsn_survives(password: str) -> None:
    """Whatever characters the password has, none of it is left between the user and the host."""
    assert f"mysql://u:{MASK}@host/db" == redact_text(f"mysql://u:{password}@host/db")


@pytest.mark.parametrize("name", ["password", "hapju.db.password", "api_key", "HAPJU_CALLER_KEY", "jwt_keys", "token"])
def test_a_secret_is_known_by_its_name(name: str) -> None:
    """A value under a secret's name is masked whatever it looks like."""
    assert keep(name, "plain words", content_captured=True) == MASK


def test_content_is_left_out_unless_it_is_captured() -> None:
    """A question or a model's messages leave the service only when the deployment says so, and then masked."""
    text = "내 카드 4111-1111-1111-1111"
    for name in ("question", "gen_ai.input.messages"):
        assert keep(name, text, content_captured=False) is None
        assert keep(name, text, content_captured=True) == f"내 카드 {MASK}"


@given(st.lists(st.tuples(st.sampled_from(["system", "user"]), st.text(max_size=3_000)), max_size=12))
def test_messages_are_whole_json_within_bounds(said: list[tuple[str, str]]) -> None:
    """Whatever was said, each message is there by its role, and what `keep` lets out can be read."""
    told = [*said, ("user", "내 카드 4111-1111-1111-1111 " + "긴 글 " * TEXT_CHARACTERS_MAX)]
    kept = json.loads(str(keep("gen_ai.input.messages", messages(told), content_captured=True)))
    assert [one["role"] for one in kept] == [role for role, _ in told]
    assert f"내 카드 {MASK}" in kept[-1]["parts"][0]["content"]


def test_scalars_pass() -> None:
    """Numbers, booleans and None are what they were."""
    values = [None, True, 3, 0.25]
    assert values == [keep("hapju.tool.rows", value, content_captured=False) for value in values]


def test_containers_are_walked() -> None:
    """Names and texts inside mappings and sequences are judged like those outside."""
    value = {"user": "kim", "password": "x", "urls": ["redis://:p@h", "ok"], "question": "?"}
    expected = {"user": "kim", "password": MASK, "urls": [f"redis://:{MASK}@h", "ok"], "question": None}
    assert expected == keep("settings", value, content_captured=False)


def test_what_is_too_large_is_cut() -> None:
    """Depth, number of items and length of a text are bounded."""
    nested: object = "deep"
    for _ in range(DEPTH_MAX + 1):
        nested = [nested]
    assert TOO_DEEP in str(keep("value", nested, content_captured=False))
    many = keep("value", list(range(ITEMS_MAX * 2)), content_captured=False)
    assert list(range(ITEMS_MAX)) == many
    assert redact_text("가" * (TEXT_CHARACTERS_MAX + 10)) == "가" * TEXT_CHARACTERS_MAX + "…"


def test_other_values_become_masked_text() -> None:
    """An object that is no scalar and no container is kept as its text, masked."""

    class Url:
        def __str__(self) -> str:
            return "redis://:p@h"

    assert f"redis://:{MASK}@h" == keep("url", Url(), content_captured=False)
