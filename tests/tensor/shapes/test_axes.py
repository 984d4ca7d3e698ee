"""Functions that rename, add and drop axes."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import Array, check

pytestmark = pytest.mark.needs_cc


def test_functions_that_rename_axes() -> None:
    random = np.random.default_rng(3)
    x, c = T.tensor3("x"), TensorType("float64", (None, 1, None))("c")
    outputs = [
        T.transpose(x), T.transpose(x, (1, 2, 0)), x.transpose(2, 0, 1), x.transpose((0, -1, 1)),
        T.swapaxes(x, 0, 2), T.swapaxes(x, -1, 1), T.squeeze(c), c.squeeze(1), T.expand_dims(x, 1),
        T.expand_dims(x, -1), T.shape_padleft(x, 2), T.shape_padright(x), T.shape_padaxis(x, 1),
        T.squeeze(T.expand_dims(x, 0)) + x, x.dimshuffle(0, "x", 1, 2) + x.dimshuffle("x", 0, 1, 2),
    ]  # fmt: skip

    def reference(x: Array, c: Array) -> list[Array]:
        return [
            x.T, x.transpose(1, 2, 0), x.transpose(2, 0, 1), x.transpose(0, 2, 1),
            x.swapaxes(0, 2), x.swapaxes(-1, 1), c[:, 0], c[:, 0], x[:, None], x[..., None],
            x[None, None], x[..., None], x[:, None], x + x, x[:, None] + x[None],
        ]  # fmt: skip

    calls = [[random_array(random, "float64", s), random_array(random, "float64", (s[0], 1, 3))]
             for s in ((3, 3, 4), (1, 1, 1), (0, 0, 2))]  # fmt: skip
    check([x, c], outputs, calls, reference, kind="shapes")
    with pytest.raises(ValueError, match="not a permutation of 3 axes"):
        T.transpose(x, (0, 1))
