"""``theano.tensor.blas``: products with a sum, as ops that consist of symtheano's.

What is one call of BLAS is decided when a function is compiled.
"""

from __future__ import annotations

from typing import Any

import symtheano.tensor as _T
from symtheano.compat.op_classes import op_class
from symtheano.compat.writing import Writing as _Writing
from symtheano.errors import InconsistencyError as InconsistencyError
from symtheano.tensor import as_tensor_variable
from symtheano.tensor.blas import *


def _operands(name: str, dims: str, *values: Any) -> list[Any]:
    """Return operands as variables, or raise an error for those of other dims or dtypes."""
    variables = [as_tensor_variable(value) for value in values]
    found = "".join(str(each.ndim) for each in variables)
    if found != dims:
        raise TypeError(f"{name} takes operands of {', '.join(dims)} dims, got {', '.join(found)}")
    kinds = {each.dtype for each in variables}
    if len(kinds) != 1 or not kinds <= {*_T.float_dtypes, *_T.complex_dtypes}:
        raise TypeError(f"{name} takes floats or complex numbers of one dtype, got {sorted(kinds)}")
    return variables


def _scaled(x: Any, y: Any, a: Any) -> Any:
    x, y, a = _operands("Dot22Scalar", "220", x, y, a)
    return a * _T.dot(x, y)


def _gemm(z: Any, a: Any, x: Any, y: Any, b: Any) -> Any:
    z, a, x, y, b = _operands("Gemm", "20220", z, a, x, y, b)
    return b * z + a * _T.dot(x, y)


def _gemv(y: Any, alpha: Any, a: Any, x: Any, beta: Any) -> Any:
    y, alpha, a, x, beta = _operands("Gemv", "10210", y, alpha, a, x, beta)
    return beta * y + alpha * _T.dot(a, x)


def _ger(a: Any, alpha: Any, x: Any, y: Any) -> Any:
    a, alpha, x, y = _operands("Ger", "2011", a, alpha, x, y)
    return a + alpha * _T.outer(x, y)


Dot22 = op_class("Dot22", _T.Dot)
Dot22Scalar = op_class("Dot22Scalar", make=lambda: (_scaled, {}))


def _class(name: str, plain: Any, option: str) -> Any:
    """Return a class of ops that write into their first operand if an option says so."""

    def make(inplace: bool = False, **options: Any) -> Any:
        chosen = bool(options.pop(option, inplace))
        return _Writing(plain) if chosen else plain, {option: chosen}

    return op_class(name, make=make)


Gemm = _class("Gemm", _gemm, "inplace")
Gemv = _class("Gemv", _gemv, "inplace")
Ger = _class("Ger", _ger, "destructive")

_dot22, _dot22scalar = _T.Dot(), Dot22Scalar()
gemm_no_inplace, gemm_inplace = Gemm(inplace=False), Gemm(inplace=True)
gemv_no_inplace, gemv_inplace = Gemv(inplace=False), Gemv(inplace=True)
gemm, gemv = gemm_no_inplace, gemv_no_inplace
ger, ger_destructive = Ger(destructive=False), Ger(destructive=True)
