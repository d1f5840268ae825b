"""`hapju keys` and `hapju token`: keys and tokens to try a deployment under jwt with.

hapju keys new --at ./keys                                      a private key, and the set that verifies its tokens
hapju token mint --key ./keys/private.json --user mina          a token
hapju token check TOKEN --keys ./keys/jwks.json                 who it is for, or why it does not hold
"""

import asyncio
import json
from pathlib import Path
from time import time
from typing import Annotated, Any, Final

import typer

from services.cli import options, output
from services.cli.problems import ExitCode, Problem, usage

keys_app = typer.Typer(
    name="keys", help="Make keys that client tokens are signed and verified with.", no_args_is_help=True
)
token_app = typer.Typer(name="token", help="Sign and check client tokens.", no_args_is_help=True)

SECONDS_MAX: Final = 30 * 24 * 3600
"""How long a token may hold that is signed here."""
PRIVATE: Final = "private.json"
PUBLIC: Final = "jwks.json"

KeysPath = Annotated[
    str,
    typer.Option(
        "--keys",
        parser=options.utf8,
        metavar="SET",
        help="A JWK set, its path or its address.",
        show_default="HAPJU_JWT_KEYS",
    ),
]


@keys_app.command(name="new")
def new(
    *,
    at: Annotated[Path, typer.Option("--at", metavar="DIR", help="Folder to write private.json and jwks.json to.")],
    kid: Annotated[str, typer.Option(parser=options.utf8, metavar="ID", help="The key's id.")] = "hapju-1",
) -> None:
    """Make an ES256 key; an older set in the folder keeps its keys, so that their tokens still hold."""
    import jwt  # noqa: PLC0415 - help does without cryptography
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415 - as above

    made = ec.generate_private_key(ec.SECP256R1())
    described = {"kid": kid, "alg": "ES256", "use": "sig"}
    public = {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(made.public_key())), **described}
    private = {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(made)), **described}
    at.mkdir(parents=True, exist_ok=True)
    known = _set_in(at / PUBLIC)
    if any(one.get("kid") == kid for one in known):
        raise usage("--kid", f"{kid!r} is in {at / PUBLIC} already; name another")
    secret = at / PRIVATE
    secret.touch(mode=0o600)
    secret.chmod(0o600)
    secret.write_text(json.dumps(private, indent=2), encoding="utf-8")
    (at / PUBLIC).write_text(json.dumps({"keys": [*known, public]}, indent=2), encoding="utf-8")
    output.print_line(f"{secret}\n{at / PUBLIC}")


def _set_in(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    try:
        return list(json.loads(path.read_text(encoding="utf-8"))["keys"])
    except (ValueError, KeyError, TypeError) as unusable:
        raise usage("--at", f"{path} is no JWK set") from unusable


@token_app.command()
def mint(  # noqa: PLR0913 - one argument a claim
    *,
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The private key, as `hapju keys new` writes it.")],
    user: Annotated[str, typer.Option("--user", parser=options.utf8, metavar="ID", help="The user.")],
    user_type: options.UserTypeOption = None,
    tenant: Annotated[str, typer.Option(parser=options.utf8, metavar="ID", help="The user's tenant.")] = "default",
    role: Annotated[list[str], typer.Option("--role", metavar="NAME", help="A role; repeat it for several.")] = [],  # noqa: B006 - Typer's own form
    audience: Annotated[str, typer.Option(metavar="NAME", help="Whom the token is for.")] = "hapju",
    issuer: Annotated[str, typer.Option(metavar="NAME", help="Who issues it.", show_default="none")] = "",
    seconds: Annotated[int, typer.Option(min=1, max=SECONDS_MAX, metavar="N", help="How long it holds.")] = 3600,
) -> None:
    """Print a token for a user, signed with a key of yours."""
    import jwt  # noqa: PLC0415 - as above

    signing = _private(key)
    now = int(time())
    claims: dict[str, Any] = {"sub": user, "tenant": tenant, "aud": audience, "iat": now, "exp": now + seconds}
    claims |= {"user_type": user_type or "", "roles": list(role)}
    claims |= {"iss": issuer} if issuer else {}
    output.print_line(jwt.encode(claims, signing.key, signing.algorithm_name, headers={"kid": signing.key_id or ""}))


def _private(path: Path) -> Any:
    import jwt  # noqa: PLC0415 - as above

    try:
        return jwt.PyJWK.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, jwt.PyJWTError) as unusable:
        raise usage("--key", f"{path} is no private JWK: {type(unusable).__name__}") from unusable


@token_app.command()
def check(
    token: Annotated[str, typer.Argument(parser=options.utf8, metavar="TOKEN", help="The token.", show_default=False)],
    *,
    keys: KeysPath = "",
    audience: Annotated[str, typer.Option(metavar="NAME", help="Whom it must be for.")] = "hapju",
    issuer: Annotated[str, typer.Option(metavar="NAME", help="Who must have issued it.", show_default="any")] = "",
) -> None:
    """Say whom a token is for and until when, or why a gateway with these keys refuses it."""
    import jwt  # noqa: PLC0415 - as above

    from services.cli.environment import settings_now  # noqa: PLC0415 - as above

    known = _known(keys or settings_now().jwt_keys.get_secret_value())
    try:
        head = jwt.get_unverified_header(token)
        kid = str(head.get("kid", ""))
        if kid not in known:
            raise jwt.InvalidKeyError(f"its key {kid!r} is not in the set, which has {', '.join(sorted(known))}")
        found = known[kid]
        claims = jwt.decode(
            token,
            found.key,
            [found.algorithm_name],
            audience=audience,
            issuer=issuer or None,
            options={"require": ["exp", "sub"]},
        )
    except jwt.PyJWTError as refused:
        raise Problem(
            "UNAUTHENTICATED", "TOKEN_INVALID", f"the token does not hold: {refused}", ExitCode.FAILED
        ) from None
    output.print_json(claims)


def _known(given: str) -> dict[str, Any]:
    from gateway.keys import KeySet  # noqa: PLC0415 - as above
    from services.runtime.settings import SettingsError  # noqa: PLC0415 - as above

    try:
        keys = KeySet(given)
    except SettingsError as unusable:
        raise usage("--keys", str(unusable)) from None
    if not keys.are_known:
        asyncio.run(keys.refresh())
    if not keys.are_known:
        raise usage("--keys", f"{given} gives no keys")
    return dict(keys.by_id)
