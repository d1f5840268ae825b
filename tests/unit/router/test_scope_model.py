"""The fitted scope model: it belongs to the texts of the tree, and the same texts give the same model."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from services.catalog.loader import Catalog, catalog
from services.catalog.reading import read_question
from services.catalog.spoken import utterances
from services.router import fitting, training
from services.router.facts import understand
from services.router.fitting import model_for
from services.router.scope_model import digests_of, scope_model
from services.router.training import fitted
from services.router.voters import ScopeVoter
from services.text.encoder import numeric
from tests.support.understanding import NOW


def test_the_model_was_fitted_on_the_texts_of_the_tree() -> None:
    """Whoever changes an utterance or an example fits the model anew: `python -m services.router.training`."""
    assert scope_model().digests == digests_of(utterances(catalog()))


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
    assert model.digests == held.digests
    assert float(abs(model.whole_weights - held.whole_weights).max()) < 0.01
    assert (letters.accuracy >= 0.82, whole.accuracy >= 0.88) == (True, True)


@pytest.mark.slow
def test_the_fit_keeps_within_a_routers_limit() -> None:
    """A router that fits to all domains and some more holds less than the 512 MiB that the chart gives it."""
    program = (
        "import services.router.servicer, pathlib, re; from services.catalog.loader import catalog;"
        "from services.router.training import fitted; fitted(catalog());"
        "print(re.search(r'VmHWM:\\s+(\\d+)', pathlib.Path('/proc/self/status').read_text())[1])"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert int(done.stdout) >> 10 < 512


def test_the_halves_keep_the_precision() -> None:
    """Texts that are much alike, as ours are, are told apart in single precision as well as in double."""
    np = numeric()
    texts = np.random.default_rng(7).normal(1.0, 0.5, (700, 60)).astype(np.float32)
    alike = texts @ texts.T + 0.5 * np.eye(len(texts), dtype=np.float32)
    back = training.root_inverted(alike)
    wanted = np.linalg.inv(alike.astype(np.float64))
    assert float(abs(back.T @ back - wanted).max()) < 0.01 * float(abs(wanted).max())


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
    """A catalog of fewer domains than the shipped ones."""
    known = catalog()
    chosen = tuple(domain for name, domain in known.domains.items() if name == "general")
    return Catalog(known.routing, chosen, {})


def test_fewer_domains_take_the_shipped_model(few: Catalog, tmp_path: Path) -> None:
    """A deployment that leaves domains out fits nothing, and what is asked of those is taken for no other's."""
    assert model_for(few, tmp_path) is scope_model()
    assert list(tmp_path.iterdir()) == []
    voter = ScopeVoter(few, tmp_path)
    for text in ("장바구니에 담아줘", "cancel my order", "애플 주가 전망 알려줘"):
        assert voter.vote(understand(read_question(text, now=NOW), user_type=""), None) is None, text
    greeted = voter.vote(understand(read_question("안녕하세요", now=NOW), user_type=""), None)
    assert greeted is not None
    assert greeted.intent == "greeting"


@pytest.fixture
def _said_otherwise(few: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said for an intent of the few differs from what the shipped model was fitted on."""
    texts = (*utterances(few), ("greeting", "어이 거기 있나"))
    for module in (fitting, training):
        monkeypatch.setattr(module, "utterances", lambda _: texts)


@pytest.mark.usefixtures("_said_otherwise")
def test_other_texts_are_fitted_once(few: Catalog, tmp_path: Path) -> None:
    """Other texts are fitted into the data folder; the next start reads that, and a broken file is none."""
    model = model_for(few, tmp_path)
    assert set(model.intents) == set(few.intents)
    (path,) = (tmp_path / "scope").iterdir()
    kept = model_for(few, tmp_path)
    assert (kept.digests, kept.intents, kept is model) == (model.digests, model.intents, False)
    path.write_bytes(b"no model")
    assert model_for(few, tmp_path).digests == model.digests
    assert [one.suffix for one in (tmp_path / "scope").iterdir()] == [".npz"]


@pytest.mark.usefixtures("_said_otherwise")
def test_a_folder_that_cannot_be_written_is_done_without(few: Catalog, tmp_path: Path) -> None:
    """A data folder that is none is no reason to stop: the model is fitted for this process."""
    blocked = tmp_path / "a file"
    blocked.write_text("")
    assert set(model_for(few, blocked).intents) == set(few.intents)
