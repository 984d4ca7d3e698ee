"""Functions of the user's see every node before and after it runs."""

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.compile import MonitorMode
from symtheano.compile.monitormode import Thunk, detect_nan
from symtheano.graph.variable import Apply

x = T.dvector("x")


def test_every_node_is_shown_in_order() -> None:
    seen: list[Any] = []

    def before(i: int, node: Apply, fn: Thunk) -> None:
        seen.append(("before", i, fn.inputs[0][0].tolist(), fn.outputs[0][0]))

    def after(i: int, node: Apply, fn: Thunk) -> None:
        seen.append(("after", i, node.op.scalar_op.name, fn.outputs[0][0].tolist()))

    n = shared(0, "n")
    mode = MonitorMode(pre_func=before, post_func=after, optimizer=None)
    f = function([x], T.sqr(-x), updates={n: n + 1}, mode=mode)
    assert f([1.0, 2.0]).tolist() == [1.0, 4.0]
    assert seen[:4] == [
        ("before", 0, [1.0, 2.0], None),
        ("after", 0, "neg", [-1.0, -2.0]),
        ("before", 1, [-1.0, -2.0], None),
        ("after", 1, "sqr", [1.0, 4.0]),
    ]
    numbers = [entry[1] for entry in seen]
    assert numbers == sorted(numbers)
    assert n.get_value() == 1
    nodes = f.maker.fgraph.toposort()
    assert len(nodes) == max(numbers) + 1


def test_an_error_of_the_users_ends_the_call() -> None:
    n = shared(0, "n")

    def refuse(i: int, node: Apply, fn: Thunk) -> None:
        raise ZeroDivisionError(node.op)

    f = function([x], x + 1, updates={n: n + 1}, mode=MonitorMode(post_func=refuse))
    with pytest.raises(ZeroDivisionError, match="add"):
        f([1.0])
    assert n.get_value() == 0


def test_detect_nan(capsys: pytest.CaptureFixture[str]) -> None:
    f = function([x], T.log(x) * 2, mode=MonitorMode(post_func=detect_nan))
    f([1.0])
    assert capsys.readouterr().out == ""
    assert np.isnan(f([-1.0])).all()
    printed = capsys.readouterr().out
    assert printed.count("*** NaN detected ***") == 2
    assert "Elemwise{log,no_inplace} [id A]" in printed
    assert "Inputs : ['float64, shape (1,): [-1.0]']" in printed


def test_modes_derived_from_it_keep_the_functions() -> None:
    seen: list[int] = []
    mode = MonitorMode(lambda i, node, fn: seen.append(i)).excluding("algebra")
    function([x], x + 1, mode=mode)([1.0])
    assert seen == [0]
