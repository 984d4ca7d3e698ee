"""Conditions that need their own computations: parts of arrays, loops, lengths with two names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.errors import BoundsError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.loopir import NodeArrays
from symtheano.lowering import SAME_AXES, Statements
from symtheano.tensor.indexing.positions import permute_row_elements
from symtheano.tensor.shapes.shape import as_dim, shape_of
from symtheano.tensor.type import TensorType
from tests.support.compare import check, compiled, oracle

pytestmark = pytest.mark.needs_cc


class Checked(Op):
    """Its first input, if a condition made from all inputs holds."""

    lowering = SAME_AXES

    def __init__(self, condition: Callable[..., Any]) -> None:
        self.condition = condition

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        return [Requirement(self.condition(*node.inputs), (), lambda values: "refused", "value")]


class EndsAt(Op):
    """Whether a vector's last element is a number, by statements on the whole array."""

    __props__ = ()
    takes = "**..."

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [TensorType("bool", ())]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [()]

    @Statements
    def lowering(self, b: Any, node: Apply, arrays: NodeArrays) -> None:
        x, n = arrays.inputs
        last = b.load(x, [x.shape[0] - 1])
        b.store(arrays.outputs[0], [], b.let("eq", "bool", [last, b.load(n, [])]))


x, y, z, i = T.lvectors("x", "y", "z", "i")


def test_of_parts_of_an_array() -> None:
    f = compiled([x], Checked(lambda x: T.all(T.ge(x[1:], x[:-1])))(x) + 1)
    assert f([1, 2, 3]).tolist() == [2, 3, 4]
    assert f([]).tolist() == []
    with pytest.raises(ValueError, match="refused"):
        f([1, 3, 2])


EXTREMES = (-(2**63), -100, -1, 0, 1, 100, 2**63 - 1)


@pytest.mark.parametrize(
    ("dtype", "condition"),
    [
        ("int64", lambda a, b: T.and_(T.le(-a, b), T.or_(T.lt(a, b), T.invert(T.eq(a, 1))))),
        ("int64", lambda a, b: T.gt(a * b - a, T.minimum(a, T.maximum(b, -1)) + 1)),
        ("int64", lambda a, b: T.lt(a + (a - (b + (a - (b + (a - b))))), b)),
        ("int8", lambda a, b: T.gt(a + b, 0)),
        ("uint8", lambda a, b: T.and_(T.ge(a - b, 3), T.neq(-a, b))),
        ("int8", lambda a, b: T.xor(T.lt(a, b), T.lt(T.cast(a, "float64") / 2.5, b))),
    ],
)  # fmt: skip
def test_of_numbers(dtype: str, condition: Callable[[Any, Any], Any]) -> None:
    a, b = T.scalar("a", dtype=dtype), T.scalar("b", dtype=dtype)
    f = compiled([x, a, b], Checked(lambda x, a, b: condition(a, b))(x, a, b) * 2)
    holds = oracle([a, b], condition(a, b))
    values = np.unique(np.array(EXTREMES).astype(dtype))
    refused = 0
    for args in itertools.product(values, values):
        if holds(*args):
            assert f([1, 2], *args).tolist() == [2, 4], args
            continue
        refused += 1
        with pytest.raises(ValueError, match="refused"):
            f([1, 2], *args)
    assert 0 < refused < len(values) ** 2


def test_a_condition_is_one_line() -> None:
    text = str(compiled([x, y, z], [x + y, z[2]]).c_source)
    assert "    ST_REQUIRE(x_d0 == y_d0, SHAPE, 0, x_d0, y_d0);\n" in text
    (of_z,) = re.finditer(r"ST_REQUIRE\(.*2 < z_d0.*, INDEX, ", text)
    assert of_z.end() < text.index("ST_ALLOCATE(0, ")


def test_a_condition_has_conditions() -> None:
    f = compiled([x, i], Checked(lambda x, i: T.all(T.gt(x[i], 0)))(x, i) * 2)
    assert f([1, -2, 3], [0, 2, -1]).tolist() == [2, -4, 6]
    with pytest.raises(ValueError, match="refused"):
        f([1, -2, 3], [0, 1])
    with pytest.raises(BoundsError, match="an index in i is outside axis 0"):
        f([1, -2, 3], [0, 3])
    with pytest.raises(BoundsError, match="outside axis 0 of length 3"):
        f([1, -2, 3], [1 << 60])


def test_loops_for_a_condition_run_once_when_a_length_has_two_names() -> None:
    ends = EndsAt()(x, as_dim(shape_of(y)[0]))
    f = compiled([x, y, z], Checked(lambda x, ends: ends)(x, ends).sum() + (z + y).sum())
    assert f([1, 2, 3], [0, 1, 2], [0, 1, 2]) == 12
    assert str(f.c_source).count("endsat[0] = v;") == 1
    with pytest.raises(ValueError, match="refused"):
        f([1, 2, 4], [0, 1, 2], [0, 1, 2])


def test_the_same_permutation_both_ways() -> None:
    a, p, q = T.matrix("a"), T.lmatrix("p"), T.ivector("q")
    there, back = permute_row_elements(a, q), permute_row_elements(a, p, inverse=True)
    values = [
        np.arange(6.0).reshape(2, 3), np.array([[2, 0, 1], [0, 2, 1]]), np.array([1, 2, 0], "i4")
    ]  # fmt: skip
    for outputs in ([there, back], [back, there]):
        check([a, p, q], outputs, [values])


# Constant indices are not checked again in each call if they are known to be valid.
FEW, MANY = [2, 0, -1, 2], (np.arange(300) % 5 - 2).tolist()


@pytest.mark.parametrize("chosen", [FEW, MANY, np.array(MANY, np.int8), np.array([2, 1], "uint8")])
@pytest.mark.parametrize("known", [True, False])
def test_constant_indices_are_checked_by_their_extremes(chosen: Any, known: bool) -> None:
    x = TensorType("float64", (None, 5 if known else None))("x")
    v = T.vector("v")
    outputs = [x[:, chosen] * 2, T.inc_subtensor(x[:, chosen], v.dimshuffle(0, "x"))]
    made = compiled([x, v], outputs)
    program = str(made.lowered.program)
    assert "index error" not in program or not known
    assert "-> all" not in program
    value = np.arange(15.0).reshape(3, 5)
    grown = value.copy()
    np.add.at(grown, (slice(None), chosen), 1)
    for got, want in zip(made(value, np.ones(3)), (value[:, chosen] * 2, grown), strict=True):
        np.testing.assert_array_equal(got, want)
    if not known:
        with pytest.raises(BoundsError, match="outside axis 1"):
            made(value[:, :2], np.ones(3))


def test_constant_indices_that_may_be_outside() -> None:
    x = T.matrix("x")
    for chosen in ([0, 3], [-4, 0], [3] * 100, [-4] * 100):
        made = compiled([x], x[chosen])
        np.testing.assert_array_equal(made(np.eye(4)), np.eye(4)[chosen])
        with pytest.raises(BoundsError, match="outside axis 0"):
            made(np.eye(3))
    none = np.zeros(0, "int64")
    assert compiled([x], x[none])(np.eye(0)).shape == (0, 0)
