"""The engines that make the calls of a map: pools of the standard library, Dask, Ray.

An engine is a function that opens a :class:`Pool`. Adding one means adding a function to
``ENGINES``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from symtheano.codegen.affinity import bound_processors, run_on
from symtheano.codegen.threads import usable_threads
from symtheano.config import config, did_you_mean
from symtheano.errors import format_error
from symtheano.extras import needed
from symtheano.function.mapping.worker import Sent, call, call_sent, call_started, start
from symtheano.sources import Part

Parts = dict[int, Part]
Order = Sequence[Any]


BY_CODE = ("cloudpickle",)
"""Modules that pickle functions of a main program that workers do not have. Dask depends on it."""


class Pool(Protocol):
    """Workers that call one function for chunks."""

    @property
    def workers(self) -> int:
        """How many calls run at one time."""

    def submit(self, parts: Parts, order: Order) -> Future[Any]:
        """Begin the call for a chunk."""

    def close(self) -> None:
        """End all calls: those that have not begun do not begin, and the others are waited for."""


class Work(NamedTuple):
    """What a pool calls, and with how many workers.

    Attributes
    ----------
    function
        The function.
    whole
        The values that all calls get, by position.
    workers
        How many calls run at one time, or None for the engine's default.
    label
        The name of the function in messages.
    """

    function: Any
    whole: dict[int, Any]
    workers: int | None
    label: str


class _Threads:
    """Threads of this process, which share its processors."""

    def __init__(self, work: Work) -> None:
        self.workers = work.workers or usable_threads()
        self._work = work
        self._threads = max(usable_threads() // self.workers, 1)
        self._executor = ThreadPoolExecutor(
            self.workers, "symtheano-map", run_on, (bound_processors(),)
        )

    def submit(self, parts: Parts, order: Order) -> Future[Any]:
        function, whole, threads = self._work.function, self._work.whole, self._threads
        return self._executor.submit(call, function, whole, parts, order, threads)

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


class _Processes:
    """Processes of this machine, which are started for the map.

    They are spawned, since a forked child has neither OpenMP's threads nor a device. The function
    is sent once to each. A process that ends early, as for want of memory, breaks the pool; the
    next call opens another one.
    """

    # Options for this machine that the program may have set; others travel with the function.
    OPTIONS = ("blas", "cache_dir", "cache_size", "cc")

    def __init__(self, work: Work) -> None:
        self.workers = work.workers or usable_threads()
        self._threads = max(usable_threads() // self.workers, 1)
        options = {name: getattr(config, name) for name in self.OPTIONS}
        # A script is imported by each process, so that names of it are found. A notebook is not.
        script = hasattr(sys.modules["__main__"], "__file__")
        sent = Sent(work.function, work.whole, () if script else BY_CODE)
        self._arguments = (sent, options, bound_processors())
        self._executor = self._open()

    def _open(self) -> ProcessPoolExecutor:
        from multiprocessing import get_context

        context = get_context("spawn")
        return ProcessPoolExecutor(self.workers, context, start, self._arguments)

    def submit(self, parts: Parts, order: Order) -> Future[Any]:
        try:
            return self._executor.submit(call_started, parts, order, self._threads)
        except BrokenProcessPool:
            self._executor.shutdown()
            self._executor = self._open()
            return self._executor.submit(call_started, parts, order, self._threads)

    def close(self) -> None:
        self._executor.shutdown(cancel_futures=True)


class _Given:
    """An executor of the program's, which stays open. Its workers may be other machines."""

    def __init__(self, executor: Executor, work: Work, sent: Any = None) -> None:
        own = getattr(executor, "_max_workers", None)
        self.workers = work.workers or (own if isinstance(own, int) else usable_threads())
        self._executor = executor
        self._sent = Sent(work.function, work.whole, BY_CODE) if sent is None else sent
        self._begun: set[Future[Any]] = set()

    def submit(self, parts: Parts, order: Order) -> Future[Any]:
        # A scheduler reckons with one processor for each call.
        future = self._executor.submit(call_sent, self._sent, parts, order, 1)
        self._begun.add(future)
        future.add_done_callback(self._begun.discard)
        return future

    def close(self) -> None:
        for future in list(self._begun):
            future.cancel()
        for future in list(self._begun):
            with suppress(BaseException):
                future.exception()


def _dask(work: Work) -> Pool:
    """Open the workers of Dask's current client, which holds the function once for all calls."""
    distributed = needed("distributed", 'map(engine="dask")', "dask")
    try:
        client = distributed.default_client()
    except ValueError:
        what = f'{work.label}: map(engine="dask") needs a client of Dask, and there is none'
        hint = "start one before: client = distributed.Client()"
        raise ValueError(format_error(what, hint=hint)) from None
    workers = work.workers or max(sum(client.nthreads().values()), 1)
    sent = client.scatter(Sent(work.function, work.whole, BY_CODE), hash=False, broadcast=True)
    executor = client.get_executor(pure=False)
    return _Given(executor, work._replace(workers=workers), sent)


class _Ray:
    """The workers of Ray, which holds the function once for all calls."""

    def __init__(self, work: Work) -> None:
        self._ray = ray = needed("ray", 'map(engine="ray")', "ray")
        if not ray.is_initialized():
            ray.init(include_dashboard=False, log_to_driver=False)
        self.workers = work.workers or max(int(ray.cluster_resources().get("CPU", 1)), 1)
        self._sent = ray.put(Sent(work.function, work.whole, ("ray.cloudpickle",)))
        self._call = ray.remote(call_sent)
        self._begun: dict[Future[Any], Any] = {}

    def submit(self, parts: Parts, order: Order) -> Future[Any]:
        reference = self._call.remote(self._sent, parts, order, 1)
        future: Future[Any] = reference.future()
        self._begun[future] = reference
        future.add_done_callback(lambda done: self._begun.pop(done, None))
        return future

    def close(self) -> None:
        for reference in list(self._begun.values()):
            self._ray.cancel(reference)


ENGINES: Mapping[str, Callable[[Work], Pool]] = {
    "threads": _Threads,
    "processes": _Processes,
    "dask": _dask,
    "ray": _Ray,
}
"""What opens the pool of each engine, by name."""


def check_engine(engine: Any, label: str) -> None:
    """Raise an error for what is no engine."""
    if isinstance(engine, str) and engine in ENGINES:
        return
    if not isinstance(engine, str) and hasattr(engine, "submit"):
        return
    hint = did_you_mean(engine, list(ENGINES)) if isinstance(engine, str) else None
    what = (
        f"{label}: map(engine={engine!r}): an engine is one of {', '.join(ENGINES)}, or an "
        "executor with a method submit"
    )
    raise ValueError(format_error(what, hint=hint))


def open_pool(engine: Any, work: Work) -> Pool:
    """Open the workers of an engine for a function.

    Raises
    ------
    ImportError
        If its package is not installed.
    ValueError
        If it can't be used as it is.
    """
    if not isinstance(engine, str):
        return _Given(_executor_of(engine), work)
    return ENGINES[engine](work)


def _executor_of(engine: Any) -> Any:
    """Return an executor; Dask's clients have one, whose futures are those of the library."""
    distributed = sys.modules.get("distributed")
    if distributed is not None and isinstance(engine, distributed.Client):
        return engine.get_executor(pure=False)
    return engine
