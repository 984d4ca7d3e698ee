"""Arrays with borders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor.shapes.padding import GATHERED, STATISTICS, pad
from tests.support.arrays import random_array
from tests.support.compare import Array, assert_same, check, compiled, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc

WIDTHS: list[Any] = [0, 2, (1, 2), [(1, 0), (0, 3)], [(7, 5), (9, 8)], (1,)]


@pytest.mark.parametrize("mode", ["constant", *GATHERED])
def test_borders(mode: str) -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    outputs = [pad(x, width, mode) for width in WIDTHS]
    outputs += [pad(x, n, mode), pad(T.exp(x), [(n, 1), (0, n)], mode).sum(0), pad(x[0], 3, mode)]

    def reference(x: Array, n: Array) -> list[Array]:
        k = int(n)
        found = [np.pad(x, width, mode) for width in WIDTHS]  # type: ignore[call-overload]
        found.append(np.pad(x, k, mode))  # type: ignore[call-overload]
        around = np.pad(np.exp(x), [(k, 1), (0, k)], mode)  # type: ignore[call-overload]
        return [*found, around.sum(0), np.pad(x[0], 3, mode)]  # type: ignore[call-overload]

    random = np.random.default_rng(1)
    calls = [
        [random.uniform(-1, 1, shape), np.array(n)]
        for shape, n in (((3, 4), 2), ((1, 1), 0), ((2, 1), 5), ((1, 3), 1))
    ]
    check([x, n], outputs, calls, reference, kind="borders")


def test_gradients_of_borders() -> None:
    point = np.random.default_rng(1).uniform(-1, 1, (2, 3))
    check_derivatives([
        (lambda x, width=width, mode=mode: pad(x, width, mode) ** 2, [point])
        for mode in ("constant", *GATHERED)
        for width in (((2, 1), (0, 4)), 3)
    ])  # fmt: skip


def bordered(x: Array, width: Any, mode: str, **options: Any) -> Array:
    """Return NumPy's border."""
    return np.pad(x, width, mode, **options)  # type: ignore[call-overload, no-any-return]


# Mode and arguments of the borders that are computed.
COMPUTED: list[tuple[str, dict[str, Any]]] = [
    *((mode, {"reflect_type": "odd"}) for mode in ("reflect", "symmetric")),
    *((mode, {}) for mode in STATISTICS),
    *((mode, {"stat_length": [(2, 1), (3, 9)]}) for mode in STATISTICS),
    ("linear_ramp", {}),
    ("linear_ramp", {"end_values": [(1, 2), (3, 4)]}),
]


@pytest.mark.parametrize("dtype", ["float64", "int8", "uint16", "bool", "complex64"])
def test_computed_borders(dtype: str) -> None:
    """Of every kind, wider than the array too, of arrays down to one item."""
    kinds = [
        (mode, options)
        for mode, options in COMPUTED
        if not (dtype == "bool" and {"reflect_type", "end_values"} & {*options})
        and not (dtype == "complex64" and mode in ("maximum", "minimum", "median"))
    ]
    widths = [2, [(1, 0), (0, 3)], [(7, 5), (9, 8)]]
    x = T.matrix("x", dtype)
    f = oracle([x], [pad(x, w, mode, **options) for mode, options in kinds for w in widths])
    random = np.random.default_rng(3)
    for shape in ((3, 4), (1, 1), (2, 1), (1, 3), (2, 5)):
        value = random_array(random, dtype, shape)
        expected = [bordered(value, w, mode, **o) for mode, o in kinds for w in widths]
        for got, want in zip(f(value), expected, strict=True):
            assert_same(got, want, {"complex64": 1e-5}.get(dtype))


@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_computed_borders_compiled(dtype: str) -> None:
    x, n, s = T.matrix("x", dtype), T.lscalar("n"), T.scalar("s", dtype)
    outputs = [pad(x, [(n, 2), (1, n)], mode, **options) for mode, options in COMPUTED]
    outputs += [pad(x, n, mode, stat_length=(n + 1, 2)) for mode in STATISTICS]
    outputs += [pad(x, {1: (n, 1)}, "linear_ramp", end_values=(s, 2)), pad(x, {-1: n}, "edge")]

    def reference(x: Array, n: Array, s: Array) -> list[Array]:
        k = int(n)
        return [
            *(bordered(x, [(k, 2), (1, k)], mode, **options) for mode, options in COMPUTED),
            *(bordered(x, k, mode, stat_length=(k + 1, 2)) for mode in STATISTICS),
            bordered(x, [(0, 0), (k, 1)], "linear_ramp", end_values=(s, 2)),
            bordered(x, [(0, 0), (k, k)], "edge"),
        ]

    random = np.random.default_rng(4)
    calls = [
        [random_array(random, dtype, shape), np.array(k), np.array(3, dtype)]
        for shape, k in (((3, 4), 2), ((1, 2), 0), ((2, 1), 5))
    ]
    check([x, n, s], outputs, calls, reference, kind="borders")


