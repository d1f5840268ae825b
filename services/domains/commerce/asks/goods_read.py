"""Which goods a question is about: their category, models, conditions, order and count; a follow-up edits an earlier ask."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_DOWN, Decimal
from typing import Final

from services.contract.asks import Ask, AskCondition, AskedBefore, AskForm, AskQuantity, Said, Told
from services.domains.commerce.asks.features import ATTRIBUTE, attributes_of, conditions_in, maker_missing
from services.domains.commerce.rules import FREE_SHIPPING_FROM_KRW
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import Pointed, carried, compares, is_correction, is_fresh, pointed, short, told_last
from services.plugin.asks.numbers import Number, ranges
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import Entity

GOODS: Final = "goods_"
"""What the answerers of goods begin with."""
_ACT: Final = (
    r"담아\s?(?:줘|주|줄)|담을게|담자|담고|(?:장바구니|카트)에|넣어\s?(?:줘|주)|추가해|빼\s?(?:줘|주)|삭제|비워|(?:주문|결제|구매)\s?(?:해|할게|할래|하겠|진행|하려|하고\s?싶|부탁)"
    r"|살게|살래|사\s?줘|취소|환불|반품|교환|(?:후기|리뷰)(?:를|을)?\s?(?:쓰|쓸|쓴|써|남기|남길|남겨|작성|등록|올리|올릴|올려)|별점.*(?:줄|남|달)|판매글|등록|시킨|주문한|샀는데|배송\s?(?:조회|상태|언제|어디)"
    r"|\badd\b.*\bto\b|\bput\b.*\b(?:cart|basket)\b|\bplace an order|\border (?:it|this|that|the|two|a)\b|\bbuy (?:it|this|that|now|the|two)\b|check ?out|\bwrite\b|\bleave a\b|\bremove\b|\bcancel\b(?!l)|\brefund|\breturn\b"
    r"|\bexchange|\bmy (?:order|cart|basket)|\bpay\b|\bcart\b|\bbasket\b|i bought|i ordered"
)
_OTHER: Final = r"주가|주식|종목|코스피|코스닥|금리|환율|시세|매출|원가|마진|이익|탄력|실적|전망|고장|수리|\bstocks?\b(?! (?:left|of))(?<!in stock)(?<!of stock)|\bshares?\b|\brevenue|\bprofit|elasticity"
_REVIEWS: Final = r"(?:후기|리뷰|상품평|사용기|평가)(?!\s?(?:가|는|도|이)?\s?(?:많|좋|수|높|\d|제일|가장))|평(?:이|은)\s?어때|\breviews?\b(?! count)|what do (?:people|buyers|customers) (?:say|think)"
_MOST_REVIEWS: Final = r"(?:most|많은|많이|최다)\s?(?:\w+\s)?(?:reviews|reviewed|리뷰|후기|팔린)|(?:리뷰|후기)(?:가|이|\s)*\s?(?:제일|가장|젤)?\s?많|인기|popular|best[- ]?sell|잘\s?(?:팔|나가)"
_RATED: Final = r"평점|별점|평이?\s?(?:제일|가장|젤)?\s?좋|\brat(?:ed|ing|ings)\b|best reviewed|stars?\b"
_DEAR: Final = r"비싼|비싸|고가|expensive|priciest|dearest"
_CHEAP: Final = r"싼|싸|저렴|최저가|가성비|낮은\s?가격|cheap|lowest[- ]price|least expensive|affordable|costs? (?:the )?(?:least|less)"
_SORTED: Final = r"순(?:으로|서|대로|\s|$)|정렬|\bsort|\bordered by\b|\bby price\b"
_CHEAPER: Final = r"더\s?(?:싼|싸|저렴)|\bcheaper\b|less expensive"
_DEARER: Final = r"더\s?(?:비싼|좋은)|\bpricier\b|more expensive|\bbetter one"
_TOTAL: Final = r"합쳐|합해|합치|합계|총|다\s?해서|전부\s?(?:해서|합)|모두\s?(?:해서|합)|통틀어|둘이|in total|altogether|together|for (?:both|all)|combined|\btotal\b"
_HOW_MUCH: Final = r"얼마|가격|값|몇\s?원|비용|how much|\bprice\b|\bcosts?\b"
_SHIPPING: Final = r"배송비|택배비|배송료|shipping|delivery (?:fee|cost|charge)"
_STOCK: Final = r"재고|품절|남(?:았|아|은|음)|살\s?수\s?있|넉넉|in stock|sold out|available|how many (?:are |of )?.*(?:left|stock|remain)|\bleft\b"
_IN_STOCK: Final = r"재고\s?(?:있는|가?\s?있는|남은|만)|품절\s?(?:말고|빼고|제외|아닌)|바로\s?(?:살|받을)\s?수\s?있는|in[- ]stock|(?:are|is) available|not sold out"
_ON_SALE: Final = r"할인\s?(?:중|하는|되는|된|상품|하고)|세일\s?(?:중|하는|상품)|\bon sale\b|discounted"
_GIFT: Final = r"선물|상품|물건|제품|살\s?만한|살\s?거|뭐\s?살|something|anything|\bgift|\bpresent\b|\bproducts?\b|what (?:should|to) buy|쇼핑"
_ACCESSORY: Final = r"(?:케이스|커버|필름|거치대|받침대|받침|충전기|충전\s?케이블|보호\s?유리|키스킨|덮개|패드|필터\s?(?:교체|만)|리필|시트지|\bcases?\b|\bcovers?\b|screen protectors?|\bchargers?\b|\bstand\b(?!ing)|\bsleeves?\b|\bpads?\b)"
_BACK: Final = (
    r"다시|돌아가|아까|앞에서|그\s?중|중에|중에서|back to|of (?:those|these|them)|again|which of|earlier|방금|보여\s?준"
)
_CODE: Final = re.compile(r"(?<![A-Za-z0-9])(?P<code>[A-Za-z]\d{2,3})(?![A-Za-z0-9])")
_RATING: Final = re.compile(r"평점|별점|별|rat(?:ed|ing)|stars?", re.IGNORECASE)
_REVIEW_COUNT: Final = re.compile(r"리뷰|후기|reviews?", re.IGNORECASE)
_SIZES: Final = re.compile(
    r"(?<!\d)(2[2-9]\d|3[0-2]\d)\s?(?:mm|밀리|사이즈|size|신는|짜리)|(?:사이즈|size)\s?(2[2-9]\d|3[0-2]\d)",
    re.IGNORECASE,
)
UNKNOWN: Final[Mapping[str, tuple[str, Said]]] = {
    "weight": (r"가벼|무게|경량|light(?:weight|est|er)|weigh|\d\s?kg\b|\d킬로", Said("무게", "weight")),
    "battery": (r"배터리|사용\s?시간|battery", Said("배터리", "battery life")),
    "delivery_day": (
        r"당일|내일\s?(?:도착|오|받)|새벽\s?배송|오늘\s?(?:도착|받)|same[- ]day|next[- ]day|by tomorrow",
        Said("도착일", "the day of arrival"),
    ),
    "warranty": (r"보증\s?기간|무상\s?수리|warranty|a/s", Said("보증 기간", "warranty")),
}
"""What people ask of goods and no row says."""


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a question that are about goods."""
    if sheet.says(_ACT) or sheet.says(_OTHER):
        return ()
    # Any noun may be a product's name: "256GB" stands in one and is a number all the same.
    sheet = replace(sheet, entities=tuple(one for one in sheet.entities if one.kind != "product"))
    last = None if is_fresh(sheet) else last_goods(before)
    categories = list(dict.fromkeys(sheet.values("category")))
    codes = _codes(sheet)
    if missing := _missing(sheet, categories):
        found = [Claim(missing, 0.95)]
    elif categories:
        asks = [_of_category(sheet, one, codes, last) for one in categories[: 1 if codes else 2]]
        found = [Claim(one, 0.95) for one in asks]
    elif codes and not sheet.says(r"지수|index"):
        found = [Claim(_typed(_draft(sheet, "", codes), sheet, None), 0.9)]
    elif last is not None and (edited := _edited(sheet, last, before)) is not None:
        found = [Claim(edited, 0.9)]
    elif sheet.wants(AskForm.RECOMMEND) and sheet.says(_GIFT) and not sheet.of_kind("security"):
        found = [Claim(_asking(sheet), 0.9)]
    else:
        found = []
    return found


