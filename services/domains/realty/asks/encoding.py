"""`python -m services.domains.realty.asks.encoding`: encodes the examples of situations of law, of sums and of what is not served."""

import sys
from pathlib import Path

from services.domains.realty.asks import meant, unserved
from services.domains.realty.asks.law import situations


def main() -> None:
    """Encode the examples and write what is fitted to them."""
    here = Path(__file__).parent
    fitted = (
        (here / "law" / situations.FILE, situations.likeness()),
        (here / "law" / situations.FITTED, situations.meaning()),
        (here / meant.FILE, meant.meaning()),
        (here / unserved.FILE, unserved.meaning()),
    )
    for file, model in fitted:
        file.write_bytes(model.packed())
        sys.stdout.write(f"{file.name}: {len(model.texts)} examples\n")


if __name__ == "__main__":
    main()
