"""The scope voter's model for the domains that are installed.

It is the one that ships where it knows their texts; that it also knows those of domains that a deployment leaves out
tells what is meant for these from what is meant for the others. Else one is fitted once and kept in the data folder, by
the digest of its texts.
"""

import hashlib
import logging
import os
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from services.catalog.loader import Catalog
from services.catalog.spoken import utterances
from services.router.scope_model import ScopeModel, digests_of, scope_model, unpacked

_FOLDER: Final = "scope"
_DIGEST_CHARS: Final = 32
_LOG: Final = logging.getLogger(__name__)


def model_for(known: Catalog, data_dir: Path | None) -> ScopeModel:
    """Return the model of a catalog's texts; without a folder that can be written, it is fitted for this process only.

    The fit takes about 10 s. Processes that start at the same time may each fit it: they write the same file, each
    whole, and the last one stays.
    """
    digests = digests_of(utterances(known))
    shipped = scope_model()
    if shipped.serves(digests):
        return shipped
    name = hashlib.sha256("\n".join(digests.values()).encode()).hexdigest()[:_DIGEST_CHARS]
    path = data_dir / _FOLDER / f"{name}.npz" if data_dir is not None else None
    return _kept(path, digests) or _fitted(known, path)


def _kept(path: Path | None, digests: Mapping[str, str]) -> ScopeModel | None:
    """Return the model of a file; None where there is none, or where it is none of these texts."""
    try:
        model = unpacked(path.read_bytes()) if path is not None else None
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        return None
    return model if model is not None and model.serves(digests) else None


def _fitted(known: Catalog, path: Path | None) -> ScopeModel:
    from services.router.training import fitted, packed  # noqa: PLC0415 - fits once; a start has no need of it

    _LOG.info("the scope voter is fitted to the installed domains")
    model, _, _ = fitted(known)
    try:
        if path is not None:
            _write(path, packed(model))
    except OSError as error:
        _LOG.warning("the fitted scope voter cannot be kept: %s", error)
    return model


def _write(path: Path, content: bytes) -> None:
    """Write a file whole, so that nobody reads a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
