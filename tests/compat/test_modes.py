"""Modes, linkers and types, by Theano's names."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest


def test_modes_by_name(theano: Any) -> None:
    compile = theano.compile
    assert compile.get_mode("FAST_COMPILE").optimizer == "fast_compile"
    assert compile.get_mode(compile.FAST_RUN) is compile.FAST_RUN
    assert compile.get_default_mode().linker == "c"
    assert compile.Mode("py", None).linker == "interpret"
    assert compile.Mode(theano.gof.PerformLinker(), "fast_run").linker == "interpret"
    assert compile.Mode(optimizer=theano.gof.Query(["fast_compile"])).optimizer == "fast_compile"
    with pytest.raises(ValueError, match="not an optimizer"):
        compile.Mode(optimizer="fastest")
    compile.register_mode("mine", compile.Mode("py"))
    x = theano.tensor.dscalar("x")
    assert theano.function([x], x + 1, mode="mine").mode.linker == "interpret"


def test_theanos_names_of_optimizers(theano: Any) -> None:
    mode = theano.compile.get_default_mode()
    assert mode.excluding("BlasOpt", "inplace").excluded == ("blas",)
    assert mode.excluding("BlasOpt").including("blas").excluded == ()
    assert mode.excluding("local_of_nothing").excluded == ()
    twin = pickle.loads(pickle.dumps(mode.excluding("BlasOpt")))
    assert twin.excluded == ("blas",)
    assert twin.query.exclude == ["BlasOpt"]


def test_modes_that_watch_take_theanos_names(theano: Any) -> None:
    compile = theano.compile
    for mode in (
        compile.MonitorMode(),
        compile.NanGuardMode(True, True, True),
        compile.DebugMode(),
    ):
        assert type(mode.excluding("fusion", "BlasOpt")) is type(mode)
        assert mode.excluding("fusion", "BlasOpt").excluded == ("blas",)


def test_linkers_make_functions_of_graphs(theano: Any) -> None:
    gof, T = theano.gof, theano.tensor
    x, y = T.dscalars("x", "y")
    graph = gof.FunctionGraph([x, y], [x * y, x + y])
    for linker in (gof.PerformLinker(), gof.CLinker(), gof.OpWiseCLinker(), gof.vm.VM_Linker()):
        assert [float(value) for value in linker.accept(graph).make_function()(2.0, 3.0)] == [6, 5]
    thunk, inputs, outputs = gof.PerformLinker().accept(graph).make_thunk()
    for place, value in zip(inputs, (np.float64(4.0), np.float64(5.0)), strict=True):
        place.storage[0] = value
    thunk()
    assert [float(place.storage[0]) for place in outputs] == [20.0, 9.0]
    with pytest.raises(NotImplementedError, match="MonitorMode"):
        gof.WrapLinkerMany([gof.PerformLinker()], [])


def test_values_of_users_types_run_without_another_mode(theano: Any) -> None:
    class Words(theano.Type):
        def filter(self, value: Any, strict: bool = False, allow_downcast: Any = None) -> Any:
            if not isinstance(value, tuple):
                raise TypeError("not a tuple")
            return value

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Words)

        def __hash__(self) -> int:
            return hash(Words)

    class Longest(theano.Op):
        __props__ = ()

        def make_node(self, words: Any) -> Any:
            return theano.Apply(self, [words], [Words()(), theano.tensor.lscalar()])

        def perform(self, node: Any, inputs: Any, outputs: Any) -> None:
            longest = max(inputs[0], key=len)
            outputs[0][0], outputs[1][0] = (longest,), np.asarray(len(longest))

    words = Words()("words")
    longest, length = Longest()(words)
    f = theano.function([words], [longest, length + 1])
    result = f(("a", "four"))
    assert result[0] == ("four",)
    assert int(result[1]) == 5


def test_enumerations_are_compared_by_content(theano: Any) -> None:
    from theano.gof import EnumList, EnumType

    colors = EnumType(RED=("red", 0), BLUE=1)
    assert colors == EnumType(RED=("red", 0), BLUE=1)
    assert colors != EnumType(RED=("rouge", 0), BLUE=1)
    assert pickle.loads(pickle.dumps(colors)) == colors
    assert colors.filter("red") == 0
    with pytest.raises(NotImplementedError):
        colors.RED = 3
    with pytest.raises(AttributeError, match="capital"):
        EnumList("small")
    with pytest.raises(TypeError, match="is none of"):
        colors.filter(7)


def test_ops_that_view_or_declare(theano: Any) -> None:
    T, compile = theano.tensor, theano.compile

    class Reversed(compile.ViewOp):
        def grad(self, inputs: Any, output_grads: Any) -> Any:
            return [-output_grads[0]]

    x = T.dvector("x")
    f = theano.function([x], [Reversed()(x), T.grad(Reversed()(x).sum(), x)])
    value, gradient = f([1.0, 2.0])
    assert value.tolist() == [1.0, 2.0]
    assert gradient.tolist() == [-1.0, -1.0]
    m = T.dmatrix("m")
    assert compile.Rebroadcast((0, True))(m).broadcastable == (True, False)
    assert str(compile.Rebroadcast((0, True))) == "Rebroadcast{0,1}"
    with pytest.raises(ValueError, match="non-existent"):
        compile.Rebroadcast((2, True))(m)
