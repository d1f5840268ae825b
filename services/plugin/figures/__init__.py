"""The figures of a domain: their kinds, how data ages, and how they stand as lines of an answer."""
