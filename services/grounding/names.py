"""Which companies, places and other proper names an answer may say: those of its question and of its evidence."""

import re
from collections.abc import Iterable
from typing import Final

from services.plugin.names import NamedThing, names_in
from services.plugin.vocabulary import spoken
from services.text.near import just_before
from services.text.patterns import Pattern

_LATIN: Final = Pattern(r"[A-Za-z][A-Za-z&'’.\-]*[A-Za-z]|[A-Za-z]")
_PROPER: Final = Pattern(r"(?<![0-9A-Za-z&'’.\-/$])[A-Z][A-Za-z&\-]+(?:\.[A-Z][A-Za-z]*)*")
_BEGINS: Final = Pattern(r"(?:^|[.!?:\n]\s|^[ \t>*\-]*\(?[0-9]{1,2}[.)]\s)[\s\"'“‘(*\-]*$")
_COMMON: Final = frozenset(
    re.findall(
        r"[a-z]+",
        """
        us usa korea korean seoul kst utc america american bank krw usd won ai it ceo per ok internet english act no
        january february march april may june july august september october november december jan feb mar apr jun
        jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday republic south states
        united the summary actions cautions note please data price risk kb id faq
        """,
    )
)
"""Words of the language in capitals that name nothing of their own in an answer; domains add theirs."""


class KnownNames:
    """The names that an answer may say.

    Args:
        texts: The question and everything that the evidence and the agents say.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        keys: set[str] = {"US", "KR", ""}
        words: set[str] = {*_COMMON, *spoken("common")}
        for text in dict.fromkeys(texts):
            keys.update(thing.key for thing in names_in(text))
            words.update(_stem(word) for word in _LATIN.findall(text))
            words.update(part for word in _LATIN.findall(text) for part in re.split(r"[^a-z]+", word.lower()))
        self._keys = frozenset(keys)
        self._words = frozenset(words)
        self._pointed = ("Amazon.com",) if "US:AMZN" in keys else ()

    def invented(self, text: str, names: Iterable[NamedThing]) -> str:
        """Return what a sentence, in which `names` stand, names without question or evidence doing so; may be empty."""
        unknown = next((thing for thing in names if thing.key not in self._keys), None)
        if unknown is not None:
            return text[unknown.start : unknown.end]
        proper = (match for match in _PROPER.finditer(text) if not just_before(_BEGINS, text, match.start()))
        return next((match.group() for match in proper if not self._is_known(match.group())), "")

    def without_known(self, text: str) -> str:
        """Return a text without the names in it that only look like an address, such as "Amazon.com"."""
        for name in self._pointed:
            text = text.replace(name, " ")
        return text

    def _is_known(self, word: str) -> bool:
        stem = _stem(word)
        return len(stem) < 2 or stem in self._words or all(part in self._words for part in re.split(r"[^a-z]+", stem))


def _stem(word: str) -> str:
    return word.lower().rstrip(".,:;!?)'’\"").removesuffix("'s").removesuffix("’s")
