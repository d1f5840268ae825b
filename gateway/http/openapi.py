"""The OpenAPI document, made from the contract: its messages are the schemas, its comments the descriptions."""

import json
from functools import cache
from importlib import resources
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from gateway.http import problems, telling
from gateway.http.problems import STATUSES, title_of
from gateway.http.routes import CALLS, WATCH, RouteCall
from gateway.http.serving import NOTHING_LEFT

PATH: Final = "/v1/openapi.json"
"""Where the document is served."""
JSON: Final = "application/json"
"""What every other body is."""
_SERVICE: Final = "hapju.gateway.v1.GatewayService"
_NUMBERS: Final = {
    FieldDescriptor.TYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.TYPE_INT64: {"type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$"},
    FieldDescriptor.TYPE_DOUBLE: {"type": "number", "format": "double"},
    FieldDescriptor.TYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.TYPE_STRING: {"type": "string"},
    FieldDescriptor.TYPE_BYTES: {"type": "string", "format": "byte", "contentEncoding": "base64"},
}
_WELL_KNOWN: Final = {
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
    "google.protobuf.Duration": {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]{1,9})?s$", "example": "1.5s"},
}
_EVENTS: Final = (
    "Server-sent events, one for each event of the flow: its kind as the event's name, its id as FLOW_RUN_ID:SEQUENCE "
    "and a hapju.flow.v1.FlowEvent as its data. A stream that breaks is gone on with by Last-Event-ID; a failure after "
    "its beginning is an event named problem."
)
_LAST_EVENT_ID: Final = {
    "name": "last-event-id",
    "in": "header",
    "description": "The id of the last event that was heard; the flow is told from there on.",
    "schema": {"type": "string"},
}


@cache
def document() -> bytes:
    """Return the document as JSON text."""
    paths: dict[str, dict[str, Any]] = {}
    schemas = _Schemas()
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, schemas)
    paths[PATH] = {"get": {"operationId": "GetOpenApi", "summary": "Returns this document.", "responses": _own()}}
    whole: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "hapju",
            "version": "v1",
            "description": "Questions, answered by an ensemble of agents: the calls of GatewayService over HTTP. "
            "Names, enums and 64-bit numbers are those of proto JSON.",
        },
        "paths": paths,
        "components": {
            "schemas": {**dict(sorted(schemas.found.items())), "Problem": _PROBLEM},
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }
    whole.update(security=[{"bearer": []}, {}])
    return json.dumps(whole, ensure_ascii=False).encode()


