"""Sessions, which compile and run functions for the arrays that are fetched and fed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import symtheano
from symtheano.nn.backends import backend_of
from symtheano.nn.foreign import Explained
from symtheano.nn.session.deferred import Conditions, Deferred
from symtheano.nn.session.graph import Graph, get_default_graph
from symtheano.nn.session.leaves import Placeholder, described, line_of, not_fed
from symtheano.nn.session.operations import Operation, ancestors, merged
from symtheano.nn.values import Value


class Session(Explained):
    """Runs parts of a graph.

    A function is compiled for each combination of fetches and fed arrays, and kept for later runs.
    In a ``with`` block, the graph of the session is the default graph, and the session is closed at
    the end.

    Parameters
    ----------
    graph
        The graph to run. None: the current default graph.
    backend
        ``"c"``, the default: functions are compiled. ``"numpy"``: they are interpreted with NumPy.
        ``"cuda"``, ``"cuda:1"``: they run on this device.

    Examples
    --------
    >>> with nn.Graph().as_default():
    ...     x, y = nn.placeholder("float32"), nn.placeholder("float32")
    ...     z = x + y
    ...     with nn.Session() as session:
    ...         print(session.run(z, feed_dict={x: 1.0, y: 2.0}))
    ...         print(session.run({"z": z, "both": [x, y]}, {x: [1, 2], y: 0.5})["z"])
    3.0
    [1.5 2.5]
    """

    def __init__(self, graph: Graph | None = None, *, backend: str = "c") -> None:
        self._backend = backend_of(backend)
        if not isinstance(graph, Graph | None):
            raise TypeError(f"Session takes a graph, not {graph!r}")
        self.graph = get_default_graph() if graph is None else graph
        self._plans: dict[Any, Callable[[list[Any]], Any]] | None = {}
        self._contexts: list[Any] = []

    def __repr__(self) -> str:
        functions = "closed" if self._plans is None else f"{len(self._plans)} functions"
        return f"<session, backend {self._backend.name}, {functions}>"

    def __enter__(self) -> Session:
        context = self.graph.as_default()
        context.__enter__()
        self._contexts.append(context)
        return self

    def __exit__(self, *error: object) -> None:
        self._contexts.pop().__exit__(*error)
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle or copy, without compiled functions, which are made again."""
        plans: Any = None if self._plans is None else {}
        return {**vars(self), "_plans": plans, "_contexts": []}

    def close(self) -> None:
        """Close the session: drop all compiled functions. Further runs raise an error."""
        self._plans = None

    def run(
        self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None, *, training: bool = False
    ) -> Any:
        """Run operations, and return the values of arrays.

        Parameters
        ----------
        fetches
            What to run and return: an array of the graph, a variable, the output of a layer, an
            operation, a name of one of these, or nested lists, tuples and dicts of them. All values
            are computed from the old values of variables. The value of most operations is None.
        feed_dict
            A dict from placeholders, or their names, to their values. Other arrays of the graph can
            be fed, too, and are not computed then.
        training
            Whether layers compute what they compute in training, for example with dropout. The
            default is False.

        Returns
        -------
        values
            NumPy arrays in the same lists, tuples and dicts as ``fetches``.

        Raises
        ------
        ValueError
            If a placeholder was not fed, or a fed value does not fit. No variable is changed then.
        """
        if self._plans is None:
            raise RuntimeError("the session is closed")
        arrays, kinds = [], []
        if feed_dict is not None:
            if not isinstance(feed_dict, Mapping):
                raise TypeError(f"feed_dict must be a dict, not {feed_dict!r}")
            for target, value in feed_dict.items():
                item = self.graph[target] if isinstance(target, str) else target
                array = as_fed(item, value)
                arrays.append(array)
                kinds.append((item, array.ndim, array.dtype))
        key = (frozen(fetches), training, *kinds)
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(fetches, kinds, training)
        return plan(arrays)

    def _plan(
        self, fetches: Any, kinds: list[tuple[Any, int, Any]], training: bool
    ) -> Callable[[list[Any]], Any]:
        """Return a function of the fed arrays that returns the values of the fetches."""
        inputs, givens, fed = stand_ins(kinds)
        conditions = Conditions(training, fed)
        items: list[Any] = []
        flatten(fetches, items)
        items = [self.graph[item] if isinstance(item, str) else item for item in items]
        operations = list(dict.fromkeys(one for one in items if isinstance(one, Operation)))
        updates = merged([(one, one.updates(conditions)) for one in operations])
        wanted = [one.result if isinstance(one, Operation) else one for one in items]
        outputs = [conditions(checked(one)) for one in wanted if one is not None]
        replaced = [old for old, _ in givens]
        for state, new in carried(
            self.graph, ancestors(outputs, replaced) - set(replaced), training
        ):
            updates.setdefault(state, new)
        needed = [*outputs, *updates.values()]
        missing = [
            v for v in ancestors(needed, replaced)
            if v.owner is None and v not in inputs and v not in replaced and not has_value(v)
        ]  # fmt: skip
        if missing:
            raise not_fed(missing)
        function = symtheano.function(
            inputs, outputs, updates=updates, givens=givens, **self._backend.options,
            rebuild_strict=False, on_unused_input="ignore", name="run",
        )  # fmt: skip
        after = [call for one in operations for call in one.after]
        single = len(items) == len(outputs) == 1 and fetches is not None and not after
        if single and not isinstance(fetches, list | tuple | dict):
            return lambda arrays: function(*arrays)[0]

        def plan(arrays: list[Any]) -> Any:
            values = iter(function(*arrays))
            fetched = [None if one is None else next(values) for one in wanted]
            for call in after:
                call()
            return rebuilt(fetches, iter(fetched))

        return plan


