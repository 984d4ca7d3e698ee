"""What docs/cli.md shows of the command line is what it prints."""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from symtheano.cli import main
from tests.test_readme_outputs import FILE, OUTPUT

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "cli.md"
COMMANDS = ["graph scale.py:y", "explain scale.py:loss"]


def test_the_document_shows_these() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert [found["command"] for found in OUTPUT.finditer(text)] == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_output_is_true(
    program: Callable[..., subprocess.CompletedProcess[str]],
    folder: Path,
    command: str,
    update_golden: bool,
) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for file in FILE.finditer(text):
        (folder / file["name"]).write_text(file["text"], encoding="utf-8")
    shown = next(found for found in OUTPUT.finditer(text) if found["command"] == command)
    result = program(*command.split())
    assert result.returncode == 0, result.stderr
    # debugprint ends the lines of nameless nodes with spaces, which Markdown does not show
    printed = re.sub(r" +$", "", result.stdout, flags=re.MULTILINE).replace(f"{folder}/", "")
    if update_golden:
        changed = text[: shown.start("text")] + printed + text[shown.end("text") :]
        DOCUMENT.write_text(changed, encoding="utf-8", newline="\n")
    elif printed != shown["text"]:
        changes = difflib.unified_diff(
            shown["text"].splitlines(), printed.splitlines(), "docs/cli.md", "this run", lineterm=""
        )
        pytest.fail("\n".join([*changes, "", "To accept: pytest --update-golden"]), pytrace=False)


def test_the_document_lists_all_commands() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    listed = re.findall(r"^symtheano (\w+)", text.split("```")[1], re.MULTILINE)
    assert sorted(listed) == sorted(main.commands)
