"""The programs in README.md and docs/, what they print, and the comparison of the two.

A page shows a file between ``<!-- file begin: NAME -->`` and ``<!-- file end -->``, and what a
command prints between ``<!-- output begin: COMMAND -->`` and ``<!-- output end -->``. All files of
a page are in the working directory of its commands. A command is one of

``run NAME``
    the output of a Python program, or the error message with which it ends;
``sh NAME``
    the output of a shell script;
``c FILE:VARIABLE``
    the first kernel of the generated C;
anything else
    the output of ``symtheano COMMAND``.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

FILE = re.compile(
    r"<!-- file begin: (?P<name>\S+) -->\n```\w+\n(?P<text>.*?)```\n<!-- file end -->", re.DOTALL
)
OUTPUT = re.compile(
    r"<!-- output begin: (?P<command>.*?) -->\n```\w+\n(?P<text>.*?)```\n<!-- output end -->",
    re.DOTALL,
)


def outputs(page: Path) -> list[str]:
    """Return the commands whose output a page shows."""
    return [found["command"] for found in OUTPUT.finditer(page.read_text("utf-8"))]


def printed_by(page: Path, command: str, folder: Path) -> str:
    """Run a command of a page in an empty folder and return what the page should show of it."""
    for file in FILE.finditer(page.read_text("utf-8")):
        (folder / file["name"]).write_text(file["text"], encoding="utf-8")
    kind, _, target = command.partition(" ")
    if kind == "run":
        arguments = [sys.executable, "-W", "error", target]
    elif kind == "sh":
        arguments = ["sh", "-e", target]
    else:
        arguments = [sys.executable, "-m", "symtheano.cli", *command.split()]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    result = subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    printed = result.stdout
    if kind == "run" and "symtheano.errors." in result.stderr:
        printed += result.stderr[result.stderr.index("symtheano.errors.") :]
    else:
        assert result.returncode == 0, result.stderr
    if kind == "c":
        kernels = printed[printed.index("ST_KERNEL void") :]
        printed = kernels[: kernels.index("\n}\n") + 3]
    # debugprint ends the lines of nameless nodes with spaces, which Markdown does not show.
    return re.sub(r" +$", "", printed, flags=re.MULTILINE).replace(f"{folder}{os.sep}", "")


def compare(page: Path, shown: re.Match[str], printed: str, update: bool) -> None:
    """Fail if the text that a page shows is not what was printed; or update the page."""
    assert "```" not in printed
    if update:
        text = page.read_text("utf-8")
        changed = text[: shown.start("text")] + printed + text[shown.end("text") :]
        page.write_text(changed, encoding="utf-8", newline="\n")
    elif printed != shown["text"]:
        changes = difflib.unified_diff(
            shown["text"].splitlines(), printed.splitlines(), page.name, "this run", lineterm=""
        )
        pytest.fail("\n".join([*changes, "", "To accept: pytest --update-golden"]), pytrace=False)
