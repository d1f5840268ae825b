"""What a person says to a question: yes, or stop. Whole messages only; a word inside a sentence decides nothing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from services.text.normalise import normalise

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
_MARKS: Final = re.compile(r"[\s.,!?~…ㅠㅜ]+")
# Parts of which a whole message has to be made to be a person's word on an action that they were shown.
_AGREES_KO: Final = r"네+|넵|넹|예|응+|어|그래요?|그럼요|좋아요?|좋습니다|좋네요?|맞아요?|맞습니다|오케이|ㅇㅇ|ㅇㅋ|콜|승인|확인|동의|확정"
_FILLS_KO: Final = r"그대로|이대로|그렇게|이렇게|지금|바로|얼른|빨리|그냥|그럼|이제|한번|좀|다|전부|모두|둘다|를|을|도|은|는|로|으로|이걸|그걸|이거|그거|건|것"
_GOES_KO: Final = (
    r"(?:진행|처리|실행)?(?:해줘요?|해주세요|해주라|해줄래요?|해달라|해요|해|하자|할게요?|할께요?|할래요?|하겠습니다|합니다|했어요?|했습니다|부탁해요?|부탁드려요|부탁드립니다|부탁합니다|부탁|줘요?|주세요|고고|가자|ㄱㄱ)"
    r"|진행|처리|실행"
)
_REFUSES_KO: Final = (
    r"아니요?|아니오|아뇨|아냐|아닙니다|노|싫어요?|됐어요?|됐습니다|그만할래요?|그만할게요?|그만둘게요?|그만해요?|그만|관둘래요?|관둘게요?|거절|반려|보류|취소|중단|나중에|다음에|생각해볼게요?|고민해볼게요?"
    r"|하지마세요|하지마요?|하지말아줘요?|하지않을게요?|하지않을래요?|말아줘요?|말게요?|말래요?|안|않을래요?|않을게요?"
)
_AGREES_EN: Final = r"yes|yeah|yep|yup|y|ok|okay|sure|right|correct|fine|alright|absolutely|definitely|approved?|confirm|confirmed|agreed"
_GOES_EN: Final = r"go|ahead|do|on|proceed|continue"
_FILLS_EN: Final = (
    r"please|the|my|it|that|this|them|both|all|with|and|now|then|just|i|i'd|i'll|to|for|so|want|thanks|thank|you"
)
_REFUSES_EN: Final = (
    r"no|nope|nah|n|don't|dont|do not|not|never|mind|nevermind|stop|cancel|quit|abort|reject|decline|forget|later|won't"
)


def is_stop(message: str) -> bool:
    """Returns whether a message says stop and nothing else (spec 1.1)."""
    return _plain(message) in _STOP


def is_yes(message: str) -> bool:
    """Returns whether a message says yes and nothing else; what is not plainly a yes is none."""
    return _plain(message) in _YES


def is_no(message: str) -> bool:
    """Returns whether a message says no and nothing else."""
    return _plain(message) in _NO


@dataclass(frozen=True, slots=True)
class Word:
    """A person's word on an action that they were shown."""

    approves: bool
    """Whether it says yes; no otherwise."""
    names: bool
    """Whether it names what is to be done ("네 결제해줘") and is no bare yes."""


def word_on(message: str, doing: Sequence[str]) -> Word | None:
    """Returns a person's word on an action, where the message says it and nothing else; None otherwise.

    "취소" may be the name of what was shown, or a no to it: alone it is neither, and the person is asked again.

    Args:
        message: What they say.
        doing: What people call doing it: "결제", "pay".
    """
    plain = normalise(message).casefold().replace("’", "'").strip()
    if not plain or (is_stop(plain) and plain.strip(" .!~") in doing):
        return None
    said = _word_en(plain, tuple(doing)) if plain.isascii() else _word_ko(_MARKS.sub("", plain), tuple(doing))
    return said if said is not None else Word(approves=False, names=False) if is_stop(plain) or is_no(plain) else None


def _word_ko(plain: str, doing: tuple[str, ...]) -> Word | None:
    pattern = _parts_ko(doing)
    found = [match.lastgroup for match in pattern.finditer(plain)]
    covered = sum(match.end() - match.start() for match in pattern.finditer(plain))
    return _word_of({one for one in found if one}) if covered == len(plain) else None


@lru_cache(maxsize=64)
def _parts_ko(doing: tuple[str, ...]) -> re.Pattern[str]:
    names = "|".join(re.escape(one) for one in sorted(doing, key=len, reverse=True) if not one.isascii()) or "(?!)"
    return re.compile(
        rf"(?P<name>{names})|(?P<no>{_REFUSES_KO})|(?P<go>{_GOES_KO})|(?P<yes>{_AGREES_KO})|(?P<fill>{_FILLS_KO})"
    )


def _word_en(plain: str, doing: tuple[str, ...]) -> Word | None:
    parts = (("name", "|".join(map(re.escape, filter(str.isascii, doing))) or "(?!)"), ("no", _REFUSES_EN))
    parts += (("yes", _AGREES_EN), ("go", _GOES_EN), ("fill", _FILLS_EN))
    kinds = [
        next((kind for kind, words in parts if re.fullmatch(words, one)), "")
        for one in re.findall(r"[a-z']+|\S", plain)
        if one not in ".,!~"
    ]
    return None if "" in kinds else _word_of(set(kinds))


def _word_of(kinds: set[str]) -> Word | None:
    """Returns what the parts of a message say together: a yes and a no in one say neither."""
    if "no" in kinds:
        return None if "yes" in kinds else Word(approves=False, names="name" in kinds)
    if kinds & {"yes", "go", "name"}:
        return Word(approves=True, names="name" in kinds)
    return None


def _plain(message: str) -> str:
    return _MARKS.sub("", normalise(message)).casefold()
