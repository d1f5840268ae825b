"""One written form for matching: composed Hangul, no invisible characters, plain digits, single spaces.

The user's own wording is kept by the caller for display; everything else in this package works on `normalise(text)`,
and every `start` and `end` counts code points of that form.
"""

import re
import unicodedata

from services.text.patterns import Pattern

# These take no space and show nothing, yet Unicode calls them letters: the Hangul fillers.
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_SPACES = Pattern(r"\s+")
_SQUARE_METRES = Pattern(r"(?<=[0-9 ])(?:m²|m\^2|M²|m2(?![0-9A-Za-z])|제곱\s*미터|평방\s*미터)")
_SIGNS = str.maketrans(
    {"−": "-", "‐": "-", "‑": "-", "–": "-", "∼": "~", "〜": "~", "～": "~", "￦": "₩", "’": "'", "‘": "'"}
)
_PLAIN = Pattern(r"[ -~\n가-힣]*")
"""ASCII and whole syllables alone, as most texts: nothing in them is to be composed, dropped or told apart."""
_CONTRACTED = Pattern(
    r"\b(?P<verb>do|does|did|is|are|was|were|have|has|had|wo|ca|could|would|should)nt\b"
    r"|\b(?P<asking>what|where|how|who|that|there)s\b|\b(?P<person>i|you|they|we)(?P<end>ve)\b",
    re.IGNORECASE | re.ASCII,
)
"""English contractions whose apostrophe a hurried writer leaves out, none of which is a word of its own."""
_FULL_WIDTH_FIRST, _FULL_WIDTH_LAST = "\uff01", "\uffee"
_MESSAGE_CHARS_MAX = 300
"""A longer text is a document, whose own words stand."""
_SPOKEN = (
    (Pattern(r"(?<![가-힣])어[케캐](?=\s|[가-힣?]|$)"), "어떻게"),
    (Pattern(r"(?<![가-힣])마니(?=\s|$)"), "많이"),
    (Pattern(r"(?<![가-힣])[머모](?=(?:야|예요|에요|임|지|냐|죠|니|여|길래)(?![가-힣]))"), "뭐"),
    (Pattern(r"(?<![가-힣])담(?=\s?(?:달|주|번|해)(?![가-힣]{2}))"), "다음"),
    (Pattern(r"됬"), "됐"),
    (Pattern(r"\brn\b(?=\W*$)", re.IGNORECASE), "right now"),
)
"""Words as they are spoken or typed in haste, and as they are spelt."""


def normalise(text: str) -> str:
    """Return `text` in the form that everything is matched on.

    Composed and decomposed Hangul, full-width and plain digits, and texts that differ only in invisible characters or
    in the amount of white space give the same result. Superscript and non-Latin digits are kept as they are, so that
    the readers can refuse them by name.
    """
    if _PLAIN.fullmatch(text) is not None:
        return _spelt(_spaced(text))
    visible = "".join(_visible(character) for character in text)
    composed = unicodedata.normalize("NFC", visible)
    return _spelt(_spaced(composed.translate(_SIGNS)))


def _spaced(text: str) -> str:
    plain = _SPACES.sub(" ", _SQUARE_METRES.sub("㎡", text)).strip()
    written = _SHORT.sub(lambda match: "without " if match["out"] else "with ", plain) if "/" in plain else plain
    return _CONTRACTED.sub(_with_apostrophe, written).strip()


_SHORT = Pattern(r"(?<![\w/])w/(?P<out>o\b)?\s?(?=[A-Za-z0-9 ]|$)", re.IGNORECASE | re.ASCII)
"""How "with" and "without" are written in a hurry: "w/ GPS", "w/o a frother"."""


def _with_apostrophe(match: re.Match[str]) -> str:
    """Return a contraction as it is written: "havent" is "haven't", "whats" is "what's"."""
    said = match.group()
    place = -2 if match["verb"] or match["person"] else -1
    return f"{said[:place]}'{said[place:]}" if not match["verb"] else f"{said[:-2]}{said[-2]}'{said[-1]}"


def _spelt(text: str) -> str:
    """Return a message with the words that are written as they are spoken in their usual spelling."""
    if len(text) > _MESSAGE_CHARS_MAX:
        return text
    for spoken, usual in _SPOKEN:
        text = spoken.sub(usual, text)
    return text


def is_blank(text: str) -> bool:
    """Tell whether nothing of `text` is visible."""
    return not normalise(text)


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    if character in _FILLERS or "\ufe00" <= character <= "\ufe0f":
        return ""
    if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}:
        return ""
    if _FULL_WIDTH_FIRST <= character <= _FULL_WIDTH_LAST:
        return unicodedata.normalize("NFKC", character)
    return character
