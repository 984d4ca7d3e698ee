"""The program as a whole: help, versions, exit statuses, and that nothing heavy is imported."""

from __future__ import annotations

import errno
import json
import subprocess
from collections.abc import Callable

import click
import pytest

from symtheano import __version__
from symtheano.cli import main
from symtheano.cli.settings import config_command
from tests.cli.conftest import Run

Start = Callable[..., subprocess.CompletedProcess[str]]


def commands(group: click.Group, *before: str) -> list[list[str]]:
    """Return the words of all commands of a group and of its groups."""
    found: list[list[str]] = []
    for name, command in group.commands.items():
        found.append([*before, name])
        if isinstance(command, click.Group):
            found += commands(command, *before, name)
    return found


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"symtheano {__version__}\n", "")


@pytest.mark.parametrize("words", [[], *commands(main)], ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_fits_the_screen(run: Run, words: list[str], option: str) -> None:
    status, out, err = run(*words, option)
    assert (status, err) == (0, "")
    assert out.startswith(f"Usage: symtheano {' '.join(words)}".rstrip())
    assert max(map(len, out.splitlines())) <= 80


def test_help_tells_all_commands_in_whole_sentences(run: Run) -> None:
    out = run("--help")[1]
    listed = out[out.index("Commands:") : out.index("Exit status")].split("\n")[1:]
    lines = [line for line in listed if line.strip()]
    assert [line.split()[0] for line in lines] == sorted(main.commands)
    assert all(line.endswith(".") and not line.endswith("...") for line in lines)


def test_examples_in_help_keep_their_lines(run: Run) -> None:
    out = run("c", "--help")[1]
    assert "\n    symtheano c model.py:loss\n    symtheano c model.py:loss --wrt W,b" in out


@pytest.mark.parametrize("words", [["explian"], ["cache", "lists"], ["bench"], ["c", "--wtr"]])
def test_misuse(run: Run, words: list[str]) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert "Usage: symtheano" in err
    assert "Error: " in err.splitlines()[-1]


def test_a_defect_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise KeyError("spam")

    monkeypatch.setattr(config_command, "callback", fail)
    status, out, err = run("config")
    assert (status, out) == (2, "")
    assert err.startswith("symtheano: this is a defect of symtheano, please report it: KeyError: ")
    assert "test_main.py:" in err
    assert err.count("\n") == 1


def test_a_full_disk_is_told_in_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "file")

    monkeypatch.setattr(config_command, "callback", fail)
    line = "symtheano: [Errno 28] No space left on device: 'file'\n"
    assert run("config") == (2, "", line)


@pytest.mark.parametrize(
    "flags", ["flotX=float32", "floatX=float31", "threads=many", "mode=FAST_WALK", "profile"]
)
def test_bad_configuration(program: Start, flags: str) -> None:
    result = program("config", SYMTHEANO_FLAGS=flags)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.startswith("symtheano: ")
    assert "Traceback" not in result.stderr
    assert program("--help", SYMTHEANO_FLAGS=flags).returncode == 0


def test_config_tells_values_and_sources(program: Start) -> None:
    result = program("config", SYMTHEANO_FLAGS="floatX=float32", OMP_NUM_THREADS="3")
    assert result.returncode == 0
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["floatX", "'float32'", "SYMTHEANO_FLAGS"] in rows
    assert ["threads", "3", "OMP_NUM_THREADS"] in rows
    assert ["mode", "'FAST_RUN'", "default"] in rows
    assert rows[-1] == ["file:", "none"]


def test_config_as_json(program: Start) -> None:
    shown = json.loads(program("config", "--json", SYMTHEANO_FLAGS="threads=2").stdout)
    assert shown["threads"] == {"value": 2, "source": "SYMTHEANO_FLAGS"}
    assert shown["allow_input_downcast"] == {"value": None, "source": "default"}


@pytest.mark.parametrize(
    ("environment", "colours"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colours_where_they_are_wanted(
    program: Start, environment: dict[str, str], colours: bool
) -> None:
    result = program("doctor", **environment)
    assert ("\x1b[32mok" in result.stdout) == colours
    if not environment:
        assert "\x1b" not in result.stdout


def test_help_imports_nothing_heavy(process: Start) -> None:
    code = (
        "import sys, symtheano.cli as cli\n"
        "try: cli.main(['--help'], 'symtheano')\n"
        "except SystemExit: pass\n"
        "print([m for m in sys.modules if m.startswith(('rich', 'symtheano.rewrites', "
        "'symtheano.codegen.c.program', 'symtheano.printing', 'sympy', 'networkx'))])"
    )
    result = process("-c", code)
    assert result.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    "command",
    [["demo"], ["--help"], ["c", "model.py:y"], ["explain", "model.py:cost"], ["config"]],
    ids=lambda command: command[0],
)
def test_reader_that_goes_is_no_trouble(process: Start, command: list[str]) -> None:
    ended = process(
        "-c",
        "import subprocess, sys\n"
        f"p = subprocess.Popen([sys.executable, '-m', 'symtheano.cli', *{command!r}],"
        " stdout=subprocess.PIPE, stderr=subprocess.PIPE)\n"
        "p.stdout.close()\n"
        "told = p.stderr.read().decode().replace('printed by the file\\n', '')\n"
        "print(p.wait(), repr(told))",
    )
    assert ended.stdout == "0 ''\n", ended.stderr
