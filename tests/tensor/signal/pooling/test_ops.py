"""Pooling and its gradients: random windows in all dtypes, against the definition and NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.runtime import tables
from symtheano.errors import ShapeError
from symtheano.gradient import Rop, grad, verify_grad
from symtheano.tensor.signal.pooling.ops import Pooling
from symtheano.tensor.vectorize import vectorize_graph

DTYPES = ("float64", "float32", "int64", "int16", "uint8", "int8", "uint32")
NO_KERNELS = tables.KernelTable()
MODES = ("max", "sum", "average_inc_pad", "average_exc_pad")


def defined(x: Any, op: Pooling) -> tuple[Any, dict[Any, tuple[Any, int]]]:
    """Return the result element by element, and each window's elements and divisor."""
    at, front = op.at, x.ndim - op.at.dims
    y = np.zeros(at.lengths(x.shape), x.dtype)
    windows = {}
    for place in np.ndindex(*y.shape):
        first = [t * s - p for t, s, p in zip(place[front:], at.stride, at.pad, strict=True)]
        end = [f + w for f, w in zip(first, at.ws, strict=True)]
        lengths = x.shape[front:]
        bounds = [
            (max(f, 0), min(e, n), min(e, n + p) - f)
            for f, e, n, p in zip(first, end, lengths, at.pad, strict=True)
        ]
        key = (*place[:front], *(slice(low, high) for low, high, _ in bounds))
        part = x[key]
        inc = int(np.prod([count for _, _, count in bounds]))
        divisor = {"average_inc_pad": inc, "average_exc_pad": part.size}.get(op.mode, 1)
        windows[place] = key, divisor
        with np.errstate(all="ignore"):
            y[place] = part.max() if op.mode == "max" else part.sum(dtype=x.dtype) / divisor
    return y, windows


def drawn(seed: int) -> tuple[Pooling, Any]:
    """Return a random op and an image; windows of 2 x 2 and 3 x 3 have loops of their own."""
    rng = np.random.default_rng(seed)
    dims = int(rng.choice([1, 2, 2, 2, 3]))
    ws, stride = (rng.integers(1, 5, dims).tolist() for _ in range(2))
    ignore_border = bool(rng.integers(4))
    if rng.random() < 0.5:
        ws, stride = [int(rng.integers(2, 4))] * dims, [int(rng.integers(1, 3))] * dims
    pad = [int(rng.integers(0, w)) if ignore_border and rng.random() < 0.6 else 0 for w in ws]
    dtype = DTYPES[seed % len(DTYPES)]
    mode: Any = MODES[seed % (4 if dtype.startswith("float") else 2)]
    shape = (*rng.integers(0 if seed % 8 == 0 else 1, 4, rng.integers(0, 3)),
             *rng.integers(1, 22, dims))  # fmt: skip
    x = rng.integers(-3 if dtype[0] != "u" else 0, 9, shape).astype(dtype)
    if dtype.startswith("float") and x.size and rng.random() < 0.4:
        x.flat[rng.integers(x.size, size=2)] = rng.choice([np.nan, np.inf, -np.inf, -0.0], size=2)
    return Pooling("result", ws, ignore_border, stride, pad, mode), x


