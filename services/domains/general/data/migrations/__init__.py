"""The revisions of the tables of `general`."""
