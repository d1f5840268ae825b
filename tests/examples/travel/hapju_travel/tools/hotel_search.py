"""hotel_search: the hotels of a city, the best rated first."""

from typing import Annotated

from pydantic import Field, StringConstraints

from hapju.plugin import Arguments, Row, Tool, UtcTime, by_statement

City = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,20}$")]


class HotelSearchArguments(Arguments):
    """Where a room is looked for, and what it may cost."""

    city: City = Field(description="Id of the city, for example busan.")
    price_max: int = Field(default=10**7, ge=1, le=10**7, description="Highest price a night in KRW.")
    limit: int = Field(default=5, ge=1, le=20, description="Hotels to return.")


class HotelRow(Row):
    """One hotel."""

    hotel_id: str
    name_ko: str
    name_en: str
    price_krw: int
    rating: float
    rooms_left: int
    as_of: UtcTime


TOOL = Tool(
    name="hotel_search",
    description_ko="도시의 호텔을 1박 요금, 평점, 남은 객실과 함께 찾습니다.",
    description_en="Finds the hotels of a city with price a night, rating and rooms left.",
    arguments=HotelSearchArguments,
    row=HotelRow,
    read=by_statement("hotel_search.v1", HotelRow),
    domain="travel",
    data_type="hotel",
)
