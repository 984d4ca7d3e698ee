"""Python's operators, and NumPy's protocols, for symbolic arrays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from symtheano.config import config
from symtheano.errors import UnknownLengthError
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import ArrayType, Tensor
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.arrays import is_array_like
from symtheano.tensor.indexing.subtensor import everything, getitem
from symtheano.tensor.messages import build_message, label

Scalar = bool | int | float | complex


def is_operand(value: object) -> bool:
    """Return whether a value can be the other operand of an operator of a symbolic array."""
    if isinstance(value, Operators | Scalar | np.ndarray | np.generic | list | tuple):
        return True
    return is_array_like(value) and not isinstance(value, NumPyProtocols)


Binary = Callable[[Any, Any], Any]


def methods_of(name: str, op: Binary, takes: Callable[[object], bool]) -> tuple[Binary, Binary]:
    """Return the methods of a binary operator, for an array on its left and on its right.

    Parameters
    ----------
    name
        The name of the first method, without underscores.
    op
        Function of both operands.
    takes
        Whether a value can be the other operand.
    """

    def left(self: Any, other: Any) -> Any:
        return op(self, other) if takes(other) else NotImplemented

    def right(self: Any, other: Any) -> Any:
        return op(other, self) if takes(other) else NotImplemented

    for method, own in ((left, f"__{name}__"), (right, f"__r{name}__")):
        method.__name__ = method.__qualname__ = own
        method.__code__ = method.__code__.replace(co_name=own)  # for messages of errors
    return left, right


def _binary(name: str, op: ScalarOp) -> tuple[Callable[[Operators, Any], Tensor], ...]:
    return methods_of(name, op, is_operand)


class NumPyProtocols:
    """Protocols that NumPy and pandas use for operands."""

    __slots__ = ()
    __array_priority__ = 1000
    __pandas_priority__ = 5000

    numpy_calls: ClassVar[Callable[[], Any]]
    """Function that returns ``tensor/numpy_calls.py``, which calls all public functions."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """Raise an error, because the result would be an array of objects.

        Only ``np.sum`` and ``np.prod`` of a list or tuple get a 0-d variable as an object, since
        their results are symbolic again.
        """
        return NumPyProtocols.numpy_calls().as_array_of(self, sys._getframe(1))

    def __array_ufunc__(self, ufunc: Any, method: str, *operands: Any, **options: Any) -> Any:
        """Apply the symbolic equivalent of a ufunc of NumPy or SciPy."""
        return NumPyProtocols.numpy_calls().call_ufunc(ufunc, method, operands, options)

    def __array_function__(
        self,
        function: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Call the symbolic equivalent of a NumPy function."""
        return NumPyProtocols.numpy_calls().call_function(function, args, kwargs)


