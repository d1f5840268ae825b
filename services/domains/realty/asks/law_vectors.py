"""`python -m services.domains.realty.asks.law_vectors`: encodes the examples of situations of law and of sums."""

import sys
from pathlib import Path

from services.domains.realty.asks import law_situations, meant


def main() -> None:
    """Encode the examples and write what is fitted to them."""
    law, sums = law_situations.likeness(), meant.meaning()
    for file, model in ((law_situations.FILE, law), (meant.FILE, sums)):
        Path(__file__).with_name(file).write_bytes(model.packed())
        sys.stdout.write(f"{file}: {len(model.texts)} examples\n")


if __name__ == "__main__":
    main()
