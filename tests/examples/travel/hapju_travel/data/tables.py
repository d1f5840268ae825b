"""The tables of travel: hotels with rooms, trains with seats, and what users have booked."""

from typing import Any

from sqlalchemy import Column, DateTime, Float, Integer, String, Table

from hapju.plugin.tables import KEPT, METADATA, dataset_column, owner_columns


def _text(name: str, characters: int = 20, **said: Any) -> Column[Any]:
    return Column(name, String(characters), nullable=False, **said)


def _numbers(*names: str) -> list[Column[Any]]:
    return [Column(name, Integer, nullable=False) for name in names]


def _table(name: str, *columns: Column[Any], **said: Any) -> Table:
    return Table(name, METADATA, *columns, Column("as_of", DateTime, nullable=False), dataset_column(), **said)


HOTELS = _table(
    "travel_hotels",
    *(_text("hotel_id", primary_key=True), _text("city", index=True), _text("name_ko", 60), _text("name_en", 60)),
    *_numbers("price_krw", "rooms_left"),
    Column("rating", Float, nullable=False),
)
TRAINS = _table(
    "travel_trains",
    *(_text("train_id", primary_key=True), _text("origin", index=True), _text("destination"), _text("departs")),
    *_numbers("minutes", "fare_krw", "seats_left"),
)
BOOKINGS = _table(
    "travel_bookings",
    *(_text("booking_id", 80, primary_key=True), *owner_columns(), _text("kind")),
    *(_text("title", 80), *_numbers("quantity", "total_krw")),
    info={KEPT: True},
)
