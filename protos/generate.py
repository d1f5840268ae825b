"""Generates protos/gen and the dataclasses of services/contract from protos/hapju; --check fails where they are stale.

Run by `make protos` and `make check`. The proto root is the Python import root, so the generated imports need no
patching. Beside the code stands comments.json, what the contract says of each of its parts: generated code knows no
comments, and the OpenAPI document of the HTTP edge tells them.
"""

import filecmp
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dataclasses_of import MODULES, Classes
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

ROOT = Path(__file__).resolve().parent
GENERATED = ROOT / "gen"
COMMENTS = Path("hapju") / "comments.json"
"""Below the generated code: full names of the contract's parts, each with its comment."""
CLASSES = ROOT.parent / "services" / "contract"
"""Where the dataclasses stand, beside what is written by hand."""


def generate(target: Path, classes: Path) -> None:
    """Write messages and their types for every .proto below protos/hapju, stubs for every service, and dataclasses."""
    protos = sorted((ROOT / "hapju").rglob("*.proto"))
    services = [path for path in protos if path.stem.endswith("_service")]
    compile_protos(target, protos, ("python", "mypy"))
    compile_protos(target, services, ("grpc_python", "mypy_grpc"))
    files = described(protos)
    comments = {name: text for file in files for name, text in comments_of(file)}
    (target / COMMENTS).parent.mkdir(parents=True, exist_ok=True)
    told = json.dumps(comments, ensure_ascii=False, indent=0, sort_keys=True)
    (target / COMMENTS).write_text(told + "\n", encoding="utf-8")
    for name, text in Classes(files, comments).modules():
        (classes / f"{name}.py").write_text(text, encoding="utf-8")
    ruff = [str(Path(sys.executable).parent / "ruff"), "--config", str(ROOT.parent / "pyproject.toml")]
    written = [str(classes / f"{name}.py") for name in MODULES]
    for step in (["check", "--quiet", "--fix", "--select", "I001,F401", "--ignore-noqa"], ["format", "--quiet"]):
        subprocess.run([ruff[0], step[0], *ruff[1:], *step[1:], *written], check=True)  # noqa: S603 - as below


def compile_protos(target: Path, protos: list[Path], outputs: tuple[str, ...]) -> None:
    """Run protoc for the given files and output kinds."""
    scripts = Path(sys.executable).parent
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", "."]
    command += [
        f"--plugin=protoc-gen-{name}={scripts}/protoc-gen-{name}" for name in outputs if name.startswith("mypy")
    ]
    command += [f"--{name}_out={'quiet:' if name.startswith('mypy') else ''}{target}" for name in outputs]
    command += [str(path.relative_to(ROOT)) for path in protos]
    subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - our own fixed arguments


def described(protos: list[Path]) -> list[FileDescriptorProto]:
    """Return what the files hold, with their comments."""
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(scratch) / "described.binpb"
        command = [sys.executable, "-m", "grpc_tools.protoc", "-I", ".", "--include_source_info"]
        command += [f"--descriptor_set_out={target}", *(str(path.relative_to(ROOT)) for path in protos)]
        subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - our own fixed arguments
        return list(FileDescriptorSet.FromString(target.read_bytes()).file)


def comments_of(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    """Yield the commented parts of one file: a location's path leads through the descriptor to what it speaks of."""
    for location in file.source_code_info.location:
        text = " ".join(location.leading_comments.split())
        if not text or not location.path:
            continue
        part, names, steps = file, [file.package], iter(location.path)
        for number in steps:
            field = part.DESCRIPTOR.fields_by_number[number]
            if field.message_type is None or field.name == "options":
                break
            part = getattr(part, field.name)[next(steps)]
            names.append(part.name)
        if len(names) > 1:
            yield ".".join(names), text


def differences(left: Path, right: Path) -> list[str]:
    """Return the paths, relative to the roots, that stand on one side only or differ."""
    files = {
        str(path.relative_to(root))
        for root in (left, right)
        for path in root.rglob("*.*")
        if path.suffix in {".py", ".pyi", ".json"}
    }
    return sorted(name for name in files if not same(left / name, right / name))


def same(left: Path, right: Path) -> bool:
    """Return whether both files exist and hold the same bytes."""
    return left.exists() and right.exists() and filecmp.cmp(left, right, shallow=False)


def main() -> int:
    """Generate in place, or compare under --check; return the exit code."""
    if "--check" not in sys.argv[1:]:
        generate(GENERATED, CLASSES)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        stubs, classes = Path(scratch) / "gen", Path(scratch) / "contract"
        stubs.mkdir()
        classes.mkdir()
        generate(stubs, classes)
        stale = [f"protos/gen/{name}" for name in differences(stubs, GENERATED)]
        stale += [f"services/contract/{one.name}" for one in classes.iterdir() if not same(one, CLASSES / one.name)]
    for name in stale:
        sys.stderr.write(f"stale generated code: {name}; run `make protos`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
