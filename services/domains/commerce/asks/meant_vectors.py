"""`python -m services.domains.commerce.asks.meant_vectors`: encodes the examples of meant.yaml."""

import sys
from pathlib import Path

from services.domains.commerce.asks.meant import FILE, likeness


def main() -> None:
    """Encode the examples and write their vectors."""
    Path(__file__).with_name(FILE).write_bytes(likeness().packed())
    sys.stdout.write(f"{FILE}: {len(likeness().texts)} examples\n")


if __name__ == "__main__":
    main()
