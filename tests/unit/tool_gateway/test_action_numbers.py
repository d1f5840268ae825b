"""Numbers of actions are refused or read exactly, and a refused one changes nothing."""

import json

import pytest

from services.contract.tool import ActionReceipt, ToolFailure
from tests.support.shop import DELIVERED, HANEUL, Shop

READ = [("2", 2), ('"2"', 2), ('"2.0"', 2), ("2.0", 2), ('"２"', 2), ('" 7 "', 7), ("100", 100), ("1", 1)]
REFUSED = [
    *("0", "-1", "-5", "101", "0.5", "1.5", "1e400", "-1e400", "NaN", "Infinity", "-Infinity", "true", "false", "null"),
    *('"0"', '"-1"', '"0.5"', '"1e2"', '"2e9"', '"NaN"', '"²"', '"٢"', '"두 개"', '"2개"', '""', '" "', '"1,000"'),
    *("99999999999999999999", '"999999999999"', "9223372036854775808", "[2]", '{"n": 2}', '"+2"', '"0x2"', "1e3"),
]


@pytest.mark.asyncio
async def test_quantities(sqlite_shop: Shop) -> None:
    """Whole numbers in any of their spellings are read exactly, everything else is refused with its field."""
    product = sqlite_shop.offer()["product_id"]
    tags = {}
    for spelling in REFUSED:
        document = f'{{"product_id": "{product}", "quantity": {spelling}}}'.encode()
        call = sqlite_shop.call("ADD_TO_CART", document)
        tags[spelling] = await sqlite_shop.refused(call)
        preview = await sqlite_shop.actions.preview(call)
        assert isinstance(preview, ToolFailure)
    assert set(tags.values()) <= {"TYPE_MISMATCH", "VALUE_OUT_OF_RANGE", "INVALID_FORMAT"}
    for spelling, quantity in READ:
        document = f'{{"product_id": "{product}", "quantity": {spelling}}}'.encode()
        preview_of = await sqlite_shop.previewed(sqlite_shop.call("ADD_TO_CART", document))
        assert {field.name: field.number for field in preview_of.fields}["quantity"] == quantity


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "amount", ["0", "-1", "0.5", "1e400", "NaN", "100000001", "9" * 30, '"삼만원"', "true", "6000"]
)
async def test_amounts(sqlite_shop: Shop, amount) -> None:
    """An amount to be refunded is a positive whole number of won that is worth the return; nothing else moves money."""
    document = f'{{"order_id": "{DELIVERED}", "reason": "고장", "amount_krw": {amount}}}'.encode()
    tag = await sqlite_shop.refused(sqlite_shop.call("REFUND_ORDER", document))
    assert tag in {"TYPE_MISMATCH", "VALUE_OUT_OF_RANGE", "INVALID_FORMAT", "BUSINESS_LOGIC_VIOLATION"}


@pytest.mark.asyncio
@pytest.mark.parametrize("price", ["0", "-1", "100000001", "0.5", "1e400", '"NaN"'])
async def test_prices(sqlite_shop: Shop, price) -> None:
    """A listing's price lies between 1 and 100,000,000 KRW."""
    listing = sqlite_shop.value("SELECT listing_id FROM listings WHERE seller_id = 'SELLER-01' LIMIT 1")
    document = f'{{"listing_id": "{listing}", "price_krw": {price}}}'.encode()
    call = sqlite_shop.call("UPDATE_LISTING", document, caller=HANEUL)
    assert await sqlite_shop.refused(call) in {"TYPE_MISMATCH", "VALUE_OUT_OF_RANGE", "INVALID_FORMAT"}


@pytest.mark.asyncio
@pytest.mark.parametrize("rating", ["0", "6", "4.5", '"다섯"', "true"])
async def test_ratings(sqlite_shop: Shop, rating) -> None:
    """A rating is a whole number of 1 to 5 stars."""
    document = f'{{"product_id": "CHAIR-0001", "body": "좋은 의자입니다", "rating": {rating}}}'.encode()
    assert await sqlite_shop.refused(sqlite_shop.call("WRITE_REVIEW", document)) in {
        "TYPE_MISMATCH",
        "VALUE_OUT_OF_RANGE",
    }


@pytest.mark.asyncio
async def test_the_cart_never_holds_more_than_a_hundred_or_than_there_are(shop: Shop) -> None:
    """Quantities add up over actions: the hundred and first piece is refused, and so is what is not in stock."""
    offer = shop.offer(150)
    asked = {"product_id": offer["product_id"], "quantity": 100}
    full = await shop.actions.execute(shop.call("ADD_TO_CART", asked), "")
    assert isinstance(full, ActionReceipt)
    assert json.loads(full.result_json)["quantity"] == 100
    one_more = {"product_id": offer["product_id"], "quantity": 1}
    assert await shop.refused(shop.call("ADD_TO_CART", one_more)) == "BUSINESS_LOGIC_VIOLATION"
    scarce = shop.rows("SELECT product_id, stock FROM offers WHERE stock = 3 ORDER BY offer_id LIMIT 1")[0]
    too_many = {"product_id": scarce["product_id"], "quantity": scarce["stock"] + 1}
    assert await shop.refused(shop.call("ADD_TO_CART", too_many)) == "BUSINESS_LOGIC_VIOLATION"


@pytest.mark.asyncio
async def test_an_order_worth_more_than_the_limit_is_refused(sqlite_shop: Shop) -> None:
    """Each quantity lies within its range, and the whole still within the highest amount."""
    dear = sqlite_shop.rows("SELECT product_id FROM offers WHERE stock >= 100 ORDER BY price_krw DESC LIMIT 1")[0]
    items = [{"product_id": dear["product_id"], "quantity": 100}]
    call = sqlite_shop.call("CREATE_ORDER", {"items": items, "payment_method": "card"})
    assert await sqlite_shop.refused(call) == "BUSINESS_LOGIC_VIOLATION"
