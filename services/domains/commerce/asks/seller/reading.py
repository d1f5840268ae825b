"""The asks of a seller's question."""

from collections.abc import Sequence

from services.contract.asks import AskedBefore
from services.domains.commerce.asks.seller.pricing import pricing_ask
from services.domains.commerce.asks.seller.sales import sales_ask
from services.domains.commerce.asks.seller.words import GAIN, PRICING, SALES
from services.plugin.asks.answering import Claim
from services.plugin.asks.edits import short
from services.plugin.asks.sheet import Sheet


def read(sheet: Sheet, before: Sequence[AskedBefore]) -> Sequence[Claim]:
    """Return the asks of a seller: sales of a period, the first products, another price."""
    if sheet.says(GAIN) and sheet.says(PRICING) and not sheet.says(r"주식|금리|집|아파트|stock|rate|home|apartment"):
        pricing = pricing_ask(sheet)
        return (
            (Claim(pricing, 0.95),)
            if len({one.role for one in pricing.quantities} & {"price", "cost", "units"}) >= 2
            else ()
        )
    last = (
        next((ask for ask in before[0].asks if ask.answerer.rpartition(".")[2].startswith("sales_")), None)
        if before
        else None
    )
    seller = sheet.user_type == "seller"
    owns = sheet.says(r"내\s|우리|제\s|\bmy\b|\bour\b") and sheet.says(
        r"가게|상점|스토어|매장|shop|store|상품|products?"
    )
    if sheet.says(SALES) and (seller or owns) and not sheet.of_kind("security"):
        return (Claim(sales_ask(sheet), 0.95 if seller else 0.9),)
    if (
        last is not None
        and short(sheet.text, 7)
        and (sheet.periods or sheet.says(SALES) or (sheet.superlative and seller))
    ):
        return (Claim(sales_ask(sheet, last), 0.9),)
    return ()
