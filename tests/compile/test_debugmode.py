"""Every way of computing a call is compared, and the first that differs is named."""

from typing import Any, ClassVar

import numpy as np
import pytest
import scipy.sparse

import symtheano
import symtheano.tensor as T
from symtheano import Apply, Op, function, grad, shared, sparse
from symtheano.compile import DebugMode
from symtheano.compile.debugmode import (
    BadDestroyMap,
    BadOptimization,
    BadThunkOutput,
    DebugModeError,
    InvalidValueError,
)
from symtheano.function.modes import Mode, get_mode
from symtheano.rewrites.rule import Rule
from symtheano.scalar.table import TABLE
from symtheano.tensor.elemwise import Elemwise

pytestmark = pytest.mark.needs_cc

x, m = T.dvector("x"), T.dmatrix("m")


def test_what_is_right_passes() -> None:
    w = shared(np.ones((2, 2)), "w")
    cost = T.log(T.nnet.softmax(T.dot(m, w)))[T.arange(2), [0, 1]].sum()
    step = grad(cost, w)
    f = function([m], cost, updates={w: w + 0.1 * step}, mode="DebugMode")
    g = function([m], cost, updates={w: w + 0.1 * step}, mode="INTERPRET")
    value = np.array([[1.0, -2.0], [0.5, 3.0]])
    found = [f(value), w.get_value()]
    w.set_value(np.ones((2, 2)))
    wanted = [g(value), w.get_value()]
    for mine, its in zip(found, wanted, strict=True):
        np.testing.assert_allclose(mine, its)


def test_stabilized_values_pass() -> None:
    y = [T.log(1 + T.exp(x)), T.exp(x) / T.exp(x).sum(), T.log(1 - T.nnet.sigmoid(x))]
    f = function([x], y, mode=DebugMode())
    soft, shares, _ = f([-1000.0, 0.0, 1000.0])
    np.testing.assert_allclose(soft, [0, np.log(2), 1000])
    assert shares.tolist() == [0, 0, 1]


def test_sparse_matrices_ops_from_graphs_and_large_constants() -> None:
    s, a = sparse.csr_matrix("s"), T.dvector("a")
    double = symtheano.OpFromGraph([a], [a * 2])
    table = np.arange(200.0)
    f = function([s, x], [sparse.dot(s, double(x)), x[0] * table], mode=DebugMode())
    product, scaled = f(scipy.sparse.csr_matrix(np.diag([1.0, 3.0])), [1.0, 2.0])
    assert product.tolist() == [2, 12]
    assert scaled.tolist() == table.tolist()


def test_a_rule_that_changes_a_value_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(node: Any, context: Any) -> Any:
        return [T.cos(node.inputs[0])]

    rules = Mode.rules
    bad = Rule("sine_is_cosine", "specialize", __name__, ("sin",)).defined("A wrong one.", wrong)
    monkeypatch.setattr(Mode, "rules", lambda self: [*rules(self), bad])
    w = shared(np.zeros(1), "w")
    f = function([x], T.exp(T.sin(x) * 2), updates={w: w + 1}, mode=DebugMode(check_c_code=False))
    with pytest.raises(BadOptimization, match=r"rule sine_is_cosine .* changed a value") as raised:
        f([0.5])
    assert "test_debugmode.py" in str(raised.value)
    error = raised.value
    assert error.reason == "sine_is_cosine"
    np.testing.assert_allclose([error.old_r_val, error.new_r_val], [[np.sin(0.5)], [np.cos(0.5)]])
    assert w.get_value().tolist() == [0.0]


def test_a_node_that_differs_in_c_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    row = TABLE["arctan"]
    right = row.numpy
    y = T.exp(T.arctan(x) + x).sum()
    f = function([x], y, mode=DebugMode())
    assert f([0.5]) == pytest.approx(np.exp(np.arctan(0.5) + 0.5))
    object.__setattr__(row, "numpy", lambda value: right(value) + 1)
    try:
        with pytest.raises(BadThunkOutput, match="arctan computes another result in C") as raised:
            f([0.5])
    finally:
        object.__setattr__(row, "numpy", right)
    error = raised.value
    assert isinstance(error.r.owner.op, Elemwise)
    np.testing.assert_allclose(error.val1 - 1, error.val2)
    assert "test_debugmode.py" in str(error)


class Careless(Op):
    """An op of a user's that writes into its input, or counts its calls."""

    itypes, otypes = [T.dvector], [T.dvector]
    calls = 0

    def __init__(self, counts: bool) -> None:
        self.counts = counts

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        """Return another result in each call, or write into the input."""
        (value,) = inputs
        if self.counts:
            Careless.calls += 1
            output_storage[0][0] = value + Careless.calls
        else:
            value += 1
            output_storage[0][0] = value.copy()


class Declared(Careless):
    """An op that declares what it writes into."""

    destroy_map: ClassVar = {0: [0]}


def test_ops_of_users() -> None:
    with pytest.raises(BadDestroyMap, match="Careless wrote into its input 0") as raised:
        function([x], Careless(False)(x), mode=DebugMode())(np.ones(2))
    assert raised.value.idx == 0
    assert raised.value.old_val.tolist() == [1, 1]
    with pytest.raises(BadThunkOutput, match="Careless computed twice gives two results"):
        function([x], Careless(True)(x), mode=DebugMode())(np.ones(2))
    given = np.ones(2)
    assert function([x], Declared(False)(x), mode=DebugMode())(given).tolist() == [2, 2]
    assert given.tolist() == [1, 1]


def test_finite_numbers_on_demand() -> None:
    with pytest.raises(InvalidValueError, match="log computed a number that is not finite"):
        function([x], T.log(x), mode=DebugMode(check_isfinite=True))([0.0])
    assert np.isinf(function([x], T.log(x), mode=DebugMode())([0.0])).all()


def test_a_call_that_is_refused_is_refused_alike() -> None:
    y = T.dvector("y")
    f = function([x, y], T.log(1 + x * y), mode=DebugMode())
    with pytest.raises(ValueError, match="different length"):
        f([1.0], [1.0, 2.0])


def test_names() -> None:
    assert get_mode("DebugMode") == get_mode("DEBUG_MODE") == DebugMode()
    assert DebugMode(check_c_code=False).including("blas").check_c_code is False
    for error in (BadThunkOutput, BadOptimization, BadDestroyMap, InvalidValueError):
        assert issubclass(error, DebugModeError)
