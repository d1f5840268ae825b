"""How a message goes on from the last ask of markets: edits of it, operations on it, sides of it, sums on its share."""
