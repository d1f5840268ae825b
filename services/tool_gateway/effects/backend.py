"""Money outside our own database: asked once, and where no answer came, settled and never asked again."""

import hashlib
from typing import Any, Final, Protocol

import grpc

from hapju.tool.v1 import effect_backend_service_pb2 as pb
from hapju.tool.v1 import effect_backend_service_pb2_grpc as pb_grpc
from services.contract.mapping import ContractViolation, from_proto, to_proto
from services.contract.tool import (
    PerformEffectRequest,
    PerformEffectResponse,
    SettleEffectRequest,
    SettleEffectResponse,
)
from services.plugin.tools.effect import Money
from services.runtime.calls import bare_channel
from services.runtime.transport import Transport

SETTLE_SECONDS: Final = 5.0
"""How long a backend is waited for when an outcome is asked for."""
# The peer refused before it did anything, by its own word: everything else may have been done.
_NOT_DONE: Final = frozenset(
    {
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNIMPLEMENTED,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.UNAUTHENTICATED,
    }
)


class OutcomeUnknown(Exception):
    """The backend was asked and gave no answer that tells what it did."""


class EffectBackend(Protocol):
    """A system that moves money."""

    async def perform(self, effect_key: str, money: Money, timeout_seconds: float) -> PerformEffectResponse:
        """Move money once for the key.

        Raises:
            OutcomeUnknown: It may have been done.
        """

    async def settle(self, effect_key: str) -> SettleEffectResponse:
        """Return what was done for the key; nothing more will be.

        Raises:
            OutcomeUnknown: It could not be asked.
        """

    async def close(self) -> None:
        """Close the connection."""


class GrpcBackend:
    """A backend that implements hapju.tool.v1.EffectBackendService.

    Args:
        address: Where it listens, host:port.
        transport: Opens the channel; in the clear by default.
    """

    def __init__(self, address: str, transport: Transport | None = None) -> None:
        self._channel = bare_channel(address, transport)
        # The generated stub is typed for blocking calls; over this channel its calls are awaited.
        self._stub: Any = pb_grpc.EffectBackendServiceStub(self._channel)

    async def perform(self, effect_key: str, money: Money, timeout_seconds: float) -> PerformEffectResponse:
        """See `EffectBackend`."""
        asked = PerformEffectRequest(effect_key, money.kind, money.amount_krw, money.order_id, request_digest(money))
        try:
            reply = await self._stub.PerformEffect(to_proto(asked, pb.PerformEffectRequest), timeout=timeout_seconds)
            return from_proto(reply, PerformEffectResponse)
        except grpc.aio.AioRpcError as error:
            if error.code() in _NOT_DONE:
                return PerformEffectResponse(done=False, reference="", reason=error.code().name)
            raise OutcomeUnknown(error.code().name) from error
        except ContractViolation as error:
            raise OutcomeUnknown("the reply breaks the contract") from error

    async def settle(self, effect_key: str) -> SettleEffectResponse:
        """See `EffectBackend`."""
        asked = to_proto(SettleEffectRequest(effect_key), pb.SettleEffectRequest)
        try:
            return from_proto(await self._stub.SettleEffect(asked, timeout=SETTLE_SECONDS), SettleEffectResponse)
        except (grpc.aio.AioRpcError, ContractViolation) as error:
            raise OutcomeUnknown("the backend could not be asked") from error

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()


def request_digest(money: Money) -> str:
    """Return the digest by which a backend knows a repetition from another request under the same key."""
    return hashlib.sha256(f"{money.kind}\x00{money.amount_krw}\x00{money.order_id}".encode()).hexdigest()
