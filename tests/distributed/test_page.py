"""The programs of docs/distributed.md, and the example, with two processes."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.support.ranks import ROOT, run_ranks

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]

PAGE = (ROOT / "docs" / "distributed.md").read_text("utf-8")
PROGRAMS = [
    text for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if ">>>" not in text
]


def test_the_page_has_two_programs() -> None:
    assert len(PROGRAMS) == 2


@pytest.mark.parametrize(
    ("number", "printed"), [(0, "True\n"), (1, "[ 1. -2.  3.] True\n")], ids=["model", "function"]
)
def test_a_program_prints_what_it_should(tmp_path: Path, number: int, printed: str) -> None:
    ended = run_ranks(tmp_path, 2, PROGRAMS[number])
    assert (ended.status, ended.output) == (0, printed)


@pytest.mark.skipif(importlib.util.find_spec("sklearn") is None, reason="it loads digits")
def test_the_example_is_right(tmp_path: Path) -> None:
    example = (ROOT / "examples" / "17_several_processes.py").read_text("utf-8")
    ended = run_ranks(tmp_path, 2, example)
    assert ended.status == 0, ended.output
    found = re.search(r"^2 process\(es\): ([\d.]+)% of", ended.output, re.MULTILINE)
    assert found is not None, ended.output
    assert float(found[1]) > 90
    assert ended.output.count("epoch 15/15") == 1, "rank 0 alone prints"
    assert (tmp_path / "digits.safetensors").exists()
