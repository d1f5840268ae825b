"""A domain whose one agent is another house's: hotels of the city, by A2A."""
