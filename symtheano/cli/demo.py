"""A short tour of the package with an expression, step by step."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING, Any

import click

from symtheano.cli.program import Command
from symtheano.cli.screen import console, print_c

if TYPE_CHECKING:
    from rich.console import Console

_FILE = "tour.py"

STEPS: tuple[tuple[str, str], ...] = (
    (
        "An expression is a graph: nothing is computed yet",
        """\
import numpy as np
import symtheano
import symtheano.tensor as T
from symtheano.printing import debugprint, explain, pp

x = T.dvector("x")
y = T.log(1 + T.exp(x)).sum()
debugprint(y)
""",
    ),
    (
        "Its derivative is an expression, too",
        """\
g = T.grad(y, x)
print(pp(g))
""",
    ),
    (
        "A function simplifies both, and makes them stable: nothing overflows",
        """\
f = symtheano.function([x], [y, g], name="f")
debugprint(f)
print(f([-1000.0, 0.0, 1000.0]))
""",
    ),
    (
        "One loop computes both; this is the C that was compiled",
        """\
show_kernels(f)
""",
    ),
    (
        "Learning: fit a line to 200 noisy points",
        """\
random = np.random.default_rng(0)
points = random.uniform(-1, 1, 200)
values = 3 * points - 1 + random.normal(0, 0.1, 200)

a, b = symtheano.shared(0.0, name="a"), symtheano.shared(0.0, name="b")
u, v = T.dvector("u"), T.dvector("v")
cost = ((a * u + b - v) ** 2).mean()
ga, gb = T.grad(cost, [a, b])
step = symtheano.function([u, v], cost, updates=[(a, a - 0.5 * ga), (b, b - 0.5 * gb)])
for round in range(1, 101):
    now = step(points, values)
    if round in (1, 10, 100):
        print(f"step {round:3}: cost {now:.4f}, {a.get_value():.2f} u {b.get_value():+.2f}")
""",
    ),
)
"""Headings, and the Python code that is shown and executed."""


@click.command("demo", cls=Command)
def demo_command() -> None:
    """Show what the package does, in five small steps.

    The steps are a graph, its derivative, the function that computes both, its C, and a regression.
    The code that is shown is executed.
    """
    screen = console()
    names: dict[str, Any] = {"__name__": "tour", "show_kernels": _show_kernels}
    source = "".join(text for _, text in STEPS)
    # The source lines are registered, so that the C can refer to them.
    linecache.cache[_FILE] = (len(source), None, source.splitlines(keepends=True), _FILE)
    line = 0
    for number, (heading, text) in enumerate(STEPS, 1):
        _print_step(screen, f"{number}. {heading}", text)
        # Empty lines before it put the code at its own line numbers.
        exec(compile("\n" * line + text, _FILE, "exec"), names)
        line += text.count("\n")
    screen.print()
    screen.print("Go on: symtheano doctor, symtheano --help, and the lessons in examples/")


def _print_step(screen: Console, heading: str, text: str) -> None:
    from rich.syntax import Syntax
    from rich.text import Text

    screen.print()
    screen.print(Text(heading, style="bold"))
    screen.print()
    shown = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(text)
    shown.rstrip()
    for line in shown.split("\n", allow_blank=True):
        screen.print(Text("  > ", style="dim") + line, soft_wrap=True)
    screen.print()


def _show_kernels(function: Any) -> None:
    """Print the loops of a function's C, or the reason why there is none."""
    if function.c_source is None:
        click.echo("(no C compiler was found; NumPy runs the graph instead)")
        return
    print_c(kernels(function.c_source))


def kernels(source: str) -> str:
    """Return the functions of a C text that contain its loops."""
    lines = source.splitlines(keepends=True)
    taken: list[str] = []
    inside = False
    for line in lines:
        inside = inside or line.startswith("ST_KERNEL")
        if inside:
            taken.append(line)
        inside = inside and line.rstrip() != "}"
    return "".join(taken)
