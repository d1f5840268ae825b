"""The domain `realty`: homes: prices, law, loans and contracts."""
