"""Ops that run as Python inside a compiled function: their arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Op
from tests.support.compare import check

pytestmark = pytest.mark.needs_cc


class Same(Op):
    """A copy of an array."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        return shapes

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.array(inputs[0])


def test_arrays_in_any_order_of_memory() -> None:
    x, v = T.matrix("x"), T.vector("v")
    views = [
        x, x.T, x[::-1], x[::-1, ::-1], x[1:, 1:], x[:, 1], T.alloc(v, 2, v.shape[0]),
        v.dimshuffle("x", 0), x[v.shape[0] - 2],
    ]  # fmt: skip
    same = Same()
    f = check(
        [x, v], [same(view) for view in views], [[np.arange(9.0).reshape(3, 3), np.arange(3.0)]],
        lambda x, v: [
            x, x.T, x[::-1], x[::-1, ::-1], x[1:, 1:], x[:, 1], np.stack([v, v]), v[None], x[1],
        ],
    )  # fmt: skip
    assert len(f.lowered.python) == len(views)
