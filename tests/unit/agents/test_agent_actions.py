"""What an agent wants done stands in its result as its own user will be asked for it."""

import json

from services.agents.outcome import result_of
from services.agents.registry import spec_of
from services.plugin.findings import Findings, action_request


def test_a_wish_is_a_part_of_the_result() -> None:
    """An action that an agent wants is handed on with its arguments and the schema that they are held against."""
    wish = action_request("CREATE_ORDER", "order_create", product_id="P-1", quantity=2)
    assert json.loads(wish.arguments_json) == {"product_id": "P-1", "quantity": 2}
    assert wish.arguments_schema_id == "hapju.tool.order_create.arguments.v1"
    found = Findings(summary="준비했습니다.", rows_used=1, actions=(wish,))
    assert result_of(spec_of("general.general_knowledge"), "s1", "ko", (), found).action_requests == (wish,)
