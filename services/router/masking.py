"""Takes the things out of an utterance, so that likeness is about the request and not about its object.

"put a mug into the cart" and "take a mug out of the cart" share their mug; "find a mug" and "find a desk" all else.
"""

from collections.abc import Iterable

from services.catalog.loader import Catalog
from services.plugin.entities import AMOUNT, PERIOD
from services.text.reading import TextReading
from services.text.words import Vocabulary

_CORE_MASKS = {AMOUNT: "금액", PERIOD: "기간"}
"""What stands in place of a figure of the core, in both languages; that of a domain's kind its `stands_for` says."""
_WHO = "user_type="
"""The beginning of a fact that the words do not show."""


class Masker:
    """Masks utterances; made once."""

    def __init__(self, catalog: Catalog) -> None:
        masks = {kind.id: kind.stands_for for kind in catalog.kinds.values() if kind.stands_for}
        self._masks = {**masks, **_CORE_MASKS}
        self._named = catalog.cue_facts
        self._things = dict(catalog.lexicon.masks())
        self._vocabulary = Vocabulary(self._things)

    def counts(self, fact: str) -> bool:
        """Tell whether requests are told apart by a fact: the words show it, and it is no chance detail."""
        if fact.startswith(_WHO):
            return False
        return fact in self._named if "[" in fact else True

    def mask(self, reading: TextReading, left_out: Iterable[tuple[int, int]] = ()) -> str:
        """Return the text of a reading with its things replaced by their kind; of two that overlap the first holds.

        Args:
            reading: The reading.
            left_out: Places (start, end) of what is to stand for nothing.
        """
        spans = [(start, end, "") for start, end in left_out]
        spans += [(one.start, one.end, mask) for kind, mask in self._masks.items() for one in reading.of(kind)]
        found = reading.phrases.find_all(self._vocabulary)
        spans += [(hit.start, hit.end, self._things[hit.phrase]) for hits in found.values() for hit in hits]
        text, at = [], 0
        for start, end, mask in sorted(spans, key=lambda span: (span[0], -span[1])):
            if start >= at:
                text += [reading.text[at:start], mask]
                at = end
        return "".join([*text, reading.text[at:]])
