"""What a message asks of own things, by topic: the words of each, and the ask that they claim."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from services.contract.asks import AskForm
from services.domains.commerce.asks.acts.words import asks_something
from services.domains.commerce.asks.goods.drafts import codes_in, is_denied
from services.domains.commerce.asks.goods.words import CHEAP, DEAR, ENOUGH, SHIPPING
from services.domains.commerce.asks.own.drafts import own_ask
from services.domains.commerce.asks.own.rewards import asks_best, order_sum
from services.domains.commerce.asks.own.words import (
    ANYTHING,
    ARRIVES,
    BOUGHT,
    CAN_REVIEW,
    CANCEL,
    CANCEL_STANDS,
    CART,
    COUPONS,
    DEADLINE,
    DUE,
    EVER,
    EXCHANGE,
    FEE,
    GIVE_BACK,
    HOW,
    HOW_MUCH,
    IN_STOCK,
    LATEST,
    MAY,
    MINE,
    MONEY_BACK,
    MONEY_BACK_MAY,
    MONEY_BACK_WHEN,
    ORDERS,
    POINTS,
    REFUND_STANDS,
    REFUNDED,
    REVIEWS,
    SHOULD,
    SPENT,
    WANTED,
)
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.sheet import Sheet
from services.plugin.entities import QUANTITY


def _is_bought(sheet: Sheet) -> bool:
    return bool(sheet.of_kind("order_id")) or sheet.says(BOUGHT)


def _claim_exchange(sheet: Sheet) -> Claim | None:
    asked = sheet.says(MAY) or sheet.says(HOW)
    return Claim(own_ask(sheet, "exchange", AskForm.VERDICT, "search_product"), 0.95) if asked else None


def _claim_return(sheet: Sheet) -> Claim | None:
    # "Something" is nothing of one's own: the rule of the shop is asked.
    mine = sheet.says(MINE) and not sheet.says(ANYTHING)
    how, own = sheet.says(HOW), bool(mine or _is_bought(sheet) or sheet.of_kind("category"))
    stands = sheet.says(REFUND_STANDS) and (own or sheet.user_type)
    made = sheet.says(REFUNDED) and sheet.user_type and not sheet.says(MONEY_BACK_WHEN)
    if sheet.says(EVER) or stands or made:
        return _claim_states(sheet, "refunded|refund_requested")
    if sheet.says(MONEY_BACK_WHEN):
        return _claim_money_back(sheet)
    # Whether it may go back, and for how much, is one question, in one sentence or two.
    both = sheet.says(MAY) and sheet.says(MONEY_BACK)
    if own and (both or (sheet.says(HOW_MUCH) and not sheet.says(FEE))):
        amount = own_ask(sheet, "refund_amount", AskForm.AMOUNT, "refund_request")
        return Claim(amount, CERTAIN if both else 0.95, is_whole=both)
    if not sheet.user_type and sheet.says(MAY) and not (sheet.of_kind("order_id") or sheet.says(_OF_ORDERS)):
        # Nobody is logged in: what the shop's rule says is told.
        return Claim(own_ask(sheet, "return_rule", AskForm.PROCEDURE, "search_product"), 0.95)
    may = sheet.says(MAY) and not (how and not (mine or _is_bought(sheet)))
    if may or (own and sheet.says(DEADLINE)):
        ask = own_ask(sheet, "refundable", AskForm.VERDICT, "refund_request")
        return _of_one_order(Claim(ask, 0.9 if may else 0.95), sheet)
    return Claim(own_ask(sheet, "return_rule", AskForm.PROCEDURE, "search_product"), 0.95) if how else None


def _claim_money_of_goods(sheet: Sheet) -> Claim | None:
    """Return what is asked of the money of goods that were bought; that of anything else is no refund here."""
    return _claim_return(sheet) if sheet.of_kind("category") or _is_bought(sheet) else None


_OF_ORDERS: Final = r"(?:내|제)\s?주문|주문\s?번호|\bmy (?:\w+ )?orders?\b"
"""Speaks of one's own orders, which are read once it is known whose they are."""


def _claim_money_back(sheet: Sheet) -> Claim:
    """Return the ask when money comes back: of the person's own order where one is meant, else by the rule alone."""
    own = sheet.says(MINE) or _is_bought(sheet) or bool(sheet.of_kind("category"))
    if own:
        return Claim(own_ask(sheet, "money_back", AskForm.FACT, "refund_request"), 0.95)
    return Claim(own_ask(sheet, "money_back_rule", AskForm.FACT, "search_product"), 0.95)


def _claim_shipping(sheet: Sheet) -> Claim | None:
    """Return the ask what shipping costs, of no goods and no order: the shop's own rule."""
    of_any = sheet.of_kind("category") or sheet.of_kind("order_id") or sheet.of_kind(QUANTITY) or codes_in(sheet)
    asked = sheet.says(rf"{HOW_MUCH}|무료|공짜|붙|드나|들어|있나|free|charge") or asks_something(sheet)
    if of_any or not asked:
        return None
    ask = own_ask(sheet, "shipping_rule", AskForm.AMOUNT, "search_product")
    place = "yes" if sheet.of_kind("region") or sheet.says(_FAR) else ""
    return Claim(replace(ask, notes={**ask.notes, "place": place}), 0.95)