@pytest.fixture
def functions(monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Return a function's forms: with our kernels, with plain loops, and in NumPy."""

    def made(inputs: Any, outputs: Any) -> dict[str, Any]:
        forms = {"kernels": function(inputs, outputs, on_unused_input="ignore")}
        with monkeypatch.context() as patch:
            patch.setattr(tables, "kernel_table", lambda *_: NO_KERNELS)
            forms["plain"] = function(inputs, outputs, on_unused_input="ignore")
        tables.wait_for_kernels()
        forms["numpy"] = function(inputs, outputs, mode="INTERPRET", on_unused_input="ignore")
        return forms

    return made


@pytest.mark.parametrize("seed", range(24))
def test_compiled_code_numpy_and_the_definition_agree(
    seed: int, functions: Callable[..., dict[str, Any]]
) -> None:
    op, x = drawn(seed)
    rng = np.random.default_rng(seed)
    expected, windows = defined(x, op)
    g, v = (rng.integers(1, 9, shape).astype(x.dtype) for shape in (expected.shape, x.shape))
    variables = a, b, c = [T.TensorType(x.dtype, (None,) * x.ndim)() for _ in range(3)]
    gx, dy = np.zeros_like(x), np.zeros_like(expected)
    for place, (key, divisor) in windows.items():
        if op.mode == "max":
            gx[key] += np.where(x[key] == expected[place], g[place], 0).astype(x.dtype)
            dy[place] = v[key][x[key] == expected[place]].sum(dtype=x.dtype)
        else:
            gx[key] += (g[place] / divisor).astype(x.dtype)
    made = [op(a)]
    if op.mode == "max":
        made += [op.for_the("image")(a, made[0], b), op.for_the("tangent")(a, made[0], c)]
    else:
        made.append(op.for_the("image")(b, *a.shape[x.ndim - op.at.dims :]))
    results = {form: f(x, g, v) for form, f in functions(variables, made).items()}
    for form, all_found in results.items():
        for found, wanted in zip(all_found, [expected, gx, dy], strict=False):
            assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
            np.testing.assert_allclose(found, wanted, rtol=1e-5, err_msg=f"{op} {op.at} {form}")
    bits = [[array.tobytes() for array in results[form]] for form in ("kernels", "plain")]
    assert bits[0] == bits[1], f"{op} {op.at}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("ws", "stride", "pad"), [(2, 2, 0), (3, 2, 1), (3, 1, 1), (4, 3, 2)])
def test_one_and_two_threads_give_the_same_bits(mode: Any, ws: int, stride: int, pad: int) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(3, 20, 31, 30)).astype("float32")
    a = T.ftensor4()
    y = Pooling("result", (ws, ws), True, (stride, stride), (pad, pad), mode)(a)
    outputs = [y, grad((y**2).sum(), a)]
    made = []
    for threads in (1, 2):
        with config.change_flags(threads=threads):
            f = function([a], outputs)
            tables.wait_for_kernels()
            made.append(f(x))
    for left, right in zip(*made, strict=True):
        np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("ws", "stride", "pad", "ignore_border"),
    [((2, 2), (2, 2), None, True), ((3, 2), (2, 1), (1, 0), True), ((3, 3), (2, 2), None, False)],
)
def test_gradients_of_gradients(
    mode: Any, ws: Any, stride: Any, pad: Any, ignore_border: bool
) -> None:
    rng = np.random.default_rng(0)
    op = Pooling("result", ws, ignore_border, stride, pad, mode)
    x = rng.permutation(2 * 5 * 6).reshape(2, 5, 6) / 7.0  # no ties
    verify_grad(op, [x], rng=rng, mode="INTERPRET")
    verify_grad(lambda a: grad((op(a) ** 3).sum(), a), [x], rng=rng)


@pytest.mark.parametrize("ws", [2, 3])
@pytest.mark.parametrize("stride", [1, 2])
def test_gradient_of_windows_of_one_plane(ws: int, stride: int) -> None:
    x = T.dtensor3()
    three = Pooling("result", (1, ws, ws), True, (1, stride, stride))
    two = Pooling("result", (ws, ws), True, (stride, stride))
    a = np.random.default_rng(5).integers(0, 9, (4, 7, 8)).astype("float64")
    made = [grad((op(x) ** 2).sum(), x) for op in (three, two)]
    left, right = function([x], made)(a)
    np.testing.assert_array_equal(left, right)
    plain = function([x], made[0], mode="INTERPRET")(a)
    np.testing.assert_array_equal(left, plain)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "uint8"])
