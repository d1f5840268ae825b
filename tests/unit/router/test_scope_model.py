"""The fitted scope model: it belongs to the texts of the tree, and the same texts give the same model."""

import time
from pathlib import Path

import pytest

from services.catalog.loader import Catalog, catalog
from services.catalog.spoken import utterances
from services.router.fitting import model_for
from services.router.scope_model import digest_of, scope_model
from services.router.training import fitted


def test_the_model_was_fitted_on_the_texts_of_the_tree() -> None:
    """Whoever changes an utterance or an example fits the model anew: `python -m services.router.training`."""
    assert scope_model().digest == digest_of(utterances(catalog()))


def test_every_intent_can_be_told() -> None:
    """Each intent of the catalog has texts in both languages, and the model knows it."""
    assert set(scope_model().intents) == set(catalog().intents)
    texts = utterances(catalog())
    korean = {intent for intent, text in texts if any("가" <= mark <= "힣" for mark in text)}
    english = {intent for intent, text in texts if text.isascii()}
    assert set(catalog().intents) == korean & english


@pytest.mark.slow
def test_the_fit_is_exact() -> None:
    """Fitting again gives the same model, and left-out texts are told right by letters 82, whole 88 times of 100."""
    model, letters, whole = fitted(catalog())
    held = scope_model()
    assert model.digest == held.digest
    assert float(abs(model.whole_weights - held.whole_weights).max()) < 0.01
    assert (letters.accuracy >= 0.82, whole.accuracy >= 0.88) == (True, True)


def test_reading_the_model_is_quick() -> None:
    """A router's start does not wait for it: under 0.3 s of processor time, numpy aside."""
    scope_model()
    scope_model.cache_clear()
    began = time.process_time()
    scope_model()
    assert time.process_time() - began < 0.3


def test_the_shipped_domains_take_the_shipped_model(tmp_path: Path) -> None:
    """Where the texts are those that it was fitted on, nothing is fitted and nothing written."""
    assert model_for(catalog(), tmp_path) is scope_model()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def few() -> Catalog:
    """A catalog of other domains than the shipped ones."""
    known = catalog()
    chosen = tuple(domain for name, domain in known.domains.items() if name == "general")
    return Catalog(known.routing, chosen, {})


def test_other_domains_are_fitted_once(few: Catalog, tmp_path: Path) -> None:
    """Another set of domains is fitted into the data folder; the next start reads it, and a broken file is none."""
    model = model_for(few, tmp_path)
    assert set(model.intents) == set(few.intents)
    (path,) = (tmp_path / "scope").iterdir()
    kept = model_for(few, tmp_path)
    assert (kept.digest, kept.intents, kept is model) == (model.digest, model.intents, False)
    path.write_bytes(b"no model")
    assert model_for(few, tmp_path).digest == model.digest
    assert [one.suffix for one in (tmp_path / "scope").iterdir()] == [".npz"]


def test_a_folder_that_cannot_be_written_is_done_without(few: Catalog, tmp_path: Path) -> None:
    """A data folder that is none is no reason to stop: the model is fitted for this process."""
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert set(model_for(few, blocked).intents) == set(few.intents)
