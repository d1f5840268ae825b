"""What every declaration is made of: names, texts in both languages and a base that takes no unknown field."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]
AgentName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$")]
DomainName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
Confidence = Annotated[float, Field(ge=0.0, le=1.0)]


class Entry(BaseModel):
    """A part of a declaration; it is frozen, and a field that it does not have is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Bilingual(Entry):
    """A text for readers of both languages."""

    ko: Annotated[str, StringConstraints(min_length=1)]
    """In Korean."""
    en: Annotated[str, StringConstraints(min_length=1)]
    """In English."""

    def of(self, locale: str) -> str:
        """Return the text for a locale such as "ko", "ko-KR" or "en-US"; anything but English is Korean."""
        return self.en if locale.lower().startswith("en") else self.ko
