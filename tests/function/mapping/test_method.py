"""The methods of functions: their arguments are checked at once."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, function


def test_the_methods_share_their_options() -> None:
    names = set(inspect.signature(Function.map).parameters)
    assert names - set(inspect.signature(Function.imap).parameters) == {"reduce", "out"}
    assert set(inspect.signature(Function.imap).parameters) - names == {"ordered"}


def test_arguments_are_checked_before_the_first_result() -> None:
    x = T.dvector("x")
    f = function([x], x, mode="INTERPRET")
    with pytest.raises(TypeError, match="takes 1 inputs"):
        f.imap([np.ones(2), np.ones(2)])
    assert [rows for rows, _ in f.imap(np.ones(3), chunk=2)] == [slice(0, 2), slice(2, 3)]
