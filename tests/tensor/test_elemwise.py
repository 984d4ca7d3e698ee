"""Every scalar op as compiled code against its NumPy function and the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, config, dtypes, grad
from symtheano.errors import ShapeError
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.table import TABLE
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.type import TensorType
from tests.support.arrays import fit, random_array, sizes
from tests.support.compare import (
    Array,
    assert_fresh,
    check,
    compare_call,
    compiled,
    count,
    oracle,
)
from tests.support.grids import ROWS, agrees, samples, signatures
from tests.support.layouts import LAYOUTS, laid_out, repeated

pytestmark = pytest.mark.needs_cc


class Batch:
    """Rows of one dtype, each with its own inputs, compiled into one function."""

    def __init__(self, dtype: str, shape: tuple[None, ...]) -> None:
        self.cases: list[tuple[ScalarOp, Signature]] = [
            (row, signature)
            for row in ROWS
            for signature in signatures(row)
            if signature.compute[0] == dtype
        ]
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        for row, signature in self.cases:
            operands = [TensorType(item, shape).make_variable() for item in signature.compute]
            self.inputs += operands
            self.outputs.append(elemwise(row)(*operands))

    def operands(self, flat: Sequence[Array]) -> list[list[Array]]:
        """Return a flat list of all inputs' values by case."""
        rest = iter(flat)
        return [[next(rest) for _ in range(row.nin)] for row, _ in self.cases]

    def compare(
        self, call: Any, flat: Sequence[Array], form: str = "edge grid", exactly: bool = False
    ) -> None:
        """Compare a call's results with the rows' NumPy functions."""
        results = call(*flat)
        assert_fresh(results, flat)
        failures = []
        for (row, signature), operands, got in zip(
            self.cases, self.operands(flat), results, strict=True
        ):
            native = [item.astype(item.dtype.newbyteorder("=")) for item in operands]
            want = np.asarray(row.numpy(*native))
            assert (got.dtype, got.shape) == (signature.result, want.shape), row
            if exactly:
                close = (got == want) | ((got != got) & (want != want))
            else:
                close = agrees(row, got, want)
            count(f"scalar ops, {form}", want.size)
            for at in np.argwhere(~np.asarray(close))[:3]:
                point = ", ".join(repr(item[tuple(at)].item()) for item in native)
                failures.append(
                    f"{row.name}({point}) of {', '.join(signature.compute)}: "
                    f"{got[tuple(at)].item()!r}, NumPy {want[tuple(at)].item()!r}"
                )
        assert not failures, "\n" + "\n".join(failures)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_rows_on_vectors(dtype: str) -> None:
    batch = Batch(dtype, (None,))
    values = [item for row, signature in batch.cases for item in samples(row, signature)]
    f = compiled(batch.inputs, batch.outputs)
    batch.compare(f, values)
    batch.compare(f, [item[:0] for item in values], "empty", exactly=True)
    batch.compare(oracle(batch.inputs, batch.outputs), values, "interpreter", exactly=True)
    few = [item[-40:] for item in values]
    for layout in LAYOUTS:
        batch.compare(f, [laid_out(item, layout) for item in few], "layouts")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_rows_on_scalars(dtype: str) -> None:
    batch = Batch(dtype, ())
    f, g = compiled(batch.inputs, batch.outputs), oracle(batch.inputs, batch.outputs)
    columns = [samples(row, signature) for row, signature in batch.cases]
    random = np.random.default_rng(2)
    for _ in range(12):
        chosen = []
        for operands in columns:
            at = random.integers(operands[0].size)
            chosen += [item[at, ...] for item in operands]
        batch.compare(f, chosen, "0-d")
        batch.compare(g, chosen, "0-d, interpreter", exactly=True)


PATTERNS = {ndim: list(product((None, 1), repeat=ndim)) for ndim in range(6)}


@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_broadcasting_of_every_pattern(ndim: int) -> None:
    pairs = list(product(PATTERNS[ndim], repeat=2))
    inputs = [TensorType("float64", pattern).make_variable() for pair in pairs for pattern in pair]
    outputs = [x * y + T.exp(x) - y for x, y in zip(inputs[::2], inputs[1::2], strict=True)]
    random = np.random.default_rng(3)

    def reference(*values: Array) -> list[Array]:
        return [x * y + np.exp(x) - y for x, y in zip(values[::2], values[1::2], strict=True)]

    calls = [
        [random_array(random, "float64", fit(p, dims)) for pair in pairs for p in pair]
        for dims in sizes(ndim)
    ]
    check(inputs, outputs, calls, reference, kind="broadcasting")


