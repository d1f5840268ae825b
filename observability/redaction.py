"""Decides what may leave a service in a span, a metric or a log line: ``keep`` is the only such decision.

Three kinds of value are told apart by the field's name and by its text. A secret (a password, a token, a key)
is masked wherever it stands. Content (the question, a prompt, an answer, a tool's arguments) is left out
unless content capture is on, which is off by default. Everything else passes, with the secrets and the
personal numbers inside its text masked: bearer tokens, API keys, passwords in a DSN, Korean resident
registration numbers and card numbers.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal

MASK: Final = "[masked]"
"""What stands where a secret stood."""

TEXT_CHARACTERS_MAX: Final = 8_192
"""A text longer than this is cut, in code points, so that one value cannot flood a span or a log line."""

DEPTH_MAX: Final = 4
"""Containers nested deeper than this are replaced by ``TOO_DEEP``."""

ITEMS_MAX: Final = 50
"""Items of one container that are kept; the rest are left out."""

_SHAPE_CHARACTERS: Final = 80
"""What a message takes beside its text."""

TOO_DEEP: Final = "[too deep]"
"""What stands for a container that is nested too deep."""

_SENSITIVE: Final = (
    r"(?:password|passwd|pwd|secret|api[_-]?key|(?:access|refresh|id|auth|bearer)[_-]?token|token|authorization"
    r"|cookie|credentials?|(?:private|caller|signing|jwt)[_-]?keys?)"
)
_SECRET_NAME = re.compile(rf"(?:^|[._-]){_SENSITIVE}$", re.IGNORECASE)
_CONTENT_NAMES: Final = frozenset(
    {
        "answer",
        "arguments",
        "completion",
        "content",
        "document",
        "history",
        "messages",
        "output_text",
        "prompt_text",
        "question",
        "query",
        "result",
        "system_instructions",
    },
)

# A number is taken as a whole: no ASCII letter, digit, hyphen or decimal point may touch it, so that no part
# of a UUID or of a figure is taken for a card; a Korean particle may touch it.
_BEFORE_NUMBER = r"(?<![0-9A-Za-z_-])(?<!\d\.)"
_AFTER_NUMBER = r"(?![0-9A-Za-z_-])(?!\.\d)"
_RESIDENT = re.compile(
    rf"{_BEFORE_NUMBER}\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\s?[-–]?\s?[1-8]\d{{6}}{_AFTER_NUMBER}",
)
_CARD = re.compile(rf"{_BEFORE_NUMBER}\d(?:[ -]?\d){{12,18}}{_AFTER_NUMBER}")
_TOKENS = re.compile(
    r"\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*"  # JSON web token
    r"|\bsk-[\w-]{8,}"  # OpenAI and those that follow its shape
    r"|\bAKIA[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}"
    r"|\bgh[pousr]_\w{20,}"
    r"|\bxox[abprs]-[\w-]{10,}",
)
_BEARER = re.compile(r"\b(bearer|basic)(\s+)[\w.~+/=-]{8,}", re.IGNORECASE)
_DSN_PASSWORD = re.compile(r"([a-z][a-z0-9+.-]*://[^\s:/@]*:)[^\s]+@", re.IGNORECASE)
_ASSIGNMENT = re.compile(
    rf"(?<![A-Za-z])({_SENSITIVE}|비밀번호)(['\"]?\s*[:=]\s*['\"]?)(?!(?:bearer|basic)\b)[^\s'\",;&}}\]]+",
    re.IGNORECASE,
)
# Letters alone, and fewer than the shortest token has, are a name or a value of an enumeration: no secret.
_WORD_CHARACTERS_MAX: Final = 19
# Plain searches that most texts fail, so that the patterns above run over few of them.
_SECRET_STEMS: Final = ("passw", "pwd", "secret", "key", "token", "authoriz", "cookie", "credential", "비밀번호")
_TOKEN_STARTS: Final = ("eyJ", "sk-", "AKIA", "AIza", "gh", "xox")
_LONG_NUMBER = re.compile(r"\d[\d –-]{11}")


def redact_text(text: str) -> str:
    """Return ``text`` with secrets and personal numbers masked, cut at ``TEXT_CHARACTERS_MAX``."""
    if len(text) <= _WORD_CHARACTERS_MAX and text.replace("_", "").replace(".", "").isalpha():
        return text
    cut = text if len(text) <= TEXT_CHARACTERS_MAX else text[:TEXT_CHARACTERS_MAX] + "…"
    lowered = cut.lower()
    if "://" in cut:
        cut = _DSN_PASSWORD.sub(rf"\1{MASK}@", cut)
    if any(map(lowered.__contains__, _SECRET_STEMS)):
        cut = _ASSIGNMENT.sub(rf"\1\2{MASK}", cut)
    if "bearer" in lowered or "basic" in lowered:
        cut = _BEARER.sub(rf"\1\2{MASK}", cut)
    if any(map(cut.__contains__, _TOKEN_STARTS)):
        cut = _TOKENS.sub(MASK, cut)
    if _LONG_NUMBER.search(cut):
        cut = _CARD.sub(_mask_card, _RESIDENT.sub(MASK, cut))
    return cut


def messages(said: Sequence[tuple[str, str]]) -> str:
    """Return who said what, role and text, as JSON in the conventions' shape, within what one text may hold.

    Each text is masked and has its share of the room, so that a long prompt leaves the question behind it in.
    """
    share = TEXT_CHARACTERS_MAX * 9 // (10 * max(1, len(said))) - _SHAPE_CHARACTERS
    parts = [(role, redact_text(text)) for role, text in said[:ITEMS_MAX]]
    shaped = [
        {"role": role, "parts": [{"type": "text", "content": text if len(text) <= share else text[:share] + "…"}]}
        for role, text in parts
    ]
    return json.dumps(shaped, ensure_ascii=False)


def keep(name: str, value: object, *, content_captured: bool) -> object:
    """Return what of the field ``name`` may leave the service; None says that nothing of it may.

    Args:
        name: The field's name; the part after the last dot decides whether it is a secret or content.
        value: Scalars pass, texts are masked, mappings and sequences are walked down to ``DEPTH_MAX``.
        content_captured: Whether the deployment keeps content (questions, prompts, answers).
    """
    return _keep(name, value, content_captured=content_captured, depth=0)


def _keep(name: str, value: object, *, content_captured: bool, depth: int) -> object:
    if value is None or isinstance(value, bool | int | float):
        return value
    sort = _sort(name)
    if sort == "secret":
        return MASK
    if sort == "content" and not content_captured:
        return None
    if isinstance(value, str):
        return redact_text(value)
    if depth >= DEPTH_MAX:
        return TOO_DEEP
    return _keep_container(name, value, content_captured=content_captured, depth=depth + 1)


def _keep_container(name: str, value: object, *, content_captured: bool, depth: int) -> object:
    if isinstance(value, Mapping):
        pairs = list(value.items())[:ITEMS_MAX]
        return {str(key): _keep(str(key), item, content_captured=content_captured, depth=depth) for key, item in pairs}
    if isinstance(value, list | tuple | set | frozenset):
        items = list(value)[:ITEMS_MAX]
        return [_keep(name, item, content_captured=content_captured, depth=depth) for item in items]
    return redact_text(str(value))


@lru_cache(maxsize=1_024)
def _sort(name: str) -> Literal["secret", "content", "plain"]:
    if _SECRET_NAME.search(name):
        return "secret"
    return "content" if name.rsplit(".", 1)[-1] in _CONTENT_NAMES else "plain"


def _mask_card(match: re.Match[str]) -> str:
    """Mask 13 to 19 digits with a right check digit (Luhn); other long numbers are figures or ids."""
    digits = [int(character) for character in match.group() if character.isdigit()]
    doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
    return MASK if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0 else match.group()
