"""The revisions of the tables of `commerce`."""
