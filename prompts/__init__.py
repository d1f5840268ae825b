"""The text that models read, beside its types; imports pydantic and jinja2 and nothing of ours."""
