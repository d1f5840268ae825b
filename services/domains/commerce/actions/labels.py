"""Labels of the fields that a user is shown before approving, in both languages."""

from typing import Final

from services.plugin.wording import Text

LABELS: Final = {
    "action": Text("하려는 일", "Action"),
    "product": Text("상품", "Product"),
    "offer": Text("상품", "Product"),
    "order": Text("주문", "Order"),
    "coupon": Text("쿠폰", "Coupon"),
    "listing": Text("판매 상품", "Listing"),
    "quantity": Text("수량", "Quantity"),
    "pieces": Text("총 수량", "Pieces in all"),
    "goods_krw": Text("상품 금액", "Goods"),
    "discount_krw": Text("할인", "Discount"),
    "points_krw": Text("포인트 사용", "Points used"),
    "shipping_krw": Text("배송비", "Shipping"),
    "amount_krw": Text("결제 금액", "To pay"),
    "refund_krw": Text("돌려받는 금액", "To be refunded"),
    "return_shipping_krw": Text("반품 배송비", "Return shipping"),
    "price_krw": Text("판매가", "Price"),
    "stock": Text("재고", "Stock"),
    "rating": Text("별점", "Rating"),
    "text": Text("내용", "Text"),
    "reason": Text("사유", "Reason"),
    "address": Text("배송지", "Shipping address"),
    "payment_method": Text("결제 수단", "Payment method"),
    "nickname": Text("별명", "Nickname"),
    "status": Text("상태", "Status"),
}
