"""run: a program behaves as under ``python FILE``; profiles follow its end."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Start = Callable[..., subprocess.CompletedProcess[str]]

TRAIN = """\
import numpy as np
import symtheano
import symtheano.tensor as T

x = T.dmatrix("x")
loss = symtheano.function([x], T.tanh(x).sum(), name="loss")
other = symtheano.function([x], x + 1)
for _ in range(3):
    loss(np.ones((2, 2)))
print("trained")
"""


@pytest.mark.parametrize(
    "text",
    [
        "import sys; print(sys.argv, __name__, sys.path[0], __file__)\nprint('e', file=sys.stderr)",
        "import sys; sys.exit(3)",
        "import sys; sys.exit()",
        "import sys; sys.exit('so it ends')",
        "import atexit; atexit.register(print, 'at exit'); print('main')",
        "def f():\n    raise ValueError('mine')\n\nf()",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise KeyError('k') from e",
        "x = (1\n",
        "import near; print(near.factor)",
        "import pickle\nclass A: pass\nprint(type(pickle.loads(pickle.dumps(A()))).__module__)",
        "import sys, traceback\nsys.excepthook = lambda *a: traceback.print_exception(*a)\n1 / 0",
        "import threading\nthreading.Thread(target=print, args=['thread']).start()",
    ],
)
def test_like_python(process: Start, program: Start, folder: Path, text: str) -> None:
    (folder / "it.py").write_text(text)
    arguments = ("it.py", "--profile", "-x", "3", "--", "--help", "")
    expected = process(*arguments)
    got = program("run", *arguments)
    assert (got.returncode, got.stdout) == (expected.returncode, expected.stdout)
    assert got.stderr == expected.stderr


@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("near", "import sys; print(sys.argv, __name__, sys.path[0], __file__, __package__ == '')"),
        ("near", "print(__spec__.name)\nraise ValueError('mine')"),
        ("pack.train", "from .rows import rows\nprint(__name__, __package__, __spec__.name, rows)"),
        ("pack", "print('the package itself')"),
        ("json.tool", "print('of Python')"),
    ],
)
def test_modules_like_python(
    process: Start, program: Start, folder: Path, module: str, text: str
) -> None:
    (folder / "pack").mkdir()
    for name in ("__init__", "rows"):
        (folder / "pack" / f"{name}.py").write_text("rows = 3\n")
    for name in ("near.py", "pack/train.py", "pack/__main__.py"):
        (folder / name).write_text(text)
    arguments = (module, "--profile") if module != "json.tool" else (module, "--help")
    expected = process("-m", *arguments)
    got = program("run", "-m", *arguments)
    assert (got.returncode, got.stdout) == (expected.returncode, expected.stdout)
    assert got.stderr.splitlines()[-1:] == expected.stderr.splitlines()[-1:]


@pytest.mark.parametrize("name", ["absent", "pack.absent", "absent.train"])
def test_no_module(program: Start, folder: Path, name: str) -> None:
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").touch()
    result = program("run", "-m", name)
    assert result.returncode != 0
    assert f"there is no module {name}" in result.stderr


def test_a_module_of_theano(program: Start, folder: Path) -> None:
    (folder / "pack").mkdir()
    (folder / "pack" / "__init__.py").touch()
    text = "import theano.tensor as T\nprint(T.nnet.softmax(T.vector()).ndim)\n"
    (folder / "pack" / "train.py").write_text(text)
    assert program("run", "-m", "pack.train").stdout == "2\n"


def test_interrupted(program: Start, folder: Path) -> None:
    (folder / "it.py").write_text("raise KeyboardInterrupt")
    result = program("run", "it.py")
    assert result.returncode == 130
    assert result.stderr.splitlines()[-1] == "KeyboardInterrupt"


def test_misspelled_option(program: Start) -> None:
    result = program("run", "--profle", "it.py")
    assert (result.returncode, result.stdout) == (2, "")
    assert "--profile" in result.stderr.splitlines()[-1]


def test_no_file(program: Start) -> None:
    result = program("run", "absent.py")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "symtheano: there is no file absent.py\n"


def test_options_are_set_for_the_program_and_its_children(program: Start, folder: Path) -> None:
    (folder / "it.py").write_text(
        "import subprocess, sys\n"
        "code = 'from symtheano import config as c; print(c.floatX, c.mode, c.threads)'\n"
        "exec(code, {})\n"
        "sys.stdout.flush()\n"
        "subprocess.run([sys.executable, '-c', code])\n"
    )
    result = program(
        "run", "--floatX", "float32", "--mode", "INTERPRET", "--threads", "1", "it.py",
        SYMTHEANO_FLAGS="floatX=float16,on_unused_input=warn",
    )  # fmt: skip
    assert result.stdout.splitlines() == ["float32 INTERPRET 1"] * 2


def test_frames_of_the_package_are_left_out(program: Start, folder: Path) -> None:
    (folder / "it.py").write_text(
        "import symtheano, symtheano.tensor as T\nx = T.dvector('x')\n"
        "f = symtheano.function([x], x + [1.0, 2.0], mode='INTERPRET')\nf([1.0, 2.0, 3.0])\n"
    )
    result = program("run", "it.py")
    assert result.returncode == 1
    files = [line for line in result.stderr.splitlines() if line.startswith("  File ")]
    assert files == [f'  File "{folder / "it.py"}", line 4, in <module>']


def test_profile_follows_the_output(program: Start, folder: Path) -> None:
    (folder / "train.py").write_text(TRAIN)
    result = program("run", "--mode", "INTERPRET", "--profile", "train.py")
    assert (result.returncode, result.stdout) == (0, "trained\n")
    lines = result.stderr.splitlines()
    assert max(map(len, lines)) <= 80
    calls = {line.split()[0]: line.split() for line in lines if "train.py:" in line}
    assert calls["loss"][1:3] == ["train.py:6", "3"]
    assert calls["function"][1:3] == ["train.py:7", "0"]
    head = next(line for line in lines if line.startswith("seconds of compiling"))
    assert head.split()[3:] == ["total", "rewrite", "lower", "print", "compile", "load"]


def test_profile_follows_a_failure(program: Start, folder: Path) -> None:
    (folder / "train.py").write_text(TRAIN + "loss('text')\n")
    result = program("run", "--mode", "INTERPRET", "--profile", "train.py")
    assert result.returncode == 1
    error = result.stderr.index("MisfitError: ")
    assert error < result.stderr.index("made at")


def test_profile_of_a_program_without_functions(program: Start, folder: Path) -> None:
    (folder / "it.py").write_text("print('hello')")
    result = program("run", "--profile", "it.py")
    assert (result.returncode, result.stdout) == (0, "hello\n")
    assert result.stderr == "\nno function was compiled\n"


def test_profile_as_json(program: Start, folder: Path) -> None:
    (folder / "train.py").write_text(TRAIN)
    result = program("run", "--mode", "INTERPRET", "--profile-json", "profile.json", "train.py")
    assert (result.returncode, result.stdout, result.stderr) == (0, "trained\n", "")
    loss, other = json.loads((folder / "profile.json").read_text())
    assert (loss["name"], loss["origin"], loss["calls"]) == ("loss", "train.py:6", 3)
    assert loss["seconds"] > 0
    assert loss["times"]["rewrite"] > 0
    assert other["calls"] == 0
