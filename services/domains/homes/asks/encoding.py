"""`python -m services.domains.homes.asks.encoding`: fits what people want of homes to its examples."""

import sys
from pathlib import Path

from services.domains.homes.asks import meant


def main() -> None:
    """Write what is fitted to the examples."""
    model = meant.meaning()
    Path(__file__).with_name(meant.FILE).write_bytes(model.packed())
    sys.stdout.write(f"{meant.FILE}: {len(model.texts)} examples\n")


if __name__ == "__main__":
    main()
