"""BOOK_TRIP: books rooms of a hotel or seats on a train for the calling user, once and only after their word."""

from pydantic import Field
from sqlalchemy import select

from hapju import plugin
from hapju_travel.data.tables import BOOKINGS, HOTELS, TRAINS
from hapju_travel.tools.trip_list import TripRow


class BookTripArguments(plugin.Arguments):
    """What is booked."""

    item_id: plugin.Identifier = Field(description="Id of the hotel or the train.")
    quantity: plugin.Quantity = Field(default=1, description="Rooms or seats.")


def _book(arguments: BookTripArguments, scope: plugin.Scope) -> plugin.Applied:
    is_hotel = arguments.item_id.startswith("H-")
    table, key, left = (HOTELS, "hotel_id", "rooms_left") if is_hotel else (TRAINS, "train_id", "seats_left")
    found = table.c[key] == arguments.item_id
    item = scope.connection.execute(select(table).where(found).with_for_update()).mappings().one_or_none()
    if item is None:
        raise plugin.Missing("item_id", f"there is no hotel or train {arguments.item_id}")
    if item[left] < arguments.quantity:
        raise plugin.RuleViolated("quantity", f"only {item[left]} are left")
    scope.connection.execute(table.update().where(found).values({left: item[left] - arguments.quantity}))
    row = TripRow(
        booking_id=f"B-{scope.effect_key}",
        kind="hotel" if is_hotel else "train",
        title=item["name_ko"] if is_hotel else f"{item['departs']} {item['origin']}-{item['destination']}",
        quantity=arguments.quantity,
        total_krw=(item["price_krw"] if is_hotel else item["fare_krw"]) * arguments.quantity,
        as_of=scope.now,
    )
    stored = {**row.model_dump(), **scope.owner, "as_of": scope.moment, "dataset_id": item["dataset_id"]}
    scope.connection.execute(BOOKINGS.insert(), stored)
    item_shown, count = plugin.target("item", row.title), plugin.quantity("quantity", row.quantity)
    return plugin.Applied(row, (item_shown, count, plugin.money_krw("amount", row.total_krw)))


TOOLS = (
    plugin.Tool(
        name="trip_book",
        description_ko="호텔 객실이나 기차 좌석을 예약합니다.",
        description_en="Books rooms of a hotel or seats on a train.",
        arguments=BookTripArguments,
        row=TripRow,
        effect=plugin.Effect(
            "BOOK_TRIP",
            _book,
            confirmation_required=True,
            labels={
                "item": plugin.Text("예약 대상", "Booked"),
                "quantity": plugin.Text("수량", "Quantity"),
                "amount": plugin.Text("금액", "Amount"),
            },
        ),
        domain="travel",
        data_type="booking",
        side_effect=plugin.SideEffect.REVERSIBLE,
        idempotency_key=plugin.KEY_PARTS,
    ),
)
