"""The README's programs are short, and its commands name what exists; see also test_docs.py."""

from __future__ import annotations

import re

from tests.support.pages import FILE, ROOT

README = ROOT / "README.md"

COMMAND = re.compile(
    r"<!-- command begin: (\w+) -->\n```sh\n(.*?)\n```\n<!-- command end: \1 -->", re.DOTALL
)


def test_programs_stay_short() -> None:
    programs = [found["text"] for found in FILE.finditer(README.read_text(encoding="utf-8"))]
    assert len(programs) == 5
    assert all(len(program.splitlines()) <= 30 for program in programs)


def test_commands_name_what_exists() -> None:
    commands = dict(COMMAND.findall(README.read_text(encoding="utf-8")))
    assert set(commands) == {"digits", "test"}
    extras = set(re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.MULTILINE))
    for command in commands.values():
        assert "\n" not in command
        assert set(re.findall(r"\.\[(\w+)\]", command)) <= extras
        assert all((ROOT / file).exists() for file in re.findall(r"examples/\S+\.py", command))
    assert "-m pytest" in commands["test"]
