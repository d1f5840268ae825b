"""What a person says to a question: yes, or stop. Whole messages only; a word inside a sentence decides nothing."""

from typing import Final

from services.text.normalise import normalise
from services.text.patterns import Pattern

# fmt: off
_STOP: Final = frozenset(
    {
        "취소", "취소해", "취소해줘", "취소할게", "취소할게요", "취소해주세요", "그만", "그만해", "그만할래",
        "그만할게", "그만둘게", "됐어", "됐어요", "관둘래", "안할래", "안할게", "cancel", "stop", "quit",
        "abort", "nevermind",
    },
)
_YES: Final = frozenset(
    {
        "네", "네네", "예", "응", "어", "그래", "그래요", "맞아", "맞아요", "맞습니다", "맞네", "좋아",
        "좋아요", "그렇게해줘", "그렇게해주세요", "진행해", "진행해줘", "진행해주세요", "yes", "y", "yeah",
        "yep", "ok", "okay", "sure", "right", "correct",
    },
)
_NO: Final = frozenset(
    {
        "아니", "아니요", "아니오", "아뇨", "싫어", "싫어요", "하지마", "하지마세요", "하지말아줘", "안돼",
        "거절", "거절할게", "거절합니다", "no", "n", "nope", "reject", "decline",
    },
)
# fmt: on
_MARKS: Final = Pattern(r"[\s.,!?~…ㅠㅜ]+")


def is_stop(message: str) -> bool:
    """Return whether a message says stop and nothing else."""
    return _plain(message) in _STOP


def is_yes(message: str) -> bool:
    """Return whether a message says yes and nothing else; what is not plainly a yes is none."""
    return _plain(message) in _YES


def is_no(message: str) -> bool:
    """Return whether a message says no and nothing else."""
    return _plain(message) in _NO


def _plain(message: str) -> str:
    return _MARKS.sub("", normalise(message)).casefold()
