"""Functions: direct calls, shared variables, copies and pickles."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.configdefaults import config
from pytensor.tensor.random.basic import NormalRV

import symtheano_pytensor
from symtheano_pytensor import FallbackWarning, SymtheanoFunction


def scaled() -> tuple[Any, Any]:
    x, w = pt.dvector("x"), pytensor.shared(np.array([1.0, 2.0]), "w")
    return pytensor.function([x], [(x * w).sum(), x * w], mode="SYMTHEANO"), w


def test_the_mode_is_found_by_its_name() -> None:
    function, _ = scaled()
    assert isinstance(function, SymtheanoFunction)
    assert function.maker.mode is symtheano_pytensor.SYMTHEANO


def test_direct_calls_read_shared_variables_and_give_the_same() -> None:
    function, w = scaled()
    checked = function([3.0, 4.0])
    function.trust_input = True
    x = np.array([3.0, 4.0])
    assert [item.tolist() for item in function(x)] == [item.tolist() for item in checked]
    w.set_value(np.array([0.0, 1.0]))
    assert function(x)[0] == 4.0
    assert function(x=x)[0] == 4.0


def test_calls_of_functions_of_arguments_only_are_those_of_the_compiled_function() -> None:
    x = pt.dvector("x")
    function = pytensor.function([x], [x.sum(), x * 2], mode="SYMTHEANO", trust_input=True)
    value = np.array([1.0, 2.0])
    assert type(function).__call__ is function.compiled
    assert [item.tolist() for item in function(value)] == [3.0, [2.0, 4.0]]
    assert [item.tolist() for item in function(x=value)] == [3.0, [2.0, 4.0]]
    for again in (function.copy(), pickle.loads(pickle.dumps(function))):
        assert isinstance(again, SymtheanoFunction)
        assert again.trust_input
        assert [item.tolist() for item in again(value)] == [3.0, [2.0, 4.0]]
    function.trust_input = False
    assert type(function) is SymtheanoFunction
    with pytest.raises(TypeError, match="dimension"):
        function(np.zeros((2, 2)))


def test_arguments_are_checked_if_they_are_not_trusted() -> None:
    function, _ = scaled()
    with pytest.raises(TypeError, match="Missing input"):
        function()
    with pytest.raises(TypeError, match="dimension"):
        function(np.zeros((2, 2)))


def test_copies_share_the_code() -> None:
    function, w = scaled()
    other = pytensor.shared(np.array([10.0, 10.0]))
    copied = function.copy(swap={w: other})
    assert copied.compiled is function.compiled
    assert (function([1.0, 1.0])[0], copied([1.0, 1.0])[0]) == (3.0, 20.0)


def test_a_copy_may_leave_out_updates() -> None:
    count = pytensor.shared(0.0, "count")
    function = pytensor.function([], count * 2, updates={count: count + 1}, mode="SYMTHEANO")
    assert [float(function()), float(function())] == [0.0, 2.0]
    still = function.copy(delete_updates=True)
    assert [float(still()), float(still()), float(count.get_value())] == [4.0, 4.0, 2.0]


def test_functions_are_pickled() -> None:
    function, _ = scaled()
    again = pickle.loads(pickle.dumps(function))
    assert isinstance(again, SymtheanoFunction)
    assert again([1.0, 1.0])[0] == 3.0


def test_random_variables_draw_what_numpy_draws() -> None:
    rng = pytensor.shared(np.random.default_rng(1), "rng")
    following, draw = NormalRV()(1.0, 2.0, size=(3,), rng=rng, return_next_rng=True)
    function = pytensor.function([], draw, updates={rng: following}, mode="SYMTHEANO")
    wanted = np.random.default_rng(1)
    for _ in range(2):
        np.testing.assert_array_equal(function(), wanted.normal(1.0, 2.0, 3))
    with pytest.raises(NotImplementedError, match="values in Python"):
        _ = function.compiled


class Doubled(pytensor.graph.op.Op):
    """An op that symtheano does not know."""

    def make_node(self, x: Any) -> Any:
        return pytensor.graph.basic.Apply(self, [x], [x.type()])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = inputs[0] * 2


def test_an_unknown_op_is_computed_by_pytensor_with_one_warning() -> None:
    x = pt.dvector("x")
    with pytest.warns(FallbackWarning, match="Doubled") as warned:
        function = pytensor.function([x], pt.exp(Doubled()(x)) + Doubled()(x + 1), mode="SYMTHEANO")
    assert len(warned) == 1
    np.testing.assert_allclose(function([0.0, 1.0]), [3.0, np.exp(2.0) + 4])


def test_rewriting_starts_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytensor.link.c import cmodule

    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError("PyTensor compiles C")

    monkeypatch.setattr(cmodule.GCC_compiler, "compile_str", refuse)
    x = pt.dvector("x")
    with config.change_flags(cxx="g++"):
        function = pytensor.function([x], x + pt.exp(pt.constant([0.0, 0.0])), mode="SYMTHEANO")
    assert function([1.0, 2.0]).tolist() == [2.0, 3.0]


def test_errors_of_checks_have_their_type_and_message() -> None:
    from pytensor.raise_op import CheckAndRaise

    class Refused(Exception):
        pass

    x = pt.dvector("x")
    function = pytensor.function(
        [x], CheckAndRaise(Refused, "x is not positive")(x, pt.all(x > 0)) * 2, mode="SYMTHEANO"
    )
    assert function([1.0]).tolist() == [2.0]
    with pytest.raises(Refused, match="x is not positive"):
        function([-1.0])


def test_lists_of_arrays() -> None:
    from pytensor.typed_list.basic import append, getitem, length, make_list

    x = pt.dvector("x")
    both = append(make_list([x, x + 1]), x * 2)
    function = pytensor.function([x], [length(both), getitem(both, 2) + 1, both], mode="SYMTHEANO")
    count, last, items = function([1.0])
    assert (int(count), last.tolist()) == (3, [3.0])
    assert [item.tolist() for item in items] == [[1.0], [2.0], [2.0]]
