"""What belongs to the person who asks: orders and where they are, what may be given back, points, coupons, the cart."""

from typing import Final

from services.domains.commerce.asks.goods.subjects import AGENTS
from services.domains.commerce.asks.own.cart import cart_calls, tell_cart
from services.domains.commerce.asks.own.orders import orders_calls, tell_orders
from services.domains.commerce.asks.own.others import tell_others
from services.domains.commerce.asks.own.reading import of_route, only_agrees, read
from services.domains.commerce.asks.own.returns import (
    may_cancel,
    may_exchange,
    may_return,
    tell_delivery_time,
    tell_money_back,
    tell_money_back_rule,
    tell_refund,
    tell_return_rule,
    tell_shipping_rule,
)
from services.domains.commerce.asks.own.reviews import (
    reviewable_calls,
    reviews_calls,
    tell_own_reviews,
    tell_reviewable,
)
from services.domains.commerce.asks.own.rewards import coupon_calls, points_calls, tell_both, tell_coupons, tell_points
from services.domains.commerce.asks.own.spending import tell_spending
from services.domains.commerce.asks.own.unsaid import tell_unsaid
from services.domains.commerce.asks.own.words import OWN
from services.plugin.asks.answering import Answerer

__all__ = ["ANSWERERS", "of_route", "only_agrees", "read"]

ANSWERERS: Final = (
    Answerer(f"{OWN}orders", ("commerce.order_flow", *AGENTS), tell_orders, orders_calls),
    Answerer(f"{OWN}refundable", ("commerce.after_sales", *AGENTS), may_return, orders_calls),
    Answerer(f"{OWN}cancellable", ("commerce.after_sales", *AGENTS), may_cancel, orders_calls),
    Answerer(f"{OWN}refund_amount", ("commerce.after_sales", *AGENTS), tell_refund, orders_calls),
    Answerer(f"{OWN}spending", ("commerce.order_flow", *AGENTS), tell_spending, orders_calls),
    Answerer(f"{OWN}reviews", ("commerce.review_assistant", *AGENTS), tell_own_reviews, reviews_calls),
    Answerer(f"{OWN}reviewable", ("commerce.review_assistant", *AGENTS), tell_reviewable, reviewable_calls),
    Answerer(f"{OWN}exchange", ("commerce.after_sales", *AGENTS), may_exchange),
    Answerer(f"{OWN}return_rule", ("commerce.after_sales", *AGENTS), tell_return_rule),
    Answerer(f"{OWN}shipping_rule", AGENTS, tell_shipping_rule),
    Answerer(f"{OWN}delivery_time", AGENTS, tell_delivery_time),
    Answerer(f"{OWN}money_back", ("commerce.after_sales", *AGENTS), tell_money_back, orders_calls),
    Answerer(f"{OWN}money_back_rule", ("commerce.after_sales", *AGENTS), tell_money_back_rule),
    Answerer(f"{OWN}others", AGENTS, tell_others),
    Answerer(f"{OWN}unsaid", AGENTS, tell_unsaid),
    Answerer(f"{OWN}points", ("commerce.account_rewards", *AGENTS), tell_points, points_calls),
    Answerer(f"{OWN}both_rule", AGENTS, tell_both),
    Answerer(f"{OWN}coupons", ("commerce.account_rewards", *AGENTS), tell_coupons, coupon_calls),
    Answerer(f"{OWN}cart", ("commerce.order_flow", *AGENTS), tell_cart, cart_calls),
)
