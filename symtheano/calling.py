"""Calls without the dispatcher: through cffi, or in the interpreter."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

import numpy as np

from symtheano.graph.shared import store_values, values_of
from symtheano.ports import Port, Ports

# Calls with updates run one after the other: none may use a value that another call replaces.
_UPDATING = threading.RLock()
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
        See :class:`symtheano.binding.Binding`.
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
        updated = {store for store in ports.stores if store is not None}
        kept = [port.container for port in ports.inputs if port.container is not None]
        self._kept, self._updated, self._read = kept, list(updated), list({*kept} - updated)
        self._turn: AbstractContextManager[Any] = _UPDATING if updated else nullcontext()

    def __call__(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return the results that the caller gets."""
        bound = self._bind(args, kwargs)
        with self._turn, ExitStack() as held:
            for updated in self._updated:
                held.enter_context(updated.replaced())
            for read in self._read:
                held.enter_context(read)
            state = iter(values_of(self._kept))
            values = [
                self._value(k, port, bound, state) for k, port in enumerate(self._ports.inputs)
            ]
            if any(type(value) not in _PLAIN for value in bound):
                self._check_again(values)
            results = self._run(values)
            stores = self._ports.stores
            pairs = [(s, r) for s, r in zip(stores, results, strict=True) if s is not None]
            store_values([store for store, _ in pairs], [result for _, result in pairs])
        return results[: self._ports.returned]

    def _value(self, number: int, port: Port, bound: Sequence[Any], state: Iterator[Any]) -> Any:
        if port.argument is not None:
            return lendable(self._accept(number, bound[port.argument]))
        if port.container is None:
            return port.constant
        value = lendable(self._accept(number, next(state)))
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
