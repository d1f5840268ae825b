"""The ask of a message that no pattern reads, by what it is nearest to; and what a weak reading gives way to.

nothing is read            the nearest kind decides where it is near enough
goods are named, no more   what is asked of them is what the message is nearest to: an order of them, not their list
some readings are wide     they give way to kinds that their words do not tell from them (_GIVES_WAY)
reader and meaning agree   the reading is sure
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from services.contract.asks import Ask, AskedBefore, AskForm
from services.domains.commerce.asks import goods
from services.domains.commerce.asks.acts.words import ADD, ASKS_WHICH, SEVERAL
from services.domains.commerce.asks.goods.subjects import GOODS
from services.domains.commerce.asks.goods.words import STOCK
from services.domains.commerce.asks.kinds import BUILDS
from services.domains.commerce.asks.meant import ELSEWHERE, Meant, kinds, meant
from services.domains.commerce.asks.seller.scope import CODE, of_kinds
from services.plugin.asks.answering import CERTAIN, Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet

_NEAR: Final = 0.42
"""From this nearness on the nearest kind decides where nothing is read."""
_NEAR_AT_HOME: Final = 0.36
"""The same of a seller, whose shop is what they speak of, and of what names goods."""
_NEAR_OF_ITSELF: Final = 0.7
"""The same of what a seller says without a word of trade: "이거 좀 해줘" asks for nothing of a shop."""
_OF_TRADE: Final = (
    r"팔|판매|매출|상품|재고|마진|리뷰|반품|취소|환불|가격|광고|스토어|가게|매장|등록|주문|손님|고객|수익|이익|벌|나가|잘\s?되"
    r"|\bs(?:ell|ale|old)|revenue|product|listing|stock|margin|return|cancel|refund|price|order|customer|profit|earn|shop|store"
)
_AHEAD: Final = 0.04
"""How much nearer it has to be than the next kind."""
_LEAD: Final = 0.08
"""How much nearer it has to be than what was read, for that to give way."""
_FAR: Final = 0.3
_LEAD_FAR: Final = 0.15
"""A kind that is not so near has to be nearer than what was read by so much."""
_THINGS: Final = ("category", "order_id", "product")
"""What an act is done with; a message that names none and leans on nothing asks for none."""
_LIKELY: Final = 0.86
_SURE: Final = 0.95
_SURE_FROM: Final = 0.55
_WORDS_MIN: Final = 2
_AT_ONCE: Final = frozenset({"act_add", "act_remove", "act_recount", "act_coupon", "act_review"})
"""Acts that no approval stands before: a question is none of them."""

_POLITE: Final = r"줄래|주실|주시겠|줄\s?수\s?있|주세|\b(?:can|could|would|will) you\b"
"""Asks to do something in the words of a question."""
_FETCHES: Final = rf"{_POLITE}|\b(?:can|could|may) i (?:get|have|order|buy)\b"
"""The same of goods; "can I get my money back" asks whether that may be."""
_BUYS: Final = frozenset({"act_order", "act_add"})
_WISHED: Final = r"해\s?(?:줘|주세|주실|주라|달라)|부탁|할게|할래|\bplease\b|\bi(?:'d| would) like\b|\bi want\b"
"""Says that something is to be done."""
_ACT_WISHED: Final = r"(?:취소|환불|교환|반품|주문|결제)\s?(?:해|를|을)?\s?(?:줘|주고|주세|주시|달라|부탁)|\b(?:cancel|refund|exchange|return) it\b"
"""Wishes an act beside what is asked: "취소해 주고, 아니면 언제 오는지": the two are planned as steps."""
_WISHED_OF: Final = {
    **dict.fromkeys(("returned", "refundable", "refund_amount", "return_rule"), "act_refund"),
    **dict.fromkeys(("cancelled", "cancellable"), "act_cancel"),
    "exchange": "act_exchange",
}
"""The act that is meant by a wish which is near a question on it."""
_OWN: Final = frozenset(name for name in BUILDS if not name.startswith(("goods_", "act_")))
_ACTS: Final = frozenset(name for name in BUILDS if name.startswith("act_"))
_OF_GOODS: Final = frozenset({f"{GOODS}list", f"{GOODS}one", f"{GOODS}which"})
_RANKS: Final = frozenset({"sales_worst", "returns_most", "cancels_most", "margins_low", "others_shop"})
_GIVES_WAY: Final[Mapping[str, frozenset[str]]] = {
    **{name: _OWN | _ACTS | {"goods_total", "goods_reviews"} for name in _OF_GOODS},
    # Who asks what to give is asked what kind of thing: nothing of the shop's service.
    f"{GOODS}which": (_OWN | _ACTS) - {"service"},
    "act_cancel": frozenset({"cancelled", "cancellable"}),
    "act_refund": frozenset({"returned"}),
    "own_orders": _ACTS - {"act_add", "act_remove"} | {"returned", "cancelled", "delivery_time", "unpaid"},
    "own_refundable": frozenset({"returned", "returns_most"}),
    "own_return_rule": frozenset({"returned", "returns_most"}),
    "own_listings": frozenset({"listing_check"}),
    "own_points": frozenset({"cart"}),
    "sales_level": _RANKS,
    "sales_rank": frozenset({"others_shop"}),
    "efficiency": frozenset({"sales_worst"}),
    "act_add": frozenset({"act_recount"}),
    "own_cart": frozenset({"act_add", "act_remove", "act_recount"}),
}
"""The readings that are wide, and the kinds that they give way to where a message is nearer to these."""
_KINDS_OF: Final[Mapping[str, frozenset[str]]] = {
    f"{GOODS}list": frozenset({"goods_list", "goods_recommend", "goods_rank"}),
    f"{GOODS}recommend": frozenset({"goods_list", "goods_recommend"}),
    f"{GOODS}which": frozenset({"goods_recommend"}),
    f"{GOODS}one": frozenset({"goods_one"}),
    "own_orders": frozenset({"orders"}),
    "own_refundable": frozenset({"refundable"}),
    "own_return_rule": frozenset({"return_rule"}),
    "own_listings": frozenset({"low_stock", "sold_out"}),
    "own_points": frozenset({"points"}),
    "own_spending": frozenset({"spending"}),
    "own_coupons": frozenset({"coupons"}),
    "own_cart": frozenset({"cart", "cart_coupon"}),
    "sales_rank": frozenset({"sales_best", "sales_worst"}),
    "efficiency": frozenset({"efficiency", "efficiency_poor"}),
}
"""The kinds that a reading is of, by its answerer; one that bears the answerer's name where none stands here."""


