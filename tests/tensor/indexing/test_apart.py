"""Parts that are apart, compared with the positions that NumPy selects."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.tensor.indexing.apart import is_apart, shows_part

BOUNDS = (None, 0, 1, 2, 5, -1, -2, -5)
KEYS: list[Any] = [0, 1, 4, -1, -2]
KEYS += [slice(*key) for key in product(BOUNDS, BOUNDS, (None, 2, 3, -1, -2))]
CHOSEN = [KEYS[k] for k in np.random.default_rng(0).permutation(len(KEYS))[:60]] + KEYS[:5]


def nodes(x: Any, one: Any, other: Any) -> tuple[Any, Any]:
    """Return a node that changes a part, and one that shows another part."""
    return T.set_subtensor(x[one], 1.0).owner, x[other].owner


def positions(length: int, key: Any) -> set[int]:
    return set(np.atleast_1d(np.arange(length)[key]).tolist())


@pytest.mark.parametrize("known", [False, True])
def test_what_is_apart_has_no_element_in_common(known: bool) -> None:
    lengths = (5, 6, 9) if known else (0, 1, 2, 3, 5, 6, 9, 10)
    found = 0
    for length in lengths if known else (None,):
        x = T.TensorType("float64", (length,))("x")
        for one, other in product(CHOSEN, CHOSEN):
            if slice(None) in (one, other):
                continue
            change, view = nodes(x, one, other)
            if view is None or not is_apart(change, view):
                continue
            found += 1
            for n in (length,) if known else lengths:
                inside = all(isinstance(k, slice) or -n <= k < n for k in (one, other))
                assert not inside or positions(n, one).isdisjoint(positions(n, other))
    assert found > 500


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (0, 1, True),
        (-1, -2, True),
        (0, -1, False),
        (np.s_[::2], np.s_[1::2], True),
        (np.s_[1:-1:2], np.s_[2::2], True),
        (np.s_[::2], np.s_[::3], False),
        (np.s_[:3], np.s_[3:], True),
        (np.s_[:-3], np.s_[-3:], True),
        (np.s_[:-3], np.s_[-4:], False),
        (0, np.s_[1:], True),
        (-1, np.s_[:-1], True),
        (np.s_[:, 0], np.s_[:, 1], True),
        (np.s_[:, 0], np.s_[1], False),
        (np.s_[0, 1:], np.s_[1], True),
    ],
)
def test_apart(one: Any, other: Any, apart: bool) -> None:
    assert is_apart(*nodes(T.dmatrix("x"), one, other)) is apart
    assert is_apart(*nodes(T.dmatrix("x"), other, one)) is apart


def test_symbolic_bounds_are_not_known() -> None:
    i, x = T.lscalar("i"), T.dvector("x")
    assert not is_apart(*nodes(x, i, i + 1))
    assert not is_apart(*nodes(x, np.s_[:i], np.s_[i:]))
    assert not shows_part(*nodes(x, i, i + 1))
    change = T.set_subtensor(x[i:], 1.0).owner
    view = x[i:].owner
    assert shows_part(change, view) is (change.inputs[2] is view.inputs[1])
