"""Convolution and its gradients: random windows in all dtypes, against NumPy and each other."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.gradient import Rop, grad, verify_grad
from symtheano.tensor.nnet.convolution.ops import Convolution
from tests.support.gradients import verify_slopes
from tests.tensor.nnet.convolution.samples import defined, drawn, maps


@pytest.mark.parametrize("seed", range(12))
def test_compiled_code_and_numpy_agree(seed: int) -> None:
    op, arrays = drawn(seed)
    variables, made = maps(op, arrays)
    found = function(variables, made)(*arrays)
    plain = function(variables, made, mode="INTERPRET")(*arrays)
    scale = 1e-3 if found[0].dtype in ("float32", "complex64") else 1e-9
    for a, b in zip(found, plain, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=scale, atol=scale)
    with np.errstate(over="ignore"):
        expected = defined(*arrays[:2], op)
    np.testing.assert_allclose(plain[0], expected, rtol=scale, atol=scale)
    # The maps are adjoint: <y, x * w> is the same for each of the three factors.
    if found[0].dtype.kind in "fc":
        sums = [np.sum(a * b) for a, b in zip(found, [arrays[k] for k in (2, 0, 1)], strict=True)]
        for other in sums[1:]:
            np.testing.assert_allclose(other, sums[0], rtol=scale, atol=20 * scale)


def test_gradients_of_gradients() -> None:
    rng = np.random.default_rng(0)
    op = Convolution("result", "half", (2, 1), (1, 2), 2, True)
    x, w = rng.normal(size=(2, 4, 5, 4)), rng.normal(size=(4, 2, 3, 2))
    verify_grad(lambda a, b: op(a, b), [x, w], rng=rng)

    def gradients(a: Any, b: Any) -> Any:
        ga, gb = grad((op(a, b) ** 3).sum(), [a, b])
        return T.concatenate([ga.flatten(), gb.flatten()])

    verify_slopes(gradients, [x, w], rng, "INTERPRET")


def test_rop() -> None:
    rng = np.random.default_rng(1)
    op = Convolution("result", 1, (1, 2))
    values = [rng.normal(size=s) for s in [(2, 3, 4, 5), (2, 3, 2, 2)] * 2]
    x, w, dx, dw = variables = [T.dtensor4() for _ in values]
    tangent = Rop(op(x, w), [x, w], [dx, dw])
    found = function(variables, tangent)(*values)
    plain = function(variables, op(dx, w) + op(x, dw))(*values)
    np.testing.assert_allclose(found, plain)


@pytest.mark.parametrize("order", ["C", "F", "reversed", "read-only"])
def test_layouts(order: str) -> None:
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(2, 3, 6, 5)), rng.normal(size=(4, 3, 2, 3))
    op = Convolution()
    a, b = T.dtensor4(), T.dtensor4()
    f = function([a, b], op(a, b))
    plain = f(x, w)
    given = {
        "C": lambda m: m,
        "F": np.asfortranarray,
        "reversed": lambda m: m[::-1, :, ::-1].copy()[::-1, :, ::-1],
        "read-only": lambda m: np.broadcast_to(m, m.shape),
    }[order]
    np.testing.assert_array_equal(f(given(x), given(w)), plain)
    turned = function([a, b], op(a.dimshuffle(0, 1, 3, 2), b.dimshuffle(0, 1, 3, 2)))
    np.testing.assert_allclose(turned(x.swapaxes(2, 3), w.swapaxes(2, 3)), plain)


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        (((1, 2, 3, 3), (1, 3, 2, 2)), "the image has 2 channels, the filter 3"),
        (((1, 2, 3, 3), (1, 2, 6, 2)), "(3 + 0 + 0 - 6) // 1 + 1 = -2"),
    ],
)
def test_shapes_that_do_not_fit(shapes: Any, said: str) -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    known = [T.TensorType("float64", shape)() for shape in shapes]
    values = [np.ones(shape) for shape in shapes]
    for mode, call in itertools.product((None, "INTERPRET"), (True, False)):
        with pytest.raises(ShapeError) as caught:
            function([x, w], Convolution()(x, w), mode=mode)(*values) if call else Convolution()(
                *known
            )
        assert said in str(caught.value)


def test_lengths_of_gradients_fit() -> None:
    w, y = T.dtensor4("w"), T.dtensor4("y")
    op = Convolution("image", "valid", (2, 2))
    f = function([w, y], op(w, y, 9, 8))
    ones = np.ones((1, 1, 3, 3))
    assert f(ones, np.ones((1, 1, 4, 3))).shape == (1, 1, 9, 8)
    said = r"\(9 \+ 0 \+ 0 - 3\) // 2 \+ 1 = 4 elements, and 5 are given"
    with pytest.raises(ShapeError, match=said):
        f(ones, np.ones((1, 1, 5, 3)))


def test_no_convolution_of_booleans() -> None:
    x = T.TensorType("bool", (None,) * 4)("x")
    with pytest.raises(TypeError, match="arrays of bool"):
        Convolution()(x, x)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_lengths_that_no_array_has(mode: str | None) -> None:
    x, y, n = T.dtensor4("x"), T.dtensor4("y"), T.lscalar("n")
    ones = np.ones((1, 1, 4, 4))
    kernel = function([x, y, n], Convolution("filter", "full")(x, y, n, 3), mode=mode)
    with pytest.raises(ShapeError, match="the filter has 0 elements along axis 2"):
        kernel(ones, ones, 0)
    image = function([x, y, n], Convolution("image", 2)(x, y, n, 3), mode=mode)
    with pytest.raises(ShapeError, match="the image has -1 elements along axis 2"):
        image(np.ones((1, 1, 2, 2)), ones, -1)
    empty = function([x, y], Convolution()(x, y), mode=mode)
    with pytest.raises(ShapeError, match="the filter has 0 elements along axis 3"):
        empty(ones, np.ones((1, 1, 2, 0)))


def test_wrong_numbers_of_axes() -> None:
    x, w = T.dtensor3("x"), T.dtensor4("w")
    with pytest.raises(TypeError, match=r"(?s)image has 3 axes.*\(items, channels, rows, col"):
        Convolution()(x, w)
    with pytest.raises(TypeError, match=r"filters, rows of the result, columns of the result, ch"):
        Convolution(unshared=True)(w, w)


@pytest.mark.parametrize("border", ["half", "full", "valid", "causal", 2, ((1, 0), "full")])
def test_borders_are_padding(border: Any) -> None:
    rng = np.random.default_rng(4)
    x, w = T.dtensor4(), T.dtensor4()
    values = [rng.normal(size=s) for s in [(1, 2, 5, 4), (2, 2, 3, 2)]]
    known = {"half": ((1, 1), (1, 1)), "full": ((2, 2), (1, 1)), "valid": ((0, 0), (0, 0)),
             "causal": ((2, 0), (1, 0)), 2: ((2, 2), (2, 2)),
             ((1, 0), "full"): ((1, 0), (1, 1))}  # fmt: skip
    padded = T.pad(x, ((0, 0), (0, 0), *known[border]))
    found, expected = function(
        [x, w], [Convolution("result", border)(x, w), Convolution()(padded, w)]
    )(*values)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize(
    "fields",
    [{"wanted": "x"}, {"wanted": ["image"]}, {"subsample": 2}, {"subsample": (1,) * 4},
     {"subsample": (1, 2**31)}, {"dilation": (1, 0)}, {"dilation": (1.0, 1)}, {"groups": 0},
     {"groups": True}, {"border": None}, {"border": 2**31}, {"border": (1, (2, -1))},
     {"border": (1, (2, 1, 3))}, {"border": ("half", "same")}, {"border": [[]] * 2}],
)  # fmt: skip
def test_fields_that_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"^(Convolution: |no convolution)"):
        Convolution(**fields)
