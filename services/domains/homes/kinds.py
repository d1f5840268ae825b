"""The kinds of homes and of deals, as the columns of every domain that speaks of homes hold them."""

from typing import Final, Literal

from services.plugin.wording import Text

PropertyType = Literal["apartment", "officetel", "villa", "house"]
DealType = Literal["sale", "jeonse", "monthly_rent"]

PROPERTIES: Final[dict[PropertyType, Text]] = {
    "apartment": Text("아파트", "apartment"),
    "officetel": Text("오피스텔", "officetel"),
    "villa": Text("빌라", "villa"),
    "house": Text("단독·다가구", "house"),
}
"""What kinds of homes are called."""
DEALS: Final[dict[DealType, Text]] = {
    "sale": Text("매매", "sale"),
    "jeonse": Text("전세", "jeonse"),
    "monthly_rent": Text("월세", "monthly rent"),
}
"""What kinds of deals are called, in the order in which they are told."""
