"""Writes the dataclasses of services/contract from what the contract says: a class for each message, with its words.

A comment that begins with "Optional." tells a field that may be left out: an absent message or enum is None, or the
empty message where all of its own fields are optional. What is not optional has to be given where a value is made, and
as a message or enum is refused where it is absent on the wire. So has an optional field that stands before such a one.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)

MODULES: Final[Mapping[str, tuple[str, ...]]] = {
    "charts": ("flow/v1/chart",),
    "documents": ("flow/v1/document",),
    "entities": ("flow/v1/entity",),
    "drops": ("flow/v1/drop",),
    "asks": ("flow/v1/ask",),
    "flow": (
        "flow/v1/run_context",
        "flow/v1/decision",
        "flow/v1/failure",
        "flow/v1/evidence",
        "flow/v1/route",
        "flow/v1/plan",
        "flow/v1/result",
        "flow/v1/question",
        "flow/v1/memory",
    ),
    "events": ("flow/v1/action", "flow/v1/answer", "flow/v1/flow_event", "flow/v1/record"),
    "recording": ("flow/v1/recording",),
    "experiment": ("flow/v1/experiment",),
    "agent": ("agent/v1/agent_description", "agent/v1/agent_service"),
    "planner": ("planner/v1/planner_service",),
    "policy": ("policy/v1/policy_service",),
    "router": ("router/v1/router_service",),
    "synthesizer": ("synthesizer/v1/synthesizer_service",),
    "tool": (
        "tool/v1/tool_description",
        "tool/v1/effect",
        "tool/v1/effect_backend_service",
        "tool/v1/tool_gateway_service",
    ),
}
"""The modules, each with the files whose messages it holds, in the order of their imports."""
NAMES: Final = {"hapju.flow.v1.Document": "FinalDocument", "hapju.agent.v1.DescribeResponse": "AgentDescription"}
"""Messages whose class bears another name, for a name stands for one thing in Python's one house."""
NOT_READ: Final = (
    "DescribeRequest",
    "ListToolsRequest",
    "ListToolsResponse",
    "DescribeToolRequest",
    "DescribeToolResponse",
)
"""Messages that a servicer reads as they are."""
CAN: Final = {"hapju.flow.v1.Usage": "Summed", "hapju.flow.v1.Said": "BothLanguages"}
"""What a class can do beside holding its fields: what it inherits from services/contract/abilities.py."""
CHECKS: Final = {"hapju.flow.v1.RunContext": "check_run"}
"""What looks at a message that was read, from services/contract/forms.py."""
DEFAULTS: Final = {"hapju.flow.v1.AskQuantity.origin": "Origin.GIVEN"}
"""What an optional field is when left out, where that is not the wire's default."""
IMPORTS: Final = (
    "from collections.abc import Mapping",
    "from datetime import datetime, timedelta",
    "from typing import Any, Self",
    f"from services.contract.abilities import {', '.join(CAN.values())}",
    f"from services.contract.forms import {', '.join(CHECKS.values())}",
    "from services.contract.mapping import Cases, Mapped, Numbered, dataclass, each, instant, missing, numbered, span",
    "from services.contract.mapping import within, write_instant, write_span",
)
"""What a module may need; what it does not is taken out when it is put in order."""
HEADER: Final = '''"""The messages of {names}.

Generated from {folders} by protos/generate.py: change these and run `make protos`.
"""
# ruff: noqa
'''
OPTIONAL: Final = "Optional. "
ALIAS_MEMBERS_MIN: Final = 5
"""A oneof of so many members has a name of its own."""
_WIDTH: Final = 120
_SCALARS: Final[Mapping[int, tuple[str, str]]] = {
    FieldDescriptorProto.TYPE_DOUBLE: ("float", "0.0"),
    FieldDescriptorProto.TYPE_INT64: ("int", "0"),
    FieldDescriptorProto.TYPE_INT32: ("int", "0"),
    FieldDescriptorProto.TYPE_BOOL: ("bool", "False"),
    FieldDescriptorProto.TYPE_STRING: ("str", '""'),
    FieldDescriptorProto.TYPE_BYTES: ("bytes", 'b""'),
}
_WELL_KNOWN: Final[Mapping[str, tuple[str, str, str]]] = {
    ".google.protobuf.Timestamp": ("datetime", "instant", "write_instant({target}, {value})"),
    ".google.protobuf.Duration": ("timedelta", "span", "write_span({target}, {value})"),
}
"""Messages that are Python's own types: the type, what reads one, and what writes one."""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field of a class that is being written."""

    name: str
    kind: str
    """Its type."""
    default: str
    """What it is when left out; empty where it has to be given."""
    doc: str
    write: str
    """The statement that writes `self.name` into `target`."""
    read: str
    """The expression that reads it from `source`."""
    is_map: bool = False


@dataclass(slots=True)
class _Class:
    """A class that is being written."""

    name: str
    text: str
    needs: set[str] = field(default_factory=set)
    """Full names of the messages and enums whose classes it names."""


class Classes:
    """The contract's dataclasses, by module."""

    def __init__(self, files: Sequence[FileDescriptorProto], comments: Mapping[str, str]) -> None:
        self._comments = comments
        self._files = {file.name.removeprefix("hapju/").removesuffix(".proto"): file for file in files}
        self._home: dict[str, str] = {}
        self._messages: dict[str, DescriptorProto] = {}
        for module, sources in MODULES.items():
            for file in (self._files[source] for source in sources):
                names = (*(enum.name for enum in file.enum_type), *(one.name for one in _read(file)))
                self._home |= {f".{file.package}.{name}": module for name in names}
                self._messages |= {f".{file.package}.{one.name}": one for one in file.message_type}

    def modules(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of each module."""
        for module, sources in MODULES.items():
            yield module, self._module(module, [self._files[source] for source in sources])

    def _module(self, module: str, files: list[FileDescriptorProto]) -> str:
        made: dict[str, _Class] = {}
        for file in files:
            made |= {f".{file.package}.{one.name}": self._enum(file, one) for one in file.enum_type}
        for file in files:
            made |= {f".{file.package}.{one.name}": self._class(file, one) for one in _read(file)}
        body = "\n\n\n".join(one.text for one in _in_order(made))
        names = ", ".join(source.rpartition("/")[2] for source in MODULES[module])
        folders = ", ".join(dict.fromkeys(f"protos/{file.name.rpartition('/')[0]}" for file in files))
        header = HEADER.format(names=names, folders=folders)
        return f"{_wrapped_doc(header)}\n{self._imports(module, files, made)}\n\n\n{body}\n"

    def _imports(self, module: str, files: list[FileDescriptorProto], made: Mapping[str, _Class]) -> str:
        used = {name for one in made.values() for name in one.needs if self._home[name] != module}
        homes = {
            self._home[name]: {self._called(other) for other in used if self._home[other] == self._home[name]}
            for name in used
        }
        lines = [f"from services.contract.{home} import {', '.join(sorted(names))}" for home, names in homes.items()]
        stubs: dict[str, set[str]] = {}
        for file in files:
            folder, _, stem = file.name.removesuffix(".proto").rpartition("/")
            if _read(file) or file.enum_type:
                stubs.setdefault(folder.replace("/", "."), set()).add(f"{stem}_pb2")
        lines += [f"from {package} import {', '.join(sorted(names))}" for package, names in stubs.items()]
        return "\n".join((*IMPORTS, *lines))

    def _called(self, full_name: str) -> str:
        return NAMES.get(full_name[1:], full_name.rpartition(".")[2])

    def _enum(self, file: FileDescriptorProto, enum: EnumDescriptorProto) -> _Class:
        prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", enum.name).upper() + "_"
        lines = [f"@numbered({_stem(file)}_pb2.{enum.name})", f"class {enum.name}(Numbered):"]
        lines.append(_doc(self._comments[f"{file.package}.{enum.name}"]))
        for value in (one for one in enum.value if one.number):
            name = value.name.removeprefix(prefix)
            lines += [f'    {name} = "{name}"', _doc(self._comments[f"{file.package}.{enum.name}.{value.name}"])]
        return _Class(enum.name, "\n".join(lines))

    def _class(self, file: FileDescriptorProto, one: DescriptorProto) -> _Class:
        full = f"{file.package}.{one.name}"
        made = _Class(self._called(f".{full}"), "")
        outer = [index for index, oneof in enumerate(one.oneof_decl) if not _is_synthetic(one, index)]
        inner = [field_ for field_ in one.field if field_.HasField("oneof_index") and field_.oneof_index in outer]
        fields = [self._field(full, one, field_, made) for field_ in one.field if field_ not in inner]
        before = after = ""
        for index in outer:
            name, doc = one.oneof_decl[index].name, self._comments[f"{full}.{one.oneof_decl[index].name}"]
            cases = {field_.name: self._called(field_.type_name) for field_ in inner if field_.oneof_index == index}
            made.needs |= {field_.type_name for field_ in inner}
            union, constant = " | ".join(cases.values()), f"_{made.name}_{name}".upper()
            if len(cases) >= ALIAS_MEMBERS_MIN:
                before = f'{name.title()} = ({union})\n"""{doc}"""\n\n\n'
                union = name.title()
            after = f"\n\n\n{constant} = Cases({name!r}, {', '.join(f'{case}={kind}' for case, kind in cases.items())})"
            fields.append(
                _Field(name, union, "", doc, f"{constant}.write(target, self.{name})", f"{constant}.read(source)")
            )
        parents = ", ".join((*([CAN[full]] if full in CAN else []), "Mapped"))
        head = f"@dataclass(frozen=True)\nclass {made.name}({parents}):\n{_doc(self._comments[full])}\n"
        slots = "".join(f"{one.name!r}, " for one in fields)
        head += f"\n    __slots__ = ({slots})\n    MESSAGE = {_stem(file)}_pb2.{one.name}"
        told = [f"    {one.name}: {one.kind}\n{_doc(one.doc)}" for one in fields]
        made.text = before + "\n".join((head, *told, *_methods(fields, CHECKS.get(full, "")))) + after
        return made

    def _told(self, full_name: str) -> str:
        return self._comments[full_name].removeprefix(OPTIONAL)

    def _is_optional(self, full_name: str) -> bool:
        return self._comments[full_name].startswith(OPTIONAL)

    def _field(self, full: str, one: DescriptorProto, field_: FieldDescriptorProto, made: _Class) -> _Field:
        name, where = field_.name, f"{full}.{field_.name}"
        doc, optional = self._told(where), self._is_optional(where)
        if any(field_.type_name == f".{full}.{nested.name}" for nested in one.nested_type):
            write, read = f"target.{name}.update(self.{name})", f"dict(source.{name})"
            return _Field(name, "Mapping[str, str]", "None", doc, write, read, is_map=True)
        repeated = field_.label == FieldDescriptorProto.LABEL_REPEATED
        if field_.type in _SCALARS:
            return _scalar(field_, doc, repeated=repeated, optional=optional)
        kind, reader, writer = _WELL_KNOWN.get(field_.type_name) or self._kind(field_, made)
        is_enum = field_.type == FieldDescriptorProto.TYPE_ENUM
        if repeated:
            write = f"for item in self.{name}: item.write_to(target.{name}.add())"
            if is_enum:
                write = f"target.{name}.extend(item.number for item in self.{name})"
            read = f"each({name!r}, {reader}, source.{name})"
            return _Field(name, f"tuple[{kind}, ...]", "()" if optional else "", doc, write, read)
        read, write = (
            f"within({name!r}, {reader}, source.{name})",
            writer.format(target=f"target.{name}", value="{value}"),
        )
        there = f"source.{name}" if is_enum else f"source.HasField({name!r})"
        if optional and where not in DEFAULTS and (is_enum or not self._may_be_empty(field_.type_name)):
            write = f"if (item := self.{name}) is not None: {write.format(value='item')}"
            return _Field(name, f"{kind} | None", "None", doc, write, f"{read} if {there} else None")
        default = DEFAULTS.get(where, f"{kind}()") if optional else ""
        if not is_enum:
            read = f"{read} if {there} else {default or f'missing({name!r})'}"
        return _Field(name, kind, default, doc, write.format(value=f"self.{name}"), read)

    def _kind(self, field_: FieldDescriptorProto, made: _Class) -> tuple[str, str, str]:
        made.needs.add(field_.type_name)
        name = self._called(field_.type_name)
        is_enum = field_.type == FieldDescriptorProto.TYPE_ENUM
        return name, f"{name}.read_from", "{target} = {value}.number" if is_enum else "{value}.write_to({target})"

    def _may_be_empty(self, full_name: str) -> bool:
        """Tell whether a message's fields are optional, each of them."""
        return full_name in self._messages and all(
            self._is_optional(f"{full_name[1:]}.{one.name}") for one in self._messages[full_name].field
        )


def _scalar(field_: FieldDescriptorProto, doc: str, *, repeated: bool, optional: bool) -> _Field:
    name, (kind, zero) = field_.name, _SCALARS[field_.type]
    if repeated:
        default = "()" if optional else ""
        return _Field(
            name, f"tuple[{kind}, ...]", default, doc, f"target.{name}.extend(self.{name})", f"tuple(source.{name})"
        )
    if field_.proto3_optional:
        write = f"if (item := self.{name}) is not None: target.{name} = item"
        read = f"source.{name} if source.HasField({name!r}) else None"
        return _Field(name, f"{kind} | None", "None" if optional else "", doc, write, read)
    # What is absent is the default value: writing it, as half of all fields have it, would change nothing.
    return _Field(
        name, kind, zero if optional else "", doc, f"if item := self.{name}: target.{name} = item", f"source.{name}"
    )


def _methods(fields: Sequence[_Field], check: str) -> Iterator[str]:
    """Yield what a class does: it is made, compared, written and read."""
    given = max((place for place, one in enumerate(fields) if not one.default), default=-1)
    kinds = [f"{one.name}: {one.kind}{' | None' if one.is_map else ''}" for one in fields]
    taken = kinds[: given + 1]
    taken += [f"{kind} = {one.default}" for kind, one in zip(kinds[given + 1 :], fields[given + 1 :], strict=True)]
    if fields:
        yield f"\n    def __init__({', '.join(('self', *taken))}) -> None:\n        put = object.__setattr__"
        for one in fields:
            value = f"{{}} if {one.name} is None else {one.name}" if one.is_map else one.name
            yield f"        put(self, {one.name!r}, {value})"
    values = "".join(f"self.{one.name}, " for one in fields)
    yield f"\n    def as_tuple(self) -> tuple[Any, ...]:\n        return ({values})"
    if any(one.is_map for one in fields):
        told = "".join(f"self.{one.name}, " for one in fields if not one.is_map)
        yield f"\n    def __hash__(self) -> int:\n        return hash(({told}))"
    yield "\n    def write_to(self, target: Any) -> None:\n        target.SetInParent()\n        item: Any"
    yield from (f"        {one.write}" for one in fields)
    made = f"cls({', '.join(one.read for one in fields)})"
    made = f"made = {made}\n        {check}(made)\n        return made" if check else f"return {made}"
    yield f"\n    @classmethod\n    def read_from(cls, source: Any) -> Self:\n        {made}"


def _stem(file: FileDescriptorProto) -> str:
    return file.name.rpartition("/")[2].removesuffix(".proto")


def _read(file: FileDescriptorProto) -> list[DescriptorProto]:
    return [one for one in file.message_type if one.name not in NOT_READ]


def _is_synthetic(one: DescriptorProto, index: int) -> bool:
    return any(field_.proto3_optional and field_.oneof_index == index for field_ in one.field)


def _in_order(made: dict[str, _Class]) -> Iterator[_Class]:
    """Yield each class after those that it names."""
    left = dict(made)
    while left:
        ready = next(name for name, one in left.items() if not one.needs & (left.keys() - {name}))
        yield left.pop(ready)


def _doc(text: str) -> str:
    """Return a docstring, indented by four; what is too long for a line is wrapped."""
    if len(text) <= _WIDTH - 10:
        return f'    """{text}"""'
    first, *rest = textwrap.wrap(f'"""{text}', _WIDTH - 4)
    return "\n".join(f"    {line}" for line in (first, *rest, '"""'))


def _wrapped_doc(header: str) -> str:
    return "\n".join(line for part in header.splitlines() for line in (textwrap.wrap(part, _WIDTH) or [""]))
