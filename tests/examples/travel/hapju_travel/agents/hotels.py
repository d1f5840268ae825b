"""travel.hotels: the hotels of a city, and a room in one of them."""

from decimal import Decimal

from hapju.plugin import AgentSpec, Asking, Findings, Reading, Row, Source, Text, UtcTime, figure, josa
from hapju_travel.agents.listing import listed


class Hotel(Row):
    """What the agent reads of a hotel."""

    as_of: UtcTime
    hotel_id: str
    name_ko: str
    name_en: str
    price_krw: int
    rating: Decimal
    rooms_left: int

    def subject(self, locale: str) -> str:
        """Returns its name."""
        return self.name_ko if locale == "ko" else self.name_en


def analyse(readings: tuple[Reading, ...], asking: Asking) -> Findings:
    """Returns the best rated hotels; where one is to be booked, asks for a room in the first that has one."""

    def told(hotel: Hotel) -> str:
        name, price = hotel.subject(asking.locale), figure(Decimal(hotel.price_krw), "krw", asking.locale)
        rating, left = hotel.rating, hotel.rooms_left
        return asking.say(
            f"{josa(name, '은/는')} 1박 {price}, 이용자 평점 {rating}점이고 남은 객실은 {left}개입니다.",
            f"{name}: {price} a night, guest rating {rating}, {left} rooms left.",
        )

    free = [row.hotel_id for one in readings for row in one.rows if isinstance(row, Hotel) and row.rooms_left]
    kinds = {"room_price": "price_krw", "guest_rating": "rating", "rooms_left": "rooms_left"}
    return listed(readings, asking, told, kinds, free[0] if free and asking.intent == "book_hotel" else "")


AGENT = AgentSpec(
    id="travel.hotels",
    sources=(Source("hotel_search", Hotel, "hotel", Text("호텔", "Hotels"), "city", limits=(("price_max", "krw"),)),),
    analyse=analyse,
    covers=Text("국내 주요 도시의 호텔을 찾을 수 있습니다.", "Hotels in the larger Korean cities are covered."),
    next_steps=(Text("마음에 드는 호텔이 있으면 예약해 달라고 해 보세요.", "Ask to book the one that you like."),),
)