def last_goods(before: Sequence[AskedBefore]) -> Ask | None:
    """Return the last ask about goods, over interposed other subjects."""
    for message in before:
        own = [
            ask
            for ask in message.asks
            if ask.domain == "commerce" and f".{GOODS}" in f".{ask.answerer.rpartition('.')[2]}"
        ]
        if own:
            return own[-1]
    return None


def category_of(ask: Ask) -> str:
    """Return the category that an ask is about; empty for none."""
    return next((one.value for one in ask.subjects if one.kind == "category"), "")


def codes_of(ask: Ask) -> tuple[str, ...]:
    """Return the model codes that an ask names."""
    return tuple(one.value for one in ask.subjects if one.kind == "product_code")


def ids_of(ask: Ask) -> tuple[str, ...]:
    """Return the products that an ask points to."""
    return tuple(filter(None, ask.notes.get("ids", "").split("|")))


def _codes(sheet: Sheet) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match["code"].upper() for match in _CODE.finditer(sheet.text)))[:4]


def _missing(sheet: Sheet, categories: Sequence[str]) -> Ask | None:
    """Return the ask for goods that are not sold here: of another maker, or an accessory of goods."""
    maker = maker_missing(sheet)
    asked = sheet.wants(AskForm.LIST, AskForm.RECOMMEND, AskForm.LEVEL, AskForm.VERDICT, AskForm.COMPARE) or sheet.says(
        _STOCK
    )
    accessory = sheet.find(_ACCESSORY)
    sells = sheet.says(
        r"파나|팔아|파는|팔죠|파시|살\s?수|재고|추천|찾아|있(?:나|어|냐|니|을까|음)|sell|carry|have|find|looking|any\b|in stock"
    )
    if accessory and (categories or maker) and sells:
        words = sheet.text[: accessory.end()].strip().split()[-2:]
        what = " ".join(words).rstrip("?.!")
        return replace(
            _draft(sheet, "", ()), answerer=f"{GOODS}missing", form=AskForm.LIST, notes={"ko": what, "en": what}
        )
    if (
        maker
        and asked
        and (categories or (sells and not sheet.of_kind("security") and not sheet.says(r"매수|상장|실적")))
    ):
        category = categories[0] if categories else ""
        draft = _draft(sheet, category, ())
        return replace(
            draft, answerer=f"{GOODS}missing", form=AskForm.LIST, notes={"maker_ko": maker.ko, "maker_en": maker.en}
        )
    return None


