"""The parts of an analysis: market, law, rent, risk, contract and money, each from what earlier steps found."""
