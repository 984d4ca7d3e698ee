"""to_sympy and from_sympy: their results, and the round trip by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

import symtheano.tensor as T
from symtheano import function
from symtheano.interop import from_sympy, to_sympy
from symtheano.scalar.table import TABLE
from symtheano.tensor.elemwise import elemwise

x, y, n = T.dscalar("x"), T.dscalar("y"), T.lscalar("n")
A, B, v, w = T.dmatrix("A"), T.dmatrix("B"), T.dvector("v"), T.dvector("w")
INPUTS = {"x": x, "y": y, "n": n, "A": A, "B": B, "v": v, "w": w}

EXPRESSIONS = {
    "T.exp(-(x**2)) / 2": "exp(-x**2)/2",
    "T.switch(x > 0, T.log(1 + T.exp(x)), x * y)": "Piecewise((log(exp(x) + 1), x > 0), "
    "(x*y, True))",
    "T.switch(T.and_(x > 0, T.neq(y, 0)), T.maximum(x, y), T.cast(n, 'float64'))": "",
    "T.gammaln(abs(x)) + T.erf(y) * T.sqrt(n + x**2)": "",
    "x**y + x**-1 + 2**y + abs(y) ** 0.5 + x**n": "",
    "v.sum()": "Sum(v[_k, 0], (_k, 0, v_0 - 1))",
    "T.prod(v) + T.mean(A) + (T.exp(v) * w).sum()": "",
    "v.shape[0] * x + A[0, 1] + v[-1]": "v_0*x + A[0, 1] + v[v_0 - 1, 0]",
    "A.sum(axis=0)": "",
    "(A * B).sum(axis=1) + v": "",
    "T.dot(A, v)": "A*v",
    "T.dot(v, A)": "A.T*v",
    "T.dot(v, w)": "",
    "T.dot(A.T, A)": "A.T*A",
    "T.nlinalg.det(A) + T.nlinalg.trace(A)": "Determinant(A) + Trace(A)",
    "T.dot(T.nlinalg.matrix_inverse(A), v)": "A**(-1)*v",
    "-A": "-A",
    "3 * A": "3*A",
    "A + v": "",
    "T.exp(A) + A.T * 2": "",
    "v / 2 - w": "",
}


def value(outputs: list[Any]) -> list[Any]:
    random = np.random.default_rng(0)
    values = {"x": 0.3, "y": -0.7, "n": 3}
    values |= {name: random.normal(size=(3, 3)) for name in "AB"}
    values |= {name: random.normal(size=3) for name in "vw"}
    f = function(list(INPUTS.values()), outputs, on_unused_input="ignore", mode="INTERPRET")
    return list(f(*values.values()))


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_there_and_back(text: str) -> None:
    expression = eval(text)
    written = to_sympy(expression)
    if EXPRESSIONS[text]:
        assert str(written) == EXPRESSIONS[text]
    back = from_sympy(written, INPUTS)
    wanted, got = value([expression, back])
    assert got.shape == wanted.shape
    np.testing.assert_allclose(got, wanted, rtol=1e-12)


def test_each_row_there_and_back() -> None:
    """Formulas of rows have the right values, if from_sympy can convert them back."""
    expressions, backs, seen = [], [], set()
    operands = [T.dscalar(name) for name in "abcd"]
    numbers = np.array([0.3, 0.6, 1.7, 0.4])
    for row in TABLE.values():
        try:
            y = elemwise(row)(*operands[: row.nin])
            written = to_sympy(y)
            backs.append(from_sympy(written, dict(zip("abcd", operands, strict=True))))
        except (TypeError, NotImplementedError):
            continue
        expressions.append(y)
        seen.add(row.name)
    assert {"exp", "betainc", "hyp2f1", "polygamma", "pow", "clip", "logaddexp", "kv"} <= seen
    assert len(seen) > 70
    f = function(operands, [*expressions, *backs], on_unused_input="ignore", mode="INTERPRET")
    found = np.array([float(np.real(item)) for item in f(*numbers)])
    np.testing.assert_allclose(*np.split(found, 2), rtol=1e-12)


def test_assumptions_and_names() -> None:
    assert to_sympy(x).is_real
    assert to_sympy(n).is_integer
    assert to_sympy(T.zscalar("z")).is_complex
    assert to_sympy(T.dscalar()).name == "v1"
    assert str(to_sympy(T.dmatrix("M")).shape) == "(M_0, M_1)"
    assert to_sympy(T.TensorType("float64", (2, 3))("M")).shape == (2, 3)
    t = sympy.Symbol("t", positive=True)
    assert to_sympy(T.log(x), {x: t}) == sympy.log(t)
    assert to_sympy([x, x * y])[1].free_symbols == {to_sympy(x), to_sympy(y)}
    assert to_sympy(T.constant(0.1)) == sympy.Float(0.1)
    assert to_sympy(T.constant(np.inf)) == sympy.oo


def test_formulas_of_sympy() -> None:
    t, k = sympy.symbols("t k")
    m = sympy.Symbol("m", integer=True)
    given = {"t": x}
    cases: list[tuple[Any, float]] = [
        (sympy.diff(sympy.sin(t) ** 2 / t, t), 0.0),
        (sympy.Sum(t**k / sympy.factorial(k), (k, 0, 12)), 0.0),
        (sympy.Sum(sympy.Sum(k * m + t, (k, 0, m)), (m, 0, 0)), 0.3),
        (sympy.Product(k + t, (k, 1, 3)), 1.3 * 2.3 * 3.3),
        (sympy.Piecewise((t, t < 0), (t**2, t < 1)), 0.09),
        (sympy.Rational(1, 3) + sympy.pi * sympy.E, 0.0),
        (sympy.Max(t, 1, sympy.Rational(1, 2)), 1.0),
        (sympy.Matrix([[t, 1], [2, t]]), 0.0),
        (sympy.Heaviside(t) + sympy.cot(t) * sympy.sec(t), 0.0),
        (sympy.zeta(2) * sympy.besselj(0, t), 0.0),
    ]
    for expression, expected in cases[:2] + cases[3:]:
        got = function([x], from_sympy(expression, given), on_unused_input="ignore",
                       mode="INTERPRET")(0.3)  # fmt: skip
        exact = expression.subs(t, sympy.Float(0.3, 30)).doit()
        wanted = np.array(exact.evalf(20).tolist() if exact.is_Matrix else exact.evalf(20), float)
        np.testing.assert_allclose(got, wanted, rtol=1e-13)
        if expected:
            assert float(got) == pytest.approx(expected)
    with pytest.raises(NotImplementedError, match="depend on an index"):
        from_sympy(cases[2][0], given)


def test_matrices_of_sympy() -> None:
    k = sympy.Symbol("k", integer=True)
    C, b = sympy.MatrixSymbol("A", k, k), sympy.MatrixSymbol("v", k, 1)
    expressions = [
        (C + 2 * sympy.Identity(k)) * b,
        C**2 * b,
        sympy.HadamardProduct(C, C.T) * b,
        C.applyfunc(sympy.exp) * sympy.OneMatrix(k, 1),
        (C * C.T).I * b,
    ]
    random = np.random.default_rng(0)
    a, z = random.normal(size=(3, 3)), random.normal(size=3)
    got = function([A, v], [from_sympy(e, INPUTS) for e in expressions], mode="INTERPRET")(a, z)
    wanted = [(a + 2 * np.eye(3)) @ z, a @ a @ z, (a * a.T) @ z, np.exp(a).sum(1),
              np.linalg.solve(a @ a.T, z)]  # fmt: skip
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
    symbols = from_sympy([C * b, sympy.Trace(C)])
    assert [item.ndim for item in symbols] == [1, 0]


def test_what_has_no_notation() -> None:
    with pytest.raises(NotImplementedError, match=r"(?s)no notation for .*test_sympy.py:\d+"):
        to_sympy(T.sort(v))
    with pytest.raises(NotImplementedError, match="neither number, vector nor matrix"):
        to_sympy(T.dtensor3("t").sum())
    with pytest.raises(TypeError, match="takes symbolic variables, got 3"):
        to_sympy(3)
    with pytest.raises(NotImplementedError, match="no function for Ei"):
        from_sympy(sympy.Ei(sympy.Symbol("t")))


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "sympy", None)
    with pytest.raises(
        ImportError, match=r"(?s)to_sympy needs sympy, which.*symtheano\[symbolic\]"
    ):
        to_sympy(x)
