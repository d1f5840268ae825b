"""Whether a thing named in the text is the one that the user does not mean: "분당 말고", "instead of Busan"."""

import re

from services.text.near import just_before
from services.text.patterns import Pattern

_PUT_ASIDE = (
    r"(?:말고|말구|아니고|아니구|아닌|아니라|아니야|아니에요|아닙니다|빼고|제외|됐고|필요\s?없"
    # "대신 써줘" is on someone's behalf, "대신증권" a company.
    r"|대신(?!증권|\s?(?:써|쓰|해|만들|작성|짜|그려|받)))"
)
_AFTER = Pattern(
    # What is undone goes with the undoing: "결제 취소는 안 할 거고", "구매 확정 말고".
    r"(?:\s?(?:취소|교환|변경|확정)(?=[은는이가을를로도]?\s?(?:말고|아니|안|못|됐고|대신|하지)))?"
    rf"(?:[\"')]?\s?(?:은|는|이|가|을|를|로|으로|쪽|동네|얘기|이야기)?\s?{_PUT_ASIDE}"
    # A verb that is not done: "사지 말고", "취소하려다", "결제는 안 하고".
    r"|(?:하|되|시키)?(?:지\s?(?:도|는|를)?\s?(?:말|않|마세|마시|못)|지\s?마|려다|려던|려고\s?했|ㄹ\s?뻔)"
    r"|(?:할|될)까\s?(?:말까\s?)?(?:하다|했|고민|싶|생각)"
    r"|(?:은|는|을|를|도)?\s?(?:안|못)\s?(?:하|할|해|했|한))"
)
_BEFORE = Pattern(
    r"(?:(?<!why )\bnot(?!\s(?:more|less|over|later|fewer)\b)|n't|\bnever"
    r"|\binstead of|\brather than|\bexcept(?: for)?|\bexcluding|\bwithout|\b(?:apart|aside) from|\bother than"
    r"|\bno need (?:for|to)|\bno(?!\s(?:more|less|later|fewer)\b))"
    r"(?:\s(?!but\b|just\b|only\b|and\b|so\b)[\w-]+){0,2}\s$",
    re.IGNORECASE,
)


def is_negated(text: str, start: int, end: int) -> bool:
    """Tell whether the words right behind or before the slice of the normalised text put it aside."""
    return _AFTER.match(text, end) is not None or just_before(_BEFORE, text, start) is not None
