"""What a message says of goods that were bought or are sold: why they go back, what they are like, their new price."""

import re
from collections.abc import Sequence
from typing import Final

from services.domains.commerce.asks.acts import words
from services.domains.commerce.asks.acts.parts import quantities
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import QUANTITY
from services.text.patterns import Pattern


def reason(text: str) -> str:
    """Return the part of a message that says why goods are given back; empty where none does.

    A clause that names a fault or a change of mind says it; else one that neither asks for anything nor names the order.
    """
    clauses = [one.strip() for one in re.split(_CLAUSES, text, flags=re.IGNORECASE) if one and one.strip()]
    told = [re.sub(_ORDER_NAMED, " ", one, flags=re.IGNORECASE).strip() for one in clauses]
    plain = [one for one in told if re.search(_REASON, one, re.IGNORECASE)]
    first = [one for one in clauses[:1] if len(clauses) > 1 and re.search(_TELLS, one, re.IGNORECASE)]
    rest = [
        one
        for one in (*first, *clauses[1:])
        if len(one) >= _REASON_MIN and not re.search(_NO_REASON, one, re.IGNORECASE)
    ]
    return next(iter((*plain, *rest)), "")[:200]


_CLAUSES: Final = (
    r"[.!?\n,;]|(?<=[요다죠])\s|(?<=[가-힣])서\s|(?<=[가-힣]니까)\s|(?<=때문에)\s|\bbecause\b|\bsince\b|\bas it\b"
)
_ORDER_NAMED: Final = r"(?:ORD|ORDER)-?\d+|주문\s?번호|주문|환불|반품|교환|취소"
_TELLS: Final = r"(?<![까나])(?:요|습니다|ㅂ니다|네|어|음|함|대)$|\b(?:is|are|was|were|has|had|does|keeps?|came|arrived|won't|can't)\b"
"""How a first clause ends, or the verb that it has, where it tells something."""
_REASON_MIN: Final = 6
_NO_REASON: Final = (
    r"환불|반품|교환|취소|주문|부탁|해\s?줘|해\s?주세요|접수|진행|카드|계좌|송장|안녕|수고|감사|빨리|얼른|내\s?거|맞(?:아|는데|다)|^(?:네|응|예)(?:\s|$)"
    r"|\brefund\b|\breturn\b|\bcancel\b|\bexchange\b|\border\b|\bplease\b|\bthanks?\b|\bhello\b|\bhi\b|^(?:yes|ok|okay)\b"
)


_REASON: Final = (
    r"고장|이상(?:해|하|한)|불량|파손|깨|찢|부서|하자|흠집|안\s?(?:켜|돼|되|나와|맞|들)|망가|소음|시끄|너무|마음|맘|변심|필요\s?없|잘못|다르|다른\s?(?:상품|물건|게|색)|실수|작(?:아|은|다)|크(?:다|네)|커|늦|별로|실망|무거|불편|냄새|중복|색이|사이즈"
    r"|broken|broke|faulty|defect|damaged|crack|torn|does ?n[o']t (?:work|fit|turn|charge)|not working|too (?:small|big|large|loud|noisy|heavy|late)|wrong|changed my mind|don't (?:like|need|want)|no longer|mistake|noisy|loud|late|scratch|disappoint|uncomfortable"
)


_STARS: Final = Pattern(
    r"별점?\s?(?:은|을|를)?\s?(?P<a>[1-5]|하나|한|둘|두|셋|세|넷|네|다섯)(?![0-9]|\s?[등위](?!급))|(?P<b>[1-5])\s?(?:점|개)(?![0-9])|(?P<c>한|두|세|네|다섯)\s?개|(?P<d>[1-5]|one|two|three|four|five)(?:\s|-)?stars?|(?P<e>만점)",
    re.IGNORECASE,
)
_COUNT: Final = {
    "하나": 1,
    "한": 1,
    "둘": 2,
    "두": 2,
    "셋": 3,
    "세": 3,
    "넷": 4,
    "네": 4,
    "다섯": 5,
    "만점": 5,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
}


def stars(text: str) -> str:
    """Return the stars that a message gives; empty where it gives none."""
    match = _STARS.search(text)
    if match is None:
        return ""
    said = next(group for group in match.groups() if group).lower()
    return said if said.isdigit() else str(_COUNT[said])


def body(text: str) -> str:
    """Return the sentences of a message that say what the goods are like; empty where there are none."""
    quoted = re.search(r"[\"'“‘「](?P<q>[^\"”’」]{5,})[\"'”’」]", text)
    if quoted is not None:
        return quoted["q"].strip()
    sentences = re.split(r"(?<=[.!?:])\s+|\n|,\s(?=[가-힣A-Za-z])", _GIVEN_STARS.sub(" ", text))
    kept = [sentence.strip(" ,:") for sentence in sentences if _says_what(sentence)]
    return " ".join(kept) or _within(text)


def _within(text: str) -> str:
    """Return what one sentence says of the goods between the words for a review and those that ask to post it."""
    match = _FRAMED.search(_GIVEN_STARS.sub(" ", text))
    inner = (match["said"] or match["behind"]).strip(" ,:.") if match is not None else ""
    return inner if len(inner) >= _BODY_MIN else ""


def _says_what(sentence: str) -> bool:
    """Tell whether a sentence says something of the goods, and is no request to write."""
    is_long = len(sentence.strip(" .,:;!-—")) >= _BODY_MIN
    return is_long and re.search(_ABOUT_REVIEW, sentence, re.IGNORECASE) is None


