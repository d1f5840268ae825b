"""The services, the domains and the command line of hapju."""
