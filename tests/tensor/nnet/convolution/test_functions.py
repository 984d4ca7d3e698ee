"""conv1d to conv3d and their gradients: against SciPy and each other, over modes and strides."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import scipy.signal

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.errors import DeclaredShapeError, ShapeError
from symtheano.gradient import Rop, grad, hessian, verify_grad
from tests.support.compare import check
from tests.support.gradients import verify_slopes

pytestmark = pytest.mark.needs_cc

FUNCTIONS = {1: T.nnet.conv1d, 2: T.nnet.conv2d, 3: T.nnet.conv3d}
SIZES = {1: ((9,), (3,)), 2: ((7, 6), (3, 2)), 3: ((5, 6, 5), (2, 3, 2))}


def array(dtype: str, dims: int, name: str) -> Any:
    """Return a variable for images or filters."""
    return T.TensorType(dtype, (None,) * (dims + 2))(name)


def of_scipy(x: Any, w: Any, mode: str, flip: bool) -> Any:
    """Return the convolution of all pairs of images and filters, by SciPy."""
    apply = scipy.signal.convolve if flip else scipy.signal.correlate
    w = w if flip else w.conj()  # SciPy's correlation has the conjugate of its second argument
    return np.array([
        [sum(apply(c, k, mode, method="direct") for c, k in zip(item, kernel, strict=True))
         for kernel in w]
        for item in x
    ])  # fmt: skip


@pytest.mark.parametrize("dims", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int16", "complex128"])
def test_scipy_computes_the_same(dtype: str, dims: int) -> None:
    rng = np.random.default_rng(dims)
    lengths, taps = SIZES[dims]
    x, w = (rng.normal(size=(2, 3, *n)) * 4 for n in (lengths, taps))
    if dtype == "complex128":
        x, w = x + 1j * rng.normal(size=x.shape), w + 1j * rng.normal(size=w.shape)
    x, w = x.astype(dtype), w.astype(dtype)
    modes = list(itertools.product(("valid", "full"), (True, False)))
    a, b = array(dtype, dims, "x"), array(dtype, dims, "w")
    made = [FUNCTIONS[dims](a, b, border_mode=m, filter_flip=f) for m, f in modes]
    for found, (mode, flip) in zip(function([a, b], made)(x, w), modes, strict=True):
        expected = of_scipy(x, w, mode, flip)
        assert found.dtype == dtype
        np.testing.assert_allclose(found, expected, atol=1e-4 if dtype == "float32" else 1e-10)


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_strides_and_dilations_take_elements(dims: int) -> None:
    """A stride leaves out positions, a dilation puts zeros between elements of the filter."""
    rng = np.random.default_rng(dims)
    lengths, taps = SIZES[dims]
    x, w = rng.normal(size=(1, 2, *lengths)), rng.normal(size=(2, 2, *taps))
    a, b = array("float64", dims, "x"), array("float64", dims, "w")
    spread = T.zeros((2, 2, *(2 * k - 1 for k in taps)))
    every = (slice(None), slice(None), *(slice(None, None, 2),) * dims)
    spread = T.set_subtensor(spread[every], b)
    conv = FUNCTIONS[dims]
    pairs = [
        (conv(a, b, subsample=(2,) * dims), conv(a, b)[every]),
        (conv(a, b, filter_dilation=(2,) * dims), conv(a, spread)),
        (conv(a, b, border_mode="half", filter_dilation=(2,) * dims),
         conv(a, spread, border_mode="half")),
    ]  # fmt: skip
    for found, expected in zip(*[function([a, b], m)(x, w) for m in zip(*pairs, strict=True)],
                               strict=True):  # fmt: skip
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_groups_are_convolved_separately() -> None:
    rng = np.random.default_rng(0)
    x, w = T.dtensor4("x"), T.dtensor4("w")
    values = rng.normal(size=(2, 6, 5, 5)), rng.normal(size=(4, 3, 2, 2))
    parts = [T.nnet.conv2d(x[:, 3 * k : 3 * k + 3], w[2 * k : 2 * k + 2]) for k in range(2)]
    made = T.nnet.conv2d(x, w, num_groups=2)
    found, expected = function([x, w], [made, T.concatenate(parts, axis=1)])(*values)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_unshared_filters_that_are_equal() -> None:
    rng = np.random.default_rng(1)
    x, w = T.dtensor4("x"), T.dtensor4("w")
    values = rng.normal(size=(2, 2, 5, 4)), rng.normal(size=(3, 2, 2, 3))
    shared = T.nnet.conv2d(x, w, border_mode=1, subsample=(2, 1))
    repeated = T.alloc(w.dimshuffle(0, "x", "x", 1, 2, 3), 3, 3, 4, 2, 2, 3)
    unshared = T.nnet.conv2d(x, repeated, border_mode=1, subsample=(2, 1), unshared=True)
    found, expected = function([x, w], [unshared, shared])(*values)
    np.testing.assert_allclose(found, expected, atol=1e-12)


GIVEN = [
    (None, None),
    ((2, 3, 6, 7), (4, 3, 3, 2)),
    ((None, 3, None, None), (4, None, None, None)),
    ([2, T.constant(3), None, np.int64(7)], None),
]


@pytest.mark.parametrize(("image", "kernel"), GIVEN)
def test_shapes_that_are_given(image: Any, kernel: Any) -> None:
    rng = np.random.default_rng(2)
    x, w = T.dtensor4("x"), T.dtensor4("w")
    values = [rng.normal(size=s) for s in ((2, 3, 6, 7), (4, 3, 3, 2))]
    made = T.nnet.conv2d(x, w, image, kernel)
    known = [None if n is None else int(n) for n in (image or [None])[:1]]
    assert made.type.shape[0] == known[0]
    costs = [made, *grad((made**2).sum(), [x, w])]
    plain = T.nnet.conv2d(x, w)
    check([x, w], [*costs, made - plain], [values], kind="nnet", tolerance=1e-12)
    if image is not None:
        other = [values[0][:, :, :, 1:], values[1]]
        with pytest.raises(ShapeError) as caught:
            function([x, w], made)(*other) if image[3] else function([x, w], made)(
                values[0][:, 1:], values[1][:, 1:]
            )
        assert isinstance(caught.value, DeclaredShapeError)
        assert "conv2d, image: axis" in str(caught.value)


def test_a_length_that_is_a_variable() -> None:
    x, w, n = T.dtensor4("x"), T.dtensor4("w"), T.lscalar("n")
    f = function([x, w, n], T.nnet.conv2d(x, w, input_shape=(n, None, None, None)))
    ones = np.ones((2, 1, 3, 3)), np.ones((1, 1, 2, 2))
    assert f(*ones, 2).shape == (2, 1, 2, 2)
    with pytest.raises(ValueError, match="conv2d, image: axis 0 does not have its declared length"):
        f(*ones, 3)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_half_precision(mode: str | None) -> None:
    rng = np.random.default_rng(3)
    x, w = T.TensorType("float16", (None,) * 4)("x"), T.TensorType("float16", (None,) * 4)("w")
    values = [rng.normal(size=s).astype("float16") for s in ((2, 20, 5, 5), (3, 20, 3, 3))]
    made = T.nnet.conv2d(x, w)
    first, second = grad(made.sum(), [x, w])
    found = function([x, w], [made, first, second], mode=mode)(*values)
    assert [item.dtype for item in found] == ["float16"] * 3
    exact = of_scipy(*(v.astype("float64") for v in values), "valid", True)
    np.testing.assert_array_equal(found[0], exact.astype("float32").astype("float16"))


def test_dtypes_are_promoted() -> None:
    rng = np.random.default_rng(4)
    x, w = T.TensorType("int8", (None,) * 3)("x"), T.TensorType("float32", (None,) * 3)("w")
    values = [rng.integers(-9, 9, (1, 2, 6)).astype("int8"), rng.normal(size=(2, 2, 3))]
    values[1] = values[1].astype("float32")
    found = function([x, w], T.nnet.conv1d(x, w))(*values)
    assert found.dtype == "float32"
    expected = of_scipy(*(v.astype("float64") for v in values), "valid", True)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"border_mode": "half", "subsample": 2, "filter_dilation": 2},
    {"border_mode": "full", "num_groups": 2, "filter_flip": False},
    {"border_mode": 1, "subsample": 2, "unshared": True},
]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_gradients(dims: int, options: dict[str, Any]) -> None:
    rng = np.random.default_rng(dims)
    lengths, taps = (5, 4, 3)[:dims], (2, 2, 1)[:dims]
    groups = options.get("num_groups", 1)
    options = {k: (v,) * dims if k in ("subsample", "filter_dilation") else v
               for k, v in options.items()}  # fmt: skip
    kernel: tuple[int, ...] = (2, 2 // groups, *taps)
    if options.get("unshared"):
        kernel = (2, *((n + 2 - k) // 2 + 1 for n, k in zip(lengths, taps, strict=True)), 2, *taps)
    values = [rng.normal(size=s) for s in ((2, 2, *lengths), kernel)]

    def made(x: Any, w: Any) -> Any:
        return FUNCTIONS[dims](x, w, **options)

    if dims == 2:
        verify_grad(made, values, rng=rng)
    else:
        verify_slopes(made, values, rng, "INTERPRET")


BY_HAND = [
    {},
    {"border_mode": "half", "subsample": (2, 1)},
    {"border_mode": ((1, 0), 2), "filter_dilation": (1, 2), "filter_flip": False},
    {"border_mode": "full", "num_groups": 2},
]


@pytest.mark.parametrize("options", BY_HAND)
@pytest.mark.parametrize("dims", [2, 3])
def test_gradients_that_are_called(dims: int, options: dict[str, Any]) -> None:
    """The functions of gradients are the gradients, and have gradients themselves.

    The first are compiled, the second interpreted: tests of the op compare the two.
    """
    rng = np.random.default_rng(5)
    if dims == 3:
        wide = {k: (*v, v[-1]) for k, v in options.items() if isinstance(v, tuple)}
        options = {**options, **wide}
    groups = options.get("num_groups", 1)
    lengths, taps = ((7, 6), (3, 2)) if dims == 2 else ((4, 3, 3), (3, 2, 2))
    values = [rng.normal(size=s) for s in ((2, 2, *lengths), (2, 2 // groups, *taps))]
    x, w = array("float64", dims, "x"), array("float64", dims, "w")
    made = FUNCTIONS[dims](x, w, **options)
    y = array("float64", dims, "y")
    values.append(rng.normal(size=function([x, w], made.shape, mode="INTERPRET")(*values)))
    inputs = getattr(T.nnet, f"conv{dims}d_grad_wrt_inputs")
    weights = getattr(T.nnet, f"conv{dims}d_grad_wrt_weights")
    found = [
        inputs(y, w, x.shape, **options),
        inputs(y, w, (None, 2, *lengths), w.shape, **options),
        weights(x, y, w.shape, **options),
        weights(x, y, (None, None, *taps), (2, None, *lengths), **options),
    ]
    first, second = grad((made * y).sum(), [x, w])
    results = function([x, w, y], [*found, first, second])(*values)
    for k, result in enumerate(results[:4]):
        np.testing.assert_allclose(result, results[4 + k // 2], atol=1e-11)
    verify_slopes(lambda a, b: inputs(a, b, (None, None, *lengths), **options),
                  [values[2], values[1]], rng, "INTERPRET")  # fmt: skip
    verify_slopes(lambda a, b: weights(a, b, (None, None, *taps), **options),
                  [values[0], values[2]], rng, "INTERPRET")  # fmt: skip


def test_transposed_convolution() -> None:
    """It spreads the elements of an image, and its length follows where the stride is 1."""
    rng = np.random.default_rng(6)
    x, w = T.dtensor4("x"), T.dtensor4("w")
    values = [rng.normal(size=s) for s in ((2, 3, 4, 4), (3, 2, 3, 2))]
    made = T.nnet.conv2d_transpose(x, w, (None, 2, 9, None), input_dilation=(2, 1))
    assert made.type.shape == (None, 2, 9, None)
    spread = T.zeros((2, 3, 8, 4))
    spread = T.set_subtensor(spread[:, :, ::2], x)
    turned = w.dimshuffle(1, 0, 2, 3)
    expected = T.nnet.conv2d(spread[:, :, :7], turned, border_mode="full", filter_flip=False)
    found, other = function([x, w], [made, expected])(*values)
    assert found.shape == (2, 2, 9, 5)
    np.testing.assert_allclose(found, other[:, :, :9], atol=1e-12)
    with pytest.raises(ValueError, match="the length along axis 2 does not follow"):
        T.nnet.conv2d_transpose(x, w, (None, 2, None, 9), input_dilation=(2, 1))


def test_second_derivatives() -> None:
    rng = np.random.default_rng(7)
    x, w = T.dtensor4("x"), T.dvector("w")
    made = T.nnet.conv2d(x, w.reshape((1, 1, 2, 2)), border_mode=1)
    second = function([x, w], hessian((made**2).sum(), w))
    value = rng.normal(size=(1, 1, 3, 3))
    found = second(value, rng.normal(size=4))
    columns = function([x, w], made.flatten())
    design = np.stack([columns(value, row) for row in np.eye(4)], axis=1)
    np.testing.assert_allclose(found, 2 * design.T @ design, atol=1e-11)


def test_forward_derivatives() -> None:
    rng = np.random.default_rng(8)
    x, w, dx, dw = (T.dtensor3() for _ in range(4))
    values = [rng.normal(size=s) for s in [(2, 3, 6), (2, 3, 2)] * 2]
    made = T.nnet.conv1d(x, w, subsample=2, border_mode=(1,))
    plain = T.nnet.conv1d(dx, w, subsample=2, border_mode=(1,))
    plain += T.nnet.conv1d(x, dw, subsample=2, border_mode=(1,))
    found, expected = function([x, w, dx, dw], [Rop(made, [x, w], [dx, dw]), plain])(*values)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_empty_batches() -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    made = T.nnet.conv2d(x, w, border_mode="half")
    outputs = [made, *grad(made.sum(), [x, w])]
    calls = [[np.ones(s), np.ones(t)] for s, t in (
        ((0, 2, 3, 3), (4, 2, 3, 3)), ((2, 0, 3, 3), (4, 0, 3, 3)), ((2, 2, 3, 3), (0, 2, 3, 3)),
    )]  # fmt: skip
    check([x, w], outputs, calls, kind="nnet")


def test_old_arguments() -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    with pytest.warns(DeprecationWarning, match="image_shape is the old name of input_shape"):
        made = T.nnet.conv2d(x, w, image_shape=(2, 3, 5, 5))
    assert made.type.shape[0] == 2
    with pytest.raises(ValueError, match="give input_shape or image_shape"):
        T.nnet.conv2d(x, w, input_shape=(2, 3, 5, 5), image_shape=(2, 3, 5, 5))
    with pytest.warns(DeprecationWarning, match="conv2d ignores unroll_batch, version"):
        T.nnet.conv2d(x, w, unroll_batch=4, version=2)
    with pytest.raises(NotImplementedError, match="logical shapes are not supported"):
        T.nnet.conv2d(x, w, imshp_logical=(3, 10, 10))
    with pytest.raises(TypeError, match="there is no argument 'pad'") as caught:
        T.nnet.conv2d(x, w, pad=1)
    assert str(caught.value).endswith("hint: it is border_mode")


def test_shapes_of_the_arrays_themselves() -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    made = T.nnet.conv2d(x, w, input_shape=x.shape, filter_shape=w.shape)
    found = function([x, w], made)(np.ones((2, 1, 5, 4)), np.ones((3, 1, 3, 3)))
    np.testing.assert_array_equal(found, np.full((2, 3, 3, 2), 9.0))


def test_static_lengths_and_updates() -> None:
    """Weights with a length that is known to be 1 keep their type in an update."""
    x, w = T.dtensor4("x"), shared(np.ones((3, 1, 2, 2)), broadcastable=(False, True, False, False))
    cost = T.nnet.relu(T.nnet.conv2d(x, w)).sum()
    step = function([x], cost, updates=[(w, w - 0.5 * grad(cost, w))])
    assert step(np.ones((1, 1, 3, 3))) == 48.0
    np.testing.assert_array_equal(w.get_value(), np.full((3, 1, 2, 2), -1.0))
