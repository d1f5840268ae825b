"""What a question on shopping names: orders and products by their codes, goods by their words, and categories."""

from services.domains.commerce.codes import ORDER_ID, PRODUCT_CODE, read_order_ids, read_product_codes
from services.domains.commerce.goods import PRODUCT, read_goods
from services.plugin.entities import CODES, TERMS, EntityKind, name_rows, named_kind

KINDS = (
    EntityKind(ORDER_ID, read_order_ids, precedence=CODES, stands_for="번호"),
    EntityKind(PRODUCT_CODE, read_product_codes, precedence=CODES + 1, stands_for="번호"),
    named_kind("category", name_rows(__package__, "data/categories.yaml"), is_name=False, stands_for="물건"),
    # Any noun may be goods: only where goods are asked for are they named.
    EntityKind(PRODUCT, read_goods, precedence=TERMS, is_name=False, is_shared=False),
)
