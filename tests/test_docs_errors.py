"""The screens of docs/errors.md are what its programs print."""

from __future__ import annotations

import linecache
import re
import runpy
import traceback
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Mode, Op, config, function, grad, shared
from symtheano.function.verify import verify_grad
from tests.support.pages import ROOT, compare

PAGE = ROOT / "docs" / "errors.md"
PROGRAM = re.compile(
    r"<!-- program begin: (?P<name>\S+) -->\n```python\n(?P<text>.*?)```\n<!-- program end -->",
    re.DOTALL,
)
SCREEN = re.compile(
    r"<!-- (?P<kind>screen|golden) begin: (?P<name>\S+) -->\n```text\n(?P<text>.*?)```\n", re.DOTALL
)
BEGINNING = {
    "np": np, "T": T, "Apply": Apply, "Mode": Mode, "Op": Op, "config": config,
    "function": function, "grad": grad, "shared": shared, "verify_grad": verify_grad,
}  # fmt: skip

PROGRAMS = {found["name"]: found["text"] for found in PROGRAM.finditer(PAGE.read_text("utf-8"))}
SCREENS = [(found["kind"], found["name"]) for found in SCREEN.finditer(PAGE.read_text("utf-8"))]


def test_every_program_has_its_screen() -> None:
    assert list(PROGRAMS) == [name for kind, name in SCREENS if kind == "screen"]
    assert len(PROGRAMS) > 25


def test_the_beginning_is_the_one_shown() -> None:
    shown = re.findall(r"^(?:from|import) .*", PAGE.read_text("utf-8"), re.MULTILINE)
    known: dict[str, object] = {}
    exec("\n".join(shown), known)
    assert {name: known[name] for name in known if name != "__builtins__"} == BEGINNING


@pytest.mark.needs_cc
@pytest.mark.parametrize(("kind", "name"), SCREENS)
def test_screen_is_true(
    kind: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool
) -> None:
    page = PAGE.read_text("utf-8")
    if kind == "golden":
        printed = (ROOT / "tests" / "golden" / "errors" / f"{name}.txt").read_text("utf-8")
    else:
        monkeypatch.chdir(tmp_path)
        printed = printed_by(name)
    shown = next(found for found in SCREEN.finditer(page) if found["name"] == name)
    compare(PAGE, shown, printed, update_golden)


def printed_by(name: str) -> str:
    """Run a program in the current folder; return what Python prints below the traceback."""
    Path(name).write_text(PROGRAMS[name], encoding="utf-8")
    linecache.clearcache()
    try:
        runpy.run_path(name, init_globals=BEGINNING)
    except Exception as error:
        text = "".join(traceback.format_exception_only(error))
        # Python 3.10 keeps notes to itself.
        hidden = [note for note in getattr(error, "__notes__", ()) if note not in text]
        return text + "".join(f"{note}\n" for note in hidden)
    raise AssertionError(f"{name} ran to its end")
