"""What a prompt's text and types must agree on, found out when the module is imported."""

import gc
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

from prompts import fields
from prompts.fields import PromptInputs, PromptOutput, Trusted, Untrusted
from prompts.prompt import Prompt
from prompts.template import PromptError
from services.text.encoder import arrays


class Inputs(PromptInputs):
    """A question and a name."""

    question: Untrusted
    """Anybody's words."""
    place: Trusted
    """Our words."""


class Output(PromptOutput):
    """A word."""

    word: str
    """It."""


HEAD = "---\nkind: greeting\nrole: utility\ntemperature: 0.0\nmax_tokens: 10\n---\n"
BODY = '# System\nGreet in {{ place }}.\n# User\n{{ question | data("question") }}\n'


def write(folder: Path, *, ko: str = HEAD + BODY, en: str = HEAD + BODY, name: str = "greeting") -> str:
    """Write the two texts and return the module's path."""
    (folder / f"{name}.ko.md").write_text(ko, encoding="utf-8")
    (folder / f"{name}.en.md").write_text(en, encoding="utf-8")
    return str(folder / f"{name}.py")


def test_a_prompt_renders_in_both_languages(tmp_path: Path) -> None:
    """The texts that belong together load, and foreign text is fenced."""
    prompt = Prompt.load(write(tmp_path), inputs=Inputs, output=Output)
    rendered = prompt.render(Inputs(question="안녕", place=Trusted("Seoul")), "en")
    assert rendered.system.splitlines()[:2] == ["Task: greeting", "Greet in Seoul."]
    assert rendered.user == '<data name="question">\n안녕\n</data>'


@pytest.mark.parametrize(
    ("ko", "message"),
    [
        (HEAD + BODY.replace("place", "plaza"), r"greeting.ko.md: unknown variables \['plaza'\]"),
        (HEAD + BODY.replace("{{ place }}", "Seoul"), r"greeting.ko.md: the text never uses \['place'\]"),
        (HEAD.replace("0.0", "0.5") + BODY, "differs between ko and en"),
        (HEAD.replace("utility", "king") + BODY, "greeting.ko.md: front matter"),
        (HEAD.replace("max_tokens", "max_token") + BODY, "greeting.ko.md: front matter"),
        (BODY, "greeting.ko.md: must begin with front matter"),
        (HEAD + BODY.replace("# User\n", ""), "the body is '# System', then '# User'"),
        (HEAD + "Hello.\n" + BODY, "the body is '# System', then '# User'"),
    ],
)
def test_a_text_that_does_not_fit_is_an_error(tmp_path: Path, ko: str, message: str) -> None:
    """Unknown and missing variables, unequal or wrong heads and a missing part each name file and fault."""
    with pytest.raises(PromptError, match=message):
        Prompt.load(write(tmp_path, ko=ko), inputs=Inputs, output=Output).check()


def test_a_missing_language_is_an_error(tmp_path: Path) -> None:
    """Both languages are there or the module does not import."""
    module = write(tmp_path)
    (tmp_path / "greeting.en.md").unlink()
    with pytest.raises(PromptError, match=r"greeting\.en\.md is missing"):
        Prompt.load(module, inputs=Inputs, output=Output).check()


def test_the_kind_is_the_files_name(tmp_path: Path) -> None:
    """A text under another name is an error."""
    with pytest.raises(PromptError, match="kind is 'greeting'"):
        Prompt.load(write(tmp_path, name="farewell"), inputs=Inputs, output=Output).check()


@pytest.mark.parametrize(
    "text", ["{{ question }}", "{{ question | upper }}", '{{ question ~ "x" }}', "{{ [question] | listed }}"]
)
def test_foreign_text_cannot_be_printed_bare(tmp_path: Path, text: str) -> None:
    """Without its fence, filtered, joined or listed, the question does not render."""
    both = HEAD + BODY.replace('{{ question | data("question") }}', text)
    prompt = Prompt.load(write(tmp_path, ko=both, en=both), inputs=Inputs, output=Output)
    with pytest.raises(PromptError):
        prompt.render(Inputs(question="안녕", place=Trusted("Seoul")), "ko")


def test_text_fields_say_who_wrote_them(tmp_path: Path) -> None:
    """A plain str in Inputs is refused, also inside a nested tuple."""

    class Row(PromptInputs):
        """A row."""

        text: str
        """Whose?"""

    class Loose(PromptInputs):
        """Rows."""

        rows: tuple[Row, ...]
        """Some."""

    with pytest.raises(PromptError, match=r"Row\.text .* must be Trusted or Untrusted"):
        Prompt.load(write(tmp_path), inputs=Loose, output=Output).check()


def test_the_version_follows_texts_and_schema(tmp_path: Path) -> None:
    """Another letter in one language or another field in the output is another version; the same files the same."""

    class Wider(Output):
        """Two words."""

        second: str
        """The other."""

    first = Prompt.load(write(tmp_path), inputs=Inputs, output=Output).version
    again = Prompt.load(write(tmp_path), inputs=Inputs, output=Output).version
    reworded = Prompt.load(
        write(tmp_path, ko=HEAD + BODY.replace("Greet", "Hail")), inputs=Inputs, output=Output
    ).version
    wider = Prompt.load(write(tmp_path), inputs=Inputs, output=Wider).version
    assert first == again
    assert len({first, reworded, wider}) == 3


def test_inputs_of_another_prompt_are_refused(tmp_path: Path) -> None:
    """Rendering with another model's inputs is an error, not a half-filled text."""

    class Other(PromptInputs):
        """Nothing of the kind."""

    prompt = Prompt.load(write(tmp_path), inputs=Inputs, output=Output)
    with pytest.raises(PromptError, match="greeting: takes"):
        prompt.render(Other(), "ko")  # type: ignore[arg-type]  # what is tested


def test_without_a_model_no_template_is_made() -> None:
    """Who imports the prompts and asks no model loads neither the templates' engine nor what checks proposed calls."""
    program = (
        "import sys, pkgutil, importlib, prompts\n"
        "[importlib.import_module(one.name) for one in pkgutil.walk_packages(prompts.__path__, 'prompts.')]\n"
        "print({'jinja2', 'jsonschema'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


class _Yielding:
    """A part of a circle that gives way to other threads when it is collected, as a finalizer may."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0)


def test_several_threads_read_fields_and_arrays_at_once() -> None:
    """What a collection lets run in between breaks no other's reading (python/cpython#106905)."""
    fitted = (Path(__file__).parents[3] / "services" / "router" / "scope.npz").read_bytes()
    modules = [
        import_module(f"prompts.orchestrator.{one}").__name__ for one in ("execution_review", "execution_orchestration")
    ]
    usual, between = gc.get_threshold(), sys.getswitchinterval()

    def read(at: int) -> int:
        _Yielding()
        if at % 4 == 0:
            return len(arrays(fitted))
        return len(fields._bodies.__wrapped__(modules[at % len(modules)]))

    gc.set_threshold(20)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert sum(threads.map(read, range(400))) > 0
    finally:
        gc.set_threshold(*usual)
        sys.setswitchinterval(between)
