"""The ground of every domain that speaks of homes: where they are, of which kind, and how they are dealt in."""