_FAR: Final = r"도서|산간|섬|지역|제주|\b(?:islands?|remote|rural|regions?)\b"
"""Where the way may be another one."""


def _claim_states(sheet: Sheet, states: str) -> Claim:
    """Return the ask for the person's orders that are in some states."""
    ask = own_ask(sheet, "orders", AskForm.STATUS, "track_delivery")
    return Claim(replace(ask, notes={**ask.notes, "states": states}), 0.95)


def _claim_cancel(sheet: Sheet) -> Claim | None:
    if sheet.says(EVER) or sheet.says(CANCEL_STANDS):
        return _claim_states(sheet, "cancelled|cancel_requested")
    asked = sheet.says(MAY) and (_is_bought(sheet) or sheet.says(r"주문|order"))
    ask = own_ask(sheet, "cancellable", AskForm.VERDICT, "cancel_order")
    # What may be cancelled is no order that was.
    ask = replace(ask, notes={**ask.notes, "states": ""})
    return _of_one_order(Claim(ask, 0.9), sheet) if asked else None


def _of_one_order(claim: Claim, sheet: Sheet) -> Claim:
    """Return a claim that is sure where one sentence names goods of several kinds: those of one order."""
    is_one = len(sheet.clauses) == 1 and len(set(sheet.values("category"))) > 1
    return replace(claim, score=CERTAIN, is_whole=True) if is_one else claim


def _claim_cart(sheet: Sheet) -> Claim | None:
    wants = "coupon" if sheet.says(COUPONS) else "stock" if sheet.says(IN_STOCK) else ""
    ask = own_ask(sheet, "cart", AskForm.VERDICT if wants == "stock" else AskForm.STATUS, "track_delivery")
    points = "yes" if sheet.says(POINTS) else ""
    kinds = (one.value for one in sheet.of_kind("category") if is_denied(sheet.text, one.start, one.end))
    return Claim(replace(ask, notes={**ask.notes, "wants": wants, "points": points, "without": " ".join(kinds)}), 0.95)


def _claim_points(sheet: Sheet) -> Claim | None:
    if codes_in(sheet) and sheet.says(ENOUGH):
        # Points held against what goods cost are a question of these.
        return None
    asked = sheet.says(MINE) or sheet.says(r"얼마|몇|남|잔액|조회|how many|balance|expire|만료|소멸")
    advice = sheet.says(SHOULD)
    if not asked and not advice:
        return None
    sure = CERTAIN if sheet.says(MINE) and not advice else 0.92
    return Claim(own_ask(sheet, "points", AskForm.ADVICE if advice else AskForm.STATUS, "check_rewards"), sure)


def _claim_coupons(sheet: Sheet) -> Claim | None:
    words = r"있|쓸|사용|보여|조회|목록|만료|available|have|show|expire|usable|can i use"
    best = asks_best(sheet)
    asked = best or ((sheet.says(MINE) or sheet.says(words)) and not sheet.of_kind("category"))
    if not asked:
        return None
    ask = own_ask(sheet, "coupons", AskForm.STATUS, "check_rewards")
    return Claim(replace(ask, notes={**ask.notes, "order_krw": order_sum(sheet)}), CERTAIN if best else 0.92)


_ADDRESS: Final = r"배송지|(?:내|제|등록된|저장된|기본)\s?(?:집\s?)?주소|\b(?:my|saved|default|registered) (?:\w+ )?address\b|\baddress on file\b"
_NO_ADDRESS: Final = r"바꾸|바꿔|바뀌|변경|수정|전입|등기|이메일|메일|\bchange|\bupdate|e-?mail|\bip\b|\bweb"


def _claim_address(sheet: Sheet) -> Claim | None:
    asked = sheet.user_type and (asks_something(sheet) or sheet.says(r"알려|보여|확인|\bshow|\btell"))
    return Claim(own_ask(sheet, "address", AskForm.STATUS, "track_delivery"), CERTAIN) if asked else None


def _claim_reviews(sheet: Sheet) -> Claim | None:
    if not sheet.says(MINE):
        return None
    name = "reviewable" if sheet.says(CAN_REVIEW) else "reviews"
    return Claim(own_ask(sheet, name, AskForm.LIST, "write_review"), 0.95)


def _claim_spending(sheet: Sheet) -> Claim | None:
    # Money that goods are to cost is none that was spent.
    other = sheet.says(r"카드값|매출|판매") or (sheet.of_kind("category") and sheet.numbers)
    sure = 0.95 if sheet.says(rf"{MINE}|여기|쇼핑|\bhere\b|this (?:shop|store)") else 0.92
    return None if other else Claim(own_ask(sheet, "spending", AskForm.AMOUNT, "track_delivery"), sure)


