"""What ops of pickles become: expressions of symtheano's ordinary functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import reduce
from typing import Any

import numpy as np

import symtheano.gradient as gradient
import symtheano.tensor as T
from symtheano.compat.pickles.draws import drawn, uniform
from symtheano.compat.pickles.loops import loop
from symtheano.compat.pickles.records import Record, type_of
from symtheano.errors import format_error
from symtheano.graph.op import Op
from symtheano.graph.type import Generic
from symtheano.graph.variable import Apply, Constant, Variable

Converter = Callable[..., Any]

_SCALAR = {
    "Sub": "sub", "TrueDiv": "true_div", "IntDiv": "int_div", "Mod": "mod", "Pow": "pow",
    "Clip": "clip", "Abs": "abs_", "Sgn": "sgn", "Ceil": "ceil", "Floor": "floor", "Trunc": "trunc",
    "RoundHalfToEven": "round_half_to_even", "Neg": "neg", "Inv": "inv", "Log": "log",
    "RoundHalfAwayFromZero": "round_half_away_from_zero", "Log2": "log2", "Log10": "log10",
    "Log1p": "log1p", "Exp": "exp", "Exp2": "exp2", "Expm1": "expm1", "Sqr": "sqr", "Sqrt": "sqrt",
    "Deg2Rad": "deg2rad", "Rad2Deg": "rad2deg", "Cos": "cos", "ArcCos": "arccos", "Cosh": "cosh",
    "ArcCosh": "arccosh", "Sin": "sin", "ArcSin": "arcsin", "Sinh": "sinh", "ArcSinh": "arcsinh",
    "Tan": "tan", "ArcTan": "arctan", "Tanh": "tanh", "ArcTanh": "arctanh", "ArcTan2": "arctan2",
    "Switch": "switch", "LT": "lt", "GT": "gt", "LE": "le", "GE": "ge", "EQ": "eq", "NEQ": "neq",
    "IsNan": "isnan", "IsInf": "isinf", "Invert": "invert", "Real": "real", "Imag": "imag",
    "Angle": "angle", "Complex": "complex", "Conj": "conj",
    "ComplexFromPolar": "complex_from_polar",
    "Erf": "erf", "Erfc": "erfc", "Erfcx": "erfcx", "Erfinv": "erfinv", "Erfcinv": "erfcinv",
    "Gamma": "gamma", "GammaLn": "gammaln", "Psi": "psi", "TriGamma": "tri_gamma", "J0": "j0",
    "J1": "j1", "I0": "i0", "I1": "i1", "Chi2SF": "chi2sf",
}  # fmt: skip
_SCALAR_MANY = {
    "Add": "add", "Mul": "mul", "OR": "or_", "XOR": "xor", "AND": "and_", "Maximum": "maximum",
    "Minimum": "minimum", "ScalarMaximum": "maximum", "ScalarMinimum": "minimum",
}  # fmt: skip
_SCALAR_NNET = {
    "ScalarSigmoid": "sigmoid", "ScalarSoftplus": "softplus", "HardSigmoid": "hard_sigmoid",
    "UltraFastScalarSigmoid": "ultra_fast_sigmoid",
}  # fmt: skip


def converted(op: Any, inputs: Sequence[Any], types: Sequence[Any]) -> list[Any]:
    """Return what an op of a pickle computes from inputs.

    Parameters
    ----------
    op
        The op: a record, or an op of the program.
    inputs
        Its inputs.
    types
        Types of its outputs, None where they are not known yet.
    """
    result: Any = None
    if isinstance(op, Record):
        converter = _TABLE.get(op.name_of_class)
        if converter is None and _is_scalar(op):
            converter = _scalar
        # Graphs that Theano has optimized have ops with other arguments; they are not needed.
        with suppress(TypeError, ValueError, IndexError, AttributeError, KeyError, StopIteration):
            result = None if converter is None else converter(op, *inputs)
    elif isinstance(op, Op):
        return list(op.make_node(*inputs).outputs)
    if result is None:
        return list(Unknown(op, types).make_node(*inputs).outputs)
    results = list(result) if isinstance(result, list | tuple) else [result]
    if len(results) < len(types):
        results += [results[0]] * (len(types) - len(results))
    return results[: len(types)]


class Unknown(Op):
    """An op of a pickle that symtheano does not have: graphs may contain it, and not compute it."""

    def __init__(self, record: Any, types: Sequence[Any]) -> None:
        self.record, self.types = record, list(types)

    def make_node(self, *inputs: Any) -> Apply:
        """Apply to any variables, for outputs of the types that the pickle tells."""
        variables = [item if isinstance(item, Variable) else _constant(item) for item in inputs]
        return Apply(self, variables, [kind.make_variable() for kind in self.types])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        """Raise an error.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError(
            format_error(
                f"{self.record} has no counterpart in symtheano",
                hint="its graph was read from a pickle; values of its parameters can be used",
            )
        )

    def __str__(self) -> str:
        return f"Unknown{{{self.record}}}"


