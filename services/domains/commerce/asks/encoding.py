"""`python -m services.domains.commerce.asks.encoding`: encodes the examples of meant.yaml and acts/stopping.yaml."""

import sys
from pathlib import Path

from services.domains.commerce.asks import meant
from services.domains.commerce.asks.acts import standing


def main() -> None:
    """Encode the examples and write their vectors."""
    here = Path(__file__).parent
    for file, likeness in ((here / meant.FILE, meant.likeness()), (here / "acts" / standing.FILE, standing.likeness())):
        file.write_bytes(likeness.packed())
        sys.stdout.write(f"{file.name}: {len(likeness.texts)} examples\n")


if __name__ == "__main__":
    main()
