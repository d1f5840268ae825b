"""The labels and relations that the installed domains declare, taken together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from services.plugin.data.graph import GraphSchema, Relation
from services.plugin.installed import DomainError, installed_domains


def _declared() -> GraphSchema:
    labels: dict[str, Mapping[str, str]] = {}
    relations: dict[str, Relation] = {}
    for domain in installed_domains():
        module = domain.module("graph")
        if module is None:
            continue
        schema: GraphSchema = module.SCHEMA
        if taken := sorted((set(schema.labels) & set(labels)) | (set(schema.relations) & set(relations))):
            raise DomainError(f"{module.__name__}: another domain declares {', '.join(taken)}")
        labels |= schema.labels
        relations |= schema.relations
    return GraphSchema(MappingProxyType(labels), MappingProxyType(relations))


SCHEMA: Final = _declared()
LABELS: Final = SCHEMA.labels
RELATIONS: Final = SCHEMA.relations
