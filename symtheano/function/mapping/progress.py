"""The progress of a map: a bar on the terminal, or calls of a function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from symtheano.errors import format_error


@contextmanager
def shown_progress(progress: Any, rows: int) -> Iterator[Callable[[int], None]]:
    """Show the progress while the ``with`` block runs.

    Parameters
    ----------
    progress
        Whether to show a bar, or a function of the rows that are done and of all rows.
    rows
        The number of all rows.

    Yields
    ------
    A function that is called with a number of rows when they are done.
    """
    if callable(progress):
        total = 0

        def tell(count: int) -> None:
            nonlocal total
            total += count
            progress(total, rows)

        yield tell
    elif progress is True:
        yield from _bar(rows)
    elif progress is False or progress is None:
        yield lambda count: None
    else:
        what = f"map(progress={progress!r}): must be True, False or a function of two numbers"
        raise TypeError(format_error(what))


def _bar(rows: int) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("rows", total=rows)
        yield lambda count: bar.advance(task, count)
