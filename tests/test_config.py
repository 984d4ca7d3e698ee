"""Options: checked, scoped, read from environment and file, fixed while compiling."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.config import Config, Options, config_file

DOCUMENT = Path(__file__).parent.parent / "docs" / "configuration.md"


@pytest.fixture
def outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """Clear what sets options from outside; the user's file is ``config`` in ``tmp_path``."""
    for name in ("FLAGS", "CACHE_DIR", "CC"):
        monkeypatch.delenv(f"SYMTHEANO_{name}", raising=False)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("SYMTHEANO_CONFIG", str(tmp_path / "config"))
    (tmp_path / "config").write_text("")
    return monkeypatch


# -- in the program ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("floatX", "float31", "one of float16, float32, float64\n  hint: did you mean float32"),
        ("floatX", 32, "one of float16"),
        ("linker", "jit", "one of c, cvm"),
        ("optimizer", "fast_rum", "one of .*\n  hint: did you mean fast_run"),
        ("mode", "FAST_WALK", "one of FAST_RUN"),
        ("threads", -1, "a whole number, 0 or greater"),
        ("threads", True, "a whole number"),
        ("cache_size", 1.5, "a whole number"),
        ("profile", 1, "True or False"),
        ("allow_input_downcast", "yes", "True, False or None"),
        ("cc", None, "a text"),
    ],
)
def test_values_are_checked(name: str, value: object, wanted: str) -> None:
    before = getattr(config, name)
    with pytest.raises(ValueError, match=rf"^config\.{name} = .*: must be {wanted}"):
        setattr(config, name, value)
    assert getattr(config, name) == before


def test_unknown_options_are_refused() -> None:
    with pytest.raises(AttributeError, match="no option 'florX'\n  hint: did you mean floatX"):
        config.florX = "float32"
    with pytest.raises(AttributeError, match="no option 'florX'"):
        _ = config.florX
    with pytest.raises(AttributeError, match="no option 'zzz'\n  hint: it has floatX, "):
        config.source("zzz")
    with (
        pytest.raises(AttributeError, match="no option 'florX'"),
        config.change_flags(threads=3, florX=1),
    ):
        pass
    assert config.threads != 3


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("device", "gpu", "device gpu: there are cpu, cuda, cuda:1 ... and emulated"),
        ("device", "opencl0:0", "device opencl0:0: there are cpu, cuda"),
    ],
)
def test_what_theano_has_and_we_do_not(name: str, value: str, text: str) -> None:
    with pytest.raises(NotImplementedError, match=text):
        setattr(config, name, value)


@pytest.mark.parametrize("device", ["cuda", "cuda0", "cuda:12", "emulated", "cpu"])
def test_devices(device: str) -> None:
    with config.change_flags(device=device):
        assert config.device == device


@pytest.mark.parametrize("device", ["cuda:", "cuda:x", "cuda-1", "cude", "", "cuda:١"])
def test_devices_that_there_are_not(device: str) -> None:
    with pytest.raises(ValueError, match="must be one of cpu, emulated, cuda"):
        config.device = device


def test_context_restores_also_after_an_error() -> None:
    before = config.source("threads")

    def fail() -> None:
        with config.change_flags(floatX="float32", threads=7):
            assert T.vector().dtype == "float32"
            assert config.source("threads") == "program"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert T.vector().dtype == "float64"
    assert config.threads != 7
    assert config.source("threads") == before


def test_snapshot_does_not_change() -> None:
    before = config.snapshot()
    with config.change_flags(floatX="float32"):
        assert before.floatX == "float64"
        assert config.snapshot().floatX == "float32"


# -- from outside --------------------------------------------------------------------------------


def test_precedence(outside: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "config").write_text(
        "# mine\n\nfloatX = float16   # small\n  threads=2\ncc = gcc -B/a=b#c\nprofile = True\n"
    )
    outside.setenv("SYMTHEANO_FLAGS", " floatX=float32, mode = INTERPRET,")
    made = Config()
    made.mode = "FAST_COMPILE"
    path = tmp_path / "config"
    assert [(made.floatX, made.source("floatX")), (made.threads, made.source("threads"))] == [
        ("float32", "SYMTHEANO_FLAGS"), (2, f"{path}:4"),
    ]  # fmt: skip
    assert (made.mode, made.source("mode")) == ("FAST_COMPILE", "program")
    assert (made.cc, made.source("cc")) == ("gcc -B/a=b#c", f"{path}:5")
    assert made.profile is True
    assert (made.cache_size, made.source("cache_size")) == (1024, "default")


@pytest.mark.parametrize(
    ("variable", "text", "name", "value"),
    [
        ("SYMTHEANO_CACHE_DIR", "/a/b", "cache_dir", "/a/b"),
        ("SYMTHEANO_CC", "clang -O3", "cc", "clang -O3"),
        ("OMP_NUM_THREADS", "3", "threads", 3),
        ("OMP_NUM_THREADS", "4,2", "threads", 4),
    ],
)
def test_other_variables(
    outside: pytest.MonkeyPatch, tmp_path: Path, variable: str, text: str, name: str, value: object
) -> None:
    (tmp_path / "config").write_text(f"{name} = 9\n")
    outside.setenv(variable, text)
    made = Config()
    assert (getattr(made, name), made.source(name)) == (value, variable)
    outside.setenv("SYMTHEANO_FLAGS", f"{name}=1")
    assert Config().source(name) == "SYMTHEANO_FLAGS"


