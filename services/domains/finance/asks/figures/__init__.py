"""Figures of markets: rows.py what was read, accounts.py what companies report, held.py shares and series."""
