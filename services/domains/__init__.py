"""The domains that ship with hapju; each is a package like one of a foreign wheel, found by its entry point."""