def as_fed(target: Any, value: Any) -> Any:
    """Return a fed value as an array with the dtype of the target.

    Raises
    ------
    ValueError
        If the dtype or the shape does not fit.
    """
    if isinstance(target, symtheano.Variable):
        dtype, shape = target.type.dtype, target.type.shape
    elif isinstance(target, Value):
        dtype, shape = target.dtype, (None, *target.shape)
    elif isinstance(target, Deferred):
        dtype, shape = target.dtype if isinstance(target, Placeholder) else None, None
    else:
        raise TypeError(f"feed_dict: the keys must be arrays of the graph, not {target!r}")
    try:
        array = value if isinstance(value, np.ndarray) else np.asarray(value)
    except ValueError as error:
        raise misfit(target, f"was fed a value that is not an array: {error}") from None
    if array.dtype != dtype:
        array = as_dtype(target, array, dtype)
    if shape is not None and array.shape != shape:
        fits = len(shape) == array.ndim and all(
            want is None or want == have for want, have in zip(shape, array.shape, strict=True)
        )
        if not fits:
            raise misfit(target, f"takes arrays of shape {shape}, not {array.shape}")
    return array


def as_dtype(target: Any, array: Any, dtype: str | None) -> Any:
    """Return an array converted to a dtype, or raise an error if its numbers do not fit."""
    if array.dtype.kind not in "biufc":
        raise misfit(target, f"takes numbers, not an array of {array.dtype}")
    if dtype is None:
        return array
    if array.size and not np.can_cast(array.dtype, dtype, "same_kind"):
        raise misfit(target, f"takes {dtype}, not {array.dtype}")
    if array.size and np.dtype(dtype).kind in "iu" and array.dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise misfit(target, f"takes {dtype}, but a number that was fed is out of its range")
    return array.astype(dtype)


def misfit(target: Any, text: str) -> ValueError:
    """Return the error for a fed value that does not fit, with the line that made the target."""
    where = line_of(target)
    return ValueError(f"{described(target)} {text}" + (f"\n  made at {where}" if where else ""))


def stand_ins(
    kinds: list[tuple[Any, int, Any]],
) -> tuple[list[Any], list[tuple[Any, Any]], dict[Deferred, Any]]:
    """Return symbolic inputs for fed arrays, the replacements, and the inputs of deferred arrays.

    The replacements are pairs of an array and the input in its place.
    """
    inputs: list[Any] = []
    givens: list[tuple[Any, Any]] = []
    fed: dict[Deferred, Any] = {}
    for target, ndim, dtype in kinds:
        if isinstance(target, symtheano.Variable):
            if target.owner is None and not has_value(target):
                inputs.append(target)
                continue
            inputs.append(target.type(target.name))
            givens.append((target, inputs[-1]))
            continue
        if isinstance(target, Value):
            inputs.append(target.test.type())
            givens += [(array, inputs[-1]) for array in {target.train, target.test}]
        else:
            anonymous = Placeholder(str(dtype), getattr(target, "name", "fed"))
            inputs.append(anonymous.variable(ndim))
        fed[target] = inputs[-1]
    return inputs, givens, fed


def has_value(variable: Any) -> bool:
    """Return whether a variable has a value, so that it does not have to be fed."""
    return isinstance(variable, symtheano.Constant) or hasattr(variable, "get_value")


def carried(graph: Graph, needed: set[Any], training: bool) -> Iterator[tuple[Any, Any]]:
    """Yield the states that layers keep from run to run, with their next values.

    Only layers whose outputs are needed are considered.
    """
    for value in graph.values:
        if (value.train if training else value.test) in needed:
            always = {state for state, _ in value.own_test_updates}
            updates = value.own_updates if training else value.own_test_updates
            yield from (pair for pair in updates if pair[0] in always)


def checked(item: Any) -> Any:
    """Return an item of fetches, or raise an error if it cannot be fetched."""
    if isinstance(item, symtheano.Variable | Deferred):
        return item
    raise TypeError(f"fetches must be arrays of the graph, operations or names, not {item!r}")


def frozen(fetches: Any) -> Any:
    """Return a hashable key for fetches."""
    if isinstance(fetches, list | tuple):
        return (type(fetches), *map(frozen, fetches))
    if isinstance(fetches, dict):
        return (dict, *((key, frozen(item)) for key, item in fetches.items()))
    return fetches if isinstance(fetches, Operation | str | None) else checked(fetches)


def flatten(fetches: Any, into: list[Any]) -> None:
    """Append the items of nested fetches to a list, in order."""
    if isinstance(fetches, list | tuple | dict):
        for item in fetches.values() if isinstance(fetches, dict) else fetches:
            flatten(item, into)
    else:
        into.append(fetches)


def rebuilt(fetches: Any, values: Any) -> Any:
    """Return values in the same lists, tuples and dicts as the fetches."""
    if isinstance(fetches, dict):
        return {key: rebuilt(item, values) for key, item in fetches.items()}
    if isinstance(fetches, list | tuple):
        items = [rebuilt(item, values) for item in fetches]
        if hasattr(fetches, "_fields"):
            return type(fetches)(*items)
        return items if isinstance(fetches, list) else tuple(items)
    return next(values)
