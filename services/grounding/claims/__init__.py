"""What a sentence claims beside its figures: acts, futures, the best of all, promises, words and sources of others."""
