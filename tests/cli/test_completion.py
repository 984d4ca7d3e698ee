"""completion: scripts that shells accept, and the completions they offer."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from symtheano.cli.target import assigned

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script(program: Start, folder: Path, shell: str) -> None:
    result = program("completion", shell)
    assert result.returncode == 0
    assert f"_SYMTHEANO_COMPLETE={shell}_complete" in result.stdout
    if shutil.which(shell):
        (folder / "script").write_text(result.stdout)
        checked = subprocess.run([shell, "-n", "script"], cwd=folder, check=False)
        assert checked.returncode == 0


def test_no_such_shell(program: Start) -> None:
    assert program("completion", "csh").returncode == 2


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("symtheano ca", ["plain,cache"]),
        ("symtheano cache st", ["plain,stats"]),
        ("symtheano graph --ty", ["plain,--types"]),
        ("symtheano graph --mode FAST", ["plain,FAST_RUN", "plain,FAST_COMPILE"]),
        ("symtheano c mod", ["file,mod"]),
        ("symtheano c model.py:co", ["plain,model.py:cost", "plain,model.py:compiled"]),
        ("symtheano c absent.py:co", []),
    ],
)
def test_offers(program: Start, words: str, offered: list[str]) -> None:
    count = len(words.split()) - 1
    result = program(_SYMTHEANO_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(count))
    assert sorted(result.stdout.split()) == sorted(offered)


def test_names_are_read_without_running(tmp_path: Path) -> None:
    file = tmp_path / "it.py"
    file.write_text("a, (b, *c) = f()\nd: int = 1\nd = 2\nif x:\n    e = 1\nraise SystemExit\n")
    assert assigned(str(file)) == ["a", "b", "c", "d"]
    file.write_text("a = (\n")
    assert assigned(str(file)) == []
