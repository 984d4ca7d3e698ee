"""``theano.tensor.elemwise``: elementwise ops and reductions as classes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import symtheano.tensor as _T
from symtheano.compat.op_classes import LateOp, OpClass, op_class
from symtheano.compat.writing import Writing as _Writing
from symtheano.scalar.row import ScalarOp
from symtheano.tensor import CAReduce as _Reduce, DimShuffle as _Shuffle, Elemwise as _Elemwise
from symtheano.tensor.elemwise import elemwise as _of_row

from ..scalar.basic import Composite, PythonElemwise, apply_elementwise


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def _reduction(name: str, rows: tuple[str, ...], function: Callable[..., Any]) -> Any:
    def make(axis: Any = None, dtype: Any = None, acc_dtype: Any = None, **options: Any) -> Any:
        given = {"dtype": dtype, "acc_dtype": acc_dtype, **options}
        given = {key: value for key, value in given.items() if value is not None}
        return (lambda x: function(x, axis=_axes(axis), **given)), {"axis": _axes(axis), **given}

    return op_class(name, lambda op: isinstance(op, _Reduce) and op.scalar_name in rows, make)


Sum = _reduction("Sum", ("add",), _T.sum)
Prod = _reduction("Prod", ("mul",), _T.prod)
All = _reduction("All", ("logical_and",), _T.all)
Any_ = _reduction("Any", ("logical_or",), _T.any)
ProdWithoutZeros = op_class(
    "ProdWithoutZeros",
    make=lambda axis=None, dtype=None, acc_dtype=None: (
        lambda x: _T.prod(
            _T.switch(_T.eq(x, 0), _T.ones_like(x), x), axis=axis, dtype=dtype, acc_dtype=acc_dtype
        ),
        {"axis": axis, "dtype": dtype, "acc_dtype": acc_dtype},
    ),
)

_REDUCTIONS: dict[str, Callable[..., Any]] = {
    "add": _T.sum, "mul": _T.prod, "maximum": _T.max, "minimum": _T.min, "or_": _T.any,
    "and_": _T.all, "logical_or": _T.any, "logical_and": _T.all,
}  # fmt: skip


def _reduce(scalar_op: Any, axis: Any = None, dtype: Any = None, acc_dtype: Any = None) -> Any:
    name = scalar_op.name
    if name not in _REDUCTIONS:
        raise NotImplementedError(f"CAReduce({name}): there are {', '.join(_REDUCTIONS)}")
    options = {"dtype": dtype, "acc_dtype": acc_dtype} if name in ("add", "mul") else {}
    function = _REDUCTIONS[name]
    return (lambda x: function(x, axis=_axes(axis), **options)), {"op": name, "axis": _axes(axis)}


def _reduce_in_dtype(scalar_op: Any, axis: Any = None) -> Any:
    """Reductions whose results have the dtype of the operand."""
    _, fields = _reduce(scalar_op, axis)

    def reduce(x: Any) -> Any:
        x = _T.as_tensor_variable(x)
        return _reduce(scalar_op, axis, x.dtype)[0](x)

    return reduce, fields


CAReduce = op_class("CAReduce", _Reduce, _reduce_in_dtype)
CAReduceDtype = op_class("CAReduceDtype", _Reduce, _reduce)


class _DimShuffleClass(OpClass):
    """``DimShuffle(input_broadcastable, new_order)``; symtheano's has only the order."""

    def __call__(cls, input_broadcastable: Any, new_order: Any = None, inplace: bool = True) -> Any:
        if new_order is None:
            return _Shuffle(tuple(input_broadcastable))
        kept = [axis for axis in new_order if axis != "x"]
        for axis, one in enumerate(input_broadcastable):
            if axis not in kept and not one:
                raise ValueError(
                    f"DimShuffle: axis {axis} can be dropped only if it is broadcastable"
                )
        if len(set(kept)) != len(kept):
            raise ValueError(f"DimShuffle: an axis occurs twice in {tuple(new_order)}")
        return _Shuffle(tuple(new_order))

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Shuffle)


DimShuffle: Any = _DimShuffleClass("DimShuffle", (), {"make": None, "matches": None})


class _ElemwiseClass(OpClass):
    """``Elemwise(scalar_op)`` of a row, of a class's object, or of a function of scalars."""

    def __call__(
        cls,
        scalar_op: Any,
        inplace_pattern: Any = None,
        name: str | None = None,
        nfunc_spec: Any = None,
        openmp: Any = None,
    ) -> Any:
        if isinstance(scalar_op, ScalarOp):
            plain = _of_row(scalar_op)
            if inplace_pattern != {0: 0}:
                return plain
            fields = {"scalar_op": scalar_op, "inplace_pattern": inplace_pattern}
            return LateOp(cls, _Writing(plain), **fields)
        if isinstance(scalar_op, Composite):
            return LateOp(cls, lambda *xs: apply_elementwise(scalar_op, *xs), scalar_op=scalar_op)
        return PythonElemwise(scalar_op)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, _Elemwise | PythonElemwise)


Elemwise: Any = _ElemwiseClass("Elemwise", (), {"make": None, "matches": None})


def __getattr__(name: str) -> Any:
    if name == "Any":
        return Any_
    raise AttributeError(name)
