"""Neighbourhoods of images against loops over their elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.gradient import verify_grad
from symtheano.tensor.nnet.neighbours import Images2Neibs, images2neibs, neibs2images


def defined(x: Any, shape: Any, step: Any, mode: str) -> Any:
    """Return the rows, element by element."""
    wrapped = mode == "wrap_centered"
    width = {"half": [n // 2 for n in shape], "full": [n - 1 for n in shape]}.get(mode, [0, 0])
    x = np.pad(x, [(0, 0), (0, 0), *((n, n) for n in width)])
    lengths = x.shape[2:]
    counts = [
        -(-length // s) if wrapped else max((length - n) // s + 1, 0)
        for length, n, s in zip(lengths, shape, step, strict=True)
    ]
    rows = []
    for item, channel, a, b in np.ndindex(*x.shape[:2], *counts):
        first = [k * s - (n // 2) * wrapped for k, n, s in zip((a, b), shape, step, strict=True)]
        rows.append([
            x[item, channel, (first[0] + i) % lengths[0], (first[1] + j) % lengths[1]]
            for i, j in np.ndindex(*shape)
        ])  # fmt: skip
    return np.array(rows, x.dtype).reshape(-1, shape[0] * shape[1])


@pytest.mark.parametrize(
    ("mode", "image", "shape", "step"),
    [
        ("valid", (4, 6), (2, 3), None),
        ("valid", (5, 7), (3, 3), (2, 1)),
        ("valid", (5, 7), (2, 1), (3, 3)),
        ("ignore_borders", (5, 7), (2, 3), None),
        ("ignore_borders", (5, 7), (3, 2), (1, 4)),
        ("ignore_borders", (2, 2), (3, 2), None),
        ("wrap_centered", (5, 7), (3, 5), None),
        ("wrap_centered", (5, 4), (3, 1), (2, 3)),
        ("half", (5, 6), (3, 2), (2, 1)),
        ("half", (5, 5), (3, 3), (1, 1)),
        ("full", (5, 6), (2, 3), (1, 1)),
        ("full", (4, 4), (3, 3), (1, 5)),
    ],
)
@pytest.mark.parametrize("known", [True, False])
def test_rows_are_neighbourhoods(mode: str, image: Any, shape: Any, step: Any, known: bool) -> None:
    x = np.random.default_rng(0).integers(-9, 9, (2, 3, *image)).astype("float32")
    expected = defined(x, shape, step or shape, mode)
    a, n, s = T.ftensor4(), T.lvector(), T.lvector()
    if known:
        b = T.TensorType("float32", x.shape)()
        found = function([b], images2neibs(b, shape, step, mode))(x)
    else:
        made = images2neibs(a, (n[0], n[1]), None if step is None else (s[0], s[1]), mode)
        found = function([a, n, s], made, on_unused_input="ignore")(x, shape, step or shape)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == x.dtype
    np.testing.assert_array_equal(Images2Neibs(mode)(x, shape, step).eval(), expected)


@pytest.mark.parametrize("mode", ["valid", "ignore_borders"])
def test_images_of_neighbourhoods(mode: str) -> None:
    x = np.arange(2.0 * 3 * 7 * 6).reshape(2, 3, 7, 6)[:, :, : 6 if mode == "valid" else 7]
    a = T.dtensor4()
    back = neibs2images(images2neibs(a, (3, 2), mode=mode), (3, 2), a.shape, mode)
    expected = x.copy()
    expected[:, :, 6:] = 0
    np.testing.assert_array_equal(function([a], back)(x), expected)


@pytest.mark.parametrize("mode", ["valid", "wrap_centered", "half", "full"])
def test_gradients(mode: str) -> None:
    x = np.random.default_rng(1).normal(size=(2, 1, 5, 5))
    verify_grad(lambda a: images2neibs(a, (3, 3), (2, 2) if mode != "full" else (1, 1), mode), [x])


@pytest.mark.parametrize(
    ("image", "shape", "step", "mode", "said"),
    [
        ((5, 4), (2, 2), None, "valid", "axis 2: length - neib_shape must be a multiple"),
        ((2, 4), (3, 2), None, "valid", "axis 2: the image is shorter"),
        ((4, 4), (3, 2), None, "wrap_centered", "axis 3: neib_shape must be odd"),
        ((4, 4), (3, 5), None, "wrap_centered", "axis 3: the image is shorter"),
        ((4, 4), (3, 3), (2, 2), "half", "with the zeros of 'half'"),
        ((4, 4), (2, 2), (0, 1), "valid", "neib_step must be positive"),
    ],
)
def test_lengths_that_do_not_fit(image: Any, shape: Any, step: Any, mode: str, said: str) -> None:
    x = np.ones((1, 1, *image))
    with pytest.raises(ValueError, match=said):
        images2neibs(x, shape, step, mode)
    a, n = T.dtensor4(), T.lvector()
    with pytest.raises(ValueError, match=said):
        function([a, n], images2neibs(a, n, step, mode))(x, shape)


def test_arguments_that_are_refused() -> None:
    x = np.ones((1, 1, 4, 4))
    with pytest.raises(ValueError, match="mode='same' is not known"):
        images2neibs(x, (2, 2), mode="same")
    with pytest.raises(ValueError, match="neib_shape"):
        images2neibs(x, (2, 2, 2))
    with pytest.raises(TypeError, match="items, channels, rows and columns"):
        images2neibs(x[0], (2, 2))
    with pytest.raises(NotImplementedError, match="mode='half'"):
        neibs2images(x[0, 0], (2, 2), (1, 1, 4, 4), "half")
    with pytest.raises(ValueError, match="multiples of neib_shape"):
        neibs2images(x[0, 0], (2, 2), (1, 1, 5, 4))


def test_shapes_as_vectors() -> None:
    """Only a call knows how many lengths an input vector has."""
    x = np.arange(2.0 * 3 * 6 * 4).reshape(2, 3, 6, 4)
    a, s, shape = T.dtensor4("a"), T.ivector("s"), T.lvector("shape")
    rows = images2neibs(a, s)
    f = function([a, s, shape], [rows, neibs2images(rows, s, shape)])
    found, back = f(x, np.array([3, 2], "int32"), x.shape)
    np.testing.assert_array_equal(found, images2neibs(x, (3, 2)).eval())
    np.testing.assert_array_equal(back, x)
    for one, other in (([3, 2, 1], x.shape), ([3, 2], (2, 3, 6))):
        with pytest.raises(ShapeError, match="axis 0 was declared to have length"):
            f(x, np.array(one, "int32"), other)
