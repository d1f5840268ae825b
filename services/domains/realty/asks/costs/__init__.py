"""What is asked of the costs of a home: fees, taxes, and whether it is worth them."""
