"""The code in README.md and docs/ runs and prints what the pages show; their links lead somewhere.

``tests/support/pages.py`` describes the marks. Blocks with ``>>>`` are doctests; those of one page
share their names, from top to bottom.
"""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from symtheano import config
from tests.support.pages import OUTPUT, PAGES, ROOT, compare, outputs, printed_by

CASES = [(page, command) for page in PAGES for command in outputs(page)]
WITH_DOCTESTS = [page for page in PAGES if re.search("^ *>>> ", page.read_text("utf-8"), re.M)]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def name(value: object) -> str:
    return value.stem if isinstance(value, Path) else str(value)


def test_pages_have_outputs_and_doctests() -> None:
    assert len(CASES) >= 7
    assert len(WITH_DOCTESTS) >= 3


@pytest.mark.needs_cc
@pytest.mark.parametrize(("page", "command"), CASES, ids=name)
def test_output(page: Path, command: str, tmp_path: Path, update_golden: bool) -> None:
    found = OUTPUT.finditer(page.read_text("utf-8"))
    shown = next(one for one in found if one["command"] == command)
    compare(page, shown, printed_by(page, command, tmp_path), update_golden)


@pytest.mark.needs_cc
@pytest.mark.parametrize("page", WITH_DOCTESTS, ids=name)
def test_doctests(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Where a code block ends, so does the output of its last line.
    text = re.sub(r"^ *```.*$", "", page.read_text("utf-8"), flags=re.MULTILINE)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    said: list[str] = []
    with config.change_flags():
        doctest.DocTestRunner(verbose=False, optionflags=flags).run(test, out=said.append)
    if said:
        pytest.fail("".join(said), pytrace=False)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for file, section in LINK.findall(text):
        target = page.parent / file if file else page
        assert target.exists(), f"{page.name} links to {file}"
        if section:
            assert section in sections(target), f"{page.name} links to {file}#{section}"


def sections(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_index_lists_every_page() -> None:
    index = (ROOT / "README.md").read_text("utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert f"(docs/{page.name})" in index, f"README.md does not link to docs/{page.name}"
