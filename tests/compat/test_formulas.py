"""Formulas and trees are printed as Theano prints them."""

from __future__ import annotations

from typing import Any

import pytest


def test_pp(theano: Any) -> None:
    T, pp = theano.tensor, theano.pp
    x, y, m = T.dscalar("x"), T.dscalar("y"), T.dmatrix("m")
    assert pp(x + y) == "(x + y)"
    assert pp(-x * y) == "((-x) * y)"
    assert pp(x**2) == "(x ** TensorConstant{2})"
    assert pp(T.dot(m, m.T)) == "(m \\dot m.T)"
    assert pp(T.exp(abs(x))) == "exp(|x|)"
    assert pp((m + x).sum()) == "sum((m + x))"
    assert pp(m[0]) == "m[0]"
    assert pp(T.dscalar("alpha")) == "\\alpha"


def test_programs_add_printers(theano: Any) -> None:
    T, printing = theano.tensor, theano.printing
    x = T.dscalar("x")
    own = printing.pprint.clone_assign(T.sqrt(x).owner.op, printing.PatternPrinter("root %(0)s"))
    assert own(T.sqrt(x) + 1) == "(root x + TensorConstant{1})"
    assert own([x], [T.sqrt(x), x]) == "out[0] = root x\nx = x"
    with pytest.raises(ValueError, match="assoc"):
        printing.OperatorPrinter("+", 1, "up")


def test_a_deep_graph(theano: Any) -> None:
    x = y = theano.tensor.dscalar("x")
    for _ in range(3000):
        y = y + x
    assert theano.pp(y).count("+") == 3000


def test_trees(theano: Any) -> None:
    T, printing = theano.tensor, theano.printing
    a, b, d, e = (T.matrix(name) for name in "ABDE")
    c = a + b
    c.name = "C"
    shown = printing.min_informative_str(c + (d + e) + c)
    add = "Elemwise{add,no_inplace}"
    assert shown.split("\n") == [
        f"A. {add}", f" B. {add}", "  C. C", f"  D. {add}", "   E. D", "   F. E", " <C>",
    ]  # fmt: skip
    tags = printing._TagGenerator()
    names = [tags.get_tag() for _ in range(28)]
    assert (names[0], names[25:]) == ("A", ["Z", "AA", "AB"])