def _claim_orders(sheet: Sheet) -> Claim | None:
    number, own = sheet.of_kind("order_id"), sheet.says(MINE)
    words = r"어디|언제|상태|조회|where|when|status|보여|show|track|송장|미결제|결제"
    bought = _is_bought(sheet)
    stands = sheet.says(ORDERS) and (own or bought or sheet.says(words))
    stands = stands or (bought and bool(sheet.of_kind("category")) and sheet.says(_STANDS))
    of_state = sheet.says(_THINGS) and asks_something(sheet) and any(sheet.says(one) for _, one in WANTED)
    stands = stands or of_state or (sheet.says(LATEST) and sheet.says(r"주문|\border"))
    comes = sheet.says(ARRIVES) and bool(sheet.of_kind("category")) and (own or sheet.says(_COMES))
    comes = comes or (bool(sheet.of_kind("category")) and sheet.says(_SENT) and asks_something(sheet))
    of_rule = sheet.says(r"무료\s?배송|배송비|free (?:shipping|delivery)|shipping (?:fee|cost)") and not number
    due = sheet.says(DUE) and not (sheet.of_kind("category") and sheet.says(_SOUGHT) and not own)
    if not (number or stands or comes or due) or of_rule:
        return None
    ask = own_ask(sheet, "orders", AskForm.STATUS, "track_delivery")
    latest = "yes" if sheet.says(LATEST) else ""
    coming = ask.notes.get("coming") or ("yes" if sheet.says(ARRIVES) else "")
    priced = sheet.superlative if sheet.says(rf"{DEAR}|{CHEAP}") else None
    by = "" if priced is None else "most" if priced.is_most else "least"
    claim = Claim(
        replace(ask, notes={**ask.notes, "latest": latest, "coming": coming, "by_sum": by}),
        0.95 if comes or of_state or (stands and own) else 0.92,
    )
    return _of_one_order(claim, sheet)


_THINGS: Final = r"주문|택배|(?<=[은는인한된던])\s?(?:거|것|게|건)(?![가-힣]{2})|\b(?:orders?|parcels?|packages?|deliver(?:y|ies))\b|\bto me\b|\bhave i (?:got|bought|ordered|paid for)\b|\b(?:i|i've|i have) (?:got|bought|ordered)\b|\banything of mine\b"
"""Things that were bought, of which a state is asked."""
_STANDS: Final = r"결제(?:는|가|도)?\s?(?:됐|되|완료|했|안)|(?:어떻게|어찌)\s?(?:됐|되|돼)|상태|출발|출고|발송|보냈|승인|나갔|\bgo(?:ne)? through\b|\bpaid\b|\bstatus\b|\bconfirmed\b|\bshipped\b|\bsent\b|\bdispatched\b|\bleft\b(?! in)|\bon its way\b"
"""How an order stands."""
_SOUGHT: Final = r"추천|찾아|골라|살\s?만한|\b(?:any|find|recommend|looking for|which|what)\b"
"""Looks for goods, which are nobody's yet."""
_SENT: Final = r"(?:출발|발송|출고|배송)\s?(?:은|는|이|가|을)?\s?(?:했|하셨|됐|되었|시작)|(?<![가-힣])보냈|보내\s?(?:셨|줬|주셨)|^\W*(?:has|have|did|is|are|was|were)\b(?!.*\bfree\b).*\b(?:shipped|ship|sent|dispatched|on (?:its|the|their) way)\b"
"""That goods were sent off, which only those are that somebody bought."""
_COMES: Final = r"언제\s?(?:쯤\s?)?(?:와|왔|오|올|도착|받|배송)|어디\s?(?:쯤|까지)|\barriv|\bdeliver|\btrack|get here"
"""That something comes, which is nobody's but the person's own."""
_NEVER: Final = r"(?!)"


_TOPICS: Final[tuple[tuple[str, str, Callable[[Sheet], Claim | None]], ...]] = (
    (_ADDRESS, _NO_ADDRESS, _claim_address),
    (REVIEWS, _NEVER, _claim_reviews),
    (EXCHANGE, r"교환\s?학생", _claim_exchange),
    (rf"{GIVE_BACK}|{REFUNDED}", r"return (?:on|rate)|수익|return of", _claim_return),
    (MONEY_BACK_MAY, _NEVER, _claim_money_of_goods),
    (CANCEL, r"노이즈|noise|취소율|cancellation (?:rate|fee)|취소(?:된|한|됐)|(?<!be )cancel+ed", _claim_cancel),
    (CART, r"golf|골프|캠핑", _claim_cart),
    (POINTS, r"percentage point|퍼센트|프로|%|지수|포인트\s?(?:오|내|상승|하락)|basis|인테리어|벽지", _claim_points),
    (COUPONS, _NEVER, _claim_coupons),
    (SPENT, _NEVER, _claim_spending),
    (SHIPPING, r"반품|교환|환불|취소|return|refund|exchange", _claim_shipping),
    (r"", _NEVER, _claim_orders),
)
"""Words of a topic, words that it is not meant beside, and what claims it."""


def first_claim(sheet: Sheet) -> Claim | None:
    """Return the ask of the first topic that the words are of; a topic may find that nothing is asked of it."""
    return next(
        (claim(sheet) for words, others, claim in _TOPICS if sheet.says(words) and not sheet.says(others)), None
    )
