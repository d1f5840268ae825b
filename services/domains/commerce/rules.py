"""The shop's own rules, which actions carry out and answers tell."""

from typing import Final

FREE_SHIPPING_FROM_KRW: Final = 30_000
"""From this price of the goods on, before a coupon, the way is free."""
SHIPPING_KRW: Final = 3_000
"""What the way costs below it."""
REFUND_DAYS_MAX: Final = 7
"""Days after delivery in which goods may be given back."""
RETURN_SHIPPING_KRW: Final = 6_000
"""What giving back costs once, unless the goods are faulty or wrong."""
ELASTICITY: Final = -1.5
"""How demand answers a price where nobody says."""
