"""What the services say to each other, as dataclasses of the wire's messages."""
