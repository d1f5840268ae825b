"""One offered product: its row, its figures, and the words for it. Pure."""

from decimal import Decimal
from typing import Final

from services.contract.flow import Evidence, Metric
from services.domains.commerce.agents.offers import Offer, OfferMatch, Reason
from services.domains.commerce.tools.product_search import ProductSearchRow
from services.plugin.findings import Asking, Reading, evidence
from services.plugin.wording import Text
from services.text.ko.written import josa
from services.text.saying import figure

REASONS: Final = {
    Reason.CHEAPEST: Text("찾은 것 가운데 가장 저렴", "the cheapest found"),
    Reason.BEST_RATED: Text("찾은 것 가운데 평점이 가장 높음", "the best rated found"),
    Reason.MOST_REVIEWED: Text("찾은 것 가운데 리뷰가 가장 많음", "the most reviewed found"),
    Reason.LARGEST_DISCOUNT: Text("찾은 것 가운데 할인율이 가장 큼", "the largest discount found"),
    Reason.IN_STOCK: Text("재고 있음", "in stock"),
}
"""What the reasons are called; that of the limit names the limit."""


def offer_of(row: ProductSearchRow) -> Offer:
    """Return the row as an offer."""
    return Offer(
        row.product_id,
        row.price_krw,
        row.list_price_krw,
        row.discount_percent,
        row.rating,
        row.review_count,
        row.stock,
    )


class Product:
    """One match.

    Args:
        reading: Where the row was read.
        row: The row.
        match: Why it fits.
        asking: What is asked.
    """

    def __init__(self, reading: Reading, row: ProductSearchRow, match: OfferMatch, asking: Asking) -> None:
        self._asking = asking
        self._locale = asking.locale
        self._row = row
        self._match = match
        self._limits = (reading.arguments.get("price_min"), reading.arguments.get("price_max"))
        self.name = row.subject(asking.locale)
        self.evidence: Evidence = evidence(reading, [row], title=self.name, excerpt=self._described())

    def metrics(self) -> tuple[Metric, ...]:
        """Return price, discount, rating, reviews and stock."""
        row, as_of = self._row, self._asking.day_of(self._row.as_of)
        subject = self._asking.subject(self.name, self.evidence.evidence_id)
        discount = (
            (
                subject.figure("list_price", Decimal(row.list_price_krw), as_of),
                subject.figure("discount", Decimal(row.discount_percent), as_of),
            )
            if row.discount_percent
            else ()
        )
        return (
            subject.figure("price", Decimal(row.price_krw), as_of),
            *discount,
            subject.figure("rating", row.rating, as_of),
            subject.figure("review_count", Decimal(row.review_count), as_of),
            subject.figure("stock", Decimal(row.stock), as_of),
        )

    def summary(self) -> str:
        """Return the product with its price, rating and stock in a sentence."""
        if self._locale == "ko":
            return f"{josa(self.name, '은/는')} {self._described()}입니다."
        return f"{self.name}: {self._described()}."

    def driver(self) -> str:
        """Return why it fits."""
        reasons = [text for reason in self._match.reasons if (text := self._reason(reason))]
        return f"{self.name}: {', '.join(reasons)}"

    def _described(self) -> str:
        row, say = self._row, self._asking.say
        price, before = (
            figure(Decimal(sum_krw), "krw", self._locale) for sum_krw in (row.price_krw, row.list_price_krw)
        )
        discount = say(f"(정가 {before}에서 {row.discount_percent}% 할인)", f" ({row.discount_percent}% off {before})")
        price = f"{price}{discount if row.discount_percent else ''}"
        rating, reviews = figure(row.rating, "index", self._locale), f"{row.review_count:,}"
        stock = say(f"재고 {row.stock:,}개", f"{row.stock:,} in stock") if row.stock else say("품절", "sold out")
        return say(
            f"{price}, 평점 {rating}점(리뷰 {reviews}개), {stock}",
            f"{price}, rated {rating} ({reviews} reviews), {stock}",
        )

    def _reason(self, reason: Reason) -> str:
        if reason is not Reason.WITHIN_LIMIT:
            return REASONS[reason].said(self._locale)
        low, high = (figure(Decimal(limit), "krw", self._locale) if limit is not None else "" for limit in self._limits)
        if low and high:
            return self._asking.say(f"{low}에서 {high} 사이", f"between {low} and {high}")
        return (
            self._asking.say(f"{high} 이하", f"at most {high}")
            if high
            else self._asking.say(f"{low} 이상", f"at least {low}")
        )
