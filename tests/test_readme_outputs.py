"""What the README shows of the command line and of errors is what the programs print."""

from __future__ import annotations

import difflib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"

FILE = re.compile(
    r"<!-- file begin: (?P<name>\S+) -->\n```python\n(?P<text>.*?)```\n<!-- file end -->", re.DOTALL
)
OUTPUT = re.compile(
    r"(?P<head><!-- output begin: (?P<command>.*?) -->\n```\w+\n)(?P<text>.*?)(?P<tail>```\n)",
    re.DOTALL,
)
COMMANDS = ["explain scale.py:y", "c scale.py:y", "run add.py"]


def test_readme_shows_these() -> None:
    text = README.read_text(encoding="utf-8")
    assert [found["command"] for found in OUTPUT.finditer(text)] == COMMANDS


@pytest.mark.needs_cc
@pytest.mark.parametrize("command", COMMANDS)
def test_output_is_true(command: str, tmp_path: Path, update_golden: bool) -> None:
    text = README.read_text(encoding="utf-8")
    for file in FILE.finditer(text):
        (tmp_path / file["name"]).write_text(file["text"], encoding="utf-8")
    shown = next(found for found in OUTPUT.finditer(text) if found["command"] == command)
    printed = printed_by(command, tmp_path)
    if update_golden:
        changed = text[: shown.start("text")] + printed + text[shown.end("text") :]
        README.write_text(changed, encoding="utf-8", newline="\n")
    elif printed != shown["text"]:
        changes = difflib.unified_diff(
            shown["text"].splitlines(), printed.splitlines(), "README.md", "this run", lineterm=""
        )
        pytest.fail("\n".join([*changes, "", "To accept: pytest --update-golden"]), pytrace=False)


def printed_by(command: str, folder: Path) -> str:
    """Return what is shown of a command's output."""
    kind, target = command.split()
    main = "import sys; from symtheano.cli import main; main(sys.argv[1:], 'symtheano')"
    result = subprocess.run(
        [sys.executable, *([target] if kind == "run" else ["-c", main, kind, target])],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(README.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    if kind == "run":
        message = result.stderr[result.stderr.index("symtheano.errors.") :]
        return message.replace(f"{folder}{os.sep}", "")
    assert result.returncode == 0, result.stderr
    if kind == "c":
        kernels = result.stdout[result.stdout.index("ST_KERNEL void") :]
        return kernels[: kernels.index("\n}\n") + 3]
    return result.stdout
