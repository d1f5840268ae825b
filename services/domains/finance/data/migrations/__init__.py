"""The revisions of the tables of `finance`."""
