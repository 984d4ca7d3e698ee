"""The tables of docs/dtypes.md agree with the package."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import symtheano.tensor as T
from symtheano import config, dtypes

PAGE = Path(__file__).parent.parent / "docs" / "dtypes.md"
TABLE = re.compile(
    r"(?P<head><!-- table begin: (?P<name>\w+) -->\n)(?P<rows>.*?)(?P<tail><!-- table end -->)",
    re.DOTALL,
)


def short(dtype: str) -> str:
    return dtype if dtype == "bool" else re.sub(r"[a-z]+", lambda word: word[0][0], dtype)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with its columns aligned."""
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in [head, ["-" * width for width in widths], *rows]
    ]
    return "\n".join(lines) + "\n"


def promotion() -> str:
    rows = [
        [f"**{short(a)}**", *(short(dtypes.upcast(a, b)) for b in dtypes.ALL)] for a in dtypes.ALL
    ]
    return table(["", *map(short, dtypes.ALL)], rows)


def results() -> str:
    def of(dtype: str, make: Callable[[object], object]) -> str:
        try:
            return str(make(T.vector("x", dtype=dtype)).dtype)  # type: ignore[attr-defined]
        except TypeError:
            return "error"

    makes: dict[str, Callable[[T.TensorVariable], object]] = {
        "`x / x`": lambda x: x / x,
        "`x // x`": lambda x: x // x,
        "`exp(x)`": lambda x: T.exp(x),
        "`abs(x)`": lambda x: abs(x),
        "`x < x`": lambda x: x < x,
        "`sum(x)`": lambda x: x.sum(),
        "`mean(x)`": lambda x: x.mean(),
        "`argmax(x)`": lambda x: x.argmax(),
    }
    rows = [[f"**{dtype}**", *(of(dtype, make) for make in makes.values())] for dtype in dtypes.ALL]  # type: ignore[arg-type]
    return table(["x", *makes], rows)


def constants() -> str:
    policies = [
        ("custom", "float64"),
        ("custom", "float32"),
        ("numpy+floatX", "float32"),
        ("numpy", "float32"),
    ]
    rows = []
    for value in (True, 1, 200, 100_000, 0.5, 0.1, 1e300, 1j):
        row = [f"`{value}`"]
        for policy, floatx in policies:
            with config.change_flags(cast_policy=policy, floatX=floatx):
                row.append(dtypes.constant_dtype(value))
        rows.append(row)
    return table(["number", *(f"{policy}, floatX={floatx}" for policy, floatx in policies)], rows)


TABLES = {"promotion": promotion, "results": results, "constants": constants}


def test_page_has_the_tables() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [found["name"] for found in TABLE.finditer(text)] == list(TABLES)


@pytest.mark.parametrize("name", TABLES)
def test_table_is_true(name: str, update_golden: bool) -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = next(match for match in TABLE.finditer(text) if match["name"] == name)
    rows = TABLES[name]()
    if update_golden:
        shown = text[: found.start("rows")] + rows + text[found.end("rows") :]
        PAGE.write_text(shown, encoding="utf-8", newline="\n")
    else:
        assert found["rows"] == rows, "To accept: pytest --update-golden"


@pytest.mark.parametrize("a", dtypes.ALL)
@pytest.mark.parametrize("b", dtypes.ALL)
def test_operators_follow_the_promotion_table(a: str, b: str) -> None:
    x, y = T.vector("x", dtype=a), T.vector("y", dtype=b)
    assert (x + y).dtype == dtypes.upcast(a, b) == dtypes.upcast(b, a)
