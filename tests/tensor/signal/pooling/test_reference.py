"""Pooling in NumPy, against loops over windows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from symtheano.tensor.signal.pooling import reference
from symtheano.tensor.signal.pooling.windows import Windows

CASES = [
    Windows((2, 3), True, (2, 3), (0, 0)),
    Windows((3, 2), True, (2, 1), (1, 1)),
    Windows((2, 2), False, (3, 1), (0, 0)),
    Windows((3,), False, (2,), (0,)),
]


def elements(at: Windows, image: tuple[int, ...]) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """Return the elements of the image that each window has."""
    found = {}
    for place in np.ndindex(*at.lengths(image)):
        along = [
            [k for k in range(t * s - p, t * s - p + n) if 0 <= k < length]
            for t, s, p, n, length in zip(place, at.stride, at.pad, at.ws, image, strict=True)
        ]
        found[place] = list(itertools.product(*along))
    return found


@pytest.mark.parametrize("at", CASES, ids=str)
def test_largest_elements_sums_and_their_gradients(at: Windows) -> None:
    rng = np.random.default_rng(0)
    image = (7, 8)[: at.dims]
    x = rng.integers(0, 4, (2, *image)).astype("float64")  # with equal elements
    met, places = elements(at, image), (2, *at.lengths(image))
    largest, sums = (reference.combined(x, at, flag) for flag in (True, False))
    g, v = rng.normal(size=places), rng.normal(size=x.shape)
    spread, back = np.zeros_like(x), np.zeros_like(x)
    tangent: Any = np.zeros(places)
    for n, (place, inside) in itertools.product(range(2), met.items()):
        values = [x[(n, *element)] for element in inside]
        assert largest[(n, *place)] == max(values)
        assert sums[(n, *place)] == sum(values)
        for element in inside:
            spread[(n, *element)] += g[(n, *place)]
            if x[(n, *element)] == max(values):
                back[(n, *element)] += g[(n, *place)]
                tangent[(n, *place)] += v[(n, *element)]
    np.testing.assert_allclose(reference.spread(g, at, image), spread)
    np.testing.assert_allclose(reference.largest_image(x, largest, g, at), back)
    np.testing.assert_allclose(reference.largest_tangent(x, largest, v, at), tangent)


@pytest.mark.parametrize("at", CASES, ids=str)
def test_numbers_by_which_sums_are_divided(at: Windows) -> None:
    image = (7, 8)[: at.dims]
    inside = reference.average_sizes(at, image, "average_exc_pad", "float64")
    for place, met in elements(at, image).items():
        assert inside[place] == len(met)
    if at.ignore_border:
        whole = reference.average_sizes(at, image, "average_inc_pad", "float64")
        assert (whole == np.prod(at.ws)).all()
    assert reference.average_sizes(at, image, "sum", "float64").tolist() in ([1], [[1]])
