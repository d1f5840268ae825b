"""The fitted scope model: it belongs to the texts of the tree, and the same texts give the same model."""

import time

import pytest

from services.catalog.loader import catalog
from services.catalog.spoken import utterances
from services.router.scope_model import scope_model
from services.router.training import digest_of, fitted


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
