"""Output: tables and colors on terminals, plain text elsewhere, JSON on demand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from symtheano.errors import printable, printable_name

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console(stderr: bool = False) -> Console:
    """Return a console, which respects the terminal's width and ``NO_COLOR``."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, emoji=False, markup=False)


def print_json(value: object) -> None:
    """Print a value as JSON, in which escapes of names have the form of JSON."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    shown = (c if printable(c) == c else json.dumps(c)[1:-1] for c in text)
    click.echo(text if text.isprintable() else "".join(shown))


def print_c(text: str) -> None:
    """Print C text, with colors on a terminal."""
    text = printable(text)
    screen = console()
    if not screen.is_terminal:
        click.echo(text, nl=False)
        return
    from rich.syntax import Syntax

    shown = Syntax("", "c", theme="ansi_dark", background_color="default").highlight(text)
    screen.print(shown, soft_wrap=True, end="")


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], numbers: Iterable[str] = ()
) -> None:
    """Print rows below their headings; the columns in ``numbers`` are right-aligned."""
    from rich.table import Table

    right = set(numbers)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        justify: Any = "right" if column in right else "left"
        table.add_column(column, justify=justify, overflow="fold", no_wrap=column in right)
    for row in rows:
        table.add_row(*map(printable_name, row))
    show(table)


def show(table: Table) -> None:
    """Print a table without trailing spaces."""
    screen = console()
    with screen.capture() as captured:
        screen.print(table)
    lines = captured.get().splitlines()
    click.echo("\n".join(line.rstrip() for line in lines), color=screen.is_terminal)


def size(count: int) -> str:
    """Format a number of bytes.

    Examples
    --------
    >>> size(512), size(20_000), size(3_500_000)
    ('512 B', '20.0 kB', '3.5 MB')
    """
    amount = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{count} B" if unit == "B" else f"{amount:.1f} {unit}"
