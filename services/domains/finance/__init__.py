"""The domain `finance`: macro, equity and property markets."""
