"""The user's line is recorded, and kept through differentiation and rewriting."""

from __future__ import annotations

import inspect

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.graph.origin import Origin, current_origin, origin_scope


def line() -> int:
    """Return the caller's line."""
    frame = inspect.currentframe()
    assert frame is not None
    assert frame.f_back is not None
    return frame.f_back.f_lineno


def test_nodes_know_their_line() -> None:
    x = T.vector("x")
    out, here = T.exp(x), line()
    assert out.owner.origin.line == here
    assert out.owner.origin.filename == __file__
    assert "T.exp(x)" in out.owner.origin.text
    assert out.owner.origin.place == f"test_origin.py:{here}"


def test_inner_nodes_of_a_library_function_have_the_callers_line() -> None:
    x = T.matrix("x")
    out, here = T.var(x), line()
    origins = {node.origin.line for node in FunctionNodes(out)}
    assert origins == {here}


class FunctionNodes(list):  # type: ignore[type-arg]
    """The nodes that compute a variable."""

    def __init__(self, variable: object) -> None:
        from symtheano.graph.walk import toposort

        super().__init__(toposort([variable]))  # type: ignore[list-item]


def test_gradient_keeps_the_line_of_what_it_differentiates() -> None:
    x = T.vector("x")
    h, here = T.tanh(x), line()
    g = grad(h.sum(), x)
    assert here in {node.origin.line for node in FunctionNodes(g)}


def test_rewriting_keeps_lines() -> None:
    x = T.vector("x")
    y, here = T.log(1 + T.exp(x)), line()
    f = function([x], y, mode="INTERPRET")
    (node,) = f.graph.nodes
    assert str(node.op) == "Elemwise{softplus,no_inplace}"
    assert node.origin is not None
    assert node.origin.line == here


def test_scope_gives_its_origin_and_ends() -> None:
    other = Origin("elsewhere.py", 7, "f")
    with origin_scope(other):
        assert current_origin() is other
        with origin_scope(None):
            assert current_origin() is None
        assert current_origin() is other
    here = current_origin()
    assert here is not None
    assert here.filename == __file__


def test_description_without_source() -> None:
    assert Origin("nowhere.py", 3, "f").describe() == "nowhere.py:3"