def _constant(value: Any) -> Constant:
    return Constant(Generic(), value)


def _is_scalar(op: Record) -> bool:
    return op._theano.startswith(("theano.scalar.", "theano.tensor.nnet.sigm."))


# -- elementwise -----------------------------------------------------------------------------------


def _scalar(op: Record, *inputs: Any) -> Any:
    """Return what a scalar op computes, of arrays or of numbers; None if it is not known."""
    name = op.name_of_class
    if name in _SCALAR:
        return getattr(T, _SCALAR[name])(*inputs)
    if name in _SCALAR_MANY:
        return reduce(getattr(T, _SCALAR_MANY[name]), inputs)
    if name in _SCALAR_NNET:
        return getattr(T.nnet, _SCALAR_NNET[name])(*inputs)
    if name in ("Identity", "_scalar_py_operators"):
        return T.tensor_copy(inputs[0])
    if name == "Second":
        return T.fill(*inputs)
    if name == "Cast":
        return T.cast(inputs[0], type_of(op.get("o_type")).dtype)  # type: ignore[attr-defined]
    if name == "Composite" and op.get("inputs") is not None:
        return _composite(op, *inputs)
    return None


def _composite(op: Record, *inputs: Any) -> Any:
    from symtheano.graph.walk import replace

    given = dict(zip(op.get("inputs"), inputs, strict=True))
    return replace(list(op.get("outputs")), given)


def _elemwise(op: Record, *inputs: Any) -> Any:
    row = op.get("scalar_op")
    return _scalar(row, *inputs) if isinstance(row, Record) else None


# -- axes ------------------------------------------------------------------------------------------


def _dimshuffle(op: Record, x: Any) -> Any:
    return x.dimshuffle(*op.get("new_order"))


def _axes(op: Record) -> Any:
    axis = op.get("axis")
    return list(axis) if isinstance(axis, tuple) else axis


def _reduction(name: str) -> Converter:
    def convert(op: Record, x: Any) -> Any:
        options = {}
        if name in ("sum", "prod"):
            options = {
                key: op.get(key) for key in ("dtype", "acc_dtype") if op.get(key) is not None
            }
        return getattr(T, name)(x, axis=_axes(op), **options)

    return convert


_REDUCED = {
    "Add": "sum", "Mul": "prod", "Maximum": "max", "ScalarMaximum": "max", "Minimum": "min",
    "ScalarMinimum": "min", "AND": "all", "OR": "any",
}  # fmt: skip


def _careduce(op: Record, x: Any) -> Any:
    row = op.get("scalar_op")
    name = _REDUCED.get(row.name_of_class) if isinstance(row, Record) else None
    return None if name is None else _reduction(name)(op, x)


def _max_and_argmax(op: Record, x: Any, *axis: Any) -> Any:
    axes = axis[0].data.tolist() if axis and isinstance(axis[0], Constant) else _axes(op)
    return [T.max(x, axis=axes), T.argmax(x, axis=axes)]


# -- shapes ----------------------------------------------------------------------------------------


def _join(op: Record, axis: Any, *arrays: Any) -> Any:
    number = int(axis.data) if isinstance(axis, Constant) else axis
    return T.join(number, *arrays)


def _split(op: Record, x: Any, axis: Any, lengths: Any) -> Any:
    return T.split(x, lengths, op.get("len_splits"), axis)


def _reshape(op: Record, x: Any, shape: Any) -> Any:
    return T.reshape(x, shape, ndim=op.get("ndim"))


def _rebroadcast(op: Record, x: Any) -> Any:
    return T.addbroadcast(x, *(axis for axis, one in (op.get("axis") or {}).items() if one))


