"""The rules and messages of the core and of the installed domains, merged and checked; read once."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from services.contract.policy import PolicyTag, Verdict
from services.plugin.documents import DocumentError, read_model
from services.plugin.entries import Bilingual
from services.plugin.installed import installed_domains
from services.plugin.policy import Policy, PolicyKind, Rule, WordGroup

_FILE = "policy.yaml"
_CORE = "rules.yaml"
_OTHER = "OTHER"


@dataclass(frozen=True)
class RuleTable:
    """All rules with the groups and messages that they use."""

    groups: Mapping[str, WordGroup]
    """The groups by name."""
    rules: tuple[Rule, ...]
    """The rules, the core's first."""
    messages: Mapping[Verdict, Mapping[str, Bilingual]]
    """What a user reads, by verdict and tag."""
    kinds: Mapping[PolicyTag, PolicyKind]
    """What a model is told of each tag that it may set, in the order of the contract."""
    allows: tuple[Bilingual, ...]
    """What a model is told to let pass."""

    def message(self, verdict: Verdict, tag: PolicyTag) -> Bilingual:
        """Return what a user reads of a tag."""
        known = self.messages[verdict]
        return known.get(tag, known[_OTHER])


@cache
def rule_table() -> RuleTable:
    """Return the rules of the core and of the installed domains.

    Raises:
        DocumentError: A table is malformed, or names what there is not; each line names a file and the fault.
    """
    files = {one.name: one.folder / _FILE for one in installed_domains()}
    core = read_model(resources.files("services.policy") / _CORE, Policy)
    return merged(core, {name: read_model(path, Policy) for name, path in files.items() if path.is_file()})


def merged(core: Policy, domains: Mapping[str, Policy]) -> RuleTable:
    """Return the rules of the core and of domains as one table.

    Raises:
        DocumentError: Two groups or rules bear one name, or a group that is named is not there.
    """
    if faults := list(_faults(core, domains)):
        raise DocumentError("\n".join(faults))
    parts = (core, *domains.values())
    groups = {name: group for part in parts for name, group in part.groups.items()}
    for part in domains.values():
        groups |= {name: _joined(groups[name], more) for name, more in part.adds.items()}
    messages = {
        verdict: {tag: text for part in parts for tag, text in part.messages.get(verdict, {}).items()}
        for verdict in (Verdict.BLOCK, Verdict.WARN)
    }
    kinds = {tag: kind for part in parts for tag, kind in part.kinds.items()}
    return RuleTable(
        groups,
        tuple(rule for part in parts for rule in part.rules),
        messages,
        {tag: kinds[tag] for tag in PolicyTag if tag in kinds},
        tuple(one for part in parts for one in part.allows),
    )


def _joined(one: WordGroup, more: WordGroup) -> WordGroup:
    words, exceptions = (*one.words, *more.words), (*one.exceptions, *more.exceptions)
    return WordGroup.model_validate({"words": words, "except": exceptions})


def _faults(core: Policy, domains: Mapping[str, Policy]) -> Iterator[str]:
    for verdict in (Verdict.BLOCK, Verdict.WARN):
        if _OTHER not in core.messages.get(verdict, {}):
            yield f"{_CORE}: messages: {verdict.value} has none for {_OTHER}"
    yield from _untold({_CORE: core, **{f"{domain}/{_FILE}": policy for domain, policy in domains.items()}})
    named, owners = {rule.name: _CORE for rule in core.rules}, dict.fromkeys(core.groups, _CORE)
    yield from _unknown(_CORE, core, core.groups.keys())
    for domain, policy in domains.items():
        where = f"{domain}/{_FILE}"
        for name in policy.groups:
            if owners.setdefault(name, where) != where:
                yield f"{where}: group {name!r}: {owners[name]} has one of that name"
        for rule in policy.rules:
            if named.setdefault(rule.name, where) != where:
                yield f"{where}: rule {rule.name!r}: {named[rule.name]} has one of that name"
        yield from _unknown(where, policy, core.groups.keys() | policy.groups.keys())
        for name in sorted(policy.adds.keys() - core.groups.keys()):
            yield f"{where}: adds: the core has no group {name!r}"


def _untold(parts: Mapping[str, Policy]) -> Iterator[str]:
    told = {tag for part in parts.values() for tag in part.kinds}
    for where, part in parts.items():
        for rule in part.rules:
            if rule.tag not in told:
                yield f"{where}: rule {rule.name!r}: no `kinds` tell what {rule.tag} is"


def _unknown(where: str, policy: Policy, groups: Collection[str]) -> Iterator[str]:
    for rule in policy.rules:
        for name in sorted(set(rule.groups) - set(groups)):
            yield f"{where}: rule {rule.name!r}: no group {name!r}"
