"""Words that take one side of a comparison: "더 싼 쪽", "낮은 데", "which pays more", "the cheaper one"."""

import functools
import re
from typing import Final, Literal

from services.plugin.asks.sheet import Sheet
from services.plugin.vocabulary import spoken
from services.text.patterns import Pattern
from services.text.speech import any_of

_UP_KO: Final = r"높[은아았]?|비싼|비싸\S?|비쌌|큰|크|컸|많[은이아았]?|오[른르]|올[라랐]|늘|는|나은|나아|낫|좋[은아았]?|넓[은어]?|잘\s?\S{1,3}|빠르|빠른|빨리"
_DOWN_KO: Final = r"낮[은아았]?|싼|싸\S?|쌌|저렴\S?|작[은아았]?|적[은어었]?|내[린려렸]|떨어\S?|빠[진졌지]|나쁜|나빠|못\s?\S{1,3}|좁[은아]?|느린|느려"
_SIDE_KO: Final = r"쪽|데|곳|거|것|게|건|나라|애|놈|편"
_UP_EN: Final = r"higher|dearer|pricier|larger|bigger|greater|better|faster|stronger|more|wider|longer"
_DOWN_EN: Final = r"lower|cheaper|smaller|worse|slower|weaker|less|fewer|narrower|shorter"
_SIDE_EN: Final = r"one|of (?:the )?(?:two|them|those|these)|side"


@functools.cache
def _sides() -> tuple[Pattern, Pattern]:
    """Return what takes the upper and the lower side, by the nouns of the installed domains too: "낮은 종목"."""
    return _said(_UP_KO, _UP_EN), _said(_DOWN_KO, _DOWN_EN)


def _said(up_or_down_ko: str, up_or_down_en: str) -> Pattern:
    nouns = any_of(spoken("points"))
    return Pattern(
        rf"더\s?(?:{up_or_down_ko})|(?<![가-힣])(?:{up_or_down_ko})\s?(?:{_SIDE_KO}|{nouns})(?:(?![가-힣])|(?=은|는|이|가|을|를|으로|로|의|에|도|만|요|야|인|죠))"
        rf"|\b(?:which|who|what|whose)\b[^.?!]{{0,40}}\b(?:{up_or_down_en})\b|\bthe (?:{up_or_down_en}) (?:{_SIDE_EN}|{nouns})\b",
        re.IGNORECASE,
    )


_LESS: Final = Pattern(r"(?<![가-힣])덜\s", re.IGNORECASE)


def side(sheet: Sheet) -> Literal["up", "down"] | None:
    """Return which side of a comparison a message takes; None where it takes none, or both.

    A negated fall is a rise: "덜 빠진 쪽" is the one that did better.
    """
    up, down = (pattern.search(sheet.text) is not None for pattern in _sides())
    if less := _LESS.search(sheet.text):
        rest = sheet.text[less.end() :]
        fell = re.match(r"내|떨|빠|싸|나쁘|낮", rest) is not None
        return "up" if fell else "down"
    if up == down:
        return None
    return "up" if up else "down"
