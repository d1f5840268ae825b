"""Work ahead of certainty: decisions asked for before it is known that they are needed, each with its own spending."""
