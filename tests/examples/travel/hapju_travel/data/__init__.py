"""The data of travel: tables and sample."""
