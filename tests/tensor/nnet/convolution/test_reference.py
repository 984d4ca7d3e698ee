"""The convolutions in NumPy: the first from the definition, the gradients as its adjoints."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.tensor.nnet.convolution import reference
from symtheano.tensor.nnet.convolution.ops import Convolution
from tests.tensor.nnet.convolution.samples import defined, drawn

Lengths = tuple[int, ...]

Lengths = tuple[int, ...]


def windows_of(op: Convolution, image: Lengths, kernel: Lengths) -> reference.Windows:
    """Return the windows of an op for these shapes."""
    dims = op.at.dims
    return reference.Windows(
        image[2:], kernel[-dims:], op.at.positions(image, kernel), tuple(op.at.before(kernel)),
        tuple(op.subsample), tuple(op.dilation), op.groups,
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_gradients_are_adjoints_of_the_definition(seed: int) -> None:
    op, (x, w, y) = drawn(seed)
    at = windows_of(op, x.shape, w.shape)
    made = reference.convolve(x, w, at)
    turned = np.flip(w, tuple(range(-op.at.dims, 0))) if op.flip else w
    np.testing.assert_allclose(made, defined(x, turned, op), atol=1e-10)
    product = np.vdot(made, y)
    images = reference.convolve_inputs(w, y, at)
    filters = reference.convolve_weights(x, y, at, op.unshared)
    assert (images.shape, filters.shape) == (x.shape, w.shape)
    assert np.vdot(images, x) == pytest.approx(product, abs=1e-8)
    assert np.vdot(filters, w) == pytest.approx(product, abs=1e-8)


def test_elements_that_a_tap_meets() -> None:
    at = reference.Windows((5,), (3,), (3,), (1,), (2,), (1,), 1)
    x = np.arange(1.0, 6).reshape(1, 1, 5)
    rows = [at.rows(x, (tap,))[0, 0].tolist() for tap in range(3)]
    assert rows == [[0, 2, 4], [1, 3, 5], [2, 4, 0]]
