"""The domain `general`: small talk, definitions and the account."""