_GIVEN_STARS: Final = Pattern(
    rf"(?:별점?|평점)?\s?(?:은|을|를)?\s?(?:{_STARS.pattern})(?:\s?[점개](?![가-힣]{2}))?(?:이고|이며|이에요|입니다|이요|요|으로|로|을|를|이야|인데)?",
    re.IGNORECASE,
)
"""The stars of a review with the words around them, which are no part of its text."""
_FRAMED: Final = Pattern(
    r"(?:후기|리뷰|상품평|\breview\b)(?:는|를|을|로|에|:)?\s+(?P<said>\S.*?)\s?(?:라고|이라고)?\s(?:(?:올려|등록|남겨|써|작성|달아|적어)\S*(?:\s(?:줘|주세요))?|post it|please)\s*[.!~]*$"
    r"|(?:후기|리뷰|상품평)(?:를|을|도|좀)?\s?(?:써|남겨|올려|등록해|작성해|달아)\s?(?:줘|주세요|줄래)\s+(?P<behind>\S.*)$",
    re.IGNORECASE,
)
"""A review that is framed by the word for it and by what asks to post it."""
_BODY_MIN: Final = 5
_ABOUT_REVIEW: Final = (
    r"후기|리뷰|상품평|별점|남길|써\s?줘|쓸게|등록|\breview\b|\bpost\b|\bleave\b|\brate\b|^(?:네|응|yes|ok)\b"
)


_STEP_BEHIND: Final = Pattern(
    r"\s?(?:만큼|정도)?\s?(?:만\s)?(?:더(?=\s)|추가|올려|올리|올릴|인상|내려|내리|내릴|인하|낮춰|낮추|할인|깎|늘려|늘리|줄여|줄이|보태|더해|입고|들어왔|빼)"
    r"|\s(?:won\s)?(?:\w+\s)?(?:more|extra|additional|less|off|cheaper|higher|lower|dearer)\b",
    re.IGNORECASE,
)
_STEP_BEFORE: Final = Pattern(r"\b(?:by|add|adding|another|extra|plus|remove|deduct)\s(?:KRW\s|₩\s?)?$", re.IGNORECASE)
"""What stands behind or before a number by which something changes, where another one says to what it changes."""
_DOWN: Final = (
    r"내려|내리|내릴|인하|낮춰|낮추|할인|세일|깎|줄여|줄이|빼|lower|reduce|drop|cut|decrease|remove|deduct|less|cheaper"
    r"|\bdown\b|\boff\b|\bsale\b"
)


def _end_of_count(sheet: Sheet, start: int) -> int:
    """Return where the count that begins at a place ends, with its counter."""
    word = re.compile(r"\w+").match(sheet.text, start)
    plain = word.end() if word else start
    return next((one.end for one in sheet.of_kind(QUANTITY) if one.start <= start < one.end), plain)


def _step(sheet: Sheet, places: Sequence[tuple[int, int, int]]) -> str:
    """Return by how much the numbers at some places change what stands: "20개 더 들어왔어"; empty where one is the aim.

    Args:
        sheet: The message.
        places: Each number's value with where it begins and ends.
    """
    text, steps = sheet.text, []
    for value, start, end in places:
        behind = _STEP_BEHIND.match(text, end)
        if behind is None and not _STEP_BEFORE.before(text, start):
            return ""
        around = text[end : end + _NEAR] if behind else text[:start]
        steps.append(f"{'-' if re.search(_DOWN, around, re.IGNORECASE) else ''}{value}")
    return steps[-1] if steps else ""


_NEAR: Final = 12
"""How far behind a number the word stands that says whether it goes up or down."""


_SUM_FROM: Final = 1_000


def _signed(sheet: Sheet, count: int, start: int) -> str:
    """Return a count with the sign that stands right before it: a stock of "-5" is none, and is refused as such."""
    return f"-{count}" if re.search(r"(?:^|\s)-$", sheet.text[:start]) else str(count)


def listing_changes(sheet: Sheet) -> dict[str, str]:
    """Return what a message changes about a listing: price, percentage, stock, state; `_step` is by how much."""
    price = [number for number in sheet.numbers if number.unit == "krw" and number.value > 0]
    price_step = _step(sheet, [(int(one.value), one.start, one.end) for one in price])
    percent = next((number for number in sheet.numbers if number.unit == "percent"), None)
    # "재고 100개 빼고": what is put aside elsewhere is taken off a stock.
    others = [(int(number.value), number.start) for number in sheet.numbers if number.unit == "count"]
    counts = quantities(sheet) or others
    restock = sheet.says(words.RESTOCK) or (bool(counts) and sheet.says(rf"{words.SELLS_AT}|재고|\bstock\b"))
    bare = [number for number in sheet.numbers if not number.unit and number.value > 0]
    counted = [(one, start, _end_of_count(sheet, start)) for one, start in counts]
    stock_step = _step(sheet, counted or [(int(one.value), one.start, one.end) for one in bare]) if restock else ""
    down = sheet.says(_DOWN)
    # "Set it to 36,000": what nobody has so many pieces of is a price.
    is_sum = bool(bare) and bare[-1].value >= _SUM_FROM and sheet.says(words.SELLS_AT)
    amount = str(int(price[-1].value)) if price else str(int(bare[-1].value)) if bare and not restock else ""
    return {
        "price": amount if (sheet.says(words.REPRICE) or price or is_sum) and not (percent or price_step) else "",
        "price_step": price_step,
        "stock_step": stock_step,
        "percent": f"{'-' if down else ''}{percent.value:f}" if percent is not None else "",
        "stock": ""
        if stock_step or not restock
        else _signed(sheet, counts[-1][0], counts[-1][1])
        if counts
        else _signed(sheet, int(bare[-1].value), bare[-1].start)
        if bare
        else "",
        "state": "paused"
        if sheet.says(words.PAUSE) or (sheet.says(words.RESTS) and not (price or counts or percent))
        else "on_sale"
        if sheet.says(words.RESUME)
        else "",
    }
