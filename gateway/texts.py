"""What the gateway itself says to a person whose question it cannot pass on, in Korean and English."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from services.runtime.errors import (
    DeadlineExceeded,
    HapjuError,
    Internal,
    Overloaded,
    QuotaSpent,
    Unauthenticated,
    Unavailable,
)

_TEXTS: Final[dict[type[HapjuError], tuple[str, str]]] = {
    QuotaSpent: (
        "소속 기관에 허용된 이용량을 모두 사용했습니다. 나중에 다시 질문해 주세요.",
        "Your organisation has used up what it is granted. Please ask again later.",
    ),
    Overloaded: (
        "지금은 질문이 많아 바로 받을 수 없습니다. 잠시 뒤에 다시 질문해 주세요.",
        "There are too many questions at the moment. Please ask again shortly.",
    ),
    Unavailable: (
        "지금은 서비스 일부에 연결할 수 없습니다. 잠시 뒤에 다시 시도해 주세요.",
        "A part of the service cannot be reached now. Please try again in a moment.",
    ),
    DeadlineExceeded: (
        "주어진 시간 안에 답을 마치지 못했습니다.",
        "The answer was not ready in the given time.",
    ),
    Internal: ("처리 중 문제가 생겼습니다.", "Something went wrong while answering."),
}
"""By what kind of error; every other one says itself what is wrong with the request."""


def in_language(error: HapjuError, locale: str) -> HapjuError:
    """Return an error with the words for a person, "ko" or "en"; one that names a field stays as it is.

    Who is not believed behind the gateway is the gateway, whose clock may have moved, not the person, whose token held.
    """
    if isinstance(error, Unauthenticated):
        error = Unavailable(error.message, reason=error.reason, metadata=error.metadata, spent=error.spent)
    kind = next((kind for kind in _TEXTS if isinstance(error, kind)), None)
    if kind is None:
        return error
    korean, english = _TEXTS[kind]
    error.message = korean if locale == "ko" else english
    error.args = (error.message,)
    return error


@contextmanager
def worded(locale: str) -> Iterator[None]:
    """Raise what is raised inside with the words for a person."""
    try:
        yield
    except HapjuError as error:
        raise in_language(error, locale) from None
