"""A process that is killed while it acts.

    python -m tests.support.effect_child refund URL BACKEND FLOW_RUN_ID APPROVAL_ID     one refund of 20,000 KRW
    python -m tests.support.effect_child cart URL FLOW_RUN_ID PRODUCT_ID                pieces into the cart, one by one

It prints a line when it begins, and what the ledger tells, if it lives to.
"""

import asyncio
import sys

from services.tool_gateway.effects.backend import GrpcBackend
from services.tool_gateway.effects.key import EffectKey
from tests.support.shop import DELIVERED, open_shop

REFUND = {"order_id": DELIVERED, "reason": "고장났어요", "amount_krw": 20_000}


async def refund(url: str, address: str, flow_run_id: str, approval_id: str) -> None:
    """Do one refund whose money another system moves."""
    backend = GrpcBackend(address)
    shop = open_shop(url, backend)
    call = shop.call("REFUND_ORDER", REFUND, key=EffectKey(flow_run_id, "step-1", 0))
    _say("begins")
    _say(str(await shop.actions.execute(call, approval_id)))
    await backend.close()
    await shop.writer.close()


async def cart(url: str, flow_run_id: str, product_id: str) -> None:
    """Put pieces into the cart until there is no more room, each under a key of its own."""
    shop = open_shop(url)
    _say("begins")
    for ordinal in range(100):
        key = EffectKey(flow_run_id, "step-1", ordinal)
        await shop.actions.execute(shop.call("ADD_TO_CART", {"product_id": product_id}, key=key), "")
    await shop.writer.close()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(refund(*sys.argv[2:]) if sys.argv[1] == "refund" else cart(*sys.argv[2:]))
