"""What the expressions of a graph begin with: placeholders and variables."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.session.deferred import Conditions, Deferred, place
from symtheano.nn.session.graph import get_default_graph


class Placeholder(Deferred):
    """A placeholder of any number of axes.

    Attributes
    ----------
    dtype, name
        Its dtype and name.
    place
        The user's line that made it.
    """

    def __init__(self, dtype: str, name: str) -> None:
        self.dtype, self.name = dtype, name
        self.place = place(T.scalar())

    def expression(self, conditions: Conditions) -> Any:
        """Raise an error, because what is fed has an expression already."""
        raise not_fed([self])

    def variable(self, ndim: int) -> Any:
        """Return a symbolic array with a number of axes."""
        return T.tensor(self.dtype, shape=(None,) * ndim, name=self.name)

    def __repr__(self) -> str:
        return f"<placeholder '{self.name}', {self.dtype} of any shape>"


def placeholder(dtype: Any = "float32", shape: Any = None, name: str | None = None) -> Any:
    """Return an array that is fed in a run.

    Parameters
    ----------
    dtype
        The dtype; what is fed is converted to it if that keeps the kind of the numbers.
    shape
        The lengths of the axes, None for those that are known in a run only. With a shape, the
        placeholder is a symbolic array, which all functions and layers take. Without a shape, it
        may be fed arrays of any number of axes; layers do not take it.
    name
        The name, which a number is added to if the graph has another one.

    Examples
    --------
    >>> from symtheano import nn
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
    graph, kind = get_default_graph(), np.dtype(dtype).name
    unique = graph.unique(name or "placeholder")
    made: Any
    if shape is None:
        made = Placeholder(kind, unique)
    else:
        lengths = (shape,) if isinstance(shape, int) else tuple(shape)
        made = T.tensor(kind, shape=lengths, name=unique)
    graph.placeholders.append(made)
    return made


def Variable(
    initial: Any, name: str | None = None, trainable: bool = True, dtype: Any = None
) -> Any:
    """Return a shared variable that belongs to the default graph.

    Parameters
    ----------
    initial
        The initial value: a number, an array, an expression without inputs, or a function without
        arguments that returns one of these.
    name
        The name, which a number is added to if the graph has another one.
    trainable
        Whether ``minimize`` changes it by default.
    dtype
        By default float32 or int32 for Python's numbers, and that of an array.

    Examples
    --------
    >>> from symtheano import nn
    >>> with nn.Graph().as_default():
    ...     w = nn.Variable([1.0, 2.0], name="w")
    ...     double = nn.assign(w, 2 * w)
    >>> nn.Session().run(double), w.get_value()
    (array([2., 4.], dtype=float32), array([2., 4.], dtype=float32))
    """
    graph = get_default_graph()
    first = value_of(initial, dtype)
    made = symtheano.shared(first, name=graph.unique(name or "variable"))
    again = partial(value_of, initial, dtype) if callable(initial) else first.copy
    graph.add_variable(made, again, trainable)
    return made


def trainable_variables() -> list[Any]:
    """Return the variables of the default graph that ``minimize`` changes by default."""
    return list(get_default_graph().trainable)


def global_variables() -> list[Any]:
    """Return all variables of the default graph, layers' parameters included."""
    return list(get_default_graph().variables)


def value_of(initial: Any, dtype: Any) -> Any:
    """Return an initial value as an array."""
    value: Any = initial() if callable(initial) else initial
    if hasattr(value, "eval"):
        value = value.eval()
    array = np.array(value)
    if dtype is None and not isinstance(value, np.ndarray | np.generic):
        dtype = {"f": "float32", "i": "int32"}.get(array.dtype.kind)
    if array.dtype.kind not in "biufc":
        raise TypeError(f"Variable: numbers expected, not {value!r}")
    if dtype == "int32" and array.dtype != dtype and (array != array.astype(dtype)).any():
        raise ValueError(f"Variable: {value!r} is beyond int32; give dtype='int64'")
    return array.astype(dtype) if dtype is not None else array


def not_fed(missing: list[Any]) -> ValueError:
    """Return the error for what must be fed."""
    lines = [f"no value was fed for {', '.join(described(item) for item in missing)}"]
    lines += [f"  made at {where}" for item in missing if (where := line_of(item))]
    lines.append("  hint: session.run(fetches, {placeholder: value})")
    return ValueError("\n".join(lines))


def described(item: Any) -> str:
    """Return what something is called in messages."""
    if isinstance(item, Placeholder):
        return f"'{item.name}' ({item.dtype})"
    if isinstance(item, symtheano.Variable):
        shape = getattr(item.type, "shape", None)
        return f"'{item.describe()}' ({item.type.dtype}{'' if shape is None else f' {shape}'})"
    return repr(item)


def line_of(item: Any) -> str:
    """Return the user's line that made something, if it is known."""
    return str(item.place) if isinstance(item, Placeholder) else place(item)
