"""The keys that client tokens are verified with: given as they are, in a file, or at the identity provider's address.

A file that changes is read again. At an address the keys are fetched when the gateway starts, every five minutes, and
soon after a token names a key that is not known: providers publish a new key before they sign with it, and withdraw an
old one when its last token is over. While the provider is away the keys that are known go on to hold.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import jwt
import structlog

from services.runtime.settings import SettingsError

REFRESH_SECONDS: Final = 300.0
"""How often the keys are looked at again."""
WANTED_SECONDS_MIN: Final = 10.0
"""How long after a look the next one may come that an unknown key asks for: strangers can name any."""
FETCH_SECONDS_MAX: Final = 1.5
"""How long the provider may take."""
KEYS_BYTES_MAX: Final = 1_000_000
"""A longer answer is no key set."""
_OK: Final = 200

_log = structlog.get_logger(__name__)


class KeySet:
    """Keys by their id.

    Args:
        given: A JWK set as JSON, a path to one, or an http(s) address of one.

    Raises:
        SettingsError: What is given is no usable set. An address is not asked here.
    """

    def __init__(self, given: str) -> None:
        self._given = given.strip()
        if not self._given:
            raise SettingsError("HAPJU_JWT_KEYS is required under HAPJU_AUTH_MODE=jwt: a JWK set, a path or an address")
        self._is_remote = self._given.startswith(("https://", "http://"))
        self._keys: Mapping[str, jwt.PyJWK] = {} if self._is_remote else _keys_in(self._read())
        self._wanted = asyncio.Event()

    @property
    def are_known(self) -> bool:
        """Whether there is any key."""
        return bool(self._keys)

    @property
    def by_id(self) -> Mapping[str, jwt.PyJWK]:
        """The keys that are known."""
        return self._keys

    def get(self, kid: str) -> jwt.PyJWK | None:
        """Return the key of an id; None for an unknown one, which has the source looked at again soon."""
        found = self._keys.get(kid)
        if found is None:
            self._wanted.set()
        return found

    async def refresh(self) -> None:
        """Look at the source again; where it cannot be read the known keys stay."""
        try:
            text = await self._fetched() if self._is_remote else await asyncio.to_thread(self._read)
            keys = _keys_in(text)
        except SettingsError as unusable:
            _log.warning("keys of tokens cannot be read again", why=str(unusable))
            return
        except Exception:  # noqa: BLE001 - whatever a provider answers, the keys are looked at again later
            _log.exception("keys of tokens cannot be read again")
            return
        if keys.keys() != self._keys.keys():
            _log.info("keys of tokens renewed", kids=sorted(keys))
        self._keys = keys

    async def keep_fresh(self) -> None:
        """Refresh until cancelled."""
        while True:
            self._wanted.clear()
            await asyncio.sleep(min(WANTED_SECONDS_MIN, REFRESH_SECONDS))
            try:
                async with asyncio.timeout(max(0.0, REFRESH_SECONDS - WANTED_SECONDS_MIN)):
                    await self._wanted.wait()
            except TimeoutError:
                pass
            await self.refresh()

    def _read(self) -> str:
        if self._given.startswith("{"):
            return self._given
        try:
            return Path(self._given).read_text(encoding="utf-8")
        except (OSError, ValueError) as unreadable:
            raise SettingsError(f"HAPJU_JWT_KEYS cannot be read: {type(unreadable).__name__}") from unreadable

    async def _fetched(self) -> str:
        # Imported here: a gateway that is given its keys loads no HTTP client.
        from aiohttp import ClientError, ClientSession, ClientTimeout  # noqa: PLC0415

        limit = ClientTimeout(total=FETCH_SECONDS_MAX)
        try:
            async with ClientSession() as session, session.get(self._given, timeout=limit) as response:
                if response.status != _OK:
                    raise SettingsError(f"the provider answers with HTTP {response.status}")
                body = await response.content.read(KEYS_BYTES_MAX + 1)
        except (ClientError, TimeoutError) as away:
            raise SettingsError(f"the provider does not answer: {type(away).__name__}") from away
        if len(body) > KEYS_BYTES_MAX:
            raise SettingsError(f"the provider's answer is over {KEYS_BYTES_MAX} bytes")
        return body.decode("utf-8", "replace")


def _keys_in(text: str) -> dict[str, jwt.PyJWK]:
    try:
        document: Any = json.loads(text)
        keys = jwt.PyJWKSet.from_dict(document).keys
    except (ValueError, AttributeError, jwt.PyJWTError) as unusable:
        raise SettingsError(f"HAPJU_JWT_KEYS holds no usable JWK set: {type(unusable).__name__}") from unusable
    if any(not key.key_id for key in keys):
        raise SettingsError("HAPJU_JWT_KEYS: every key needs a kid")
    return {str(key.key_id): key for key in keys}
