"""Errors are of the classes that programs written for Theano catch, and of NumPy's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, shared
from symtheano.errors import (
    DisconnectedInputError,
    MissingInputError,
    NotScalarConstantError,
    UnusedInputError,
)

x, m, s, n = T.dvector("x"), T.dmatrix("m"), T.dscalar("s"), T.lvector("n")
w = shared(np.ones(3, "float32"), "w")

CASES: dict[str, tuple[Callable[[], Any], tuple[type[Exception], ...]]] = {
    "swapaxes": (lambda: T.swapaxes(m, 0, 5), (IndexError, ValueError)),
    "join, axis too low": (lambda: T.join(-5, m, m), (IndexError, ValueError)),
    "join, axis too high": (lambda: T.join(5, m, m), (ValueError, IndexError)),
    "join, fraction as axis": (lambda: T.join(0.5, m, m), (TypeError,)),
    "join of numbers": (lambda: T.join(0, s, s), (TypeError,)),
    "join of nothing": (lambda: T.join(0), (ValueError,)),
    "join of other dims": (lambda: T.join(0, m, x), (TypeError,)),
    "stack": (lambda: T.stack([x, x], axis=5), (IndexError, ValueError)),
    "split": (lambda: T.split(x, [1, 2], 2, axis=5), (ValueError, IndexError)),
    "sum": (lambda: m.sum(axis=5), (ValueError, IndexError)),
    "maximum, fraction as axis": (lambda: T.max(m, axis=0.5), (TypeError,)),
    "addbroadcast": (lambda: T.addbroadcast(m, 5), (ValueError, IndexError)),
    "reshape by a vector": (lambda: T.reshape(m, n), (ValueError, TypeError)),
    "unpacking": (lambda: list(x), (TypeError, ValueError)),
    "inputs given twice": (lambda: function([x, x], x), (UnusedInputError, ValueError)),
    "unused input": (lambda: function([x, m], x), (UnusedInputError,)),
    "missing input": (lambda: function([], x), (MissingInputError,)),
    "update of no shared variable": (lambda: function([x], x, updates={x: x}), (TypeError,)),
    "two updates": (lambda: function([], [], updates=[(w, w + w), (w, w)]), (ValueError,)),
    "update of another type": (lambda: function([m], [], updates=[(w, m)]), (TypeError,)),
    "set_value, dims": (lambda: w.set_value(np.ones((3, 3), "float32")), (TypeError,)),
    "set_value, dtype": (lambda: w.set_value(np.ones(3)), (TypeError,)),
    "set_value, text": (lambda: w.set_value("abc"), (TypeError,)),
    "value of other dims": (lambda: function([x], x)(np.ones((2, 2))), (TypeError,)),
    "values that do not fit": (
        lambda: function([x, n], x + n, mode="INTERPRET")([1.0, 2.0], [1, 2, 3]),
        (ValueError,),
    ),
    "index outside": (lambda: function([x], x[9], mode="INTERPRET")([1.0]), (IndexError,)),
    "too many indices": (lambda: x[0, 0], (IndexError,)),
    "gradient of a vector": (lambda: grad(x, x), (TypeError,)),
    "gradient of something else": (lambda: grad(s, x), (DisconnectedInputError, ValueError)),
    "no constant": (lambda: T.get_scalar_constant_value(x), (NotScalarConstantError,)),
    "no array": (lambda: T.as_tensor_variable("abc"), (TypeError,)),
    "complex to real": (lambda: T.cast(T.zvector(), "float64"), (TypeError,)),
    "dimshuffle": (lambda: m.dimshuffle(0), (ValueError,)),
}


@pytest.mark.parametrize("case", CASES)
def test_errors_are_caught_as_in_theano(case: str) -> None:
    call, classes = CASES[case]
    for wanted in classes:
        with pytest.raises(wanted):
            call()


def test_a_failed_set_value_changes_nothing() -> None:
    for value in (np.ones((3, 3), "float32"), np.zeros(3), "abc", None):
        with pytest.raises(TypeError):
            w.set_value(value)
        assert w.get_value().tolist() == [1, 1, 1]
