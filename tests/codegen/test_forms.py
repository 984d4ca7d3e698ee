"""Forms of ops: what each declares is there under its name."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen import forms
from symtheano.loopir import Buffer, Builder, Index, Value, View

x, k = T.dmatrix("x"), T.lvector("k")
EXPRESSIONS: dict[str, Any] = {
    "view": x[::-1],
    "element": T.arange(x.shape[0]),
    "scatter": T.inc_subtensor(x[k], 1.0),
    "parts": T.join(0, x, x),
    "whole": T.dot(x, x),
}


def node(form: str) -> Any:
    """Return a node of a form of the rewritten graph of an expression."""
    made = function([x, k], EXPRESSIONS[form], mode="INTERPRET", on_unused_input="ignore")
    (found, *_) = (n for n in made.graph.toposort() if n.op.form == form)
    return found


def test_a_view_is_one_of_its_operand() -> None:
    m, n = Index.symbol("m"), Index.symbol("n")
    operand = View.contiguous(Buffer("x", "float64", "input", m * n, 0), (m, n))
    item = node("view")
    scalars = [Index.of(0)] * 0
    found = forms.view_of(item, operand, scalars or _integers(item), (m, n))
    assert found.buffer == operand.buffer
    assert found.strides[0] in (-n, n)


def _integers(item: Any) -> list[Index]:
    shapes = [[Value(f"d{axis}", "int64").index for axis in range(2)]]
    given = item.op.scalars(item, shapes) if hasattr(item.op, "scalars") else []
    return [Index.of(-1 if isinstance(each, int) else 0) for each in given]


@pytest.mark.parametrize("form", ["scatter", "parts"])
def test_ops_that_put(form: str) -> None:
    item = node(form)
    op: Any = forms.scatter_of(item) if form == "scatter" else forms.parts_of(item)
    assert op is item.op
    assert forms.put_of(item) is op
    declared = ("destination", "outer_axes") if form == "scatter" else ("parts", "put_inputs")
    assert all(callable(getattr(op, name)) for name in declared)


def test_an_element_is_computed_from_its_index() -> None:
    item, b = node("element"), Builder()
    index = [Value("i", "int64").index]
    count = len(item.op.scalars(item, [])) if hasattr(item.op, "scalars") else 0
    found = forms.element_from(b, item, index, _never, [Index.of(1)] * max(count, 3))
    assert found.dtype == "int64"


def _never(number: int, index: Any) -> Any:
    return Value(f"in{number}", "int64")
