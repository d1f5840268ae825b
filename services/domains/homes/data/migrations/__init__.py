"""The revisions of the tables of `homes`."""