Read = Callable[[Sheet], Sequence[Claim]]
"""The readers of the shop, on a part of a message."""


def settled(sheet: Sheet, before: Sequence[AskedBefore], claims: Sequence[Claim], read: Read) -> Sequence[Claim]:
    """Return the asks of a message as its readers and its meaning have them together."""
    if claims and len(sheet.clauses) > 1 and _is_asked_of_an_act(claims[0].ask, sheet, read):
        return (replace(claims[0], score=_SURE, is_whole=True),)
    if len(sheet.clauses) > 1 and (_is_one_search(claims, sheet, read) or _is_one_total(claims, sheet, read)):
        claims = (replace(claims[0], is_whole=True),)
    return _weighed(sheet, before, claims) if claims and not _is_plain(sheet, before, claims) else claims


def unread(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the ask of a message that no reader claims, by what it is nearest to."""
    return () if _is_plain(sheet, before, ()) else _unread(sheet, before, meant(sheet))


def _is_plain(sheet: Sheet, before: Sequence[AskedBefore], claims: Sequence[Claim]) -> bool:
    """Tell whether meaning decides nothing: of a few words that lean on others, and of two requests in one."""
    # Two requests in one are told apart first.
    return (short(sheet.text, _WORDS_MIN) and bool(before or claims)) or sheet.says(SEVERAL)


def _weighed(sheet: Sheet, before: Sequence[AskedBefore], claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return what was read, or what a message is nearer to where that gives way to it."""
    first = claims[0].ask
    if first.answerer not in _GIVES_WAY and first.answerer not in _KINDS_OF:
        return claims
    may_give_way = _may_give_way(first, sheet, before)
    if not may_give_way and all(one.score >= _SURE for one in claims):
        # Meaning could add nothing, and the first to ask for it waits for the encoder.
        return claims
    near = meant(sheet)
    if near.kind in _kinds_of(first):
        sure = near.nearness >= _NEAR
        return [replace(one, score=max(one.score, _SURE)) for one in claims] if sure else claims
    built = _built(sheet, before, near.kind) if may_give_way and _gives_way(first, near) else None
    return claims if built is None else (_of_one_thing(Claim(built, _SURE, is_whole=len(sheet.clauses) > 1), sheet),)


_MAY_BE: Final = {"own_refundable": "refund", "own_cancellable": "cancel", "own_exchange": "exchange"}


def _is_asked_of_an_act(ask: Ask, sheet: Sheet, read: Read) -> bool:
    """Tell whether a message of several sentences asks no more than whether something may be done: it wishes it besides."""
    act = _MAY_BE.get(ask.answerer)
    if act is None:
        return False
    of_it = {ask.answerer, f"act_{act}", "own_orders", "own_cancellable"}
    parts = [claim.ask.answerer for clause in sheet.clauses for claim in read(sheet.part(clause))[:1]]
    return all(one in of_it for one in parts)


_SEARCHES: Final = frozenset({f"{GOODS}{one}" for one in ("list", "recommend", "rank", "which", "missing", "set")})


def _is_one_search(claims: Sequence[Claim], sheet: Sheet, read: Read) -> bool:
    """Tell whether all sentences of a message are of one search: they add to it, and ask for nothing else."""
    if len(claims) != 1 or claims[0].ask.answerer not in _SEARCHES:
        return False
    parts = [claim.ask for clause in sheet.clauses for claim in read(sheet.part(clause))]
    ranks = [one for one in parts if one.answerer == f"{GOODS}rank"]
    own = {one.value for one in claims[0].ask.subjects}
    return (
        len(ranks) < _TWO
        and all(one.answerer in _SEARCHES for one in parts)
        and all(two.value in own for one in parts for two in one.subjects)
    )


_TWO: Final = 2


def _is_one_total(claims: Sequence[Claim], sheet: Sheet, read: Read) -> bool:
    """Tell whether one sentence names goods and another the coupon that is used on them."""
    if len(claims) != 1 or claims[0].ask.answerer != f"{GOODS}total" or not claims[0].ask.notes.get("coupon"):
        return False
    parts = {claim.ask.answerer for clause in sheet.clauses for claim in read(sheet.part(clause))}
    return parts <= {f"{GOODS}total", f"{GOODS}one", "own_cart", "own_coupons"}


def _kinds_of(ask: Ask) -> frozenset[str]:
    return _KINDS_OF.get(ask.answerer, frozenset({ask.answerer}))


def _may_give_way(ask: Ask, sheet: Sheet, before: Sequence[AskedBefore]) -> bool:
    """Tell whether what was read is wide enough to give way to anything."""
    # Conditions, an order or a state that is said make a reading narrow; so do goods that are named and put in.
    is_narrow = bool(
        (ask.answerer in _OF_GOODS and (ask.conditions or ask.order_by))
        or ask.notes.get("states")
        or ask.notes.get(CODE)
        or (ask.answerer.startswith("sales_") and of_kinds(ask))
        or (ask.answerer == f"{GOODS}one" and sheet.says(STOCK))
        or (ask.answerer == "act_add" and goods.codes_in(sheet) and sheet.says(ADD))
    )
    under_way = ask.answerer.startswith("act_") and (bool(before) or sheet.says(_WISHED))
    return ask.answerer in _GIVES_WAY and not is_narrow and not under_way


def _gives_way(ask: Ask, near: Meant) -> bool:
    """Tell whether what was read gives way to what a message is nearest to."""
    if near.kind not in _GIVES_WAY[ask.answerer]:
        return False
    read = max((near.scores.get(one, 0.0) for one in _kinds_of(ask)), default=0.0)
    lead = near.nearness - read
    if near.kind in _AT_ONCE and near.ahead < _AHEAD and not ask.subjects:
        # What is done at once is not guessed of a message that names no goods.
        return False
    return (near.nearness >= _NEAR_AT_HOME and lead >= _LEAD) or (near.nearness >= _FAR and lead >= _LEAD_FAR)


def _unread(sheet: Sheet, before: Sequence[AskedBefore], near: Meant) -> Sequence[Claim]:
    """Return the ask of a message that no reader claims."""
    at_home = sheet.user_type == "seller" or bool(sheet.of_kind("category") or goods.codes_in(sheet))
    least = _NEAR_AT_HOME if at_home else _NEAR
    if near.kind in kinds() and kinds()[near.kind].seller and not (sheet.numbers or sheet.says(_OF_TRADE)):
        least = _NEAR_OF_ITSELF
    if near.kind in {"", ELSEWHERE} or near.nearness < least or near.ahead < _AHEAD:
        return ()
    if near.kind in _ACTS and not (before or any(sheet.of_kind(one) for one in _THINGS) or goods.codes_in(sheet)):
        return ()
    act = _WISHED_OF.get(near.kind, "")
    wished = sheet.says(_WISHED) and near.scores.get(act, 0.0) >= _NEAR
    built = _built(sheet, before, act if wished else near.kind)
    if built is None or (built.form is not AskForm.ACT and sheet.says(_ACT_WISHED)):
        return ()
    whole = len(sheet.clauses) > 1 and (near.nearness >= _SURE_FROM or built.answerer == "pricing")
    claim = Claim(built, _SURE if near.nearness >= _SURE_FROM else _LIKELY, is_whole=whole)
    return (_of_one_thing(claim, sheet),)


def _of_one_thing(claim: Claim, sheet: Sheet) -> Claim:
    """Return a claim on own things as sure and whole where one sentence names goods of several kinds: those of an order."""
    several = len(sheet.clauses) == 1 and len(set(sheet.values("category"))) > 1
    is_own = claim.ask.answerer.startswith("own_")
    return replace(claim, score=CERTAIN, is_whole=True) if several and is_own else claim


def _built(sheet: Sheet, before: Sequence[AskedBefore], kind: str) -> Ask | None:
    asks = sheet.text.rstrip().endswith("?") and not sheet.says(_FETCHES if kind in _BUYS else _POLITE)
    if (kind in _AT_ONCE and ("?" in sheet.text or sheet.says(ASKS_WHICH))) or (kind in _ACTS and asks):
        return None
    build = BUILDS.get(kind)
    return build(sheet, before) if build is not None else None
