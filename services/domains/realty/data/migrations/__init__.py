"""The revisions of the tables of `realty`."""
