"""Text as it is seen: whatever hides, steers or turns it is taken out, and what people write stays."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.text.visible import seen_document, visible

HIDING = (
    ("a\x00b", "ab"),
    ("가\x1b[31m나\x1b[0m", "가나"),
    ("가\x1b]0;title\x07나", "가나"),
    ("가\x1b]8;;http://evil.example\x1b\\나\x1b]8;;\x1b\\", "가나"),
    ("가\x1bP1$r\x1b\\나", "가나"),
    ("가\x9b2J나\x90x\x9c", "가나x"),
    ("비밀\x08\x08공개", "비밀공개"),
    ("앞\r뒤\r\n끝", "앞\n뒤\n끝"),
    ("앞\u2028뒤\u2029끝\u0085", "앞\n뒤\n끝\n"),
    ("a\u202eb\u202cc\u2066d\u2069", "abcd"),
    ("ze\u200bro\u200c\u2060\ufeff", "zero"),
    ("hi\U000e0041\U000e0042\U000e007f", "hi"),
    ("\ud800x\ue000\ufdd0"[:3], "x"),
    ("\x07\x7f\x85"[:2], ""),
    ("끝나지 않은 \x1b[", "끝나지 않은 "),
)
STAYS = ("줄\n탭\t끝", "👩‍👩‍👧 👍🏽 ☀️", "값 5천원 — “따옴표”", "Ünïcödé ﾊﾝｶｸ ㎡ ½ ①", "क्‍ष", "")


@pytest.mark.parametrize(("text", "seen"), HIDING)
def test_what_hides_is_gone(text: str, seen: str) -> None:
    """Terminal commands go with all that belongs to them; other ends of lines become line breaks."""
    assert visible(text) == seen


@pytest.mark.parametrize("text", STAYS)
def test_what_is_written_stays(text: str) -> None:
    """Line breaks, tabs, pictures of several parts and letters that join are text."""
    assert visible(text) == text


@given(st.text(max_size=60))
def test_what_is_seen_is_seen_as_it_is(text: str) -> None:
    """Nothing is left to take out, and no letter, digit or mark was taken."""
    seen = visible(text)
    assert visible(seen) == seen
    assert not {unicodedata.category(one) for one in seen} & {"Cc", "Cs", "Co"} - (
        {"Cc"} if set(seen) & {"\n", "\t"} else set()
    )
    assert "\x00" not in seen


@given(
    st.recursive(
        st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    )
)
def test_a_document_hides_nothing(value: object) -> None:
    """Whatever a JSON document writes with escapes or without, its texts are as they are seen."""
    for ascii_only in (True, False):
        written = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
        told = json.loads(seen_document(written))
        for text in _texts(told):
            assert visible(text) == text


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, one in value.items() for text in (*_texts(key), *_texts(one))]
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []
