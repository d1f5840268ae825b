"""Labels of the fields that a user is shown before approving, in both languages."""

from typing import Final

_LABELS: Final = {
    "action": ("하려는 일", "Action"),
    "product": ("상품", "Product"),
    "offer": ("상품", "Product"),
    "order": ("주문", "Order"),
    "coupon": ("쿠폰", "Coupon"),
    "listing": ("판매 상품", "Listing"),
    "quantity": ("수량", "Quantity"),
    "pieces": ("총 수량", "Pieces in all"),
    "goods_krw": ("상품 금액", "Goods"),
    "discount_krw": ("할인", "Discount"),
    "points_krw": ("포인트 사용", "Points used"),
    "shipping_krw": ("배송비", "Shipping"),
    "amount_krw": ("결제 금액", "To pay"),
    "refund_krw": ("돌려받는 금액", "To be refunded"),
    "return_shipping_krw": ("반품 배송비", "Return shipping"),
    "price_krw": ("판매가", "Price"),
    "stock": ("재고", "Stock"),
    "rating": ("별점", "Rating"),
    "text": ("내용", "Text"),
    "reason": ("사유", "Reason"),
    "address": ("배송지", "Shipping address"),
    "payment_method": ("결제 수단", "Payment method"),
    "nickname": ("별명", "Nickname"),
    "status": ("상태", "Status"),
}


def label(name: str, locale: str) -> str:
    """Return a field's label for a locale; Korean unless it begins with en.

    Raises:
        KeyError: The field has no label, which a test of every action rules out.
    """
    return _LABELS[name][1 if locale.lower().startswith("en") else 0]
