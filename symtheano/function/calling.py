"""Calls without the dispatcher: through cffi, or in the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano.graph.claims import exclusively, settled
from symtheano.graph.ports import Port, Ports
from symtheano.graph.shared import store_values, values_of
from symtheano.graph.type import Generic

# Types whose conversion to an array runs no code of the user's.
_PLAIN = frozenset((np.ndarray, float, int, bool, complex))


class SlowCall:
    """Calls a function from Python, with the semantics of the dispatcher.

    Parameters
    ----------
    ports
        The inputs and results of the function.
    run
        A function of contiguous arrays that returns all results. It may write into the inputs in
        ``donors``.
    donors
        Numbers of the inputs that ``run`` writes into. It gets copies of them.
    bind, accept
        See :class:`symtheano.function.binding.Binding`.
    """

    def __init__(
        self,
        ports: Ports,
        run: Callable[[list[Any]], list[Any]],
        donors: Sequence[int],
        bind: Callable[[Sequence[Any], Mapping[str, Any]], list[Any]],
        accept: Callable[[int, Any], Any],
    ) -> None:
        self._ports, self._run = ports, run
        self._donors = frozenset(donors)
        self._bind, self._accept = bind, accept
        self._kept = [port.container for port in ports.inputs if port.container is not None]
        self._stores = [store for store in ports.stores if store is not None]

    def __call__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the results that the caller gets."""
        run = partial(self._compute, self._bind(args, kwargs))
        return (
            exclusively([store.storage for store in self._stores], run) if self._stores else run()
        )

    def values(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the values of all inputs for a call, shared variables among them."""
        return self._values(self._bind(args, kwargs))

    def _values(self, bound: list[Any]) -> list[Any]:
        storages = [container.storage for container in self._kept]
        state = iter(settled(partial(values_of, self._kept), storages))
        values = [self._value(k, port, bound, state) for k, port in enumerate(self._ports.inputs)]
        if any(type(value) not in _PLAIN for value in bound):
            self._check_again(values)
        return values

    def _compute(self, bound: list[Any]) -> list[Any]:
        results = self._run(self._values(bound))
        if self._stores:
            pairs = zip(self._ports.stores, results, strict=True)
            store_values(self._stores, [result for store, result in pairs if store is not None])
        return results[: self._ports.returned]

    def _value(self, number: int, port: Port, bound: Sequence[Any], state: Iterator[Any]) -> Any:
        stored = None if port.container is None else next(state)
        if port.argument is not None:
            value = bound[port.argument]
            default = value is None and not isinstance(port.type, Generic)
            return lendable(self._accept(number, stored if default else value))
        if port.container is None:
            return port.constant
        return self._stored(number, port, stored)

    def _stored(self, number: int, port: Port, value: Any) -> Any:
        """Return the value of a shared variable as compiled code takes it."""
        value = lendable(self._accept(number, value))
        return np.array(value, order="C") if number in self._donors else value

    def _check_again(self, values: list[Any]) -> None:
        """Accept arguments again, since the conversion of another may have changed an array."""
        for number, port in enumerate(self._ports.inputs):
            if port.argument is not None:
                values[number] = lendable(self._accept(number, values[number]))


def lendable(array: Any) -> Any:
    """Return an array that compiled code can read: contiguous, aligned, in native byte order."""
    if not isinstance(array, np.ndarray):
        return array
    flags = array.flags
    if flags.c_contiguous and flags.aligned and array.dtype.isnative:
        return array
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")
