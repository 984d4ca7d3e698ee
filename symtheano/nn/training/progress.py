"""How training is shown: a bar with measures and remaining time, or plain lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Timer
from typing import Any, Protocol

import numpy as np

from symtheano.errors import printable_name

# What takes fewer seconds to compile leaves no line: on a terminal, and elsewhere.
SHORT, LONG = 0.2, 2.0


class Progress(Protocol):
    """What the loop tells while it runs."""

    # How many seconds lie between two calls of `batch`; infinity: it is not called.
    interval: float

    def epoch(self, number: int, epochs: int, batches: int | None) -> None:
        """An epoch begins."""

    def batch(self, number: int, logs: Mapping[str, float]) -> None:
        """A batch is done."""

    def done(self, logs: Mapping[str, float]) -> None:
        """An epoch is done."""

    def compiling(self, what: str) -> AbstractContextManager[None]:
        """Something is compiled inside of a ``with`` block."""

    def close(self) -> None:
        """Training is over."""


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
    """One line for each epoch, and for what takes long to compile."""

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
        print(f"{self._name}: {measures(logs)} ({seconds:.2g} s)", flush=True)


class Bar(Silent):
    """A bar on a terminal that moves with the batches, with measures and the remaining time."""

    interval = 0.1

    def __init__(self) -> None:
        from rich import progress

        self._bar = progress.Progress(
            "{task.description}",
            progress.BarColumn(bar_width=24),
            progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(),
            progress.TimeRemainingColumn(),
            "{task.fields[measures]}",
        )
        self._bar.start()
        self._task: Any = None

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        task = self._bar.add_task(f"compiling {what}...", total=None, measures="")
        start = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            text = f"compiled {what} in {seconds:.1f} s"
            self._bar.update(task, description=text, total=1, completed=1, visible=seconds > SHORT)
            self._bar.stop_task(task)

    def epoch(self, number: int, epochs: int, batches: int | None) -> None:
        name = f"epoch {number + 1}/{epochs}"
        self._total = batches
        self._task = self._bar.add_task(name, total=batches, measures="")

    def batch(self, number: int, logs: Mapping[str, float]) -> None:
        self._bar.update(self._task, completed=number, measures=measures(logs))

    def done(self, logs: Mapping[str, float]) -> None:
        if self._total is not None:
            self._bar.update(self._task, completed=self._total)
        self._bar.update(self._task, measures=measures(logs))
        self._bar.stop_task(self._task)

    def close(self) -> None:
        if self._bar.live.is_started:
            self._bar.stop()


def choose(verbose: int | str) -> Progress:
    """Return how to show progress: ``"auto"``, 0 nothing, 1 a bar, 2 lines."""
    if verbose == 0:
        return Silent()
    if verbose not in ("auto", 1, 2):
        raise ValueError(f"verbose: 'auto', 0, 1 or 2 expected, not {verbose!r}")
    return Bar() if verbose != 2 and sys.stdout.isatty() else Lines()


def measures(logs: Mapping[str, Any]) -> str:
    """Return measures as one line.

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