class _Schemas:
    """The messages that the document speaks of, by name; those that are told always hold what has no presence."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}

    def of(self, kind: type[Message], *, told: bool) -> dict[str, Any]:
        return self._message(kind.DESCRIPTOR, told=told)

    def field(self, field: Any, *, told: bool) -> dict[str, Any]:
        """Return what a field holds, with its comment."""
        one = self._one(field, told=told)
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            value = field.message_type.fields_by_name["value"]
            one = {"type": "object", "additionalProperties": self._one(value, told=told)}
        elif field.is_repeated:
            one = {"type": "array", "items": one}
        return {**one, **_described(field.full_name)}

    def _one(self, field: Any, *, told: bool) -> dict[str, Any]:
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        if field.message_type is not None:
            return self._message(field.message_type, told=told)
        return dict(_NUMBERS[field.type])

    def _enum(self, enum: Any) -> dict[str, Any]:
        names = [value.name for value in enum.values]
        said = {name: _comments().get(f"{enum.full_name}.{name}", "") for name in names}
        meanings = "\n".join(f"- {name}: {text}" for name, text in said.items())
        self.found[enum.full_name] = {
            "type": "string",
            "enum": names,
            "description": f"{_comments().get(enum.full_name, '')}\n{meanings}",
        }
        return {"$ref": f"#/components/schemas/{enum.full_name}"}

    def _message(self, message: Any, *, told: bool) -> dict[str, Any]:
        if message.full_name in _WELL_KNOWN:
            return dict(_WELL_KNOWN[message.full_name])
        name = message.full_name if told else f"{message.full_name}.Given"
        if name not in self.found:
            schema: dict[str, Any] = {"type": "object", **_described(message.full_name)}
            self.found[name] = schema
            schema["properties"] = {field.name: self.field(field, told=told) for field in message.fields}
            always = [field.name for field in message.fields if not field.has_presence]
            if told and always:
                schema["required"] = always
            if not told:
                schema["additionalProperties"] = False
        return {"$ref": f"#/components/schemas/{name}"}


def _operation(call: RouteCall, schemas: _Schemas) -> dict[str, Any]:
    said = _comments().get(f"{_SERVICE}.{call.rpc}", "")
    operation: dict[str, Any] = {
        "operationId": call.rpc,
        "summary": said.partition(". ")[0].rstrip(".") + ".",
        "description": said,
        "parameters": _parameters(call, schemas),
        "responses": _responses(call, schemas),
    }
    if call.body is not None:
        given = schemas.of(call.body, told=False)
        operation["requestBody"] = {"required": True, "content": {JSON: {"schema": given}}}
    return operation


def _parameters(call: RouteCall, schemas: _Schemas) -> list[dict[str, Any]]:
    fields = call.request.DESCRIPTOR.fields_by_name
    found = [_parameter(fields[name], "path", schemas) for name in call.in_path]
    found += [_parameter(fields[name], "query", schemas) for name in sorted(call.in_query)]
    return [*found, _LAST_EVENT_ID] if call.events else found


def _parameter(field: Any, place: str, schemas: _Schemas) -> dict[str, Any]:
    schema = schemas.field(field, told=False)
    text = schema.pop("description", "")
    return {"name": field.name, "in": place, "required": place == "path", "description": text, "schema": schema}


def _responses(call: RouteCall, schemas: _Schemas) -> dict[str, Any]:
    content: dict[str, Any] = {}
    if call.file:
        content[call.file] = {"schema": {"type": "string", "format": "binary"}}
    elif call is not WATCH:
        content[JSON] = {"schema": schemas.of(call.response, told=True)}
    if call.events:
        # The events of a stream are told as such, and their data is this message.
        schemas.of(WATCH.response, told=True)
        content[telling.MEDIA_TYPE] = {"schema": {"description": _EVENTS}}
    responses = {str(call.status): {"description": _comments()[call.response.DESCRIPTOR.full_name], "content": content}}
    if call.events:
        responses[str(NOTHING_LEFT)] = {"description": "The flow has ended, and all of it has been heard."}
    return {**responses, **_refusals()}


def _own() -> dict[str, Any]:
    return {"200": {"description": "The document.", "content": {JSON: {"schema": {"type": "object"}}}}, **_refusals()}


def _refusals() -> dict[str, Any]:
    """Return the responses that any call may have: each tells the code of the gRPC status."""
    codes: dict[int, list[str]] = {413: ["RESOURCE_EXHAUSTED with the reason PAYLOAD_TOO_LARGE"]}
    for code, status in STATUSES.items():
        codes.setdefault(status, []).append(code)
    return {
        str(status): {
            "description": f"{title_of(status)}: {', '.join(names)}.",
            "content": {problems.MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, names in sorted(codes.items())
    }


def _described(full_name: str) -> dict[str, str]:
    text = _comments().get(full_name, "")
    return {"description": text} if text else {}


@cache
def _comments() -> dict[str, str]:
    found: dict[str, str] = json.loads((resources.files("hapju") / "comments.json").read_text(encoding="utf-8"))
    return found


_TEXT: Final = {"type": "string"}
_PROBLEM: Final = {
    "type": "object",
    "description": "Why a request was refused or failed (RFC 9457); code, reason, violations and metadata are those of "
    "the gRPC status.",
    "required": ["type", "title", "status", "detail", "code", "reason", "violations", "metadata"],
    "properties": {
        "type": _TEXT,
        "title": _TEXT,
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "A sentence for a person."},
        "code": {"type": "string", "description": "The google.rpc.Code name."},
        "reason": {"type": "string", "description": "An UPPER_SNAKE reason."},
        "violations": {
            "type": "array",
            "description": "The fields that it concerns.",
            "items": {
                "type": "object",
                "required": ["field", "description"],
                "properties": {"field": _TEXT, "description": _TEXT},
            },
        },
        "metadata": {
            "type": "object",
            "description": "Ids and limits that the detail is about.",
            "additionalProperties": _TEXT,
        },
    },
}
