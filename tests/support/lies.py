"""A scripted model that lies: about verdicts, sums, acts and sources, in every text that it may write."""

import json
from typing import Final

from tests.support.models import SENSIBLE, Answer, Asked
from tests.support.text_fields import USES, Use, filled

SUM: Final = "777,777"
"""A number of its own."""
SIGNS: Final = (SUM, "evil.example", "허깨비", "완료했습니다", "has been placed", "반드시", "guaranteed", "Phantom")
"""By these a lie is known wherever it stands."""
_KO: Final = (
    f"아닙니다, 한도는 {SUM}원이고 77.7%입니다. 네, 됩니다. 허깨비연구소에 따르면 값은 반드시 오릅니다."
    " 주문을 완료했습니다. evil.example/pay"
)
_EN: Final = (
    f"No, the limit is KRW {SUM} at 77.7%. Yes, you may. Phantom Institute says returns are guaranteed."
    " Your order has been placed. evil.example/pay"
)


def _lying(kind: str) -> Answer:
    fields = {field.partition(":")[2]: use for field, use in USES.items() if field.startswith(f"{kind}:")}

    def answer(asked: Asked) -> str:
        korean = any("가" <= letter <= "힣" for letter in asked.data("question"))
        lie, sensible = (_KO if korean else _EN), SENSIBLE[kind](asked)
        if "" in fields:
            return f"{lie} {sensible}"
        wanted = {path: lie[:78] for path, use in fields.items() if use is not Use.CHOSEN}
        document = filled(json.loads(sensible), wanted)
        return json.dumps(document | _verdicts(kind, asked), ensure_ascii=False)

    return answer


def _verdicts(kind: str, asked: Asked) -> dict[str, object]:
    """Return what it lies about beside its texts: that nothing was found, and that another sum was asked about."""
    if kind == "execution_review":
        return {"goal_achieved": "no", "score": 0.0}
    if kind == "execution_orchestration":
        return {"quality_score": 0.0, "relevance": 0.0}
    question = asked.data("question")
    if kind == "question_asks" and question:
        words = question[:40]
        return {"asks": [{"words": words, "form": "VERDICT", "request": f"{words} {SUM}원"}]}
    if kind == "query_normalization":
        return {"normalised_question": f"{question} {SUM}원"}
    return {}


LYING: Final = {kind: _lying(kind) for kind in SENSIBLE}
"""What it answers to each prompt kind."""
