"""What a question only points to: named by its own words, else this conversation, else what is remembered."""

from datetime import UTC, datetime

import pytest

from services.catalog.references import with_referents
from services.contract.flow import MemoryTier, Remembered, Speaker, Turn

NOW = datetime(2026, 6, 1, tzinfo=UTC)


def _said(*texts: str) -> tuple[Turn, ...]:
    speakers = (Speaker.USER, Speaker.ASSISTANT)
    return tuple(Turn(speakers[place % 2], text, None) for place, text in enumerate(texts))


SHORT = Remembered("s1", MemoryTier.SHORT, NOW, _said("도봉구 빌라 전세 얼마야?", "강남구보다 낮습니다."))
LONG = Remembered(
    "s2", MemoryTier.LONG, NOW, summary="엔비디아 주가 알려줘 → 삼성전자보다 높습니다\n은평구 시세는? → 올랐습니다"
)


def _added(question: str, memory: tuple[Remembered, ...], *history: str) -> list[str]:
    before = _said(*history)
    after = with_referents(question, before, memory, now=NOW, time_zone="Asia/Seoul")
    assert after[: len(before)] == before
    return [turn.text for turn in after[len(before) :]]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("아까 그 지역 월세도 보여줘", "도봉구"),
        ("지난번에 물어본 동네 매매가는?", "도봉구"),
        ("What about monthly rent in that district?", "도봉구"),
        ("저번에 본 그 종목 실적 알려줘", "엔비디아"),
        ("How did the same company do this year?", "엔비디아"),
    ],
)
def test_what_is_pointed_to_is_what_was_asked_about_last(question: str, name: str) -> None:
    """The user's latest words on something of that kind count, in full or in a summary, never an answer's words."""
    assert _added(question, (SHORT, LONG)) == [name]


@pytest.mark.parametrize(
    "question",
    [
        "월세도 보여줘",
        "그 지역 말고 마포구 월세 보여줘",
        "그 가격이면 괜찮을까?",
        "이 동네 말고 다른 데는?",
        "그런 회사에 다니고 싶다",
        "Is that a good price?",
    ],
)
def test_nothing_is_added_to_what_points_to_nothing_or_names_it_itself(question: str) -> None:
    """The question's own words are never overridden, and a word like "that" alone means nothing of a kind."""
    assert _added(question, (SHORT, LONG)) == []


def test_this_conversation_comes_first() -> None:
    """What was named in it is what is meant, whatever was asked elsewhere; an answer's words do not count."""
    assert _added("그 지역 월세는?", (SHORT, LONG), "성동구 전세 알려줘", "노원구보다 높습니다.") == []
    assert _added("그 지역 월세는?", (SHORT, LONG), "안녕", "노원구 소식입니다.") == ["도봉구"]


def test_two_candidates_are_none() -> None:
    """Where the latest words name two, nobody knows which is meant: older ones are not taken in their stead."""
    both = Remembered("s0", MemoryTier.SHORT, NOW, _said("송파구랑 강동구 전세 비교해줘", "비슷합니다."))
    assert _added("그 지역 월세는?", (both, SHORT)) == []


def test_without_memory_nothing_is_read() -> None:
    """Whoever has no earlier conversations gets the conversation as it is."""
    assert _added("그 지역 월세는?", ()) == []