def test_what_is_not_finite_stays_where_it_is() -> None:
    x = T.vector("x")
    f = oracle([x], [pad(x, 3, mode, reflect_type="odd") for mode in ("reflect", "symmetric")])
    value = np.array([1.0, np.inf, 2.0])
    with np.errstate(invalid="ignore"):
        for got, mode in zip(f(value), ("reflect", "symmetric"), strict=True):
            assert_same(got, np.pad(value, 3, mode, reflect_type="odd"))  # type: ignore[call-overload]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("mode", "options"), COMPUTED)
def test_gradients_of_computed_borders(mode: str, options: dict[str, Any]) -> None:
    point = np.random.default_rng(5).uniform(-1, 1, (2, 3))

    def padded(x: Any) -> Any:
        return pad(x, ((2, 1), (0, 4)), mode, **options) ** 2

    verify_grad(padded, [point], mode="INTERPRET")
    verify_rop(padded, [point], mode="INTERPRET")


def test_an_empty_border_has_only_a_shape() -> None:
    x = T.matrix("x")
    value = np.arange(6.0).reshape(2, 3)
    found = oracle([x], pad(x, (1, 2), "empty"))(value)
    assert found.shape == (5, 6)
    np.testing.assert_array_equal(found[1:3, 1:4], value)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_constants_around_arrays_of_every_dtype(dtype: str) -> None:
    x, s = T.matrix("x", dtype), T.scalar("s", dtype)
    outputs = [
        pad(x, 1), pad(x, (2, 1), constant_values=1), pad(x, 1, constant_values=s),
        pad(x, [(1, 2), (0, 1)], "constant", [(0, 1), (1, s)]), pad(x, 1, "edge"),
    ]  # fmt: skip

    def reference(x: Array, s: Array) -> list[Array]:
        return [
            np.pad(x, 1), np.pad(x, (2, 1), constant_values=1), np.pad(x, 1, constant_values=s),
            np.pad(x, [(1, 2), (0, 1)], constant_values=[(0, 1), (1, s)]), np.pad(x, 1, "edge"),
        ]  # fmt: skip

    random = np.random.default_rng(2)
    shapes = ((3, 4), (1, 1))
    calls = [[random_array(random, dtype, shape) for shape in (dims, ())] for dims in shapes]
    check([x, s], outputs, calls, reference, kind="borders")


def test_borders_of_nothing() -> None:
    x = T.matrix("x")
    f = check([x], [pad(x, 2)], [[np.ones((0, 2))]], lambda x: [np.pad(x, 2)], kind="borders")
    assert f(np.ones((0, 0)))[0].shape == (4, 4)
    for mode in (*GATHERED, "mean", "linear_ramp"):
        for h in (compiled([x], pad(x, 1, mode)), oracle([x], pad(x, 1, mode))):
            found = outcome(h, [np.ones((0, 2))])
            text = f"pad: axis 0 is empty, but mode {mode!r} needs an element"
            assert found == (ValueError, text)
    n = T.lscalar("n")
    for mode in (*GATHERED, "mean"):
        h = oracle([x, n], pad(x, [(n, n), (2, 1)], mode))
        assert h(np.ones((0, 2)), 0).shape == (0, 5)
        assert outcome(h, [np.ones((0, 2)), 1])[0] is ValueError


def test_borders_that_do_not_exist() -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    assert outcome(oracle([x, n], pad(x, n)), [np.ones((1, 2)), np.array(-1)]) == (
        ValueError, "pad: a width is negative"
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"negative|does not fit a part of length 0"):
        compiled([x, n], pad(x, n))(np.ones((1, 2)), -1)
    with pytest.raises(ValueError, match="a width of -1 is negative"):
        pad(x, -1)
    with pytest.raises(ValueError, match="mode 'average' is not one of"):
        pad(x, 1, "average")
    with pytest.raises(NotImplementedError, match="a function as mode"):
        pad(x, 1, lambda row, widths, axis, arguments: None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="mode 'edge' does not use stat_length"):
        pad(x, 1, "edge", stat_length=2)
    with pytest.raises(ValueError, match="reflect_type 'both' is neither"):
        pad(x, 1, "reflect", reflect_type="both")
    with pytest.raises(TypeError, match="does not support booleans"):
        pad(x > 0, 1, "reflect", reflect_type="odd")
    with pytest.raises(ValueError, match="a stat_length is less than 1"):
        pad(x, 1, "maximum", stat_length=0)
    with pytest.raises(ValueError, match="a stat_length is less than 0"):
        oracle([x, n], pad(x, 1, "mean", stat_length=n))(np.ones((1, 2)), -1)
    with pytest.raises(ValueError, match="pad_width is neither a number"):
        pad(x, [(1, 2)] * 3)
    with pytest.raises(ValueError, match="pad_width is neither a number"):
        pad(x, {0: (1, 2, 3)})
    with pytest.raises(ValueError, match="axis"):
        pad(x, {2: 1})
    with pytest.raises(TypeError, match="take values of float32"):
        pad(T.lmatrix("m"), 1, constant_values=0.5)
    with pytest.raises(TypeError, match="take values of float32"):
        pad(T.lmatrix("m"), 1, "linear_ramp", end_values=0.5)
