"""One word for whatever of its kind a question names: whoever is watched, whatever paper is forged (masks.yaml).

What is refused is made of a deed, of somebody and of a thing; sentences of these are countless, their kinds are few.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Final

from services.plugin.documents import read_model
from services.plugin.entries import Entry
from services.policy.rule_table import rule_table
from services.text.patterns import Pattern

MASKS: Final = "masks.yaml"
"""The file of what stands for each other."""
_OTHERS: Final = "somebody_else"
"""The group of the rules that names persons."""
_LETTERS_MIN: Final = 2
_PRONOUNS: Final = frozenset({"her", "his", "their", "that guy", "this guy", "who lives at", "whoever"})
"""Words for somebody that say who it is of, which is the deed's own."""
_NAMED: Final = r"(?<![가-힣])[가-힣]{2,3}\s?(?:씨|이라는\s?(?:사람|분))(?![가-힣](?<![가는이을를의에도랑한네집]))"


class _Mask(Entry):
    ko: str
    """What stands for all of them in Korean."""
    en: str
    """What stands for all of them in English."""
    words: tuple[str, ...]
    """What they are called."""


class _Masks(Entry):
    persons: _Mask
    """Whoever something is done to."""
    papers: _Mask
    """Whatever says who one is, what one has or owes."""


def masked(text: str) -> str:
    """Return a question with one word for every person and one for every paper that it names."""
    for pattern, word in _patterns():
        text = pattern.sub(word, text)
    return text


@cache
def _patterns() -> tuple[tuple[Pattern, str], ...]:
    masks = read_model(resources.files("services.policy") / MASKS, _Masks)
    others = (one for one in rule_table().groups[_OTHERS].words if len(one) >= _LETTERS_MIN and one not in _PRONOUNS)
    persons = {*masks.persons.words, *others}
    named = (Pattern(_NAMED), masks.persons.ko)
    return named, *_of(masks.persons, persons), *_of(masks.papers, set(masks.papers.words))


def _of(mask: _Mask, words: set[str]) -> Iterator[tuple[Pattern, str]]:
    """Yield what finds the Korean, then the English words of a mask, the longest first."""
    longest = sorted((one for one in words if not one.endswith("-")), key=lambda one: (-len(one), one))
    ko = "|".join(re.escape(one).replace(r"\ ", r"\s?") for one in longest if not one.isascii())
    en = "|".join(re.escape(one) for one in longest if one.isascii())
    yield Pattern(rf"(?<![가-힣])(?:전\s?|헤어진\s|옛\s|우리\s)?(?:{ko})(?:분|님)?(?!\s?센터)"), mask.ko
    yield Pattern(rf"\b(?:(?:my|the|an?) )?(?:ex[- ])?(?:{en})s?\b", re.IGNORECASE), mask.en
