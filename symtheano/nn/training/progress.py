"""The display of training: a progress bar with metrics and remaining time, or plain lines."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Timer
from typing import Any, Protocol

import numpy as np

from symtheano.errors import printable_name

# Compilations that take fewer seconds than this are not shown: on a terminal, and elsewhere.
SHORT, LONG = 0.2, 2.0

# The least number of columns of a terminal with room for a bar and the remaining time.
WIDE = 60


class Progress(Protocol):
    """The methods that the training loop calls to show its progress."""

    # The number of seconds between two calls of `batch`; infinity: it is not called.
    interval: float

    def epoch(self, number: int, epochs: int, batches: int | None) -> None:
        """Called when an epoch begins."""

    def batch(self, number: int, logs: Mapping[str, float]) -> None:
        """Called when a batch is done."""

    def done(self, logs: Mapping[str, float]) -> None:
        """Called when an epoch is done."""

    def compiling(self, what: str) -> AbstractContextManager[None]:
        """Return a context manager; a function is compiled inside of its ``with`` block."""

    def close(self) -> None:
        """Called when training ends."""


class Silent:
    """Shows nothing."""

    interval = float("inf")

    def epoch(self, number: int, epochs: int, batches: int | None) -> None: ...

    def batch(self, number: int, logs: Mapping[str, float]) -> None: ...

    def done(self, logs: Mapping[str, float]) -> None: ...

    def compiling(self, what: str) -> AbstractContextManager[None]:
        return nullcontext()

    def close(self) -> None: ...


class Lines(Silent):
    """Prints a line for each epoch, and lines for long compilations."""

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        start = time.perf_counter()
        long = Timer(LONG, lambda: print(f"compiling {what}...", flush=True))
        long.daemon = True
        long.start()
        try:
            yield
        finally:
            long.cancel()
        if time.perf_counter() - start > LONG:
            print(f"compiled in {time.perf_counter() - start:.1f} s", flush=True)

    def epoch(self, number: int, epochs: int, batches: int | None) -> None:
        self._name = f"epoch {number + 1}/{epochs}"
        self._start = time.perf_counter()

    def done(self, logs: Mapping[str, float]) -> None:
        seconds = time.perf_counter() - self._start
        print(f"{self._name}: {measures(logs)} ({duration(seconds)})", flush=True)


class Bar(Lines):
    """Shows a progress bar for the running epoch on a terminal, and a line for each one before."""

    interval = 0.1

    def __init__(self) -> None:
        from rich import progress
        from rich.console import Console, Group
        from rich.live import Live
        from rich.table import Column

        columns: list[Any] = ["{task.description}", progress.MofNCompleteColumn()]
        self._live = Live(console=Console())
        if self._live.console.width >= WIDE:
            columns += [progress.BarColumn(bar_width=16), progress.TimeRemainingColumn()]
        # The measures have the width that the other columns leave, and are cut if it is too small.
        rest = Column(ratio=1, no_wrap=True)
        columns.append(progress.TextColumn("{task.fields[measures]}", table_column=rest))
        self._epochs = progress.Progress(*columns, expand=True)
        self._compilations = progress.Progress("{task.description}", progress.TimeElapsedColumn())
        self._live.update(Group(self._compilations, self._epochs))
        self._live.start()
        self._task: Any = None

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        task = self._compilations.add_task(f"compiling {what}...", total=None)
        self._live.refresh()
        start = time.perf_counter()
        try:
            yield
        finally:
            self._compilations.remove_task(task)
        seconds = time.perf_counter() - start
        if seconds > SHORT:
            print(f"compiled {what} ({seconds:.1f} s)", flush=True)

    def epoch(self, number: int, epochs: int, batches: int | None) -> None:
        super().epoch(number, epochs, batches)
        self._task = self._epochs.add_task(self._name, total=batches, measures="")
        self._live.refresh()

    def batch(self, number: int, logs: Mapping[str, float]) -> None:
        self._epochs.update(self._task, completed=number, measures=measures(logs))

    def done(self, logs: Mapping[str, float]) -> None:
        self._epochs.remove_task(self._task)
        super().done(logs)

    def close(self) -> None:
        self._live.stop()


def choose(verbose: int | str) -> Progress:
    """Return the object that shows the progress.

    Parameters
    ----------
    verbose
        0: nothing. 1 or ``"auto"``: a bar on a terminal that can move its cursor, and lines
        elsewhere. 2: lines.
    """
    check_verbose("fit", verbose)
    if verbose == 0:
        return Silent()
    moves = sys.stdout.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
    return Bar() if verbose != 2 and moves else Lines()


def check_verbose(what: str, verbose: Any) -> None:
    """Raise an error if an argument is not a way to show progress.

    Raises
    ------
    ValueError
        If it is none of ``"auto"``, 0, 1 and 2.
    """
    if verbose not in ("auto", 0, 1, 2):
        raise ValueError(f"{what}: verbose must be 'auto', 0, 1 or 2, not {verbose!r}")


def duration(seconds: float) -> str:
    """Return a time with two digits, in a unit that suits it.

    Examples
    --------
    >>> [duration(t) for t in (8.24e-05, 0.0123, 0.99951, 2.345, 75.2)]
    ['82 µs', '12 ms', '1 s', '2.3 s', '75 s']
    """
    rounded = float(f"{seconds:.2g}")
    for unit, size in (("µs", 1e-6), ("ms", 1e-3)):
        if rounded < 1000 * size:
            return f"{rounded / size:.3g} {unit}"
    return f"{rounded:.2g} s" if rounded < 100 else f"{seconds:.0f} s"


def measures(logs: Mapping[str, Any]) -> str:
    """Return the loss and the metrics as one line.

    Examples
    --------
    >>> measures({"loss": 0.25, "accuracy": 0.9})
    'loss 0.2500, accuracy 0.9000'
    """
    texts = {
        name: str(np.round(value, 4).tolist()) if np.ndim(value) else f"{value:.4f}"
        for name, value in logs.items()
    }
    return ", ".join(f"{printable_name(name)} {text}" for name, text in texts.items())
