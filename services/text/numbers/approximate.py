"""Numbers that say about how many: "두세", "대여섯", "3~4", "two or three"; none is one number, and none is guessed.

They are patterns to be put before a unit. What they count is asked for, where one number is needed.
"""

from typing import Final

from services.text.numbers.numerals import ENGLISH_NUMBERS

_NATIVE: Final = (
    r"한\s?두|두어|두\s?세|두\s?서너|서너|서넛|너댓|너덧|네댓|네\s?다섯|네다섯|대여섯|대엿|예닐곱|일고여덟|여덟\s?아홉"
    r"|여남은|열\s?두어"
)
_SINO: Final = r"일이|이삼|삼사|사오|오륙|육칠|칠팔|팔구"
_DIGITS: Final = r"[0-9]{1,3}\s?(?:~|-|에서|내지)\s?[0-9]{1,3}"
_ENGLISH: Final = "|".join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))
NATIVE_OR_DIGITS: Final = rf"(?<![가-힣0-9A-Za-z.,~\-])(?:{_NATIVE}|{_DIGITS})"
"""Before a native counter: "두세 개", "3~4개"."""
ANY_KOREAN: Final = rf"(?<![가-힣0-9A-Za-z.,~\-])(?:{_NATIVE}|{_SINO}|{_DIGITS})"
"""Before a unit of time, where Sino-Korean pairs stand too: "이삼 개월"."""
ENGLISH: Final = rf"(?<![\w.,\-])(?:[0-9]{{1,4}}|{_ENGLISH})(?:\s?[-~]\s?|\sor\s|\sto\s)(?:[0-9]{{1,4}}|{_ENGLISH})"
"""Before an English unit: "two or three", "3-4", "three to four"."""
