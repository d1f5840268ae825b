"""What a message wished at first and gives up as it goes on: "I wanted the coupon but leave it out", "두 개 사려다 세 개". Pure.

a wish of before     a clause that tells of a wish which is over; what stands behind it is wished now
what is given up     the thing that is named last before words that leave something out and name nothing
"""

import re
from collections.abc import Iterator
from typing import Final

from services.domains.commerce.asks.acts import words
from services.plugin.asks.sheet import Sheet
from services.text.patterns import Pattern

_OVER_KO: Final = (
    r"(?:려고|려|까|기로|다고|라고)\s?(?:생각\s?)?(?:했|하)(?:었)?(?:는데|지만|다가)|[가-힣]려다가?|고\s?싶(?:었는데|었지만|다가)"
    r"|(?:생각|거|예정|계획)이?[었였](?:는데|지만)|(?:처음|원래|애초)\S{0,3}\s[^,.?!]{1,40}?[였었했](?:는데|지만)"
)
_OVER_EN: Final = (
    r"\b(?:i|we)(?:'d| had)?\s(?:(?:first|originally|initially|just|really|actually)\s)?(?:wanted|meant|planned|intended|hoped"
    r"|(?:was|were) (?:going|about|planning|thinking|hoping|gonna)|thought (?:of|about|i))\b"
    r"|\b(?:at first|originally|initially|to begin with)\b"
)
_WISHED: Final = Pattern(
    rf"(?:{_OVER_KO})(?=[\s,.])"
    rf"|(?:{_OVER_EN})[^.?!]{{0,80}}?(?:[,;–—-]\s*|\s|[.!]\s+)(?:but|though|however|now|actually|on second thought)\b",
    re.IGNORECASE,
)
"""A wish that is over, as far as what leads on to the one that stands."""
_BEGINS: Final = Pattern(r"[.?!\n]\s")
_FILLER_KO: Final = r"(?:(?:그냥|그건|그거|그것은|이건|역시|아니|음+|흠+|아|어|근데|그런데|하지만|다시|생각해\s?보니|이제|지금은|굳이|\S{1,8}[서까])[\s,.~]+)"
_LEFT_KO: Final = r"빼|뺄|안\s?(?:쓸|쓰|써|할|하|넣)|(?:쓰|하|넣)지\s?(?:말|않|마)|말(?:게|래|자|아|지|려)|됐[어다습]|취소|아껴|아낄|남겨|남길|나중에|다음에|없이|필요\s?없"
_LEFT_EN: Final = (
    r"(?<!don't )(?<!not )(?:(?:leave|take) (?:it|that|them) (?:out|off)|(?:skip|drop|forget|remove|scrap|save|keep)(?: about)? (?:it|that|them))"
    r"|(?:do not|don't|let's not|won't|will not|rather not) (?:use|apply|bother)|without (?:it|that|them)|never ?mind"
)
_LEFT: Final = Pattern(
    rf"(?:[,.!?~…]|는데|지만|다가|려다|하다|아니다|아냐)\s*{_FILLER_KO}{{0,3}}(?:{_LEFT_KO})"
    rf"|\b(?:{_LEFT_EN})\b(?!\s(?:the|my|any|points?|coupons?)\b)",
    re.IGNORECASE,
)
"""Words that leave something out and do not say what."""
_OTHERWISE: Final = r"그냥|없이|\b(?:instead|anyway|without|rather)\b"
_CODE: Final = Pattern(r"(?<![A-Za-z0-9-])[A-Za-z]\d{2,4}(?![A-Za-z0-9])")


def wishes_of_before(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the clauses stand that tell of a wish which is over: from the sentence's beginning to what leads on."""
    for match in _WISHED.finditer(text):
        begins = [one.end() for one in _BEGINS.finditer(text, 0, match.start())]
        yield (begins[-1] if begins else 0), match.end()


def gives_up(sheet: Sheet, thing: str, others: str) -> bool:
    """Tell whether a message gives up a thing that it speaks of: it is left out, or another way stands in its place.

    Args:
        sheet: The message.
        thing: The words for the thing.
        others: The words for what may stand in its place.
    """
    named = [match.start() for match in re.finditer(thing, sheet.text, re.IGNORECASE)]
    if not named:
        return False
    rivals = [match.start() for match in (*re.finditer(others, sheet.text, re.IGNORECASE), *_CODE.finditer(sheet.text))]
    rivals += [one.start for one in sheet.of_kind("category")]
    for match in _LEFT.finditer(sheet.text):
        ahead = [start for start in (*named, *rivals) if start < match.start()]
        if ahead and max(ahead) in named and not any(start > match.end() for start in named):
            return True
    return any(_is_replaced(sheet.text[end:], others) for _, end in wishes_of_before(sheet.text) if named[-1] < end)


def _is_replaced(behind: str, others: str) -> bool:
    """Tell whether what is wished now does without what was wished before."""
    if re.search(others, behind, re.IGNORECASE):
        return True
    does_without = re.search(_OTHERWISE, behind, re.IGNORECASE) is not None
    return does_without and re.search(words.USES, behind, re.IGNORECASE) is None
