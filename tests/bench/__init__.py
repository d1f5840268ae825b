"""`python -m tests.bench`: what things cost. Benchmarks and their doubles are no part of the wheel."""
