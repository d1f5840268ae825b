"""Makes the sample: the hotels as they stand in sample.yaml, and trains both ways at each hour of departure."""

from collections.abc import Iterator
from itertools import product

from hapju.plugin.tables import Block, Given, generated, load_yaml, naive_utc
from hapju_travel.data.tables import HOTELS, TRAINS

DATASETS = 1
_HOTEL = ("city", "name_ko", "name_en", "price_krw", "rating", "rooms_left")
_TRAIN = ("origin", "destination", "departs", "minutes", "fare_krw", "seats_left")


def blocks(given: Given) -> Iterator[Block]:
    """Yields the one data set: hotels and trains."""
    said, as_of = load_yaml(__package__, "sample.yaml"), naive_utc(given.hour)
    trains = [
        ("seoul", city, f"{hour:02}:00", minutes, fare, 40 + hour)
        if outward
        else (city, "seoul", f"{hour:02}:30", minutes, fare, 40 + hour)
        for city, fare, minutes, hours in said["trains"]
        for hour, outward in product(hours, (True, False))
    ]
    hotels = [dict(zip(_HOTEL, row, strict=True)) for row in said["hotels"]]
    rows = {
        HOTELS: [{"hotel_id": f"H-{n:03}", "as_of": as_of, **row} for n, row in enumerate(hotels, start=1)],
        TRAINS: [
            {"train_id": f"T-{n:03}", "as_of": as_of, **dict(zip(_TRAIN, row, strict=True))}
            for n, row in enumerate(trains, start=1)
        ],
    }
    yield Block(generated("sample_travel", "호텔과 기차(예시 데이터)", "Hotels and trains (sample)", given.hour), rows)
