"""Operands with batch axes, for the batch rules of ops."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano.tensor as T
from symtheano.tensor.batches import Batch, pad
from symtheano.tensor.type import TensorType


def array(*shape: int | None) -> Any:
    return TensorType("float64", shape)()


def test_batch_axes_are_aligned_at_the_right() -> None:
    cores = [array(3), array(3), array(3)]
    batch = Batch(cores, [array(2, 4, 3), array(4, 3), array(3)])
    assert (batch.ndim, batch.batched) == (2, [True, True, False])
    assert [item.type.shape for item in batch.inputs] == [(2, 4, 3), (1, 4, 3), (3,)]
    assert batch.shape == (2, 4)
    assert (batch.front(), batch.shifted((0,))) == ((0, 1), (2,))
    assert [batch.full(k).type.shape for k in range(3)] == [(2, 4, 3)] * 3


def test_an_unknown_length_counts_before_a_length_of_one() -> None:
    batch = Batch([array(3), array(3)], [array(1, 3), array(None, 3)])
    assert not isinstance(batch.shape[0], int)


def test_items_are_numbered_in_order() -> None:
    batch = Batch([array()], [array(2, 3)])
    assert_array_equal(batch.items().eval(), np.arange(6).reshape(2, 3))


def test_what_needs_plain_operands_says_so() -> None:
    x, n = array(3), T.lscalar("n")
    node = T.alloc(x, n, n).owner
    with pytest.raises(NotImplementedError, match="would differ from item to item of the batch"):
        Batch([x, n], [x, T.lvector("ns")]).needs_plain(node, 1)


def test_pad() -> None:
    assert pad(array(3), 2).type.shape == (1, 1, 3)
