"""product_search: products whose words answer a question, with their offers."""

import json
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, model_validator

from services.contract.tool import ToolCost
from services.domains.commerce.product_words import QueryWord, fold, query_words
from services.plugin.tools.reads import Exact, Floor, ReadResult, Reads, Row, UtcTime
from services.plugin.tools.tool import Arguments, Tool
from services.plugin.wording import Text

_PRICE_MAX_KRW: Final = 100_000_000
_IDS_MAX: Final = 48
_HANGUL_WORDS_MIN: Final = 2
_LATIN_WORDS_MIN: Final = 3
# A product's vector is that of its kind, so that a lower likeness than elsewhere tells the kind.
_MEANING_FLOOR: Final = Floor(word_share=0.5, likeness=0.38, together=0.6)

Category = Literal[
    "earphones",
    "laptop",
    "tablet",
    "smartphone",
    "monitor",
    "keyboard",
    "mouse",
    "speaker",
    "smartwatch",
    "vacuum",
    "air_purifier",
    "rice_cooker",
    "coffee_machine",
    "sneakers",
    "backpack",
    "desk",
    "chair",
    "supplement",
]


class ProductSearchArguments(Arguments):
    """What is looked for, and within which limits."""

    query: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] = Field(
        description="Words that the product must bear, Korean or English, for example 무선 이어폰."
    )
    category: Category | None = Field(default=None, description="Only this category.")
    price_min: int | None = Field(default=None, ge=0, le=_PRICE_MAX_KRW, description="Lowest price in KRW, inclusive.")
    price_max: int | None = Field(default=None, ge=0, le=_PRICE_MAX_KRW, description="Highest price in KRW, inclusive.")
    brand: Annotated[str, StringConstraints(strip_whitespace=True, max_length=40), AfterValidator(fold)] | None = Field(
        default=None, description="Only this brand, by its Korean or English name."
    )
    limit: int = Field(default=20, ge=1, le=100, description="Products to return, in stock and best rated first.")

    @model_validator(mode="after")
    def _narrows(self) -> "ProductSearchArguments":
        if self.price_min is not None and self.price_max is not None and self.price_min > self.price_max:
            raise ValueError("price_min lies above price_max")
        if not self.query and not self.category and not self.brand:
            raise ValueError("query is empty, and neither category nor brand narrows the search")
        return self


def _attributes(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value


class ProductSearchRow(Row):
    """One product with its offer."""

    product_id: str
    """Id of the product."""
    name_ko: str
    """Name for Korean readers."""
    name_en: str
    """Name for English readers."""
    brand_ko: str
    """Brand for Korean readers."""
    brand_en: str
    """Brand for English readers."""
    category: Category
    """Category."""
    attributes: Annotated[dict[str, str | int | bool], BeforeValidator(_attributes)]
    """Properties by name, for example {"connection": "wireless"}."""
    offer_id: str
    """Id of the offer."""
    list_price_krw: int
    """Price before the discount."""
    discount_percent: int
    """Discount on the list price."""
    price_krw: int
    """Price to pay."""
    rating: Exact
    """Mean rating, 1 to 5."""
    review_count: int
    """Reviews that the rating rests on."""
    stock: int
    """Pieces in stock; 0 is sold out."""
    as_of: UtcTime
    """When price and stock were read."""

    def subject(self, locale: str) -> str:
        """Return the product's name."""
        return self.name_ko if locale == "ko" else self.name_en


async def _read(arguments: ProductSearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    words = query_words(arguments.query)
    asked = _asked(words)
    reading = await reads.read(
        "product_search.v1",
        ProductSearchRow,
        {**asked, "word_count": len(words), **_limits(arguments)},
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )
    known = await reads.records("product_words.v1", asked, rows_max=len(words) + 1, timeout_seconds=timeout_seconds)
    numbers = {record["word"] for record in known}
    unknown = [word.text for number, word in enumerate(words, start=1) if number not in numbers]
    if not numbers and _describes(words):
        by_meaning = await _by_meaning(arguments, reads, timeout_seconds)
        if by_meaning.rows:
            return replace(by_meaning, note=f"no product bears {', '.join(unknown)}; these are close in meaning")
    return replace(reading, note=_note(reading, unknown, all_unknown=bool(words) and not numbers))


def _describes(words: tuple[QueryWord, ...]) -> bool:
    """Return whether words are enough to tell a meaning: one alone may be a name, or no word at all."""
    hangul = sum(not word.text.isascii() for word in words)
    return hangul >= _HANGUL_WORDS_MIN or (not hangul and len(words) >= _LATIN_WORDS_MIN)


def _limits(arguments: ProductSearchArguments) -> dict[str, Any]:
    return {
        "category": arguments.category or "",
        "brand": arguments.brand or "",
        "price_min_krw": 0 if arguments.price_min is None else arguments.price_min,
        "price_max_krw": _PRICE_MAX_KRW if arguments.price_max is None else arguments.price_max,
    }


async def _by_meaning(arguments: ProductSearchArguments, reads: Reads, timeout_seconds: float) -> ReadResult:
    """Return products whose kind is what the words describe, for words that no product bears."""
    hits = await reads.finder.find("products", arguments.query, timeout_seconds=timeout_seconds, floor=_MEANING_FLOOR)
    ids = [hit.document_id for hit in hits[:_IDS_MAX]] or [""]
    return await reads.read(
        "products_by_id.v1",
        ProductSearchRow,
        {"ids": ids, **_limits(arguments)},
        rows_max=arguments.limit,
        timeout_seconds=timeout_seconds,
    )


def _asked(words: tuple[QueryWord, ...]) -> dict[str, list[Any]]:
    pairs = [(token, number) for number, word in enumerate(words, start=1) for token in word.tokens] or [("", 0)]
    return {"tokens": [token for token, _ in pairs], "word_numbers": [number for _, number in pairs]}


def _note(reading: ReadResult, unknown: list[str], *, all_unknown: bool) -> str:
    notes = [reading.note] if reading.note else []
    if all_unknown:
        notes.append(f"no product bears any of these words: {', '.join(unknown)}")
    elif unknown:
        notes.append(f"no product bears these words, they were left out: {', '.join(unknown)}")
    if not reading.rows and not all_unknown:
        notes.append("products with these words exist only outside the other limits, or never together")
    return "; ".join(notes)


TITLE: Final = Text("상품", "Products")
"""What a user calls its rows."""
TOOL = Tool(
    name="product_search",
    description_ko="낱말, 분류, 가격, 브랜드로 상품을 찾아 판매가, 평점, 재고와 함께 돌려줍니다.",
    description_en="Finds products by words, category, price and brand, with price, rating and stock.",
    arguments=ProductSearchArguments,
    title=TITLE,
    row=ProductSearchRow,
    read=_read,
    domain="commerce",
    data_type="product",
    cost=ToolCost.MEDIUM,
    typical_seconds=1.0,
    quality_prior=0.85,
    timeout_seconds=5,
    concurrency_max=8,
)
