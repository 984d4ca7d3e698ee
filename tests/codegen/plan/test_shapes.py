"""Tables of lengths: they answer for arrays of the graph and for copies, and do not change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import FrozenInstanceError, fields

import pytest

import symtheano.tensor as T
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import elemwise
from tests.codegen.plan.test_naming import shapes

x, v = T.matrix("x"), T.vector("v")


def test_copies_and_their_transposes_have_the_lengths_of_what_is_copied() -> None:
    """The schedule makes them after rewriting; no lengths are computed for them."""
    made, (part,) = shapes([x], [x[:, T.minimum(x.shape[0], 1) :]])
    copy = elemwise(scalar.identity)(part)
    known = dict(made.definitions)
    assert made.dims(copy) == made.dims(part)
    assert made.dims(copy.T) == made.dims(part)[::-1]
    assert made.dims(copy.dimshuffle(1, "x", 0))[1] == 1
    assert dict(made.definitions) == known


def test_an_array_that_is_not_in_the_graph_has_no_lengths() -> None:
    made, _ = shapes([x], [T.exp(x)])
    with pytest.raises(AssertionError, match="not in the graph"):
        made.dims(v)
    assert made.dims(T.scalar()) == ()


def test_own_lengths_are_told_before_checks() -> None:
    made, (out,) = shapes([v, x], [T.exp(v) + x[0]])
    assert made.dims(v) == made.dims(x)[1:]
    assert {str(made.own[v][0]), str(made.own[x][1])} == {"v_d0", "x_d1"}
    assert made.dims(out) == made.dims(v)


def test_no_table_changes() -> None:
    made, (out,) = shapes([x, v], [T.exp(x + v)[1:]])
    before = dict(made.definitions)
    for field in fields(made):
        with pytest.raises(FrozenInstanceError):
            setattr(made, field.name, None)
        table = getattr(made, field.name)
        assert isinstance(table, Mapping | tuple)
        with pytest.raises(TypeError):
            table[out] = ()
    made.dims(elemwise(scalar.identity)(out))
    assert dict(made.definitions) == before
