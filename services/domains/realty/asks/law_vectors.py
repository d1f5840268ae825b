"""`python -m services.domains.realty.asks.law_vectors`: encodes the examples of law.yaml and law_by_examples.yaml."""

import sys
from pathlib import Path

from services.domains.realty.asks.law_situations import FILE, likeness


def main() -> None:
    """Encode the examples and write their vectors."""
    Path(__file__).with_name(FILE).write_bytes(likeness().packed())
    sys.stdout.write(f"{FILE}: {len(likeness().texts)} examples\n")


if __name__ == "__main__":
    main()