def test_broadcasting_in_many_dims() -> None:
    random = np.random.default_rng(4)
    shapes: list[tuple[tuple[int | None, ...], ...]] = [
        ((None, None, None, None, None), (1, None, 1, None, 1)),
        ((None, 1, None, 1, None), (1, None, 1, None, 1)),
        ((None, None, None, None, None), (None,)),
        ((None, None, None, None), (None, 1)),
        ((None, None, None, None), ()),
        ((1, None), (None, None, None, 1, None)),
        ((1, 1, 1, 1, 1), (None, None)),
        ((2, None, 3), (None, 1)),
    ]
    for left, right in shapes:
        x, y = (TensorType("float32", shape).make_variable() for shape in (left, right))
        dims = (2, 4, 3, 2, 5)
        calls = []
        for zeroed in (None, *range(5)):
            lengths = [0 if axis == zeroed else dim for axis, dim in enumerate(dims)]
            if any(known == 2 for known in left):
                lengths = [2, 4, 3, 4, 3]
            shapes_now = [fit(s, lengths[len(lengths) - len(s) :]) for s in (left, right)]
            calls.append([random_array(random, "float32", shape) for shape in shapes_now])
        check([x, y], [x + y, T.maximum(x, y) * 2, x - T.tanh(y)], calls, kind="broadcasting")


def test_a_length_of_one_that_only_the_call_knows_is_an_error() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    f, g = compiled([x, y], x + y), oracle([x, y], x + y)
    assert f(np.ones((1, 3)), np.ones((1, 3))).shape == (1, 3)
    for shape in ((1, 3), (2, 1), (1, 1), (4, 3), (0, 3)):
        args = np.ones((2, 3)), np.ones(shape)
        for h in (f, g):
            with pytest.raises(ShapeError, match="operands of different length along axis") as e:
                h(*args)
            assert ("addbroadcast" in str(e.value)) == (1 in shape)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_mixed_dtypes(dtype: str) -> None:
    random = np.random.default_rng(5)
    x = TensorType(dtype, (None, None)).make_variable("x")
    others = [TensorType(other, (None,)).make_variable(other) for other in dtypes.ALL]
    rows = [TABLE[name] for name in ("add", "mul", "true_div", "lt", "switch", "arctan2")]
    outputs, used = [], []
    for y, row in product(others, rows):
        operands = (x, y, y) if row.nin == 3 else (x, y)
        try:
            outputs.append(elemwise(row)(*operands))
        except TypeError:
            continue
        used.append((row, y))
    values = [random_array(random, dtype, (5, 7))]
    values += [random_array(random, y.dtype, (7,)) for y in others]
    given = dict(zip([x, *others], values, strict=True))

    def reference(*_: Array) -> list[Array]:
        results = []
        for row, y in used:
            names = (x, y, y) if row.nin == 3 else (x, y)
            taken = tuple(item.dtype for item in names)
            if row.whole_as_floatX and all(map(dtypes.is_discrete, taken)):
                taken = (str(config.floatX),) * row.nin
            signature = row.signature(taken)
            operands = [given[n].astype(d) for n, d in zip(names, signature.compute, strict=True)]
            results.append(row.numpy(*operands))
        return results

    check([x, *others], outputs, [values], reference, kind="mixed dtypes")


def test_a_long_chain_and_a_wide_sum() -> None:
    x = T.vector("x")
    y, parts = x, []
    for k in range(150):
        y = T.tanh(y + 0.01 * k)
        parts.append(y * k)
    wide = parts[0]
    for part in parts[1:]:
        wide = wide + part
    calls = [[np.linspace(-2, 2, size)] for size in (0, 1, 5, 100)]
    check([x], [y, wide, *parts[::30]], calls, kind="fused", tolerance=1e-11)


@pytest.mark.parametrize("ndim", [1, 2, 3, 4])
def test_dimshuffle_of_every_order(ndim: int) -> None:
    random = np.random.default_rng(7)
    x = TensorType("float64", (None,) * ndim).make_variable("x")
    orders = list(permutations(range(ndim)))
    outputs = [x.dimshuffle(*order) for order in orders]
    outputs += [T.exp(x.dimshuffle(*order)) for order in orders]
    calls = [[random_array(random, "float64", shape)] for shape in sizes(ndim)]

    def reference(value: Array) -> list[Array]:
        moved = [value.transpose(order) for order in orders]
        return [*moved, *map(np.exp, moved)]

    check([x], outputs, calls, reference, kind="dimshuffle")


