"""travel.trains: trains between cities, a seat on one of them, and what the user has booked."""

from decimal import Decimal

from hapju.plugin import AgentSpec, Asking, Findings, Reading, Row, Source, Text, UtcTime, figure, name_rows
from hapju_travel.agents.listing import listed

CITIES = {row.id: row.name for row in name_rows("hapju_travel", "data/cities.yaml")}
KINDS = {"fare": "fare_krw", "travel_minutes": "minutes", "seats_left": "seats_left", "trip_total": "total_krw"}


class Train(Row):
    """What the agent reads of a train."""

    as_of: UtcTime
    train_id: str
    origin: str
    destination: str
    departs: str
    minutes: int
    fare_krw: int
    seats_left: int

    def subject(self, locale: str) -> str:
        """Returns when it leaves, and from where to where."""
        return f"{self.departs} {CITIES[self.origin].of(locale)}→{CITIES[self.destination].of(locale)}"


class Trip(Row):
    """What the agent reads of a booking."""

    as_of: UtcTime
    booking_id: str
    title: str
    total_krw: int

    def subject(self, locale: str) -> str:
        """Returns what was booked."""
        return self.title


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Returns the trains or the user's bookings; where a seat is to be booked, asks for one on the first train."""

    def told(row: Train | Trip) -> str:
        name = row.subject(asking.locale)
        sum_krw = figure(Decimal(row.total_krw if isinstance(row, Trip) else row.fare_krw), "krw", asking.locale)
        if isinstance(row, Trip):
            return asking.say(f"{name}: 예약 금액은 {sum_krw}입니다.", f"{name} was booked for {sum_krw}.")
        return asking.say(
            f"{name} 열차는 운임 {sum_krw}, 소요 시간 {row.minutes}분이고 남은 좌석은 {row.seats_left}석입니다.",
            f"{name}: fare {sum_krw}, {row.minutes} minutes, {row.seats_left} seats left.",
        )

    free = [row.train_id for one in readings for row in one.rows if isinstance(row, Train) and row.seats_left]
    return listed(readings, asking, told, KINDS, free[0] if free and asking.intent == "book_train" else "")


AGENT = AgentSpec(
    id="travel.trains",
    sources=(
        Source("train_search", Train, "train", Text("기차", "Trains"), ("origin", "destination")),
        Source("trip_list", Trip, "booking", Text("내 예약", "Bookings")),
    ),
    analyse=analyse,
    covers=Text(
        "서울과 주요 도시 사이의 기차를 찾을 수 있습니다.", "Trains between Seoul and the larger cities are covered."
    ),
    next_steps=(Text("타고 싶은 기차가 있으면 예매해 달라고 해 보세요.", "Ask to book the train that you like."),),
)