def _same(op: Record, x: Any, *more: Any) -> Any:
    return T.tensor_copy(x)


def _flatten(op: Record, x: Any) -> Any:
    return T.flatten(x, op.get("outdim", 1))


# -- parts -----------------------------------------------------------------------------------------


def _key(idx_list: Any, inputs: Sequence[Any]) -> tuple[Any, ...]:
    """Return the key of ``x[key]``; types in the list stand for inputs, in order."""
    left = list(inputs)

    def item(entry: Any) -> Any:
        if isinstance(entry, slice):
            return slice(item(entry.start), item(entry.stop), item(entry.step))
        if isinstance(entry, Record) and entry.get("dtype") is not None:
            return left.pop(0)
        return entry

    return tuple(item(entry) for entry in idx_list)


def _subtensor(op: Record, x: Any, *indices: Any) -> Any:
    return x[_key(op.get("idx_list"), indices)]


def _inc_subtensor(op: Record, x: Any, y: Any, *indices: Any) -> Any:
    part = x[_key(op.get("idx_list"), indices)]
    return T.set_subtensor(part, y) if op.get("set_instead_of_inc") else T.inc_subtensor(part, y)


def _index(value: Any) -> Any:
    """Return an index of an advanced subtensor: an array, a slice or None."""
    if isinstance(value, Constant) and not hasattr(value, "dtype"):
        return value.data
    return value


def _advanced(op: Record, x: Any, *indices: Any) -> Any:
    return x[tuple(map(_index, indices))]


def _advanced_inc(op: Record, x: Any, y: Any, *indices: Any) -> Any:
    part = x[tuple(map(_index, indices))]
    return T.set_subtensor(part, y) if op.get("set_instead_of_inc") else T.inc_subtensor(part, y)


# -- the rest --------------------------------------------------------------------------------------


def _softmax(op: Record, x: Any) -> Any:
    return T.nnet.softmax(x)


def _log_softmax(op: Record, x: Any) -> Any:
    return T.nnet.logsoftmax(x)


def _softmax_grad(op: Record, dy: Any, sm: Any) -> Any:
    return (dy - (dy * sm).sum(axis=-1, keepdims=True)) * sm


def _one_hot(op: Record, p: Any, labels: Any) -> Any:
    return T.nnet.crossentropy_categorical_1hot(p, labels)


def _one_hot_grad(op: Record, g: Any, p: Any, labels: Any) -> Any:
    rows = T.arange(labels.shape[0])
    return T.inc_subtensor(T.zeros_like(p)[rows, labels], -g / p[rows, labels])


def _fused_cross_entropy(op: Record, x: Any, b: Any, labels: Any) -> Any:
    p = T.nnet.softmax(x + b)
    rows = T.arange(labels.shape[0])
    return [-T.log(p[rows, labels]), p, T.argmax(p, axis=-1)]


def _sort(op: Record, x: Any, axis: Any = -1) -> Any:
    return T.sort(x, _number(axis))


def _argsort(op: Record, x: Any, axis: Any = -1) -> Any:
    return T.argsort(x, _number(axis))


def _number(axis: Any) -> Any:
    if isinstance(axis, Constant):
        return None if axis.data is None else int(np.asarray(axis.data))
    return axis


def _cumulative(op: Record, x: Any) -> Any:
    name = "cumprod" if "prod" in str(op.get("mode", "")).lower() else "cumsum"
    if op.name_of_class == "CumprodOp":
        name = "cumprod"
    return getattr(T, name)(x, op.get("axis"))


def _convolution(op: Record, images: Any, filters: Any, *shape: Any) -> Any:
    return T.nnet.conv2d(
        images,
        filters,
        border_mode=op.get("border_mode", "valid"),
        subsample=tuple(op.get("subsample", (1, 1))),
        filter_flip=op.get("filter_flip", True),
        filter_dilation=tuple(op.get("filter_dilation", (1, 1))),
        num_groups=op.get("num_groups", 1),
    )


def _old_convolution(op: Record, images: Any, filters: Any) -> Any:
    step = (op.get("dx") or 1, op.get("dy") or 1)
    return T.nnet.conv2d(images, filters, border_mode=op.get("out_mode", "valid"), subsample=step)


def _dot(op: Record, x: Any, y: Any) -> Any:
    return T.dot(x, y)


