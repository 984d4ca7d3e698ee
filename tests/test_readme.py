"""The README says what is true: its tour prints what it shows, its commands name what exists."""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

TOUR = re.compile(
    r"(?P<head><!-- tour begin -->\n```python\n(?P<code>.*?)```\n.*?```text\n)"
    r"(?P<output>.*?)"
    r"(?P<tail>```\n<!-- tour end -->)",
    re.DOTALL,
)
COMMAND = re.compile(
    r"<!-- command begin: (\w+) -->\n```sh\n(.*?)\n```\n<!-- command end: \1 -->", re.DOTALL
)


def run(code: str) -> str:
    """Return what a program prints, without the spaces at the ends of its lines."""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return "".join(line.rstrip() + "\n" for line in result.stdout.rstrip().splitlines())


def test_tour_prints_what_it_shows(update_golden: bool) -> None:
    text = README.read_text(encoding="utf-8")
    tour = TOUR.search(text)
    assert tour, "the tour needs a python block and a text block between its two marks"
    printed = run(tour["code"])
    assert "```" not in printed
    if update_golden:
        shown = text[: tour.start("output")] + printed + text[tour.end("output") :]
        README.write_text(shown, encoding="utf-8", newline="\n")
    elif printed != tour["output"]:
        changes = difflib.unified_diff(
            tour["output"].splitlines(), printed.splitlines(), "README.md", "this run", lineterm=""
        )
        pytest.fail("\n".join([*changes, "", "To accept: pytest --update-golden"]), pytrace=False)


def test_tour_stays_short() -> None:
    tour = TOUR.search(README.read_text(encoding="utf-8"))
    assert tour
    assert len(tour["code"].splitlines()) <= 20


def test_commands_name_what_exists() -> None:
    commands = dict(COMMAND.findall(README.read_text(encoding="utf-8")))
    assert set(commands) == {"digits", "test"}
    extras = set(re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.MULTILINE))
    for command in commands.values():
        assert "\n" not in command
        assert set(re.findall(r"\.\[(\w+)\]", command)) <= extras
        assert all((ROOT / file).exists() for file in re.findall(r"examples/\S+\.py", command))
    assert "-m pytest" in commands["test"]
