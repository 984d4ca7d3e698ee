"""Scalar ops, applied to arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.loops.scan_op import Scan
from symtheano_pytensor.registry import Converter, converter_of, converts

# Results have the dtype of the node, and operands are converted to it before: PyTensor computes
# exp of an int8 in float32, for example.
_SAME_DTYPE = {
    "Add": "add", "Mul": "mul", "Sub": "sub", "TrueDiv": "true_div", "IntDiv": "int_div",
    "Mod": "mod", "Pow": "pow", "Maximum": "maximum", "Minimum": "minimum",
    "Sign": "sgn", "Ceil": "ceil", "Floor": "floor", "Trunc": "trunc",
    "RoundHalfToEven": "round_half_to_even",
    "RoundHalfAwayFromZero": "round_half_away_from_zero",
    "Neg": "neg", "Reciprocal": "reciprocal", "Log": "log", "Log2": "log2", "Log10": "log10",
    "Log1p": "log1p", "Exp": "exp", "Exp2": "exp2", "Expm1": "expm1", "Sqr": "sqr",
    "Sqrt": "sqrt", "Cos": "cos", "ArcCos": "arccos", "Sin": "sin", "ArcSin": "arcsin",
    "Tan": "tan", "ArcTan": "arctan", "ArcTan2": "arctan2", "Cosh": "cosh",
    "ArcCosh": "arccosh", "Sinh": "sinh", "ArcSinh": "arcsinh", "Tanh": "tanh",
    "ArcTanh": "arctanh", "Conj": "conj", "Erf": "erf", "Erfc": "erfc", "Erfcx": "erfcx",
    "Erfinv": "erfinv", "Erfcinv": "erfcinv", "Owens_t": "owens_t", "Gamma": "gamma",
    "GammaLn": "gammaln", "Psi": "psi", "TriGamma": "tri_gamma", "PolyGamma": "polygamma",
    "GammaInc": "gammainc", "GammaIncC": "gammaincc", "GammaIncInv": "gammaincinv",
    "GammaIncCInv": "gammainccinv", "Jv": "jv", "J1": "j1", "J0": "j0", "I1": "i1", "I0": "i0",
    "Ive": "ive", "Kve": "kve", "Sigmoid": "sigmoid", "Softplus": "softplus",
    "Log1mexp": "log1mexp", "BetaInc": "betainc", "BetaIncInv": "betaincinv",
    "Hyp2F1": "hyp2f1", "LogAddExp": "logaddexp", "XLogY": "xlogy", "XLog1PY": "xlog1py",
}  # fmt: skip

# Operands keep their dtypes.
_AS_THEY_ARE = {
    "LT": "lt", "GT": "gt", "LE": "le", "GE": "ge", "EQ": "eq", "NEQ": "neq",
    "IsNan": "isnan", "IsInf": "isinf", "Invert": "invert", "Real": "real", "Imag": "imag",
    "Complex": "complex", "Abs": "abs", "OR": "or_", "XOR": "xor", "AND": "and_",
}  # fmt: skip

_ANY_NUMBER = frozenset(("Add", "Mul", "Maximum", "Minimum", "OR", "XOR", "AND", "LogAddExp"))


def apply_scalar(op: Any, node: Any, operands: Sequence[Any]) -> list[Any]:
    """Return the results of a scalar op on arrays that broadcast.

    Parameters
    ----------
    op
        PyTensor's scalar op.
    node
        The node, of arrays or of numbers, whose outputs have the dtypes of the results.
    operands
        Symtheano variables.

    Raises
    ------
    NotImplementedError
        If there is no converter of the op.
    """
    converter = converter_of(op)
    if converter is None:
        raise NotImplementedError(f"the scalar op {op}")
    results = converter(op, node, *operands)
    listed = list(results) if isinstance(results, list | tuple) else [results]
    return [
        item if item.dtype == out.type.dtype else T.cast(item, out.type.dtype)
        for item, out in zip(listed, node.outputs, strict=True)
    ]


def _folded(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    result = operands[0]
    for item in operands[1:]:
        result = function(result, item)
    return result


def _same_dtype(name: str, row: str) -> Converter:
    function = getattr(T, row)

    def convert(op: Any, node: Any, *operands: Any) -> Any:
        dtype = node.outputs[0].type.dtype
        if dtype == "bool":
            return _folded({"add": T.or_, "mul": T.and_}.get(row, function), operands)
        cast = [item if item.dtype == dtype else T.cast(item, dtype) for item in operands]
        return _folded(function, cast) if name in _ANY_NUMBER else function(*cast)

    return convert


def _as_they_are(name: str, row: str) -> Converter:
    function = getattr(T, row)

    def convert(op: Any, node: Any, *operands: Any) -> Any:
        return _folded(function, operands) if name in _ANY_NUMBER else function(*operands)

    return convert


for _name, _row in _SAME_DTYPE.items():
    converts(_name, family="scalar")(_same_dtype(_name, _row))
for _name, _row in _AS_THEY_ARE.items():
    converts(_name, family="scalar")(_as_they_are(_name, _row))


@converts("Switch", family="scalar")
def _switch(op: Any, node: Any, condition: Any, first: Any, second: Any) -> Any:
    dtype = node.outputs[0].type.dtype
    return T.switch(condition, T.cast(first, dtype), T.cast(second, dtype))


@converts("Clip", family="scalar")
def _clip(op: Any, node: Any, *operands: Any) -> Any:
    """Return the lower bound where a number is below it, also if the upper one is lower."""
    cast: list[Any] = [T.cast(item, node.outputs[0].type.dtype) for item in operands]
    x, lower, upper = cast
    if all(isinstance(item, T.TensorConstant) for item in (lower, upper)) and np.all(
        lower.data <= upper.data
    ):
        return T.clip(x, lower, upper)
    return T.switch(T.lt(x, lower), lower, T.switch(T.gt(x, upper), upper, x))


@converts("Second", family="scalar")
def _second(op: Any, node: Any, first: Any, second: Any) -> Any:
    return T.second(first, second)


@converts("Identity", "Cast", family="scalar")
def _identity(op: Any, node: Any, x: Any) -> Any:
    return T.cast(x, node.outputs[0].type.dtype)


@converts("MulWithoutZeros", family="tensor")
def _product_without_zeros(op: Any, node: Any, first: Any, second: Any) -> Any:
    dtype = node.outputs[0].type.dtype
    first, second = T.cast(first, dtype), T.cast(second, dtype)
    product = T.switch(T.eq(second, 0), first, first * second)
    return T.switch(T.eq(first, 0), second, product)


@converts("NdtriExp", family="scalar")
def _quantile_of_exponential(op: Any, node: Any, x: Any) -> Any:
    raise NotImplementedError("ndtri(exp(x)) for very negative x")


# -- graphs of scalar ops --------------------------------------------------------------------------


def inner_results(fgraph: Any, operands: Sequence[Any]) -> list[Any]:
    """Return the outputs of a graph of scalar ops, computed from arrays."""
    memo: dict[Any, Any] = dict(zip(fgraph.inputs, operands, strict=True))
    for node in fgraph.toposort():
        inputs = [_value(item, memo) for item in node.inputs]
        memo.update(zip(node.outputs, apply_scalar(node.op, node, inputs), strict=True))
    return [_value(item, memo) for item in fgraph.outputs]


def _value(variable: Any, memo: dict[Any, Any]) -> Any:
    if variable not in memo:
        memo[variable] = T.constant(variable.data, dtype=variable.type.dtype)
    return memo[variable]


@converts("Composite", "ScalarInnerGraphOp", family="scalar")
def _composite(op: Any, node: Any, *operands: Any) -> Any:
    return inner_results(op.fgraph, operands)


@converts("ScalarLoop", family="scalar")
def _loop(op: Any, node: Any, *operands: Any) -> Any:
    """Run all elements side by side; an element that has finished keeps its states."""
    count = len(op.outputs) - bool(op.is_while)
    fgraph = op.fgraph
    steps, *alike = _broadcast_together(operands)
    states, constants = alike[:count], alike[count:]
    old = [T.TensorType(item.dtype, item.type.shape)() for item in states]
    fixed = [T.TensorType(item.dtype, item.type.shape)() for item in constants]
    bound = T.TensorType(steps.dtype, steps.type.shape)()
    done = T.TensorType("bool", steps.type.shape)()
    number = T.lscalar()
    results = inner_results(fgraph, [*old, *fixed])
    stopped = T.or_(done, T.ge(number, bound))
    new = [T.switch(stopped, a, b) for a, b in zip(old, results[:count], strict=True)]
    now_done = T.or_(stopped, results[count]) if op.is_while else stopped
    loop = Scan(
        *(number, [*new, now_done, T.all(now_done)]),
        states=[*old, done],
        others=[*fixed, bound],
        until=True,
        name="ScalarLoop",
    )
    start = T.zeros_like(steps, dtype="bool")
    *values, ended, _ = loop(T.cast(T.max(steps), "int64"), *states, start, *constants, steps)
    if not op.is_while:
        return values
    return [*values, ended]


def _broadcast_together(operands: Sequence[Any]) -> list[Any]:
    shape = _folded(lambda a, b: a + T.zeros_like(b, dtype=a.dtype), operands)
    return [T.second(T.zeros_like(shape, dtype=item.dtype), item) for item in operands]
