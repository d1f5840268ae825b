"""Citation marks as models write them: whatever their brackets, they are no text.

[3, 4] ［3］ 【9】 〔2〕 ⟦1⟧ [[2]] [^2] [9†source] [source 3] [출처 4] [doc-2]      marks
(source 3) {ref. 4} ⁽⁴⁾ said^12                                           marks
(3) {3}                                                                   text: a list, a formula
"""

import re
from typing import Final

from services.text.patterns import Pattern

OPENING: Final = "[［【〔〖⟦❲⦗〚"
"""The brackets that open a mark."""
CLOSING: Final = "]］】〕〗⟧❳⦘〛"
"""The brackets that close one."""
_OPEN: Final = f"[{re.escape(OPENING)}]"
_CLOSE: Final = f"[{re.escape(CLOSING)}]"
_NAMED: Final = r"(?:sources?|refs?|reference|doc|document|cite|citation|note|출처|자료|근거|문서|참고)\s?[:#\-.]?\s?"
_BEGIN: Final = rf"(?:{_OPEN}{{1,2}}\s?(?:\^|{_NAMED})?|[({{]\s?{_NAMED})"
_END: Final = rf"(?:{_CLOSE}{{1,2}}|[)}}])"
_NUMBERS: Final = r"[0-9０-９]{1,3}(?:\s?[,、]\s?[0-9０-９]{1,3})*"
_BEHIND: Final = rf"(?:[†:|][^{re.escape(CLOSING)}]{{0,40}})?"
MARK_PATTERN: Final = rf"{_BEGIN}(?P<numbers>{_NUMBERS})\s?{_BEHIND}{_END}"
"""The expression of one mark; its numbers are the group `numbers`."""
MARK: Final = Pattern(MARK_PATTERN, re.IGNORECASE)
"""One mark."""
UNNAMED_MARK: Final = MARK_PATTERN.replace("(?P<numbers>", "(?:")
"""The expression of one mark, without its group: it may stand more than once in another."""
_SUPERSCRIPTS: Final = Pattern(
    r"(?<![ \t])(?:[ \t]+|(?<![0-9mM㎡]))⁽?[⁰¹²³⁴⁵⁶⁷⁸⁹]+⁾?(?!\s?[$₩%달원])"
    r"|(?<=[A-Za-z가-힣]{2})\^[0-9]{1,2}(?![0-9A-Za-z])"
)


def without_marks(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text without its marks and the space before them, and their numbers; raised digits are marks."""
    numbers = [int(number) for match in MARK.finditer(text) for number in re.split(r"\s?[,、]\s?", match["numbers"])]
    plain = re.sub(rf"(?<![ \t])[ \t]*{MARK_PATTERN}", "", text, flags=re.IGNORECASE)
    return _SUPERSCRIPTS.sub("", plain), tuple(numbers)
