"""docs/cli.md lists all commands; tests/test_docs.py checks the output that it shows."""

from __future__ import annotations

import re

from symtheano.cli import main
from tests.support.pages import ROOT

DOCUMENT = ROOT / "docs" / "cli.md"


def test_the_document_lists_all_commands() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    listed = re.findall(r"^symtheano (\w+)", text.split("```")[1], re.MULTILINE)
    assert sorted(listed) == sorted(main.commands)
