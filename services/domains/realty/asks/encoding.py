"""`python -m services.domains.realty.asks.encoding`: encodes the examples of situations of law and of sums."""

import sys
from pathlib import Path

from services.domains.realty.asks import meant
from services.domains.realty.asks.law import situations


def main() -> None:
    """Encode the examples and write what is fitted to them."""
    here = Path(__file__).parent
    for file, model in ((here / "law" / situations.FILE, situations.likeness()), (here / meant.FILE, meant.meaning())):
        file.write_bytes(model.packed())
        sys.stdout.write(f"{file.name}: {len(model.texts)} examples\n")


if __name__ == "__main__":
    main()
