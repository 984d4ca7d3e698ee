"""Placeholders and variables, from which the expressions of a graph are made."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.session.deferred import Conditions, Deferred, place
from symtheano.nn.session.graph import get_default_graph


class Placeholder(Deferred):
    """A placeholder without a shape. It can be fed arrays of any number of axes.

    Attributes
    ----------
    dtype, name
        The dtype and the name of the placeholder, strings.
    place
        The line of the user's program that made the placeholder.
    """

    def __init__(self, dtype: str, name: str) -> None:
        self.dtype = dtype  # type: ignore[misc]
        self.name = name
        self.place = place(T.scalar())

    def expression(self, conditions: Conditions) -> Any:
        """Raise an error, because a placeholder only has an expression if it is fed."""
        raise not_fed([self])

    def stand_in(self, array: Any) -> Any:
        """Return a symbolic array with as many axes as an array."""
        return self.variable(np.ndim(array))

    def variable(self, ndim: int) -> Any:
        """Return a symbolic array with this number of axes, and the dtype of the placeholder."""
        return T.tensor(self.dtype, shape=(None,) * ndim, name=self.name)

    def __repr__(self) -> str:
        return f"<placeholder '{self.name}', {self.dtype} of any shape>"


def placeholder(
    dtype: Any = "float32", shape: Any = None, name: str | None = None
) -> T.TensorVariable:
    """Return a placeholder, an array whose value is fed in each run.

    Parameters
    ----------
    dtype
        The dtype of the array. Values that are fed are converted to it, but floats are not
        converted to integers.
    shape
        The lengths of the axes, where None is a length that is only known in a run. The placeholder
        is then a symbolic array, which all functions and layers take. Without a shape, it can be
        fed arrays of any number of axes, but layers do not take it.
    name
        The name of the placeholder. A number is appended if the name is taken. The default is
        ``"placeholder"``.

    Raises
    ------
    TypeError
        If the dtype is none, such as a shape.

    Examples
    --------
    >>> with nn.Graph().as_default():
    ...     x = nn.placeholder("float32", (None, 3), "x")
    ...     y = nn.placeholder("float32", name="y")
    ...     z = nn.reduce_sum(x * y)
    >>> x.type, y
    (TensorType(float32, (?, 3)), <placeholder 'y', float32 of any shape>)
    >>> session = nn.Session()
    >>> [float(session.run(z, {x: [[1, 2, 3]], y: v})) for v in (2, [1, 0, 1])]
    [12.0, 4.0]
    """
    graph, kind = get_default_graph(), dtype_name(dtype)
    unique = graph.unique(name or "placeholder")
    array: T.TensorVariable
    if shape is None:
        without_shape: Any = Placeholder(kind, unique)  # which has the methods of arrays
        array = without_shape
    else:
        lengths = (shape,) if isinstance(shape, int) else tuple(shape)
        array = T.tensor(kind, shape=lengths, name=unique)
    graph.placeholders.append(array)
    return array


def dtype_name(dtype: Any) -> str:
    """Return the name of a placeholder's dtype.

    Raises
    ------
    TypeError
        If it is none.

    Examples
    --------
    >>> dtype_name(np.float32)
    'float32'
    """
    if isinstance(dtype, tuple | list | int):
        raise TypeError(
            f"placeholder: the dtype comes first, and {dtype!r} is a shape: write "
            f'nn.placeholder("float32", {dtype!r})'
        )
    try:
        kind = np.dtype(dtype) if dtype is not None else None
    except TypeError:
        kind = None
    if kind is None or kind.kind not in "biufc":
        raise TypeError(
            f'placeholder: the dtype must be one such as "float32", not {dtype!r}; pass a name by '
            "name="
        )
    return str(kind.name)


def Variable(
    initial: Any, name: str | None = None, trainable: bool = True, dtype: Any = None
) -> T.TensorSharedVariable:
    """Return a variable of the default graph, a shared variable that keeps its value between runs.

    Parameters
    ----------
    initial
        The initial value: a number, an array, an expression without inputs, or a function without
        arguments that returns one of these.
    name
        The name of the variable. A number is appended if the name is taken. The default is
        ``"variable"``.
    trainable
        Whether ``minimize`` changes the variable by default.
    dtype
        The dtype. None: ``float32`` or ``int32`` for numbers and lists of Python, and the dtype of
        an array for arrays.

    Examples
    --------
    >>> with nn.Graph().as_default():
    ...     w = nn.Variable([1.0, 2.0], name="w")
    ...     double = nn.assign(w, 2 * w)
    >>> nn.Session().run(double), w.get_value()
    (array([2., 4.], dtype=float32), array([2., 4.], dtype=float32))
    """
    graph = get_default_graph()
    first = value_of(initial, dtype)
    variable: T.TensorSharedVariable = symtheano.shared(
        first, name=graph.unique(name or "variable")
    )
    again = partial(value_of, initial, dtype) if callable(initial) else first.copy
    graph.add_variable(variable, again, trainable)
    return variable


def trainable_variables() -> list[T.TensorSharedVariable]:
    """Return the variables of the default graph that ``minimize`` changes by default."""
    return list(get_default_graph().trainable)


def global_variables() -> list[T.TensorSharedVariable]:
    """Return all variables of the default graph, including the parameters of layers."""
    return list(get_default_graph().variables)


def value_of(initial: Any, dtype: Any) -> Any:
    """Return an initial value as an array."""
    value: Any = initial
    if hasattr(initial, "eval"):  # a symbolic array
        value = initial.eval()
    elif callable(initial):
        value = initial()
    array = np.array(value)
    if dtype is None and not isinstance(value, np.ndarray | np.generic):
        dtype = {"f": "float32", "i": "int32"}.get(array.dtype.kind)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"Variable: the initial value must consist of numbers, not {value!r}")
    if dtype == "int32" and array.dtype != dtype and (array != array.astype(dtype)).any():
        raise ValueError(f"Variable: {value!r} is too large for int32; pass dtype='int64'")
    return array.astype(dtype) if dtype is not None else array


def not_fed(missing: list[Any]) -> ValueError:
    """Return the error for placeholders and other inputs that were not fed."""
    lines = [f"no value was fed for {', '.join(described(item) for item in missing)}"]
    lines += [f"  made at {where}" for item in missing if (where := line_of(item))]
    lines.append("  hint: session.run(fetches, {placeholder: value})")
    return ValueError("\n".join(lines))


def described(item: Any) -> str:
    """Return the name, the dtype and the shape of an array, for messages."""
    if isinstance(item, Placeholder):
        return f"'{item.name}' ({item.dtype})"
    if isinstance(item, symtheano.Variable):
        shape = getattr(item.type, "shape", None)
        return f"'{item.describe()}' ({item.type.dtype}{'' if shape is None else f' {shape}'})"
    return repr(item)


def line_of(item: Any) -> str:
    """Return the line of the user's program that made an array, or "" if it is unknown."""
    return str(item.place) if isinstance(item, Placeholder) else place(item)