@pytest.mark.parametrize("text", ["", "many", "-3"])
def test_unusable_thread_numbers_of_others_are_left(outside: pytest.MonkeyPatch, text: str) -> None:
    outside.setenv("OMP_NUM_THREADS", text)
    assert (Config().threads, Config().source("threads")) == (0, "default")


@pytest.mark.parametrize(
    ("text", "value"),
    [("True", True), ("true", True), ("1", True), ("0", False), ("None", None), ("", None)],
)
def test_truth(outside: pytest.MonkeyPatch, text: str, value: object) -> None:
    outside.setenv("SYMTHEANO_FLAGS", f"allow_input_downcast={text}")
    assert Config().allow_input_downcast is value


WRONG = [
    ("flotX=float32", "there is no option 'flotX'\n  hint: did you mean floatX?"),
    ("floatX=float31", "floatX = 'float31': must be one of float16, float32, float64"),
    ("threads=many", "threads = 'many': must be a whole number"),
    ("threads=-1", "threads = '-1': must be a whole number"),
    ("threads=²", "threads = '²': must be a whole number"),
    ("profile=None", "profile = None: must be True or False"),
    ("allow_input_downcast=maybe", "allow_input_downcast = 'maybe': must be True, False or None"),
    ("profile", "'profile' is not an assignment\n  hint: write an option as name=value"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_errors_name_the_variable(outside: pytest.MonkeyPatch, text: str, message: str) -> None:
    outside.setenv("SYMTHEANO_FLAGS", f"threads=1,{text}")
    with pytest.raises(ValueError, match=rf"^SYMTHEANO_FLAGS: {re.escape(message)}"):
        Config().snapshot()


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_errors_name_the_file_and_line(
    outside: pytest.MonkeyPatch, tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "config"
    path.write_text(f"# first\n{text} # why\n", encoding="utf-8")
    with pytest.raises(ValueError, match=rf"^{re.escape(str(path))}:2: {re.escape(message)}"):
        _ = Config().floatX


def test_a_named_file_must_be_there(outside: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outside.setenv("SYMTHEANO_CONFIG", str(tmp_path / "absent"))
    with pytest.raises(ValueError, match="absent can't be read: No such file"):
        Config().snapshot()
    outside.setenv("SYMTHEANO_CONFIG", "")
    assert Config().floatX == "float64"


def test_where_the_file_is(outside: pytest.MonkeyPatch, tmp_path: Path) -> None:
    outside.delenv("SYMTHEANO_CONFIG")
    outside.setenv("HOME", str(tmp_path))
    outside.setenv("XDG_CONFIG_HOME", "relative")
    assert config_file() == str(tmp_path / ".config/symtheano/config")
    assert Config().floatX == "float64"
    outside.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert config_file() == str(tmp_path / "xdg/symtheano/config")
    (tmp_path / "xdg/symtheano").mkdir(parents=True)
    Path(config_file()).write_text("floatX = float32\n")
    assert Config().floatX == "float32"
    Path(config_file()).write_bytes(b"cc = \xff\n")
    with pytest.raises(ValueError, match="config can't be read: 'utf-8' codec"):
        Config().snapshot()
    outside.setenv("SYMTHEANO_CONFIG", "~/mine")
    assert config_file() == str(tmp_path / "mine")


def test_description(outside: pytest.MonkeyPatch) -> None:
    outside.setenv("SYMTHEANO_FLAGS", "threads=2")
    made = Config()
    lines = made.describe().splitlines()
    assert [line.split()[0] for line in lines] == [field.name for field in fields(Options)]
    assert "threads = 2 SYMTHEANO_FLAGS" in [" ".join(line.split()) for line in lines]
    assert repr(made) == made.describe()


def test_an_import_reads_nothing() -> None:
    """So that the command line can tell what is wrong with the configuration."""
    environment = {**os.environ, "SYMTHEANO_FLAGS": "flotX=float32"}
    code = "import symtheano; print('imported'); symtheano.config.floatX"
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert result.stdout == "imported\n"
    assert "SYMTHEANO_FLAGS: there is no option 'flotX'" in result.stderr


def test_the_document_lists_every_option_with_its_default() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    table = text[text.index("## Options") : text.index("## Modes")]
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \|", table, re.MULTILINE)
    defaults = Options()
    assert dict(rows) == {f.name: repr(getattr(defaults, f.name)) for f in fields(Options)}


def test_the_number_of_threads_is_limited() -> None:
    with pytest.raises(ValueError, match="threads = 100000: must be at most 4096"):
        config.threads = 100_000
