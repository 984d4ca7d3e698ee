"""Notebook output: variables as formulas, functions with their graph, rules and C.

The text has no scripts, no external resources and no colors, so it works with light and dark
themes.
"""

from __future__ import annotations

from html import escape
from typing import Any

from symtheano.errors import printable, printable_name
from symtheano.printing.debugprint import debugprint
from symtheano.printing.explain import explain
from symtheano.printing.latex import latex

_MOST_NODES = 120
"""For larger graphs, only the outermost levels are shown as a formula."""
_LEVELS = 6
_MOST_TEXT = 200_000

_SMALL = "font-size:85%;opacity:.75"
_BOX = "border:1px solid rgba(128,128,128,.4);border-radius:4px;padding:.3em .8em;margin:.3em 0"
_TEXT = (
    "font-family:monospace;background:transparent;color:inherit;font-size:85%;line-height:1.35;overflow-x:auto;"
    "max-height:30em;text-align:left;white-space:pre;margin:.3em 0"
)


def short_latex(variable: Any) -> str:
    """Return the formula of a variable, or only its outermost levels if the graph is large."""
    return latex(variable, _LEVELS if _is_large(variable) else -1)


def _is_large(variable: Any) -> bool:
    """Return whether the formula of a variable, in which shared nodes are repeated, is long."""
    seen, pending = 0, [variable]
    while pending and seen <= _MOST_NODES:
        item = pending.pop()
        seen += 1
        pending += item.owner.inputs if item.owner is not None else ()
    return seen > _MOST_NODES


def variable_latex(variable: Any) -> str:
    """Return the LaTeX output of a variable for notebooks."""
    return f"$\\displaystyle {short_latex(variable)}$"


def variable_html(variable: Any) -> str:
    """Return the HTML output of a variable: formula, type and line."""
    origin = variable.origin
    name = "" if variable.name is None else f"<b>{escape(variable.describe())}</b>: "
    place = "" if origin is None else f", {escape(origin.place)}"
    formula = escape(f"$$\\displaystyle {short_latex(variable)}$$")
    below = f'<div style="{_SMALL}">{name}{escape(str(variable.type))}{place}</div>'
    return printable(f"<div>{formula}{below}</div>")


def function_html(function: Any) -> str:
    """Return the HTML output of a function, with expandable sections."""
    origin = function.origin
    place = "" if origin is None else f", {escape(origin.place)}"
    head = f'<div style="{_SMALL}">{escape(repr(function))}{place}</div>'
    inputs = [f"{item.describe()}: {item.type}" for item in function.inputs]
    shared = [f"{item.describe()}: {item.type} (shared)" for item in function.shared]
    parts = [
        head,
        _section("Inputs", "\n".join([*inputs, *shared]) or "none"),
        _section("Graph as it runs", str(debugprint(function, file="str"))),
        _section("What the rules did", str(explain(function, file="str"))),
        _section("C", function.c_source or "none: the interpreter runs the graph"),
    ]
    title = escape(printable_name(function.name or "function"))
    return printable(f'<div style="{_BOX}"><b>{title}</b>{"".join(parts)}</div>')


def _section(title: str, text: str) -> str:
    if len(text) > _MOST_TEXT:
        text = f"{text[:_MOST_TEXT]}\n… {len(text) - _MOST_TEXT} characters more"
    summary = f'<summary style="cursor:pointer">{escape(title)}</summary>'
    return f'<details>{summary}<pre style="{_TEXT}">{escape(text)}</pre></details>'
