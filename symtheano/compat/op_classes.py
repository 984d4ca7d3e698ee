"""Theano's classes of ops where symtheano has other ones: called, and asked with ``isinstance``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from symtheano import Op
from symtheano.errors import format_error


class LateOp:
    """An op of Theano's, which becomes symtheano's ops when it is applied.

    Parameters
    ----------
    kind
        The class whose call returned it.
    function
        Function of the operands.
    fields
        The arguments of the class; two ops with the same are equal.
    """

    def __init__(self, kind: OpClass, function: Callable[..., Any], /, **fields: Any) -> None:
        self._class, self._function = kind, function
        self.__dict__.update(fields)
        self._key = (kind, *(repr(value) for value in fields.items()))
        self._arguments: tuple[tuple[Any, ...], dict[str, Any]] = ((), {})

    def __call__(self, *inputs: Any, **options: Any) -> Any:
        name = options.pop("name", None)
        result = self._function(*inputs, **options)
        if name is not None:
            result.name = name
        return result

    def make_node(self, *inputs: Any) -> Any:
        """Return the node of the first result."""
        result = self(*inputs)
        return (result[0] if isinstance(result, list | tuple) else result).owner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LateOp) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"{self._class.__name__}{{{', '.join(f'{k}={v}' for k, v in self._shown())}}}"

    def __reduce__(self) -> tuple[Any, ...]:
        arguments, options = self._arguments
        return _called, (self._class, arguments, options)

    def _shown(self) -> list[tuple[str, Any]]:
        return [pair for pair in vars(self).items() if not pair[0].startswith("_")]


class OpClass(type):
    """The class of such ops: calls make :class:`LateOp`; ``isinstance`` asks symtheano's ops."""

    make: Callable[..., Any] | None
    matches: Callable[[Any], bool]

    def __call__(cls, *args: Any, **options: Any) -> Any:
        if cls.make is None:
            raise NotImplementedError(
                format_error(f"{cls.__name__} can't be called; isinstance({cls.__name__}) works")
            )
        op = cls.make(*args, **options)
        op._arguments = args, options
        return op

    def __instancecheck__(cls, instance: Any) -> bool:
        if isinstance(instance, LateOp):
            return instance._class is cls
        return isinstance(instance, Op) and cls.matches(instance)


def _called(kind: OpClass, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    return kind(*arguments, **options)


def _is_one(classes: type | tuple[type, ...], op: Any) -> bool:
    return isinstance(op, classes)


def op_class(
    name: str,
    matches: Callable[[Any], bool] | type | tuple[type, ...] = lambda op: False,
    make: Callable[..., Any] | None = None,
) -> Any:
    """Return a class of ops.

    Parameters
    ----------
    name
        Theano's name.
    matches
        Whether an op of symtheano is one of this class: a function, or classes.
    make
        Function of the arguments of Theano's class, which returns a function of the operands and
        the fields by which ops are equal. Without it, the class can't be called.

    Examples
    --------
    >>> from symtheano.tensor import CAReduce
    >>> Sum = op_class(
    ...     "Sum",
    ...     lambda op: isinstance(op, CAReduce) and op.scalar_name == "add",
    ...     lambda axis=None: (lambda x: x.sum(axis), {"axis": axis}),
    ... )
    >>> x = T.matrix("x")
    >>> Sum(axis=0)(x).owner.op, isinstance(x.sum(0).owner.op, Sum), Sum(0) == Sum(axis=0)
    (Sum{axis=[0], acc_dtype=float64}, True, True)
    """
    fits = partial(_is_one, matches) if isinstance(matches, type | tuple) else matches

    def create(*args: Any, **options: Any) -> LateOp:
        assert make is not None
        function, fields = make(*args, **options)
        return LateOp(made, function, **fields)

    made = OpClass(
        name,
        (),
        {
            "make": None if make is None else staticmethod(create),
            "matches": staticmethod(fits),
            "__doc__": f"Theano's class {name}.",
            "__module__": sys._getframe(1).f_globals["__name__"],  # where pickles find it
        },
    )
    return made
