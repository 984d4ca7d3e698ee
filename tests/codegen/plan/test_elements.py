"""Elements: their indices, costs and names."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.plan.elements import (
    accumulated,
    cost_of,
    label_of,
    origins_of,
    own_index,
    through,
)
from symtheano.codegen.plan.steps import Member, Source
from symtheano.loopir import Index

x, row = T.matrix("x"), T.row("row")
N, M, ZERO = Index.symbol("i"), Index.symbol("j"), Index.of(0)


def test_indices_of_sources_and_of_broadcast_operands() -> None:
    assert through(Source(x, (1, 0)), [N, M]) == [M, N]
    assert through(Source(x, (None, 1)), [N, M]) == [ZERO, M]
    assert own_index(row, [N, M]) == [ZERO, M]
    assert own_index(x, [N, M]) == [N, M]


@pytest.mark.parametrize(
    ("output", "label"),
    [(T.exp(x), "exp"), (T.cast(x, "int32"), "cast"), (x.sum(), "sum"), (T.all(x > 0), "all"),
     (x.max(axis=0), "max"), (T.argmax(x, axis=0), "argreduce"), (x.prod(), "product")],
)  # fmt: skip
def test_labels_are_parts_of_identifiers(output: Any, label: str) -> None:
    found = label_of(Member(output.owner, (), "point"))
    assert found == label
    assert found.isidentifier()


def test_costs_are_those_of_rows() -> None:
    add, exp, total = (Member(v.owner, (0, 1), "point") for v in (x + x, T.exp(x), x.sum()))
    assert cost_of(add) < cost_of(total) < cost_of(exp)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (x.sum(), ("float64", (("add", "sum"),))),
        (T.fmatrix().sum(), ("float64", (("add", "sum"),))),
        (x.max(), ("float64", (("larger", "max"), ("nan_or", "nan")))),
        (T.imatrix().min(), ("int32", (("smaller", "min"),))),
        (T.argmax(x, axis=0), ("float64", (("larger", "max"), ("nan_or", "nan")))),
        (T.argmin(T.lmatrix(), axis=0), ("int64", (("smaller", "min"),))),
    ],
)
def test_extrema_of_floating_point_numbers_look_for_nan(output: Any, expected: Any) -> None:
    assert accumulated(output.owner) == expected


def test_origins_are_the_users_lines() -> None:
    (origin,) = origins_of([Member(T.exp(x).owner, (0, 1), "point")])
    assert "test_elements.py" in origin.place
