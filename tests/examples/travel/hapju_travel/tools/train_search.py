"""train_search: the trains between two cities, by the time at which they leave."""

from pydantic import Field

from hapju.plugin import Arguments, Row, Tool, UtcTime, by_statement
from hapju_travel.tools.hotel_search import City


class TrainSearchArguments(Arguments):
    """Where a train leaves and where it goes."""

    origin: City = Field(description="Id of the city in which it leaves.")
    destination: City = Field(description="Id of the city to which it goes.")
    limit: int = Field(default=6, ge=1, le=20, description="Trains to return.")


class TrainRow(Row):
    """One train."""

    train_id: str
    origin: str
    destination: str
    departs: str
    minutes: int
    fare_krw: int
    seats_left: int
    as_of: UtcTime


TOOL = Tool(
    name="train_search",
    description_ko="두 도시 사이의 기차를 출발 시각, 운임, 남은 좌석과 함께 찾습니다.",
    description_en="Finds the trains between two cities with time, fare and seats left.",
    arguments=TrainSearchArguments,
    row=TrainRow,
    read=by_statement("train_search.v1", TrainRow),
    domain="travel",
    data_type="train",
)
