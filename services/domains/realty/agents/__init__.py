"""Realty: home prices, deposits and rents."""
