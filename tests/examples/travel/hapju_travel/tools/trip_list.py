"""trip_list: what the calling user has booked."""

from typing import Literal

from pydantic import Field

from hapju.plugin import Arguments, Row, Tool, UtcTime, own_by_statement


class TripListArguments(Arguments):
    """Which bookings are shown."""

    kind: Literal["any", "hotel", "train"] = Field(default="any", description="Only bookings of this kind.")


class TripRow(Row):
    """One booking."""

    booking_id: str
    kind: str
    title: str
    quantity: int
    total_krw: int
    as_of: UtcTime


TOOL = Tool(
    name="trip_list",
    description_ko="내가 예약한 객실과 좌석을 보여줍니다.",
    description_en="Shows the rooms and seats that the user has booked.",
    arguments=TripListArguments,
    row=TripRow,
    read_own=own_by_statement("trip_list.v1", TripRow),
    domain="travel",
    data_type="booking",
)