class Operators:
    """Python's operators and conversions for symbolic arrays."""

    __slots__ = ()

    type: ArrayType

    __add__, __radd__ = _binary("add", scalar.add)
    __sub__, __rsub__ = _binary("sub", scalar.sub)
    __mul__, __rmul__ = _binary("mul", scalar.mul)
    __truediv__, __rtruediv__ = _binary("truediv", scalar.true_div)
    __floordiv__, __rfloordiv__ = _binary("floordiv", scalar.int_div)
    __mod__, __rmod__ = _binary("mod", scalar.mod)
    __pow__, __rpow__ = _binary("pow", scalar.pow)
    __and__, __rand__ = _binary("and", scalar.and_)
    __or__, __ror__ = _binary("or", scalar.or_)
    __xor__, __rxor__ = _binary("xor", scalar.xor)
    __lshift__, __rlshift__ = _binary("lshift", scalar.left_shift)
    __rshift__, __rrshift__ = _binary("rshift", scalar.right_shift)
    __lt__ = _binary("lt", scalar.lt)[0]
    __le__ = _binary("le", scalar.le)[0]
    __gt__ = _binary("gt", scalar.gt)[0]
    __ge__ = _binary("ge", scalar.ge)[0]

    def __divmod__(self, other: Any) -> tuple[Tensor, Tensor]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Tensor, Tensor]:
        return other // self, other % self

    def __neg__(self) -> Tensor:
        return scalar.neg(self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Tensor:
        return scalar.abs(self)

    def __invert__(self) -> Tensor:
        return scalar.invert(self)

    def __matmul__(self, other: Any) -> Tensor:
        from symtheano.tensor.linalg.matmul import matmul

        own: Any = self
        return matmul(own, other) if is_operand(other) else NotImplemented

    def __rmatmul__(self, other: Any) -> Tensor:
        from symtheano.tensor.linalg.matmul import matmul

        own: Any = self
        return matmul(other, own) if is_operand(other) else NotImplemented

    def __bool__(self) -> bool:
        if config.theano_semantics and not self._compares():
            return True
        raise TypeError(
            build_message(
                f"bool(): the truth value of {label(self)} is not known while the graph is built",
                self,
                hint="use switch(condition, a, b) for if, maximum(a, b) for max(a, b), "
                "and_(0 < x, x < 1) for 0 < x < 1, or eval() for a value now",
            )
        )

    def _compares(self) -> bool:
        """Return whether the array is the result of one of Python's comparisons."""
        op = getattr(getattr(self, "owner", None), "op", None)
        return getattr(op, "scalar_op", None) in (scalar.lt, scalar.le, scalar.gt, scalar.ge)

    def _no_number(self, converter: str) -> TypeError:
        return TypeError(
            build_message(
                f"{converter}(): the value of {label(self)} is not known while the graph is built",
                self,
                hint="use cast() in the graph, symtheano.tensor.sin(x) for math.sin(x), or eval() "
                "for a value now",
            )
        )

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError(
                build_message(
                    f"format(): the value of {label(self)} is not known while the graph is built",
                    self,
                    hint="leave the format out to show its name, or format eval()",
                )
            )
        return str(self)

    def __int__(self) -> int:
        raise self._no_number("int")

    def __float__(self) -> float:
        raise self._no_number("float")

    def __complex__(self) -> complex:
        raise self._no_number("complex")

    def __index__(self) -> int:
        raise TypeError(
            build_message(
                f"the value of {label(self)} is not known while the graph is built, so Python "
                "can't use it as an index or in range()",
                self,
                hint="use symbolic arrays (arange(n), x[n]), or eval() for a value now",
            )
        )

    def __getitem__(self, key: Any) -> Tensor:
        whole: object = self
        part = getitem(self, _without_last_axes(self, key) if config.theano_semantics else key)
        return everything(self) if part is whole and self.type.ndim else part

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError(
            build_message(
                f"{label(self)}[key] = value: symbolic variables can't be assigned to",
                self,
                hint="use x = set_subtensor(x[key], value)",
            )
        )

    def __delitem__(self, key: Any) -> None:
        raise TypeError(
            build_message(
                f"del {label(self)}[key]: symbolic variables have no elements to delete",
                self,
                hint="use concatenate([x[:k], x[k + 1:]]), or x[mask]",
            )
        )

    def __contains__(self, value: Any) -> bool:
        raise TypeError(
            build_message(
                f"in: the elements of {label(self)} are not known while the graph is built",
                self,
                hint="use any(eq(x, value)) or isin(value, x) of symtheano.tensor",
            )
        )

    def __iter__(self) -> Iterator[Any]:
        if self.type.ndim == 0:
            raise TypeError(build_message("a 0-d symbolic variable can't be iterated over", self))
        length = self.type.shape[0]
        if length is None:
            raise UnknownLengthError(
                build_message(
                    f"the length of {label(self)} is not known while the graph is built, so it "
                    "can't be iterated over or unpacked",
                    self,
                    hint="use operations on whole arrays, such as x.sum() for sum(x), or scan, "
                    "or declare its shape",
                )
            )
        return iter([self[position] for position in range(length)])

    def __len__(self) -> int:
        length = self.type.shape[0] if self.type.ndim else None
        if length is None:
            raise TypeError(
                build_message(
                    f"len(): {label(self)} has no static length"
                    if self.type.ndim
                    else f"len(): {label(self)} is 0-d",
                    self,
                    hint="use x.shape[0] for the symbolic length" if self.type.ndim else None,
                )
            )
        return length


def _without_last_axes(x: Any, key: Any) -> Any:
    """Return a key as Theano reads one with ``None``: axes of length 1 after it are dropped.

    In Theano, ``c[:, None]`` of a column is a column. Where a last axis has another length, that is
    an error there.
    """
    items = key if isinstance(key, tuple) else (key,)
    basic = all(item is None or isinstance(item, slice | int) for item in items)
    if not basic or None not in items:
        return key
    rest = x.type.shape[len(items) - items.count(None) :]
    return (*items, *([0] * len(rest))) if all(length == 1 for length in rest) else key
