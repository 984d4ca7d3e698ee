"""Functions whose converted graph is in the cache."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.maker import FunctionMaker

from symtheano_pytensor import FallbackWarning, converts, registry
from tests.pytensor.test_functions import Doubled


@pytest.fixture
def rewritten(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The graphs that PyTensor has rewritten."""
    graphs: list[Any] = []
    original = FunctionMaker.prepare_fgraph

    def prepare(*args: Any) -> None:
        graphs.append(args[3])
        original(*args)

    monkeypatch.setattr(FunctionMaker, "prepare_fgraph", staticmethod(prepare))
    return graphs


def softplus(**options: Any) -> Any:
    x = pt.dvector("x")
    return pytensor.function([x], [pt.log(1 + pt.exp(x)), x.sum()], mode="SYMTHEANO", **options)


def values(function: Any) -> list[Any]:
    return [item.tolist() for item in function(np.array([0.0, 800.0]))]


def test_a_known_graph_is_not_rewritten_until_someone_asks_for_it(rewritten: list[Any]) -> None:
    wanted = values(softplus())
    rewritten.clear()
    function = softplus()
    assert values(function) == wanted == [[np.log(2.0), 800.0], 800.0]
    assert not rewritten
    ops = {str(node.op) for node in function.maker.fgraph.apply_nodes}
    assert not any("DimShuffle" in op or "ExpandDims" in op for op in ops)  # of the constant
    assert len(rewritten) == 1
    assert values(function) == wanted
    _ = function.maker.fgraph
    assert len(rewritten) == 1


def test_copies_and_pickles_of_a_function_that_was_not_rewritten(rewritten: list[Any]) -> None:
    softplus()
    rewritten.clear()
    function = softplus()
    copied = function.copy()
    assert copied.compiled is function.compiled
    assert values(copied) == values(function)
    assert not rewritten
    assert len(copied.maker.fgraph.apply_nodes) == len(function.maker.fgraph.apply_nodes)
    assert len(rewritten) == 2
    again = pickle.loads(pickle.dumps(softplus()))
    assert values(again) == values(function)


def test_updates_of_shared_variables_and_a_copy_without_them(rewritten: list[Any]) -> None:
    def counter() -> tuple[Any, Any]:
        count = pytensor.shared(1.0, "count")
        x = pt.dscalar("x")
        return count, pytensor.function(
            [x], count * x, updates={count: count + x}, mode="SYMTHEANO"
        )

    counter()
    rewritten.clear()
    count, function = counter()
    assert [float(function(2.0)), float(function(2.0))] == [2.0, 6.0]
    assert not rewritten
    still = function.copy(delete_updates=True)
    assert [float(still(2.0)), float(still(2.0)), float(count.get_value())] == [10.0, 10.0, 5.0]


def test_other_constants_and_other_rewrites_are_other_graphs(rewritten: list[Any]) -> None:
    x = pt.dvector("x")
    mode = pytensor.compile.mode.get_mode("SYMTHEANO")
    for _ in range(2):
        rewritten.clear()
        for factor in (2.0, 3.0):
            function = pytensor.function([x], x * factor, mode=mode)
            assert function([1.0]).tolist() == [factor]
        pytensor.function([x], x * 2.0, mode=mode.excluding("canonicalize"))
    assert not rewritten


def test_graphs_with_ops_in_python_are_converted_again(rewritten: list[Any]) -> None:
    x = pt.dvector("x")
    for _ in range(2):
        rewritten.clear()
        with pytest.warns(FallbackWarning, match="Doubled"):
            function = pytensor.function([x], Doubled()(x) + 1, mode="SYMTHEANO")
        assert function([1.0]).tolist() == [3.0]
        assert len(rewritten) == 1


def test_converters_of_programs_may_change(
    rewritten: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    softplus()
    rewritten.clear()
    monkeypatch.setattr(registry, "_CONVERTERS", dict(registry._CONVERTERS))

    @converts("Doubled")
    def convert(op: Any, node: Any, x: Any) -> Any:
        return x * 2

    softplus()
    assert len(rewritten) == 1