def _asking(sheet: Sheet) -> Ask:
    return replace(_draft(sheet, "", ()), answerer=f"{GOODS}which", form=AskForm.RECOMMEND)


def _of_category(sheet: Sheet, category: str, codes: tuple[str, ...], last: Ask | None) -> Ask:
    """Return the ask about a category: anew, or as an edit of the last one where the message says so."""
    now = _draft(sheet, category, codes)
    if last is None or codes or not codes_fit(last):
        return _typed(now, sheet, None)
    again = sheet.says(_BACK) or is_correction(sheet)
    asks_only = short(sheet.text, 2) and not now.conditions
    if category_of(last) == category:
        return _typed(_over(now, last), sheet, last) if again or asks_only else _typed(now, sheet, None)
    return _typed(_over(now, last), sheet, last) if again or asks_only else _typed(now, sheet, None)


def codes_fit(ask: Ask) -> bool:
    """Tell whether an ask is about a class of goods, and not about named models."""
    return not codes_of(ask) and not ids_of(ask)


def _draft(sheet: Sheet, category: str, codes: Sequence[str]) -> Ask:
    subjects = tuple(one for one in sheet.of_kind("category") if one.value == category)[:1]
    subjects += tuple(Entity("product_code", code, code, code) for code in codes)
    pieces = _pieces(sheet)
    return Ask(
        words=sheet.text,
        end=len(sheet.text),
        intent="search_product",
        form=None,
        subjects=subjects,
        conditions=(
            *_figures(sheet, pieces),
            *(conditions_in(sheet, category) if category else ()),
            *_unknown(sheet, category),
        ),
        order_by=_order(sheet)[0],
        descending=_order(sheet)[1],
        quantities=tuple(_quantities(sheet, pieces)),
        notes={"said": sheet.text, "today": sheet.today.isoformat()},
    )


def _pieces(sheet: Sheet) -> int:
    """Return how many pieces are bought; 0 where nobody says."""
    for one in sheet.numbers:
        if (
            one.unit == "count"
            and not one.bound
            and not _REVIEW_COUNT.search(sheet.text[max(0, one.start - 6) : one.start])
        ):
            return int(one.value)
    if sheet.says(r"\bboth of\b|두\s?(?:개|대|켤레)"):
        return 2
    match = sheet.find(r"(?:\b(?P<en>two|three|four|five|six)\b|(?P<ko>한|두|세|네|다섯|여섯)\s?(?:개|대|켤레|벌))")
    words = {
        "two": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "한": 1,
        "두": 2,
        "세": 3,
        "네": 4,
        "다섯": 5,
        "여섯": 6,
    }
    return words.get(match["en"] or match["ko"], 0) if match and not sheet.says(r"which of the two") else 0


