"""Recordings as files: one JSON object, proto JSON with the contract's names, that a program and a diff can read."""

import json
from pathlib import Path

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError

from hapju.flow.v1 import recording_pb2
from services.cli.problems import usage
from services.contract.mapping import ContractViolation, from_proto, to_proto
from services.contract.recording import FlowRecording


def written(recording: FlowRecording, path: Path) -> None:
    """Writes a recording to a file, which is made or replaced.

    Raises:
        Problem: The file cannot be written.
    """
    message = MessageToDict(to_proto(recording, recording_pb2.FlowRecording), preserving_proto_field_name=True)
    try:
        path.write_text(json.dumps(message, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise usage("--record", f"{path} cannot be written: {error.strerror}") from None


def read(path: Path) -> FlowRecording:
    """Returns the recording that a file holds.

    Raises:
        Problem: The file cannot be read, or holds no recording.
    """
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        message = ParseDict(held, recording_pb2.FlowRecording(), ignore_unknown_fields=True)
        return from_proto(message, FlowRecording)
    except OSError as error:
        raise usage("FLOW", f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, ParseError, ContractViolation) as error:
        raise usage("FLOW", f"{path} holds no recording of a flow: {str(error)[:200]}") from None
