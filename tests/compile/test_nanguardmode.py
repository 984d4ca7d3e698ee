"""The first node that makes a NaN, an infinity or a very large number is named."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano
import symtheano.tensor as T
from symtheano import Apply, Op, config, function, grad, shared, sparse
from symtheano.compile import NanGuardMode
from symtheano.compile.nanguardmode import contains_inf, contains_nan
from symtheano.errors import NotFiniteError
from symtheano.function.modes import get_mode

x, m = T.dvector("x"), T.dmatrix("m")


def failure(f: Any, *values: Any) -> NotFiniteError:
    """Return the error of a call."""
    with pytest.raises(NotFiniteError) as raised:
        f(*values)
    return raised.value


def test_the_message_names_node_line_operands_and_element() -> None:
    y = T.log(x * 2)
    f = function([x], (y + 1).sum(), mode=NanGuardMode())
    error = failure(f, [1.0, 0.5, -3.0])
    assert isinstance(error, AssertionError)  # what Theano raises
    first, *rest = str(error).splitlines()
    assert first == "log computed a NaN"
    assert "test_nanguardmode.py" in rest[0]
    assert rest[1].strip() == "y = T.log(x * 2)"
    assert "at [2]: mul = -6.0 gives nan" in str(error)
    assert (error.kind, str(error.node.op)) == ("nan", "Elemwise{log,no_inplace}")
    assert error.variable is error.node.outputs[0]


@pytest.mark.parametrize(
    ("expression", "values", "op", "kind"),
    [
        (lambda: T.exp(x).sum(), [1.0, 1e4], "exp", "inf"),
        (lambda: (1 / x) ** 2, [1.0, 0.0], "reciprocal", "inf"),
        (lambda: x - T.exp(x + 1e4), [1.0, 1.0], "exp", "inf"),
        (lambda: T.sqrt(x), [-1.0], "sqrt", "nan"),
        (lambda: (x * 1e8).sum(), [1e3], "mul", "big"),
        (lambda: T.dot(x, x), [1e200], "sqr", "inf"),
        (lambda: T.cumprod(x), [1e200, 1e200, 2.0], "Cumprod", "inf"),
        (lambda: T.arccos(x[::-1])[0], [0.0, 2.0], "arccos", "nan"),
    ],
)
def test_the_first_node_is_named(expression: Any, values: Any, op: str, kind: str) -> None:
    looking = NanGuardMode(big_is_error=kind == "big")
    error = failure(function([x], expression(), mode=looking), values)
    assert op in str(error).partition("\n")[0]
    assert error.kind == kind


def test_what_is_not_looked_for_is_no_error() -> None:
    y = T.exp(x) - T.exp(x)
    f = function([x], [T.exp(x), y * T.exp(x)], mode=NanGuardMode(True, False, False, None))
    assert failure(f, [1e4]).kind == "nan"
    f = function([x], [T.exp(x), T.log(x)], mode=NanGuardMode(False, False, False))
    assert np.isinf(f([1e4])[0][0])
    assert np.isnan(f([-1.0])[1][0])


def test_infinite_constants_are_meant() -> None:
    masked = T.switch(x > 0, x, -np.inf)
    f = function([x], T.exp(masked - masked.max()), mode=NanGuardMode())
    assert f([-1.0, 2.0]).tolist() == [0.0, 1.0]
    # Besides them, another may be made.
    g = function([x], T.switch(x > 0, 1 / x, -np.inf) * 2, mode=NanGuardMode(big_is_error=False))
    assert failure(g, [0.0, 1e-320]).kind == "inf"
    # And a NaN that is made of them is one.
    h = function([x], masked - T.switch(x > 0, x, -np.inf) * 2, mode=NanGuardMode())
    assert failure(h, [-1.0]).kind == "nan"


def test_values_that_are_given() -> None:
    w = shared(np.array([np.inf]), "weights")
    f = function([x], x * 2, mode=NanGuardMode())
    error = failure(f, [np.nan])
    assert str(error).startswith("the input x holds a NaN")
    assert (error.node, error.variable.name) == (None, "x")
    g = function([x], x * w, mode=NanGuardMode())
    assert str(failure(g, [1.0])).startswith("the shared variable weights holds an infinity")


def test_shared_variables_stay_as_they_were() -> None:
    w, n = shared(np.array([4.0, 1.0]), "w"), shared(0, "n")
    step = grad(T.sqrt(w).sum(), w)
    f = function([x], n, updates=[(n, n + 1), (w, w - 5 * x * step)], mode="NanGuardMode")
    assert f([1.0, 0.0]) == 0
    before = w.get_value()
    f([1.0, 1.0])  # makes w negative
    changed = w.get_value()
    assert (before != changed).any()
    error = failure(f, [1.0, 1.0])
    assert error.kind == "nan"
    np.testing.assert_array_equal(w.get_value(), changed)
    assert n.get_value() == 2


def test_a_variable_may_be_left_out() -> None:
    x_free = T.dvector("free")
    x_free.tag.nan_guard_mode_check = False
    f = function([x_free], x_free * 2, mode=NanGuardMode())
    assert np.isnan(f([np.nan])[0])


def test_sparse_matrices_and_ops_from_graphs() -> None:
    s = sparse.csr_matrix("s")
    f = function([s, m], sparse.dot(sparse.structured_log(s), m), mode=NanGuardMode())
    matrix = scipy.sparse.csr_matrix(np.diag([1.0, -2.0]))
    assert str(failure(f, matrix, np.eye(2))).startswith("log computed a NaN")
    a = T.dvector("a")
    inner = symtheano.OpFromGraph([a], [T.sqrt(a)])
    error = failure(function([x], inner(x - 2), mode=NanGuardMode()), [1.0])
    assert str(error).startswith("sqrt computed a NaN")


class Inverted(Op):
    """An op of a user's."""

    __props__ = ()
    itypes, otypes = [T.dvector], [T.dvector]

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        """Divide."""
        with np.errstate(all="ignore"):
            output_storage[0][0] = 1 / inputs[0]