def _gemm(op: Record, z: Any, a: Any, x: Any, y: Any, b: Any) -> Any:
    return b * z + a * T.dot(x, y)


def _plain(function: Callable[..., Any]) -> Converter:
    def convert(op: Record, *inputs: Any) -> Any:
        return function(*inputs)

    return convert


_TABLE: dict[str, Converter] = {
    "Elemwise": _elemwise,
    "DimShuffle": _dimshuffle,
    "Sum": _reduction("sum"),
    "Prod": _reduction("prod"),
    "All": _reduction("all"),
    "Any": _reduction("any"),
    "Max": _reduction("max"),
    "Min": _reduction("min"),
    "Argmax": lambda op, x, *axis: T.argmax(x, axis=_axes(op)),
    "CAReduce": _careduce,
    "CAReduceDtype": _careduce,
    "MaxAndArgmax": _max_and_argmax,
    "Dot": _dot,
    "Dot22": _dot,
    "Dot22Scalar": lambda op, x, y, a: T.dot(x, y) * a,
    "BatchedDot": _plain(lambda x, y: T.batched_dot(x, y)),
    "Gemm": _gemm,
    "Gemv": lambda op, y, a, m, x, b: b * y + a * T.dot(m, x),
    "Alloc": _plain(lambda value, *shape: T.alloc(value, *shape)),
    "AllocEmpty": lambda op, *shape: T.zeros(shape, op.get("dtype")),
    "ConsiderConstant": _plain(gradient.zero_grad),
    "DisconnectedGrad": _plain(gradient.disconnected_grad),
    "UndefinedGrad": _plain(gradient.undefined_grad),
    "ZeroGrad": _plain(gradient.zero_grad),
    "GradClip": lambda op, x: gradient.grad_clip(
        x, op.get("clip_lower_bound"), op.get("clip_upper_bound")
    ),
    "GradScale": lambda op, x: gradient.grad_scale(x, op.get("multiplier")),
    "Join": _join,
    "Split": _split,
    "Reshape": _reshape,
    "Flatten": _flatten,
    "ARange": lambda op, start, stop, step: T.arange(start, stop, step, dtype=op.get("dtype")),
    "Eye": lambda op, n, m, k: T.eye(n, m, k, dtype=op.get("dtype")),
    "MakeVector": lambda op, *items: T.cast(T.stack(list(items)), op.get("dtype")),
    "Shape": _plain(lambda x: T.shape(x)),
    "Shape_i": lambda op, x: T.shape(x)[op.get("i")],
    "Rebroadcast": _rebroadcast,
    "SpecifyShape": _plain(lambda x, shape: T.specify_shape(x, shape)),
    "Subtensor": _subtensor,
    "IncSubtensor": _inc_subtensor,
    "AdvancedSubtensor1": _advanced,
    "AdvancedSubtensor": _advanced,
    "AdvancedIncSubtensor1": _advanced_inc,
    "AdvancedIncSubtensor": _advanced_inc,
    "Softmax": _softmax,
    "LogSoftmax": _log_softmax,
    "SoftmaxWithBias": _plain(lambda x, b: T.nnet.softmax(x + b)),
    "SoftmaxGrad": _softmax_grad,
    "CrossentropyCategorical1Hot": _one_hot,
    "CrossentropyCategorical1HotGrad": _one_hot_grad,
    "CrossentropySoftmaxArgmax1HotWithBias": _fused_cross_entropy,
    "SortOp": _sort,
    "ArgSortOp": _argsort,
    "CumOp": _cumulative,
    "CumsumOp": _cumulative,
    "CumprodOp": _cumulative,
    "AbstractConv2d": _convolution,
    "ConvOp": _old_convolution,
    "TensorFromScalar": _same,
    "ScalarFromTensor": _same,
    "DeepCopyOp": _same,
    "ViewOp": _same,
    "OutputGuard": _same,
    "HostFromGpu": _same,
    "GpuFromHost": _same,
    "GpuToGpu": _same,
    "MatrixInverse": _plain(lambda x: T.nlinalg.matrix_inverse(x)),
    "Det": _plain(lambda x: T.nlinalg.det(x)),
    "ExtractDiag": _plain(lambda x: T.diagonal(x)),
    "RandomFunction": drawn,
    "Scan": loop,
    "mrg_uniform": uniform,
}
"""What ops become, by the names of their classes."""
