"""Whether a thing named in the text is the one that the user does not mean: "분당 말고", "instead of Busan"."""

import re

_AFTER = re.compile(
    r"[\"')]?\s?(?:은|는|이|가|을|를|로|쪽|동네)?\s?(?:말고|말구|말구요|말고요|아니고|아니구|아닌|아니라|빼고|제외|대신(?!증권))"
)
_BEFORE = re.compile(r"(?:\bnot|\binstead of|\brather than|\bexcept(?: for)?|\bexcluding)\s(?:the\s|in\s|for\s)?$", re.I)


def is_negated(text: str, start: int, end: int) -> bool:
    """Tell whether the words right behind or before the slice of the normalised text put it aside."""
    return _AFTER.match(text, end) is not None or _BEFORE.search(text, 0, start) is not None
