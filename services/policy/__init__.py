"""The policy check: ALLOW, WARN or BLOCK for one question, before any domain agent or tool runs."""
