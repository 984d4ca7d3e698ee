"""Changes of shared tables that read what they overwrite: in place, with NumPy's values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, shared

pytestmark = pytest.mark.needs_cc

FIRST, SECOND = np.array([0, 3, 3]), np.array([3, -1])
A = np.random.default_rng(0).random((3, 3))


def added(x: Any, key: Any, value: Any) -> Any:
    """Return an array with a part incremented, symbolic or not."""
    if not isinstance(x, np.ndarray):
        return T.inc_subtensor(x[key], value)
    result = x.copy()
    np.add.at(result, key, value)
    return result


def put(x: Any, key: Any, value: Any) -> Any:
    """Return an array with a part set, symbolic or not."""
    if not isinstance(x, np.ndarray):
        return T.set_subtensor(x[key], value)
    result = x.copy()
    result[key] = value
    return result


Case = Callable[[Any, Any, Any], list[Any]]

# The new value of the table, made from the table changed before (u) or the old one (w); outputs.
IN_PLACE: dict[str, Case] = {
    "increment": lambda w, u, j: [added(u, j, u[j] * 2)],
    "increment of the input": lambda w, u, j: [added(w, j, w[j] * 2)],
    "duplicates": lambda w, u, j: [added(u, FIRST, u[FIRST] * 2)],
    "shifted": lambda w, u, j: [put(u, np.s_[1:], u[:-1] * 2)],
    "shifted view": lambda w, u, j: [put(u, np.s_[1:], u[:-1])],
    "reversed": lambda w, u, j: [put(u, np.s_[:3], u[2::-1])],
    "rows of itself": lambda w, u, j: [put(u, j, u[0:2])],
    "permuted": lambda w, u, j: [put(u, j, u[j][::-1])],
    "three": lambda w, u, j: [added(added(u, j, A[:2]), FIRST, added(u, j, A[:2])[FIRST])],
    "elementwise": lambda w, u, j: [u * 0.9],
    "masked": lambda w, u, j: [put(u, u > 1, 0.0)],
}

COPIED: dict[str, Case] = {
    "the old one is an output": lambda w, u, j: [added(w, j, w[j] * 2), w],
    "a part of the old one": lambda w, u, j: [added(w, j, w[j] * 2), w[j] * 3],
    "used afterwards": lambda w, u, j: [added(u, j, u[j] * 2) + u],
    "both are outputs": lambda w, u, j: [added(u, j, u[j] * 2), u],
    "masked rows": lambda w, u, j: [added(u, u[:, 0] > 1, 2.0)],
    "and a part": lambda w, u, j: [u * 0.9, u[j]],
    "with its transpose": lambda w, u, j: [u[:3] * 0.9 + u[:3].T],
}


def code_of(case: Case) -> str:
    """Compare the new table and the outputs with NumPy, and return the C of the function."""
    start = np.random.default_rng(1).random((7, 3))
    w, i, j, a = shared(start), T.lvector("i"), T.lvector("j"), T.dmatrix("a")
    new, *outputs = case(w, added(w, i, a), j)
    f = function([i, j, a], outputs, updates=[(w, new)], on_unused_input="ignore")
    found = f(FIRST, SECOND, A)
    wanted = case(start, added(start, FIRST, A), SECOND)
    for mine, other in zip([w.get_value(), *found], wanted, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-14)
    return str(f.c_source)


@pytest.mark.parametrize("name", IN_PLACE)
def test_the_table_is_not_copied(name: str) -> None:
    text = code_of(IN_PLACE[name])
    copies = [line for line in text.splitlines() if "st_copy(" in line]
    assert not any("array_d0*array_d1*8);" in line for line in copies)


@pytest.mark.parametrize("name", COPIED)
def test_old_values_remain(name: str) -> None:
    code_of(COPIED[name])
