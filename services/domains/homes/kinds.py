"""The kinds of homes and of deals, as the columns of every domain that speaks of homes hold them."""

from typing import Literal

PropertyType = Literal["apartment", "officetel", "villa", "house"]
DealType = Literal["sale", "jeonse", "monthly_rent"]
