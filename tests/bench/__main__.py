"""`python -m tests.bench NAME` and `make bench`: runs one benchmark, from the project's folder."""

from tests.bench.command import main

main()
