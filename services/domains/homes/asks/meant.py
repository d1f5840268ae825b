"""What a question wants of homes by its meaning (meant.yaml), for which its words are held against examples of each form.

Words of a reader tell most questions; where they tell none, or another form than the meaning plainly does, this decides.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from services.plugin.asks.sheet import Sheet
from services.plugin.documents import read_yaml
from services.text.meaning import Meaning

FILE: Final = "meant.npz"
"""What is fitted to the examples; `python -m services.domains.homes.asks.encoding` writes it."""
OTHER: Final = "other"
"""The kind of what is asked of something else than homes of a place."""
_PACKAGE: Final = "services.domains.homes.asks"
_CHARS_MAX: Final = 220
_PLACES: Final = {"ko": "마포구", "en": "Mapo-gu"}
"""The place that stands for any in the examples."""


@cache
def meaning() -> Meaning:
    """Return what people say of each kind."""
    document = read_yaml(_PACKAGE, "meant.yaml")
    if not isinstance(document, dict) or OTHER not in document:
        raise TypeError("meant.yaml maps what is wanted of homes, and what is not, to what people say")
    examples = {str(kind): tuple(map(str, texts)) for kind, texts in document.items()}
    return Meaning(examples, resources.files(_PACKAGE).joinpath(FILE))


def wanted(sheet: Sheet) -> tuple[str, float]:
    """Return what a question wants and how far that is before all else; nothing of a text that is no question's length."""
    if len(sheet.text) > _CHARS_MAX:
        return "", 0.0
    (kind, score), (_, following) = meaning().of(masked(sheet))[:2]
    return kind, score - following


def masked(sheet: Sheet, *, place: Mapping[str, str] = _PLACES) -> str:
    """Return a question with one place standing for each that it names, as in the examples."""
    named, parts, at = place.get(sheet.language, place["en"]), [], 0
    for one in sorted(sheet.of_kind("region"), key=lambda one: (one.start, -one.end)):
        if one.end and one.start >= at:
            parts += [sheet.text[at : one.start], named]
            at = one.end
    return "".join((*parts, sheet.text[at:]))
