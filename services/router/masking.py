"""Takes the things out of an utterance, so that likeness is about the request and not about its object.

"put a mug into the cart" and "take a mug out of the cart" share their mug; "find a mug" and "find a desk" all else.
"""

from collections.abc import Iterable

from services.catalog.loader import Catalog
from services.text.reading import Reading
from services.text.words import Vocabulary

MASKS = {"region": "지역", "security": "종목", "goods": "물건", "amount": "금액", "date": "기간", "code": "번호"}
"""What stands in place of each kind of thing, in both languages."""


_WHO = "user_type="
"""The beginning of a fact that the words do not show."""


class Masker:
    """Masks utterances; made once."""

    def __init__(self, catalog: Catalog) -> None:
        kinds = [word for kind in catalog.routing.categories for word in kind.words]
        self._named = catalog.cue_facts
        self._goods = Vocabulary([*catalog.group("goods"), *kinds])

    def counts(self, fact: str) -> bool:
        """Tell whether requests are told apart by a fact: the words show it, and it is no chance detail."""
        if fact.startswith(_WHO):
            return False
        return fact in self._named if "[" in fact else True

    def mask(self, reading: Reading, left_out: Iterable[tuple[int, int]] = ()) -> str:
        """Return the text of a reading with its things replaced by their kind; of two that overlap the first holds.

        Args:
            reading: The reading.
            left_out: Places (start, end) of what is to stand for nothing.
        """
        spans = [(start, end, "") for start, end in left_out]
        spans += [(one.start, one.end, "region") for one in reading.regions]
        spans += [(one.start, one.end, "security") for one in reading.securities]
        spans += [(one.start, one.end, "amount") for one in reading.amounts]
        spans += [(one.start_at, one.end_at, "date") for one in reading.dates]
        spans += [(one.start, one.end, "code") for one in (*reading.order_ids, *reading.product_codes)]
        found = reading.phrases.find_all(self._goods)
        spans += [(hit.start, hit.end, "goods") for hits in found.values() for hit in hits]
        text, at = [], 0
        for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
            if start >= at:
                text += [reading.text[at:start], MASKS.get(kind, "")]
                at = end
        return "".join([*text, reading.text[at:]])
