"""Whether an action may be tried at all: the checks in their order.

known type -> schema -> types and ranges -> role      here, before any transaction
ownership -> rules of the business -> confirmation     inside the transaction that would do it
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from services.contract.tool import ToolFailure
from services.plugin.tools.effect import Effect, Shown
from services.plugin.tools.tool import Arguments, Tool, canonical
from services.runtime.identity import Caller
from services.tool_gateway.arguments import ArgumentsRefused, parse_arguments, refusal
from services.tool_gateway.effects.key import EffectKey
from services.tool_gateway.registry import Registry

CONDUCTOR: Final = "orchestrator"
"""The service that does what agents asked for, once the user has approved it."""


@dataclass(frozen=True, slots=True)
class ActionCall:
    """One action that is asked for."""

    key: EffectKey
    """Under which it happens once."""
    session_id: str
    """The conversation."""
    locale: str
    """Language of what is shown, ko or en."""
    action_type: str
    """Its type."""
    arguments_json: bytes
    """Its arguments."""
    arguments_schema_id: str
    """Schema that they follow."""
    caller: Caller
    """The user, and the service that calls for them."""


@dataclass(frozen=True, slots=True)
class AdmittedAction:
    """An action that may be tried."""

    call: ActionCall
    """What was asked for."""
    tool: Tool
    """The tool that does it."""
    effect: Effect
    """Its effect."""
    arguments: Arguments
    """The arguments, typed."""
    canonical: bytes
    """The same in canonical form."""

    @property
    def arguments_digest(self) -> str:
        """What has to be equal under an equal key: tool, arguments and user, whatever version the tool has now."""
        return digest_of(tool=self.tool.name, arguments=self.canonical.decode(), **_user(self.call.caller))

    def action_digest(self, shown: tuple[Shown, ...]) -> str:
        """Return the digest that an approval is bound to: exact tool, arguments, what is shown, user and session."""
        return digest_of(
            tool=self.tool.name,
            version=self.tool.version,
            definition=self.tool.digest,
            arguments=self.canonical.decode(),
            shown=[[field.name, field.kind, field.number, field.text] for field in shown],
            session_id=self.call.session_id,
            **_user(self.call.caller),
        )


class ActionAdmission:
    """Decides on actions before they touch the database.

    Args:
        registry: The tools.
        grants: The tools of each agent by its catalog name, those of its actions included.
    """

    def __init__(self, registry: Registry, grants: Mapping[str, frozenset[str]]) -> None:
        self._grants = grants
        self._tools = {tool.effect.action_type: tool for tool in registry if tool.effect is not None}

    def tool_of(self, action_type: str) -> Tool | None:
        """Return the tool that does actions of a type, or None."""
        return self._tools.get(action_type)

    def admit(self, call: ActionCall) -> AdmittedAction | ToolFailure:
        """Return the action with its typed arguments, or why it may not be tried."""
        tool = self._tools.get(call.action_type)
        if tool is None or tool.effect is None:
            known = ", ".join(sorted(self._tools))
            return refusal("UNKNOWN_ACTION_TYPE", "action_type", f"{call.action_type[:50]!r}; known: {known}")
        try:
            arguments = parse_arguments(tool, call.arguments_schema_id, call.arguments_json)
        except ArgumentsRefused as refused:
            return refused.failure
        denied = self._denied(tool, call.caller)
        return denied or AdmittedAction(call, tool, tool.effect, arguments, canonical(arguments))

    def _denied(self, tool: Tool, caller: Caller) -> ToolFailure | None:
        if caller.service != CONDUCTOR and tool.name not in self._grants.get(caller.service, frozenset()):
            who = caller.service or "a caller that is no agent"
            return refusal("UNAUTHORIZED_ACTION", "action_type", f"{who} may not ask for it")
        return user_denied(tool, caller)


def user_denied(tool: Tool, caller: Caller) -> ToolFailure | None:
    """Return why a user may not use a tool with an effect, or None where they may."""
    if not caller.is_logged_in:
        return refusal("UNAUTHORIZED_ACTION", "", "the user has to log in first")
    if tool.required_role and tool.required_role not in {*caller.roles, caller.user_type}:
        return refusal("UNAUTHORIZED_ACTION", "", f"{tool.name} needs the role {tool.required_role}")
    return None


def digest_of(**parts: Any) -> str:
    """Return the SHA-256 of named parts, 64 hexadecimal digits."""
    document = json.dumps(parts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(document.encode()).hexdigest()


def _user(caller: Caller) -> dict[str, str]:
    return {"tenant": caller.tenant, "user_id": caller.user_id}
