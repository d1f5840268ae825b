"""Run inside the image: what was taken out of it is missed by nothing, and a start compiles nothing."""

import importlib
import sys
from pathlib import Path

import numpy as np

from services.text.encoder import encode
from services.text.ko.morphemes import morphemes

LIBRARIES = (
    *(
        "aiohttp",
        "aiomysql",
        "alembic",
        "authlib",
        "cryptography.hazmat.primitives.ciphers.aead",
        "docx",
        "grpc",
        "jwt",
    ),
    *(
        "httptools",
        "lxml.etree",
        "mcp",
        "neo4j",
        "openai",
        "pdfminer.high_level",
        "psycopg",
        "sqlalchemy",
        "uvloop",
        "yaml",
    ),
)
SERVICES = ("agents", "orchestrator", "planner", "policy", "router", "synthesizer", "tool_gateway")


def main() -> None:
    """Load and use what is there."""
    for name in (*LIBRARIES, "gateway.servicer", *(f"services.{one}.servicer" for one in SERVICES)):
        importlib.import_module(name)
    np.linalg.svd(np.eye(20))
    assert encode(["금리", "interest rate"]).shape == (2, 512)
    assert "떨어지" in [one.lemma for one in morphemes("금리가 떨어졌어요")]
    found = [spec for one in list(sys.modules.values()) if (spec := getattr(one, "__spec__", None)) is not None]
    uncompiled = [one.name for one in found if (one.origin or "").endswith(".py") and not is_compiled(one.cached)]
    assert uncompiled in ([], ["__main__"]), uncompiled


def is_compiled(cached: str | None) -> bool:
    """Return whether a module's bytecode lies beside it."""
    return cached is not None and Path(cached).exists()


if __name__ == "__main__":
    main()
