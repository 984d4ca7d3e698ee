"""Sessions: from what is fetched and fed to a compiled function, which is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import symtheano
from symtheano.nn.session.deferred import Conditions, Deferred
from symtheano.nn.session.graph import Graph, get_default_graph
from symtheano.nn.session.leaves import Placeholder, described, line_of, not_fed
from symtheano.nn.session.operations import Operation, ancestors, merged
from symtheano.nn.values import Value

MODES = {"c": None, "numpy": "INTERPRET"}


class Session:
    """Runs parts of a graph.

    A function is compiled for each combination of what is fetched and fed, and kept.

    Parameters
    ----------
    graph
        The graph; by default the default graph of this moment.
    backend
        ``"c"``: compiled. ``"numpy"``: interpreted by NumPy.

    Examples
    --------
    >>> from symtheano import nn
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
        if backend == "cuda":
            raise NotImplementedError("backend 'cuda': symtheano writes no code for GPUs yet")
        if backend not in MODES:
            raise ValueError(f"backend: one of {', '.join(MODES)}, cuda expected, not {backend!r}")
        if not isinstance(graph, Graph | None):
            raise TypeError(f"Session: a graph expected, not {graph!r}")
        self.graph = get_default_graph() if graph is None else graph
        self._mode = MODES[backend]
        self._plans: dict[Any, Callable[[list[Any]], Any]] | None = {}
        self._contexts: list[Any] = []

    def __enter__(self) -> Session:
        context = self.graph.as_default()
        context.__enter__()
        self._contexts.append(context)
        return self

    def __exit__(self, *error: object) -> None:
        self._contexts.pop().__exit__(*error)
        self.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return what pickles and copies hold: compiled functions are made again."""
        plans: Any = None if self._plans is None else {}
        return {**vars(self), "_plans": plans, "_contexts": []}

    def close(self) -> None:
        """Drop all compiled functions; nothing can be run afterwards."""
        self._plans = None

    def run(
        self, fetches: Any, feed_dict: Mapping[Any, Any] | None = None, *, training: bool = False
    ) -> Any:
        """Return the values of what is fetched.

        Parameters
        ----------
        fetches
            An array of the graph, a variable, the output of a layer, an operation, a name, or
            lists, tuples and dicts of these, nested in any way. Operations return None. All that
            is fetched is computed from the old values of variables.
        feed_dict
            Values of placeholders, and of any other arrays of the graph, which are not computed
            then.
        training
            Whether outputs of layers are those of training, for example with dropout.

        Returns
        -------
        values
            NumPy arrays in the same lists, tuples and dicts.

        Raises
        ------
        ValueError
            If something was not fed, or what was fed does not fit; no variable has changed then.
        """
        if self._plans is None:
            raise RuntimeError("the session is closed")
        arrays, kinds = [], []
        if feed_dict is not None:
            if not isinstance(feed_dict, Mapping):
                raise TypeError(f"feed_dict: a dict expected, not {feed_dict!r}")
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
        """Return the function of the arrays that are fed."""
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
            inputs, outputs, updates=updates, givens=givens, mode=self._mode,
            rebuild_strict=False, on_unused_input="ignore", name="run",
        )  # fmt: skip
        after = [call for one in operations for call in one.after]
        single = len(items) == len(outputs) == 1 and fetches is not None and not after
        if single and not isinstance(fetches, list | tuple | dict):
            return lambda arrays: function(*arrays)[0]

        def plan(arrays: list[Any]) -> Any:
            values = iter(function(*arrays))
            found = [None if one is None else next(values) for one in wanted]
            for call in after:
                call()
            return rebuilt(fetches, iter(found))

        return plan


def as_fed(target: Any, value: Any) -> Any:
    """Return what is fed for something as an array of its dtype.

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
        raise TypeError(f"feed_dict: an array of the graph expected, not {target!r}")
    try:
        array = value if isinstance(value, np.ndarray) else np.asarray(value)
    except ValueError as error:
        raise misfit(target, f"takes arrays, not what was fed: {error}") from None
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
    """Return an array of a dtype."""
    if array.dtype.kind not in "biufc":
        raise misfit(target, f"takes numbers, not an array of {array.dtype}")
    if dtype is None:
        return array
    if array.size and not np.can_cast(array.dtype, dtype, "same_kind"):
        raise misfit(target, f"takes {dtype}, not {array.dtype}")
    if array.size and np.dtype(dtype).kind in "iu" and array.dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if array.min() < limits.min or array.max() > limits.max:
            raise misfit(target, f"takes {dtype}, and a number that was fed is beyond its limits")
    return array.astype(dtype)


def misfit(target: Any, text: str) -> ValueError:
    """Return the error for what does not fit, with the line that made what it was fed for."""
    where = line_of(target)
    return ValueError(f"{described(target)} {text}" + (f"\n  made at {where}" if where else ""))


def stand_ins(
    kinds: list[tuple[Any, int, Any]],
) -> tuple[list[Any], list[tuple[Any, Any]], dict[Deferred, Any]]:
    """Return symbolic inputs for what is fed, what they replace, and those of deferred arrays."""
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
    """Return whether a variable without an owner need not be fed."""
    return isinstance(variable, symtheano.Constant) or hasattr(variable, "get_value")


def carried(graph: Graph, needed: set[Any], training: bool) -> Iterator[tuple[Any, Any]]:
    """Yield what layers carry from run to run, and its next values, if their outputs are needed."""
    for value in graph.values:
        if (value.train if training else value.test) in needed:
            always = {state for state, _ in value.own_test_updates}
            updates = value.own_updates if training else value.own_test_updates
            yield from (pair for pair in updates if pair[0] in always)


def checked(item: Any) -> Any:
    """Return what is fetched, if it can be."""
    if isinstance(item, symtheano.Variable | Deferred):
        return item
    raise TypeError(f"fetches: arrays of the graph, operations or names expected, not {item!r}")


def frozen(fetches: Any) -> Any:
    """Return a key for what is fetched, which is hashable."""
    if isinstance(fetches, list | tuple):
        return (type(fetches), *map(frozen, fetches))
    if isinstance(fetches, dict):
        return (dict, *((key, frozen(item)) for key, item in fetches.items()))
    return fetches if isinstance(fetches, Operation | str | None) else checked(fetches)


def flatten(fetches: Any, into: list[Any]) -> None:
    """Add what is fetched to a list, in order."""
    if isinstance(fetches, list | tuple | dict):
        for item in fetches.values() if isinstance(fetches, dict) else fetches:
            flatten(item, into)
    else:
        into.append(fetches)


def rebuilt(fetches: Any, values: Any) -> Any:
    """Return values in the lists, tuples and dicts of what was fetched."""
    if isinstance(fetches, dict):
        return {key: rebuilt(item, values) for key, item in fetches.items()}
    if isinstance(fetches, list | tuple):
        items = [rebuilt(item, values) for item in fetches]
        if hasattr(fetches, "_fields"):
            return type(fetches)(*items)
        return items if isinstance(fetches, list) else tuple(items)
    return next(values)