@pytest.mark.parametrize(
    ("ws", "stride", "pad"),
    [(2, 1, 0), (3, 1, 1), (2, 2, 0), (3, 2, 0), (3, 2, 1), (3, 2, 2), (3, 3, 1), (5, 2, 2)],
)
def test_gradients_of_rows_that_are_longer_or_shorter_than_vectors(
    ws: int, stride: int, pad: int, dtype: str, functions: Callable[..., dict[str, Any]]
) -> None:
    op = Pooling("result", (ws, ws), True, (stride, stride), (pad, pad))
    x, g = T.TensorType(dtype, (None,) * 3)(), T.TensorType(dtype, (None,) * 3)()
    made = [op(x), op.for_the("image")(x, op(x), g)]
    forms = functions([x, g], made)
    rng = np.random.default_rng(7)
    for length in (5, 8, 15, 16, 17, 33, 64, 71):
        value = rng.integers(0, 9, (2, 9, length)).astype(dtype)
        if dtype.startswith("float"):
            value[0, 3, length // 2] = np.nan
            value[1, :4, :4] = -np.inf
        grads = rng.integers(1, 9, op.at.lengths(value.shape)).astype(dtype)
        for results in zip(*(f(value, grads) for f in forms.values()), strict=True):
            for found in results[:-1]:
                np.testing.assert_array_equal(found, results[-1])


@pytest.mark.parametrize("mode", MODES)
def test_rop(mode: Any) -> None:
    rng = np.random.default_rng(1)
    op = Pooling("result", (3, 2), True, (2, 2), (1, 0), mode)
    x, v = T.dtensor3(), T.dtensor3()
    at, along = rng.normal(size=(2, 2, 6, 7))
    values = [m.reshape(1, *m.shape) for m in (at, along)]
    slope = Rop(op(x), [x], [v])
    second = Rop(grad((op(x) ** 2).sum(), x), [x], [v])
    found = function([x, v], [slope, second])(*[m[0] for m in values])
    f = function([x], [op(x), grad((op(x) ** 2).sum(), x)])
    step = 1e-6
    high, low = f(values[0][0] + step * values[1][0]), f(values[0][0] - step * values[1][0])
    for tangent, a, b in zip(found, high, low, strict=True):
        np.testing.assert_allclose(tangent, (a - b) / (2 * step), rtol=1e-5, atol=1e-7)


def test_ties_and_nan() -> None:
    x = T.dmatrix()
    op = Pooling("result", (2, 2), True)
    value = np.array([[1.0, 1, np.nan, 5], [0, 1, 7, 2]])
    for mode in (None, "INTERPRET"):
        y, g = function([x], [op(x), grad(op(x)[0, 0] * 3 + op(x)[0, 1], x)], mode=mode)(value)
        np.testing.assert_array_equal(y, [[1, np.nan]])
        # Each of the equal elements has the whole gradient; NaN is equal to nothing.
        np.testing.assert_array_equal(g, [[3, 3, 0, 0], [0, 3, 0, 0]])


@pytest.mark.parametrize("mode", ["max", "average_exc_pad"])
def test_batches(mode: Any) -> None:
    rng = np.random.default_rng(2)
    x, xs = T.dmatrix(), T.dtensor4()
    y = Pooling("result", (2, 3), False, (1, 2), None, mode)(x)
    given = rng.normal(size=(2, 3, 5, 6))
    outputs = [y, grad((y**2).sum(), x)]
    found = function([xs], [vectorize_graph(item, {x: xs}) for item in outputs])(given)
    single = function([x], outputs)
    for place in np.ndindex(2, 3):
        for several, one in zip(found, single(given[place]), strict=True):
            np.testing.assert_allclose(several[place], one)


def test_layouts() -> None:
    x = np.random.default_rng(4).normal(size=(6, 8))
    a = T.dmatrix()
    y = Pooling("result", (2, 2), True)(a.T)
    np.testing.assert_array_equal(
        function([a], y)(x), x.T.reshape(4, 2, 3, 2).max((1, 3))
    )  # fmt: skip
    turned = function([a], Pooling("result", (2, 2), True)(a))
    np.testing.assert_array_equal(
        turned(x[::-1, ::-1]), turned(np.ascontiguousarray(x[::-1, ::-1]))
    )
    np.testing.assert_array_equal(turned(np.asfortranarray(x)), turned(x))


def test_windows_without_elements_are_errors() -> None:
    x = T.dmatrix("x")
    for op in (
        Pooling("result", (3, 3), False, (2, 2)),
        Pooling("result", (3, 3), True, None, (2, 2)),
    ):
        with pytest.raises(ShapeError, match="axis 0 of the image has no elements"):
            op(T.TensorType("float64", (0, 4))())
        for mode in (None, "INTERPRET"):
            with pytest.raises(ShapeError, match="axis 1 of the image has no elements"):
                function([x], op(x), mode=mode)(np.ones((4, 0)))
    assert function([x], Pooling("result", (3, 3), True)(x))(np.ones((0, 2))).shape == (0, 0)


def test_shapes_that_do_not_fit() -> None:
    x, y, g = (T.dmatrix(name) for name in "xyg")
    op = Pooling("image", (2, 2), True)
    said = r"axis 1 of the result has 2 elements, and 3 are needed: max\(\(length \+ 2 \* 0 - 2\)"
    for mode in (None, "INTERPRET"):
        f = function([x, y, g], op(x, y, g), mode=mode)
        with pytest.raises(ShapeError, match=said):
            f(np.ones((4, 6)), np.ones((2, 2)), np.ones((2, 2)))
    known = [T.TensorType("float64", shape)() for shape in [(4, 6), (2, 2), (2, 2)]]
    with pytest.raises(ShapeError, match=said):
        op(*known)


@pytest.mark.parametrize(
    ("fields", "error", "said"),
    [
        ({"mode": "min"}, ValueError, "mode='min' is not known"),
        ({"ws": (2, 0)}, ValueError, "ws="),
        ({"ws": (2, 2), "stride": (1,)}, ValueError, "one number for each axis"),
        ({"pad": (2, 0)}, NotImplementedError, "must be smaller than ws"),
        ({"pad": (1, 0), "ignore_border": False}, NotImplementedError, "needs ignore_border=True"),
        ({"ws": T.ivector()}, NotImplementedError, "ws=.* must be known when the graph is built"),
        (
            {"stride": (T.iscalar(), 1)},
            NotImplementedError,
            "stride=.* must be known when the graph is built",
        ),
        (
            {"pad": T.dmatrix().shape},
            NotImplementedError,
            "pad=.* must be known when the graph is built",
        ),
        ({"ws": T.constant([2.0, 2.0])}, ValueError, "one positive integer for each axis"),
        ({"ws": T.constant([[2, 2]])}, ValueError, "one positive integer for each axis"),
        ({"ws": T.constant([2, -2])}, ValueError, "one positive integer for each axis"),
        ({"mode": "sum", "wanted": "tangent"}, ValueError, "no wanted='tangent'"),
    ],
)
def test_fields_that_are_refused(fields: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        Pooling(**fields)


@pytest.mark.parametrize("dtype", ["bool", "float16", "complex128"])
def test_dtypes_that_are_refused(dtype: str) -> None:
    with pytest.raises(TypeError, match=f"arrays of {dtype}"):
        Pooling()(T.TensorType(dtype, (None, None))())
