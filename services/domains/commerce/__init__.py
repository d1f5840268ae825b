"""The domain `commerce`: shopping."""