def test_ops_of_users() -> None:
    f = function([x], Inverted()(x) * 0, mode=NanGuardMode())
    error = failure(f, [0.0])
    assert str(error).startswith("Inverted computed an infinity")
    assert f([2.0]).tolist() == [0.0]


def test_integers_and_objects_are_passed_over() -> None:
    n = T.lvector("n")
    f = function([n], [n.sum(), T.argsort(n)], mode=NanGuardMode())
    assert [item.tolist() for item in f([10**12, 2])] == [10**12 + 2, [1, 0]]


def test_a_mode_like_others() -> None:
    mode = NanGuardMode(inf_is_error=False, optimizer=None)
    assert mode.excluding("algebra").inf_is_error is False
    assert pickle.loads(pickle.dumps(mode)) == mode == copy.copy(mode)
    assert mode != NanGuardMode(optimizer=None)
    assert get_mode("NanGuardMode") == NanGuardMode()
    with config.change_flags(mode="NanGuardMode"):
        assert failure(function([x], T.log(x)), [-1.0]).kind == "nan"
    with config.change_flags(mode="NanGuardMode", optimizer="fast_compile"):
        assert get_mode() == NanGuardMode(optimizer="fast_compile")
    f = function([x], T.log(x), mode=mode)
    again = pickle.loads(pickle.dumps(f))
    assert failure(again, [-1.0]).kind == "nan"
    assert failure(f.copy(), [-1.0]).kind == "nan"


def test_what_arrays_hold() -> None:
    assert contains_nan(np.array([1.0, np.nan]))
    assert not contains_nan(np.array([1, 2]))
    assert not contains_nan("text")
    assert contains_inf(np.float32(np.inf))
    assert contains_nan(np.array([complex(0, np.nan)]))
