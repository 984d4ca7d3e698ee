"""latex: formulas as mathematics writes them."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.printing import latex

x, A, b = T.dvector("x"), T.dmatrix("A"), T.dscalar("beta")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (b, r"\beta"),
        (T.dmatrix("theta_0"), r"\boldsymbol{\theta}_{0}"),
        (T.dscalar("learning_rate"), r"\mathrm{learning}_{\mathrm{rate}}"),
        (T.dscalar("50%"), r"\mathrm{50\%}"),
        ((b + 1) ** 2 / T.sqrt(b), r"\frac{\left(\beta + 1\right)^{2}}{\sqrt{\beta}}"),
        (b - (b - 1), r"\beta - \left(\beta - 1\right)"),
        (-b * 3, r"3 \left(-\beta\right)"),
        (x * 2, r"2 \mathbf{x}"),
        (x * T.exp(x), r"\mathbf{x} \odot e^{\mathbf{x}}"),
        (x.sum(), r"\sum \mathbf{x}"),
        ((A * A).sum(axis=1), r"\sum_{\text{axis } 1} \mathbf{A} \odot \mathbf{A}"),
        (A.mean(axis=0), r"\operatorname{mean}_{\text{axis } 0} \mathbf{A}"),
        (T.dot(x, x), r"\mathbf{x}^{\top} \mathbf{x}"),
        (T.dot(A.T, x), r"\mathbf{A}^{\top} \mathbf{x}"),
        (T.nlinalg.matrix_inverse(A), r"\mathbf{A}^{-1}"),
        (T.nlinalg.trace(A), r"\operatorname{tr}\left(\mathbf{A}\right)"),
        (A[1:, 0], r"{\mathbf{A}}_{1:, 0}"),
        (x[T.lscalar("i")], r"{\mathbf{x}}_{i}"),
        (T.le(b, 1), r"\beta \le 1"),
        (abs(b) * 1e-7, r"1 \times 10^{-7} \left|\beta\right|"),
        (T.polygamma(2, b), r"\psi_{2}\left(\beta\right)"),
        (T.sort(x), r"\operatorname{Sort}\left(\mathbf{x}\right)"),
        ([b, x], r"\beta,\; \mathbf{x}"),
        (grad(T.exp(x).sum(), x), r"e^{\mathbf{x}}"),
    ],
)
def test_notation(expression: Any, text: str) -> None:
    assert latex(expression) == text


def test_cases() -> None:
    assert latex(T.switch(b > 0, b, 0.5)) == (
        r"\begin{cases}\beta & \text{if } \beta > 0 \\ 0.5 & \text{otherwise}\end{cases}"
    )


def test_depth_and_long_chains() -> None:
    y = b
    for _ in range(3000):
        y = T.tanh(y)
    assert latex(y, depth=1) == r"\tanh\left(\ldots \right)"
    assert latex(y).count(r"\tanh") == 3000


def test_braces_match_for_every_row() -> None:
    from symtheano.scalar.table import TABLE
    from symtheano.tensor.elemwise import elemwise

    for row in TABLE.values():
        for dtype in ("float64", "bool", "int64", "complex128"):
            operands = [T.TensorType(dtype, ())(name) for name in "abcd"[: row.nin]]
            try:
                text = latex(elemwise(row)(*operands))
            except TypeError:
                continue
            assert text.count("{") == text.count("}")
            assert text.count(r"\left") == text.count(r"\right")


def test_functions() -> None:
    assert latex(function([b], b * 1.0, mode="INTERPRET")) == r"\beta"
