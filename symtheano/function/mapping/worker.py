"""What runs in a worker: the call of a function for a chunk."""

from __future__ import annotations

import io
import pickle
import signal
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from symtheano.errors import format_error
from symtheano.sources import Part

# The functions that were sent to this process last, by digest.
_MOST_KEPT = 4
_kept: dict[str, tuple[Any, dict[int, Any]]] = {}
_lock = threading.Lock()


def call(
    function: Any, whole: dict[int, Any], parts: dict[int, Part], order: Sequence[Any], threads: int
) -> list[Any]:
    """Return the outputs of a function for a chunk.

    Parameters
    ----------
    function
        The function.
    whole, parts
        The values of inputs, and the chunk's parts of those that are cut, by position.
    order
        For each position, the name of the input, or None if it is passed by position.
    threads
        How many threads compiled code may use.
    """
    from symtheano.codegen.threads import threads_limited

    values = whole | {place: part.load() for place, part in parts.items()}
    args = [values[place] for place, name in enumerate(order) if name is None]
    named = {name: values[place] for place, name in enumerate(order) if name is not None}
    with threads_limited(threads):
        return listed(function(*args, **named))


def listed(results: Any) -> list[Any]:
    """Return the outputs of a call as a list, whatever their form is."""
    if isinstance(results, dict):
        return list(results.values())
    return results if isinstance(results, list) else [results]


class Sent:
    """A function and values of its inputs, pickled once; a process that gets it unpickles it once.

    Parameters
    ----------
    function
        The function.
    whole
        The values that all calls get, by position.
    modules
        Names of modules that can pickle functions of the main program, which Python ops may call,
        by their code: the first one that is installed is used. Otherwise they are pickled by name.

    Raises
    ------
    TypeError
        If the function can't be pickled.
    """

    def __init__(self, function: Any, whole: dict[int, Any], modules: Sequence[str] = ()) -> None:
        from symtheano.graph.digest import digest

        try:
            self.data = _pickled((function, whole), modules)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            what = f"{function._label()}: map can't send it to other processes: {error}"
            hint = 'engine="threads" sends nothing'
            raise TypeError(format_error(what, places=[function.origin], hint=hint)) from error
        self.digest = digest(self.data)

    def call(self, parts: dict[int, Part], order: Sequence[Any], threads: int) -> list[Any]:
        """Return the outputs for a chunk."""
        function, whole = self._opened()
        return call(function, whole, parts, order, threads)

    def _opened(self) -> tuple[Any, dict[int, Any]]:
        with _lock:
            if self.digest not in _kept:
                while len(_kept) >= _MOST_KEPT:
                    del _kept[next(iter(_kept))]
                _kept[self.digest] = pickle.loads(self.data)
            return _kept[self.digest]


def _pickled(value: Any, modules: Sequence[str]) -> bytes:
    for name in modules:
        with suppress(ImportError):
            return _pickled_by_code(value, import_module(name))
    return pickle.dumps(value)


def _pickled_by_code(value: Any, module: Any) -> bytes:
    from symtheano.tensor.as_op import FromFunctionOp

    class Pickler(module.Pickler):  # type: ignore[misc]
        def reducer_override(self, thing: Any) -> Any:
            # These are pickled by the name of their function otherwise.
            if isinstance(thing, FromFunctionOp) and thing.fn.__module__ == "__main__":
                return FromFunctionOp, thing._key()
            return super().reducer_override(thing)

    stream = io.BytesIO()
    Pickler(stream).dump(value)
    return stream.getvalue()


def call_sent(sent: Sent, parts: dict[int, Part], order: Sequence[Any], threads: int) -> list[Any]:
    """Return the outputs for a chunk, of a function that comes with it."""
    return sent.call(parts, order, threads)


# -- processes that are started for a map ----------------------------------------------------------

_started: list[Sent] = []


def start(sent: Sent, options: dict[str, Any], processors: frozenset[int]) -> None:
    """Prepare a process: its calls are those of one function.

    Interrupts from the keyboard are for the process that started it, which ends it. ``processors``
    are those of that process if OpenMP has bound its threads.
    """
    from symtheano.codegen.affinity import run_unbound
    from symtheano.config import config

    run_unbound(processors)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name, value in options.items():
        setattr(config, name, value)
    _started[:] = [sent]


def call_started(parts: dict[int, Part], order: Sequence[Any], threads: int) -> list[Any]:
    """Return the outputs for a chunk, of the function that the process was started for."""
    return _started[0].call(parts, order, threads)