def _figures(sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    """Yield the conditions on price, rating, reviews, discount and stock."""
    money = [one for one in sheet.numbers if _is_price(one, sheet)]
    between = next(((low, high) for low, high in ranges(sheet.numbers, sheet.text) if high.unit == "krw"), None)
    if between is not None:
        low, high = between
        yield AskCondition("price_krw", "ge", f"{low.as_won:f}", "krw", f"{low.words}~{high.words}")
        yield AskCondition("price_krw", "le", f"{high.as_won:f}", "krw", f"{low.words}~{high.words}")
    elif money:
        yield from _price(money[0], sheet, pieces)
    for one in sheet.numbers:
        if one.unit in {"", "points"} and one.value <= 5 and _near(_RATING, one, sheet):
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "ge"
            yield AskCondition("rating", operator, f"{one.value:f}", "points", one.words)
        elif one.unit in {"", "count"} and one.value >= 5 and _near(_REVIEW_COUNT, one, sheet):
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "ge"
            yield AskCondition("review_count", operator, f"{one.value:f}", "count", one.words)
        elif one.unit == "percent" and sheet.says(r"할인|세일|\boff\b|discount|sale"):
            operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "ge"
            yield AskCondition("discount_percent", operator, f"{one.value:f}", "percent", one.words)
    if sheet.says(_ON_SALE) and not any(one.unit == "percent" for one in sheet.numbers):
        yield AskCondition("discount_percent", "gt", "0", "percent", "")
    if sheet.says(_IN_STOCK):
        yield AskCondition("stock", "gt", "0", "count", "")
    if sheet.says(r"무료\s?배송|배송비?\s?(?:무료|없는|공짜)|free (?:shipping|delivery)") and not sheet.says(_HOW_MUCH):
        yield AskCondition("price_krw", "ge", str(FREE_SHIPPING_FROM_KRW), "krw", "free_shipping")


def _is_price(one: Number, sheet: Sheet) -> bool:
    if sheet.says(r"쿠폰|coupon") and not one.bound:
        return False
    if one.unit == "krw":
        return one.value >= 1000
    return one.is_bare and bool(one.bound) and one.value >= 1000 and not _near(_REVIEW_COUNT, one, sheet)


def _near(words: re.Pattern[str], one: Number, sheet: Sheet) -> bool:
    return bool(words.search(sheet.text[max(0, one.start - 10) : one.end + 8]))


def _price(one: Number, sheet: Sheet, pieces: int) -> Iterator[AskCondition]:
    amount = one.value if one.unit == "krw" else one.as_won
    if one.is_bare and one.value >= 1000:
        amount = one.value
    in_all = pieces > 1 and sheet.says(_TOTAL)
    if in_all:
        amount = (amount / pieces).quantize(Decimal(1), rounding=ROUND_DOWN)
    words = one.words
    if one.bound == "band" or re.match(r"대\s?(?:까지|이하|안쪽|아래|로|의|$)", sheet.text[one.end :]):
        digits = 10 ** (len(str(int(amount))) - 1)
        width = digits if amount % digits == 0 else digits // 10
        if not re.match(r"대?\s?(?:까지|이하|안쪽|아래)", sheet.text[one.end :]):
            yield AskCondition("price_krw", "ge", f"{amount:f}", "krw", words)
        yield AskCondition("price_krw", "lt", f"{amount + width:f}", "krw", words)
        return
    if one.bound == "about":
        yield AskCondition("price_krw", "ge", f"{amount * Decimal('0.8'):f}", "krw", words)
        yield AskCondition("price_krw", "le", f"{amount * Decimal('1.2'):f}", "krw", words)
        return
    operator = one.bound if one.bound in {"lt", "le", "gt", "ge"} else "le"
    yield AskCondition("price_krw", operator, f"{amount:f}", "krw", words)


def _unknown(sheet: Sheet, category: str) -> Iterator[AskCondition]:
    """Yield what is asked for and no row says."""
    for name, (words, label) in UNKNOWN.items():
        if sheet.says(words):
            yield AskCondition(f"unknown.{name}", "eq", "", "", label.ko)
    if category == "sneakers" and (size := _SIZES.search(sheet.text)):
        yield AskCondition("unknown.size", "eq", "", "", size.group())
    if (
        category
        and sheet.says(r"블랙|검은|검정|까만|화이트|흰색|하얀|\bblack\b|\bwhite\b")
        and not any(one.name == "colour" for one in attributes_of(category))
    ):
        yield AskCondition("unknown.colour", "eq", "", "", "색")


_ORDERS: Final = (
    (r"할인\s?(?:율|폭|을|이)?|biggest discount", ("discount_percent", True)),
    (_DEAR, ("price_krw", True)),
    (rf"{_CHEAP}|(?:가격|값|price)(?:이|은)?\s?(?:낮은\s?)?(?:순|order)|by price", ("price_krw", False)),
    (r"재고.*(?:적|least|fewest)", ("stock", False)),
    (r"재고|stock", ("stock", True)),
    (r"좋|나은|괜찮|\bbest\b", ("rating", True)),
)
"""What superlatives and words of sorting order goods by, the first that is found."""


def _order(sheet: Sheet) -> tuple[str, bool]:
    """Return the figure by which goods are ordered and whether the greatest comes first; empty where none is."""
    superlative, ordered = sheet.superlative, sheet.says(_SORTED)
    if sheet.says(_MOST_REVIEWS) and (
        superlative or ordered or sheet.says(r"많은|인기|popular|best[- ]?sell|잘\s?(?:팔|나가)")
    ):
        return "review_count", True
    better = sheet.says(r"더\s?(?:높|좋)|(?:higher|better)[- ]rated|rated (?:higher|better)|better rat")
    if sheet.says(_RATED) and (
        superlative or ordered or better or sheet.says(r"(?:높|좋)은\s?(?:거|것|순|건)|(?:best|top|highly)[- ]rated")
    ):
        return "rating", not (superlative is not None and not superlative.is_most)
    if superlative or ordered or sheet.says(r"최저가|cheapest"):
        return next((order for words, order in _ORDERS if sheet.says(words)), ("", False))
    return "", False


def _quantities(sheet: Sheet, pieces: int) -> Iterator[AskQuantity]:
    if pieces:
        yield AskQuantity("pieces", str(pieces), "count", str(pieces))
    if sheet.says(_TOTAL) and pieces > 1:
        for one in sheet.numbers:
            if one.unit == "krw" and one.bound:
                yield AskQuantity("budget", f"{one.value:f}", "krw", one.words)
    if sheet.says(r"쿠폰|coupon"):
        for one in sheet.numbers:
            if one.unit == "percent":
                yield AskQuantity("coupon_percent", f"{one.value:f}", "percent", one.words)
            elif one.unit == "krw" or (one.is_bare and one.value >= 100):
                yield AskQuantity("coupon_krw", f"{one.value:f}", "krw", one.words)


def _over(now: Ask, last: Ask) -> Ask:
    """Return an ask completed by the last one: figures are carried, properties where the category has them."""
    category = category_of(now) or category_of(last)
    known = {f"{ATTRIBUTE}{one.name}" for one in attributes_of(category)}
    kept = tuple(
        one
        for one in last.conditions
        if not one.field.startswith((ATTRIBUTE, "unknown."))
        or (one.field in known and category == category_of(last))
        or one.field == f"{ATTRIBUTE}colour"
    )
    # Models and products that were pointed to are named anew, or stand as they did.
    whole = carried(now, replace(last, conditions=kept, form=None, answerer="", order_by="", quantities=()))
    said = "\n".join(filter(None, (now.notes.get("said", ""), last.notes.get("said", ""))))
    return replace(
        whole,
        order_by=now.order_by or last.order_by,
        descending=now.descending if now.order_by else last.descending,
        notes={**whole.notes, "said": said},
    )


@dataclass(frozen=True, slots=True)
class _Edit:
    """A message that names no goods, beside what it may lean on."""

    sheet: Sheet
    last: Ask
    before: Sequence[AskedBefore]
    now: Ask
    to: Pointed | None
    told: tuple[Told, ...]

    @property
    def asks_one(self) -> bool:
        """Tell whether it asks what is asked of one product: its stock, price, reviews, a property."""
        sheet, now = self.sheet, self.now
        features = any(one.field.startswith(ATTRIBUTE) for one in now.conditions)
        of_price = sheet.says(_HOW_MUCH) and not now.conditions
        of_feature = sheet.wants(AskForm.VERDICT) and features
        return sheet.says(_STOCK) or of_price or bool(now.quantities) or sheet.says(_REVIEWS) or of_feature

    @property
    def is_of_set(self) -> bool:
        """Tell whether it points to all that was told of."""
        return self.to is not None and self.to.how == "set"


def _edited(sheet: Sheet, last: Ask, before: Sequence[AskedBefore]) -> Ask | None:
    """Return a message that names no goods as an edit of the last ask, or of what it told of; None where it is none."""
    at_once = bool(before) and any(ask.domain == "commerce" for ask in before[0].asks)
    to = pointed(sheet, before, "product")
    if not short(sheet.text, 12) or not (at_once or to or sheet.says(_BACK)):
        return None
    now = replace(_draft(sheet, category_of(last), ()), subjects=())
    if to is not None and to.how == "ordinal" and not to.told:
        to = _of_longer_set(sheet, before)
    edit = _Edit(sheet, last, before, now, to, told_last(before, "product"))
    if to is not None and to.how == "ordinal":
        return _of_place(edit)
    return next((ask for rule in _EDITS if (ask := rule(edit)) is not None), None)


def _of_place(edit: _Edit) -> Ask | None:
    """Return what is asked of the one that is pointed to."""
    to = edit.to
    if to is None or not to.told or to.how not in {"ordinal", "one", "other"} or edit.now.order_by:
        return None
    if to.how == "one" and edit.now.conditions and not edit.asks_one:
        return None
    return _about(edit.now, edit.sheet, edit.last, [one.value for one in to.told[:1]])


def _beside(edit: _Edit) -> Ask | None:
    """Return the ask for cheaper or dearer goods than were told of."""
    sheet = edit.sheet
    wanted = sheet.says(_CHEAPER) or sheet.says(_DEARER)
    return _cheaper(edit) if wanted and not compares(sheet) and not edit.is_of_set else None


def _of_first(edit: _Edit) -> Ask | None:
    """Return what is asked of the product that was told of first, where no other is pointed to."""
    sheet, told = edit.sheet, edit.told
    of_many = sheet.says(_IN_STOCK) or sheet.says(r"which (?:of|are|ones)|어느|뭐가|어떤")
    if not edit.asks_one or edit.now.order_by or not told or of_many or (len(told) > 1 and edit.now.conditions):
        return None
    return _about(edit.now, sheet, edit.last, [told[0].value])


def _within(edit: _Edit) -> Ask | None:
    """Return the first of what was told of, or its comparison."""
    now, sheet = edit.now, edit.sheet
    if not edit.is_of_set or not edit.told or now.conditions or not (now.order_by or compares(sheet)):
        return None
    ids = "|".join(one.value for one in edit.told[:40])
    pointing = replace(now, notes={**now.notes, "ids": ids})
    return _typed(_over(pointing, replace(edit.last, conditions=())), sheet, edit.last)


def _narrowed(edit: _Edit) -> Ask | None:
    """Return the last ask with what the message adds or replaces."""
    now, sheet = edit.now, edit.sheet
    if sheet.says(r"재고|in stock|available") and not any(one.field == "stock" for one in now.conditions):
        now = replace(now, conditions=(*now.conditions, AskCondition("stock", "gt", "0", "count", "")))
    if now.conditions or now.order_by or sheet.says(r"말고|빼고|다른|만$|만\s?(?:보여|골라)"):
        return _typed(_over(now, edit.last), sheet, edit.last)
    return None


def _of_longer_set(sheet: Sheet, before: Sequence[AskedBefore]) -> Pointed | None:
    """Return what a message points to by its place in an earlier set, where the last answer told of one thing only."""
    sets = (before[at:] for at in range(1, len(before)))
    found = (pointed(sheet, one, "product") for one in sets)
    return next((one for one in found if one is not None and one.told), None)


def _about(now: Ask, sheet: Sheet, last: Ask, ids: Sequence[str]) -> Ask:
    """Return what is asked of one product that was told of."""
    kept = {one.role: one for one in (*last.quantities, *now.quantities)}
    quantities = tuple(kept.values()) if now.quantities else ()
    bare = not (now.conditions or now.quantities) and short(sheet.text, 2)
    if bare and last.answerer.endswith(f"{GOODS}one"):
        # "And the fourth?" asks of another product what was asked of the last one.
        features = tuple(one for one in last.conditions if one.field.startswith(ATTRIBUTE))
        now = replace(now, conditions=features)
    category = next((one for one in last.subjects if one.kind == "category"), None)
    wants = "stock" if sheet.says(_STOCK) and sheet.says(r"몇\s?개|how many") else ""
    pointed_ask = replace(
        now,
        quantities=quantities,
        subjects=(category,) if category else (),
        notes={**now.notes, "ids": "|".join(ids), "wants": wants},
    )
    asked = _typed(pointed_ask, sheet, None)
    is_feature = bare and any(one.field.startswith(ATTRIBUTE) for one in now.conditions)
    return replace(asked, form=AskForm.VERDICT) if is_feature else asked


def _cheaper(edit: _Edit) -> Ask:
    prices = [Decimal(one.figures["price_krw"]) for one in edit.told[:3] if one.figures.get("price_krw")]
    dearer = not edit.sheet.says(_CHEAPER)
    bound = max(prices) if dearer and prices else min(prices, default=Decimal(0))
    words = "dearer" if dearer else "cheaper"
    condition = AskCondition("price_krw", "gt" if dearer else "lt", f"{bound:f}", "krw", words)
    others = tuple(one for one in edit.now.conditions if one.field != "price_krw")
    now = replace(edit.now, conditions=(*others, condition), order_by="price_krw", descending=False)
    edited = _over(now, edit.last)
    return replace(_typed(edited, edit.sheet, edit.last), form=AskForm.LIST, answerer=f"{GOODS}list")


_EDITS: Final = (_of_place, _beside, _of_first, _within, _narrowed)


def _typed(ask: Ask, sheet: Sheet, last: Ask | None) -> Ask:
    """Return an ask with its form and what answers it."""
    form, name = _form(ask, sheet, last)
    return replace(ask, form=form, answerer=f"{GOODS}{name}", intent=_INTENTS.get(name, "search_product"))


_INTENTS: Final = {"recommend": "get_recommendation", "compare": "compare_price"}


def _form(ask: Ask, sheet: Sheet, last: Ask | None) -> tuple[AskForm, str]:
    models = codes_of(ask) or ids_of(ask)
    if sheet.says(_REVIEWS) and not ask.order_by:
        return AskForm.LIST, "reviews"
    return _form_of_models(ask, sheet) if models else _form_of_class(ask, sheet, last)


def _form_of_models(ask: Ask, sheet: Sheet) -> tuple[AskForm, str]:
    count = len(codes_of(ask) or ids_of(ask))
    if count > 1:
        is_rank = ids_of(ask) and ask.order_by and count > 2
        return (AskForm.RANK, "rank") if is_rank else (AskForm.COMPARE, "compare")
    bought = {one.role for one in ask.quantities} & {"coupon_krw", "coupon_percent", "pieces"}
    if bought or sheet.says(_SHIPPING):
        return AskForm.AMOUNT, "total"
    return _one_form(ask, sheet), "one"


def _form_of_class(ask: Ask, sheet: Sheet, last: Ask | None) -> tuple[AskForm, str]:
    suits = sheet.wants(AskForm.RECOMMEND) and not sheet.says(r"\bfind\b|찾아|목록|list")
    picks = not ask.order_by and sheet.says(r"which one\b|뭐가\s?(?:좋|나)|하나(?:만)?\s?(?:골라|추천|찍)")
    if suits or picks or any(one.role == "budget" for one in ask.quantities):
        return AskForm.RECOMMEND, "recommend"
    first = sheet.superlative or sheet.says(r"더\s|higher|better|cheapest|최저가")
    if ask.order_by and first and not sheet.says(_SORTED):
        return AskForm.RANK, "rank"
    if last is not None and last.answerer.endswith("recommend") and not sheet.wants(AskForm.LIST):
        return AskForm.RECOMMEND, "recommend"
    return AskForm.LIST, "list"


def _one_form(ask: Ask, sheet: Sheet) -> AskForm:
    if any(one.field.startswith(ATTRIBUTE) for one in ask.conditions) and ids_of(ask):
        return AskForm.VERDICT
    if sheet.says(r"몇\s?개|how many"):
        return AskForm.LEVEL
    return AskForm.VERDICT if sheet.says(_STOCK) and not sheet.says(_HOW_MUCH) else AskForm.LEVEL
