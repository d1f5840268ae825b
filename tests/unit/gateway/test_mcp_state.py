"""What an MCP client sends back as a state is its own writing: it is one of ours, or it is refused."""

import json

import pytest

from gateway.http.door import Refusal
from gateway.mcp.asking import state_in

FLOW = "01890a5d-ac96-774b-bcce-b302099a8057"


def test_a_state_of_ours_is_read() -> None:
    """The flow, the conversation, the sequence and what was shown come back as they were given."""
    state = json.dumps([FLOW, "s-1", 7, {"q-1": "ab12"}])
    assert state_in(state) == (FLOW, "s-1", 7, {"q-1": "ab12"})


@pytest.mark.parametrize(
    "state",
    [
        *("", "[", "null", "[1, 2, 3, 4]", "[" * 5_000, "{}"),
        f'["{FLOW}", "s-1", Infinity, {{}}]',
        f'["{FLOW}", "s-1", 1e300, {{}}]',
        f'["{FLOW}", "s-1", -1, {{}}]',
        f'["{FLOW}", "s-1", {"9" * 40}, {{}}]',
        f'["{FLOW}", "s-1", true, []]',
        f'["{FLOW}", "s 1", 1, {{}}]',
        '["\\ud800", "s-1", 1, {}]',
        f'["{FLOW}", "s-1", 1, {{"q": "\\ud800"}}]',
        f'["{FLOW}", "s-1", 1, {{"q": null}}]',
    ],
)
def test_any_other_is_refused(state: str) -> None:
    """No number that is none, no name that cannot be written and no depth comes further than the door."""
    with pytest.raises(Refusal):
        state_in(state)
