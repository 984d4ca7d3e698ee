"""Theano's names of in-place functions are the plain functions."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.tensor import inplace


def test_names() -> None:
    assert inplace.exp_inplace is T.exp
    assert inplace.add_inplace is T.add


@pytest.mark.parametrize("name", ["exp", "nothing_inplace", "_inplace"])
def test_other_names(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(inplace, name)
