"""as_op: an op made from a Python function of arrays."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from symtheano.errors import describe_value
from symtheano.graph.op import Op
from symtheano.graph.type import Type
from symtheano.graph.variable import Apply, Variable
from symtheano.tensor.basic import as_tensor_variable, constant
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.type import TensorType


class FromFunctionOp(Op):
    """A Python function of arrays. Compiled code calls it; it has no gradient.

    Parameters
    ----------
    fn
        A function of one array per input that returns one array, or a list or tuple with one per
        output.
    itypes, otypes
        Types of inputs and outputs.
    infer_shape
        A function of the node and the shapes of its inputs that returns the shapes of its outputs;
        None if they are only known after the call.
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        itypes: Sequence[Type],
        otypes: Sequence[Type],
        infer_shape: Callable[..., Any] | None = None,
    ) -> None:
        self.fn = fn
        self.itypes: tuple[Type, ...] = tuple(itypes)
        self.otypes: tuple[Type, ...] = tuple(otypes)
        self.shape_function = infer_shape
        self.__name__ = getattr(fn, "__name__", type(fn).__name__)
        self.__doc__ = getattr(fn, "__doc__", None)

    def make_node(self, *inputs: Any) -> Apply:
        """Apply to variables of the types in ``itypes``; values become constants of them."""
        typed = [*self.itypes, *[None] * (len(inputs) - len(self.itypes))]
        return super().make_node(*map(_as_input, inputs, typed))

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Call the function."""
        returned = self.fn(*inputs)
        results = returned if isinstance(returned, list | tuple) else [returned]
        if len(results) != len(node.outputs):
            raise ValueError(
                call_message(
                    f"{self}: the function returned {len(results)} results, but otypes "
                    f"has {len(node.outputs)}",
                    node,
                    *node.inputs,
                )
            )
        for cell, result in zip(output_storage, results, strict=True):
            # If an input were returned, two variables would share its memory.
            cell[0] = result.copy() if any(result is item for item in inputs) else result

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Call the function that was given for it."""
        if self.shape_function is None:
            raise NotImplementedError(f"{self} has no infer_shape")
        return [tuple(shape) for shape in self.shape_function(node, shapes)]

    @property
    def infers_shape(self) -> bool:
        """Whether a function ``infer_shape`` was given."""
        return self.shape_function is not None

    def _key(self) -> tuple[Any, ...]:
        return self.fn, self.itypes, self.otypes, self.shape_function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FromFunctionOp) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        return f"FromFunctionOp{{{self.__name__}}}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the op by its name, because the name of the function refers to the op."""
        module = getattr(self.fn, "__module__", None)
        name = getattr(self.fn, "__qualname__", "")
        if module is None or "<" in name or _found(module, name) is not self:
            return FromFunctionOp, self._key()
        return _named, (module, name)


def _as_input(value: Any, kind: Type | None) -> Any:
    if not isinstance(value, Variable) and kind is not None:
        with suppress(TypeError, ValueError):
            return constant(kind.filter(value))
    return as_tensor_variable(value)


def _found(module: str, name: str) -> Any:
    thing: Any = importlib.import_module(module)
    for part in name.split("."):
        thing = getattr(thing, part, None)
    return thing


def _named(module: str, name: str) -> Any:
    """Return the op of an unpickled graph."""
    thing = _found(module, name)
    if thing is None:
        raise AttributeError(f"as_op: the op {name!r} of the module {module!r} is not there")
    return thing


def as_op(
    itypes: Any, otypes: Any, infer_shape: Callable[..., Any] | None = None
) -> Callable[[Callable[..., Any]], FromFunctionOp]:
    """Return a decorator that makes an op from a function of NumPy arrays.

    Parameters
    ----------
    itypes, otypes
        Types of inputs and outputs, such as ``T.dmatrix``: a list, or the type of the only one.
    infer_shape
        A function of the node and the shapes of the inputs that returns a list of the outputs'
        shapes. With it, these are known before the function is called.

    Returns
    -------
    A decorator. The function gets arrays that it may modify. It returns one array, or a list or
    tuple of arrays, with the dtypes and numbers of dimensions in ``otypes``. Arrays of another
    precision are converted; anything else is a TypeError in the call. The op has no gradient. To
    define one, write an :class:`~symtheano.Op`.

    Examples
    --------
    >>> @as_op(itypes=[T.dvector], otypes=[T.dvector])
    ... def sort_down(x):
    ...     return np.sort(x)[::-1]
    >>> x = T.dvector("x")
    >>> (2 * sort_down(x)).eval({x: [1.0, 3.0, 2.0]})
    array([6., 4., 2.])
    """
    inputs, outputs = _types("itypes", itypes), _types("otypes", otypes)
    if infer_shape is not None and not callable(infer_shape):
        raise TypeError(
            build_message(f"as_op: infer_shape {describe_value(infer_shape)} can't be called")
        )

    def make_op(fn: Callable[..., Any]) -> FromFunctionOp:
        return FromFunctionOp(fn, inputs, outputs, infer_shape)

    return make_op


def _types(argument: str, types: Any) -> list[Type]:
    listed = list(types) if isinstance(types, list | tuple) else [types]
    for item in listed:
        if not isinstance(item, TensorType):
            raise TypeError(
                build_message(
                    f"as_op: {argument} contains {describe_value(item)}, not an array type",
                    hint="give types such as T.dmatrix, or TensorType(dtype, shape)",
                )
            )
    return listed
