"""Generates protos/gen from protos/hapju, or with --check fails when the checked-in code is stale.

Run by `make protos` and `make check`. The proto root is the Python import root, so the generated imports need no
patching.
"""

import filecmp
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
GENERATED = ROOT / "gen"


def generate(target: Path) -> None:
    """Writes messages and their types for every .proto below protos/hapju, and stubs for every service."""
    protos = sorted((ROOT / "hapju").rglob("*.proto"))
    services = [path for path in protos if path.stem.endswith("_service")]
    compile_protos(target, protos, ("python", "mypy"))
    compile_protos(target, services, ("grpc_python", "mypy_grpc"))


def compile_protos(target: Path, protos: list[Path], outputs: tuple[str, ...]) -> None:
    """Runs protoc for the given files and output kinds."""
    scripts = Path(sys.executable).parent
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I", "."]
    command += [
        f"--plugin=protoc-gen-{name}={scripts}/protoc-gen-{name}" for name in outputs if name.startswith("mypy")
    ]
    command += [f"--{name}_out={'quiet:' if name.startswith('mypy') else ''}{target}" for name in outputs]
    command += [str(path.relative_to(ROOT)) for path in protos]
    subprocess.run(command, cwd=ROOT, check=True)  # noqa: S603 - our own fixed arguments


def differences(left: Path, right: Path) -> list[str]:
    """Returns the paths, relative to the roots, that stand on one side only or differ."""
    files = {
        str(path.relative_to(root))
        for root in (left, right)
        for path in root.rglob("*.py*")
        if path.suffix in {".py", ".pyi"}
    }
    return sorted(name for name in files if not same(left / name, right / name))


def same(left: Path, right: Path) -> bool:
    """Returns whether both files exist and hold the same bytes."""
    return left.exists() and right.exists() and filecmp.cmp(left, right, shallow=False)


def main() -> int:
    """Generates in place, or compares under --check; returns the exit code."""
    if "--check" not in sys.argv[1:]:
        generate(GENERATED)
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        generate(Path(scratch))
        stale = differences(Path(scratch), GENERATED)
    for name in stale:
        sys.stderr.write(f"stale generated code: protos/gen/{name}; run `make protos`\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
