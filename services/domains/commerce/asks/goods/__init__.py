"""Goods: those that meet conditions, the first of a class, what suits, models compared, one model, what a purchase costs.

words.py         what people say of goods
features.py      the properties of goods (features.yaml); wanted.py which of them a message wants or denies
conditions.py    conditions on figures, order, quantities
drafts.py        an ask as one message says it, with form and answerer
edits.py         a message that leans on what was told before
reading.py       the asks of a question
rows.py          the rows that meet an ask; saying.py how they are told
the others       one answerer or two each
"""

from typing import Final

from services.domains.commerce.asks.goods.comparing import compare
from services.domains.commerce.asks.goods.drafts import codes_in
from services.domains.commerce.asks.goods.lists import list_goods
from services.domains.commerce.asks.goods.missing import missing_calls, of_names, tell_missing, tell_none_shown
from services.domains.commerce.asks.goods.models import tell_model
from services.domains.commerce.asks.goods.ranks import rank_goods
from services.domains.commerce.asks.goods.reading import of_route, read, read_any
from services.domains.commerce.asks.goods.recommending import ask_which, recommend, recommend_calls
from services.domains.commerce.asks.goods.reviews import reviews_calls, tell_reviews
from services.domains.commerce.asks.goods.rows import goods_calls
from services.domains.commerce.asks.goods.subjects import AGENTS, GOODS, names_models
from services.domains.commerce.asks.goods.totals import total_calls, total_goods
from services.plugin.asks.answering import Answerer

__all__ = ["ANSWERERS", "codes_in", "names_models", "of_route", "read", "read_any"]

ANSWERERS: Final = (
    Answerer(f"{GOODS}list", AGENTS, of_names(list_goods), goods_calls),
    Answerer(f"{GOODS}rank", AGENTS, of_names(rank_goods), goods_calls),
    Answerer(f"{GOODS}recommend", ("commerce.reco_fit", *AGENTS), of_names(recommend), recommend_calls),
    Answerer(f"{GOODS}compare", ("commerce.price_compare", *AGENTS), compare, goods_calls),
    Answerer(f"{GOODS}one", AGENTS, tell_model, goods_calls),
    Answerer(f"{GOODS}total", AGENTS, total_goods, total_calls),
    Answerer(f"{GOODS}reviews", ("commerce.review_assistant", *AGENTS), tell_reviews, reviews_calls),
    Answerer(f"{GOODS}missing", AGENTS, tell_missing, missing_calls),
    Answerer(f"{GOODS}none_shown", AGENTS, tell_none_shown),
    Answerer(f"{GOODS}which", ("commerce.reco_fit", *AGENTS), ask_which),
)