def test_dimshuffle_that_inserts_and_drops() -> None:
    random = np.random.default_rng(8)
    x = TensorType("float32", (None, 1, None)).make_variable("x")
    patterns = [
        (0, 2), (2, 0), ("x", 0, 1, 2), (0, "x", 2), (2, "x", 0, "x"), ("x", 2, 1, "x", 0),
        (2, 1, 0), ("x", "x", 0, 2),
    ]  # fmt: skip
    outputs = [x.dimshuffle(*p) for p in patterns] + [x.dimshuffle(*p) * 2 for p in patterns]
    outputs.append(x.dimshuffle(0, 2) + x.dimshuffle(0, 2).dimshuffle(1, 0).dimshuffle(1, 0))
    calls = [[random_array(random, "float32", (n, 1, m))] for n, m in ((3, 4), (0, 2), (1, 1))]
    check([x], outputs, calls, kind="dimshuffle")
    with pytest.raises(ValueError, match="drops axis 0"):
        x.dimshuffle(1, 2)
    with pytest.raises(ValueError, match="not a valid pattern"):
        x.dimshuffle(0, 0, 1, 2)


def test_forward_derivatives_of_complex_results_and_operands() -> None:
    x, t, z = T.vector("x"), T.vector("t"), T.zvector("z")
    values = [np.array([1.2, 0.3, 2.0]), np.array([0.4, -2.0, 1.0])]
    values.append(values[0] - 1.5j * values[1])
    ahead = [np.array([3.0, -1.0, 0.5]), np.array([0.2, 1.0, -2.0])]
    ahead.append(ahead[1] + 1j * ahead[0])
    outputs = [
        T.complex(x, t), T.complex_from_polar(x, t), x * (0.3 + 2j), (0.3 + 2j) ** x, x / z,
        T.cast(x, "complex128") * t, T.exp(z), T.conj(z), z * T.conj(z), abs(z), T.real(z),
        T.imag(z) * x, T.angle(z), T.sqrt(z), T.switch(x > 1, z, t), T.exp(x) * t,
    ]  # fmt: skip
    f = oracle([x, t, z], outputs)
    directions = [T.constant(value) for value in ahead]
    pushed = oracle([x, t, z], Rop(outputs, [x, t, z], directions))(*values)
    h = 1e-6
    sides = [f(*[a + s * h * d for a, d in zip(values, ahead, strict=True)]) for s in (1, -1)]
    for k, (got, upper, lower) in enumerate(zip(pushed, *sides, strict=True)):
        assert got.dtype == upper.dtype
        np.testing.assert_allclose(got, (upper - lower) / (2 * h), rtol=1e-7, err_msg=f"output {k}")
    found = Rop(T.complex(x, t), t, T.ones_like(t)).eval({x: [1.0], t: [2.0]})
    assert found.tolist() == [1j]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int16", "complex128", "bool"])
def test_layouts(dtype: str) -> None:
    random = np.random.default_rng(9)
    x, y = TensorType(dtype, (None, None)).make_variable("x"), T.vector("y", dtype)
    outputs = [T.switch(x, x, y), x.T, x * y.dimshuffle("x", 0), T.neq(x, y)]
    f, g = compiled([x, y], outputs), oracle([x, y], outputs)
    a, b = random_array(random, dtype, (6, 5)), random_array(random, dtype, (5,))
    for left, right in product(LAYOUTS, repeat=2):
        args = laid_out(a, left), laid_out(b, right)
        compare_call(f, g, args, kind="layouts")
    for axis in (0, 1):
        compare_call(f, g, (repeated(a, axis), repeated(b, 0)), kind="layouts")


NARY = {
    "add": np.add, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "and_": np.bitwise_and, "or_": np.bitwise_or, "xor": np.bitwise_xor,
    "bitwise_and": np.bitwise_and, "logical_or": np.logical_or, "logical_and": np.logical_and,
}  # fmt: skip


@pytest.mark.parametrize("name", NARY)
def test_associative_functions_take_any_number_of_operands(name: str) -> None:
    values = [np.array([100, 3, -7], "int8"), np.array([100, 5, 1], "int8"),
              np.array([1000, 0, 2], "int64"), np.array(6, "int16")]  # fmt: skip
    for given in (values[:1], values[:2], values[:3], values):
        made = getattr(T, name)(*given)
        wide = [value.astype(np.result_type(*given)) for value in given]
        wanted = wide[0]
        for value in wide[1:]:
            wanted = NARY[name](wanted, value)
        if len(given) == 1 and name.startswith("logical"):
            wanted = wanted != 0
        assert made.dtype == wanted.dtype
        np.testing.assert_array_equal(made.eval(), wanted)
    x = T.dvector("x")
    slope = grad(T.mul(x, x, 2.0, x).sum(), x)
    np.testing.assert_allclose(slope.eval({x: [1.0, 3.0]}), [6.0, 54.0])


def test_other_functions_take_their_number_of_operands() -> None:
    x = T.dvector("x")
    for build in (lambda: T.sub(x, x, x), lambda: T.add(), lambda: T.exp(x, x), lambda: T.sub(x)):
        with pytest.raises(TypeError, match=r"takes [12] operand"):
            build()
