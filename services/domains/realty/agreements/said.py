"""A text in both languages, as the data of this package holds it."""

from pydantic import BaseModel, ConfigDict


class Said(BaseModel):
    """A text in both languages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ko: str
    """In Korean."""
    en: str
    """In English."""

    def said(self, locale: str) -> str:
        """Returns the text of a reader's language."""
        return self.ko if locale == "ko" else self.en
