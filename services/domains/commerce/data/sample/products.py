"""Generated products of the invented brands in products.yaml, one offer each, with the words that find them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from services.domains.commerce.data.tables import OFFERS, PRODUCT_TOKENS, PRODUCTS
from services.domains.commerce.product_words import index_tokens
from services.plugin.data.sample import Block, Document, Row, generated, load_yaml, naive_utc, stream

PER_CATEGORY = 36
_PRICE_STEP_KRW = 100


@dataclass(frozen=True)
class _Shelf:
    """One category of products.yaml."""

    category: str
    entry: Mapping[str, Any]
    brands: Mapping[str, Any]
    size: int
    """Products on it."""


def products_block(as_of: datetime, per_category: int = PER_CATEGORY) -> Block:
    """Return the product data set: so many products in each category, offers priced as of `as_of`."""
    content = load_yaml(__package__, "products.yaml")
    products: list[Row] = []
    offers: list[Row] = []
    tokens: list[Row] = []
    for category, entry in content["categories"].items():
        shelf = _Shelf(category, entry, content["brands"], per_category)
        for product, offer in _products(shelf):
            products.append(product)
            offers.append({**offer, "as_of": naive_utc(as_of)})
            tokens.extend(_tokens(shelf, product))
    dataset = generated("sample_products", "상품과 판매가(예시 데이터)", "Products and offers (sample)", as_of)
    return Block(dataset, {PRODUCTS: products, OFFERS: offers, PRODUCT_TOKENS: tokens})


def product_documents(block: Block) -> list[Document]:
    """Return the products as search sees them: their names, and what their category is called and used for."""
    words = {
        category: " ".join(e["words"]) for category, e in load_yaml(__package__, "products.yaml")["categories"].items()
    }
    return [
        Document(
            document_id=row["product_id"],
            fields=((f"{row['name_ko']} {row['name_en']}", 1.0), (words[row["category"]], 0.5)),
            meaning=words[row["category"]],
        )
        for row in block.rows[PRODUCTS]
    ]


def _products(shelf: _Shelf) -> Iterator[tuple[Row, Row]]:
    random = stream(f"products/{shelf.category}")
    # The cheapest and the dearest lie at the ends of the range, whatever the axes say of those between.
    positions = np.linspace(0, 1, shelf.size)
    for number, position in enumerate(positions, start=1):
        chosen = _chosen(shelf, number, random)
        product = _product(shelf, number, chosen, random)
        factor = float(np.prod([value.get("factor", 1.0) for value in chosen.values()]))
        yield product, _offer(shelf, product["product_id"], float(position), factor, random)


def _chosen(shelf: _Shelf, number: int, random: np.random.Generator) -> dict[str, Mapping[str, Any]]:
    """Take one value of each axis: the first axis in turn, so that each of its values is well stocked."""
    axes = list(shelf.entry["axes"].items())
    first, values = axes[0]
    chosen = {first: values[number % len(values)]}
    chosen.update({name: options[int(random.integers(len(options)))] for name, options in axes[1:]})
    return chosen


def _product(shelf: _Shelf, number: int, chosen: Mapping[str, Mapping[str, Any]], random: np.random.Generator) -> Row:
    brand = shelf.brands[shelf.entry["brands"][int(random.integers(len(shelf.entry["brands"])))]]
    line = shelf.entry["lines"][int(random.integers(len(shelf.entry["lines"])))]
    names = {
        language: " ".join(
            part
            for part in (
                brand[language],
                f"{line[language]} {shelf.category[0].upper()}{number * 10}",
                *(value[language] for name, value in chosen.items() if name != "colour"),
                shelf.entry[language],
                chosen["colour"][language] if "colour" in chosen else "",
            )
            if part
        )
        for language in ("ko", "en")
    }
    return {
        "product_id": f"{shelf.category.upper().replace('_', '-')}-{number:04d}",
        "name_ko": names["ko"],
        "name_en": names["en"],
        "brand_ko": brand["ko"],
        "brand_en": brand["en"],
        "category": shelf.category,
        "attributes": json.dumps({name: value["value"] for name, value in chosen.items()}, sort_keys=True),
    }


def _offer(shelf: _Shelf, product_id: str, position: float, factor: float, random: np.random.Generator) -> Row:
    low, high = shelf.entry["price"]
    wanted = low * (high / low) ** position * factor * float(np.exp(random.normal(0, 0.05)))
    list_price = _to_step(min(max(wanted, low), high))
    discount = int(random.choice((0, 0, 5, 10, 15, 20, 30)))
    return {
        "offer_id": f"{product_id}-1",
        "product_id": product_id,
        "list_price_krw": list_price,
        "discount_percent": discount,
        "price_krw": _to_step(list_price * (100 - discount) / 100),
        "rating": round(float(random.uniform(3.2, 4.9)), 1),
        "review_count": int(np.exp(random.uniform(1, 8))),
        "stock": int(random.choice((0, 3, 12, 40, 150, 400))),
    }


def _to_step(price_krw: float) -> int:
    return round(price_krw / _PRICE_STEP_KRW) * _PRICE_STEP_KRW


def _tokens(shelf: _Shelf, product: Row) -> Iterator[Row]:
    """Yield one row a token of names, category words and the compounds that people write without a space."""
    axis_words = [word for word in product["name_ko"].split() if word not in product["brand_ko"]]
    compounds = [f"{word}{shelf.entry['ko']}" for word in axis_words]
    words = [product["name_ko"], product["name_en"], *shelf.entry["words"], *compounds]
    for token in sorted(index_tokens(" ".join(words))):
        yield {"token": token, "product_id": product["product_id"]}
