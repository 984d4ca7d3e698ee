"""Layers that only arrange the elements of samples."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano import nn

DATA = np.arange(48, dtype="float32").reshape(2, 2, 3, 4)
CASES: list[tuple[Any, Any]] = [
    (nn.Flatten(), DATA.reshape(2, 24)),
    (nn.Reshape((4, -1)), DATA.reshape(2, 4, 6)),
    (nn.Permute((3, 1, 2)), DATA.transpose(0, 3, 1, 2)),
]


@pytest.mark.parametrize(("layer", "wanted"), CASES, ids=lambda item: type(item).__name__)
def test_elements_are_arranged_as_by_numpy(layer: Any, wanted: Any) -> None:
    x = nn.Input((2, 3, 4))
    y = layer(x)
    assert_array_equal(y.test.eval({x.test: DATA}), wanted)
    assert y.shape == wanted.shape[1:]


def test_a_vector_is_repeated() -> None:
    x = nn.Input((2,))
    y = nn.RepeatVector(3)(x)
    assert_array_equal(y.test.eval({x.test: [[1.0, 2.0]]}), [[[1.0, 2.0]] * 3])


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="reshape"):
        nn.Reshape((5, -1))(nn.Input((2, 3, 4)))
