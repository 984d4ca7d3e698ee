"""The command line: the C of an expression in a Python file, its graph, and what the rules did."""

from __future__ import annotations

import difflib
import os
import runpy
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import symtheano
from symtheano.codegen.toolchain import find_toolchain
from symtheano.errors import NoCompilerError
from symtheano.function import Function, function
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Variable
from symtheano.graph.walk import ancestors, free_inputs
from symtheano.modes import get_mode
from symtheano.printing import debugprint, explain
from symtheano.rewrites.engine import Rewriter

_PACKAGE = os.path.dirname(symtheano.__file__) + os.sep
_RUNPY = (runpy.__file__, "<frozen runpy>")
_NAMES_LISTED = 12


class Trouble(click.ClickException):
    """What went wrong, in one line."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the line to stderr."""
        click.echo(f"symtheano: {self.message}", file=file, err=True)


class UserError(Trouble):
    """An exception which the user's file raised: its traceback, our own frames left out."""

    def __init__(self, error: BaseException) -> None:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if not _is_ours(f.filename)]
        head = ["Traceback (most recent call last):\n"] if frames else []
        lines = [*head, *traceback.format_list(frames), *traceback.format_exception_only(error)]
        super().__init__("".join(lines).rstrip("\n"))

    def show(self, file: Any = None) -> None:
        """Print the traceback to stderr."""
        click.echo(self.message, file=file, err=True)


def _is_ours(filename: str) -> bool:
    return filename.startswith(_PACKAGE) or filename in _RUNPY


@dataclass
class Target:
    """What a command is about.

    Attributes
    ----------
    outputs, inputs
        Expressions and the variables that they depend on.
    function
        The function, if the file has compiled one itself.
    """

    outputs: list[Any]
    inputs: list[Any]
    function: Function | None = None

    def graphs(self) -> tuple[Any, FunctionGraph]:
        """Return the graph as it was written, and as it runs."""
        if self.function is not None:
            return self.function.user_graph, self.function.graph
        graph = FunctionGraph(free_inputs(self.outputs), self.outputs)
        rewriter = Rewriter(get_mode(symtheano.config.mode).rules())
        return self.outputs, rewriter.rewrite(graph)


# -- from FILE:NAME to a target ------------------------------------------------------------------


def run_file(path: str) -> dict[str, Any]:
    """Return the globals of a Python file after running it; what it prints goes to stderr."""
    if not Path(path).is_file():
        raise Trouble(f"there is no file {path}")
    before = sys.argv, sys.path
    sys.argv, sys.path = [path], [str(Path(path).resolve().parent), *sys.path]
    try:
        with redirect_stdout(sys.stderr):
            return runpy.run_path(path, run_name=Path(path).stem)
    except Exception as error:
        raise UserError(error) from None
    except SystemExit as error:
        raise Trouble(f"{path} ended itself by sys.exit({error.code!r})") from None
    finally:
        sys.argv, sys.path = before


def read_target(place: str, wrt: str | None, inputs: str | None) -> Target:
    """Run the file of ``FILE:NAME`` and return what the name stands for."""
    path, colon, name = place.rpartition(":")
    if not colon:
        names = _symbolic_names(run_file(place))
        raise Trouble(f"say which variable: {place}:NAME{_one_of(names)}")
    found = run_file(path)
    if name not in found:
        raise Trouble(f"{path} has no variable {name}{_one_of(_symbolic_names(found), name)}")
    value = found[name]
    if isinstance(value, Function):
        if wrt or inputs:
            raise Trouble(f"{name} is compiled already; --wrt and --inputs take an expression")
        return Target(list(value.graph.outputs), value.inputs, value)
    outputs = _expressions(value, name)
    if wrt:
        outputs += _gradients(outputs, name, [_named(n, found, outputs, path) for n in _list(wrt)])
    if inputs:
        return Target(outputs, [_named(n, found, outputs, path) for n in _list(inputs)])
    order = {id(item): position for position, item in enumerate(found.values())}
    free = [v for v in free_inputs(outputs) if not isinstance(v, SharedVariable)]
    return Target(outputs, sorted(free, key=lambda v: order.get(id(v), len(order))))


def _list(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, Variable | Function):
        return True
    items = _items(value)
    return bool(items) and all(isinstance(item, Variable) for item in items)


def _items(value: Any) -> list[Any]:
    """Return what a list or dict holds; nothing, if it is neither."""
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def _symbolic_names(found: Mapping[str, Any]) -> list[str]:
    return [name for name, value in found.items() if _is_symbolic(value)]


def _one_of(names: Sequence[str], wanted: str = "") -> str:
    """Return a hint: the names like the one that is wanted, else all names."""
    close = difflib.get_close_matches(wanted, names, n=3)
    if close:
        return f"; did you mean {' or '.join(close)}?"
    if not names:
        return "; it has no symbolic ones"
    more = ", …" if len(names) > _NAMES_LISTED else ""
    return f"; there is {', '.join(names[:_NAMES_LISTED])}{more}"


def _expressions(value: Any, name: str) -> list[Any]:
    if not _is_symbolic(value):
        raise Trouble(
            f"{name} is of type {type(value).__name__}: neither a symbolic variable, nor a list or "
            "dict of them, nor a compiled function"
        )
    if isinstance(value, Variable):
        return [value]
    return _items(value)


def _named(name: str, found: Mapping[str, Any], outputs: Sequence[Any], path: str) -> Any:
    """Return the variable of a name: a global of the file, or one so named that is needed."""
    value = found.get(name)
    if isinstance(value, Variable):
        return value
    named = {item.name: item for item in ancestors(outputs) if item.name}
    if name in named:
        return named[name]
    known = [key for key, item in found.items() if isinstance(item, Variable)]
    names = list(dict.fromkeys([*known, *named]))
    raise Trouble(f"{path} has no symbolic variable {name}{_one_of(names, name)}")


def _gradients(outputs: Sequence[Any], name: str, wrt: Sequence[Any]) -> list[Any]:
    if len(outputs) != 1:
        raise Trouble(f"--wrt takes the gradient of one variable; {name} has {len(outputs)}")
    with origin_scope(outputs[0].origin), _in_one_line():
        return list(symtheano.grad(outputs[0], list(wrt)))


@contextmanager
def _in_one_line() -> Iterator[None]:
    """Turn an error of the package's into trouble: its first line and its hint."""
    try:
        yield
    except NoCompilerError as error:
        raise Trouble(f"{error}; graph and explain work without") from None
    except (TypeError, ValueError, symtheano.errors.SymtheanoError) as error:
        first, *rest = str(error).splitlines()
        hints = [line.strip() for line in rest if line.strip().startswith("hint:")]
        raise Trouble("; ".join([first, *hints])) from None


# -- commands ------------------------------------------------------------------------------------


def _about(command: Callable[..., None]) -> Callable[..., None]:
    """Add what all commands take."""
    for option in (
        click.option("--floatX", "floatx", type=click.Choice(["float16", "float32", "float64"]),
                     help="Set config.floatX before the file runs."),
        click.option("--inputs", metavar="NAMES", help="The inputs, in order: x,y."),
        click.option("--wrt", metavar="NAMES", help="Add gradients with respect to these: W,b."),
        click.argument("place", metavar="FILE:NAME"),
    ):  # fmt: skip
        command = option(command)
    return command


@contextmanager
def _target(
    place: str, wrt: str | None, inputs: str | None, floatx: str | None
) -> Iterator[Target]:
    flags = {"floatX": floatx} if floatx else {}
    with symtheano.config.change_flags(**flags):
        yield read_target(place, wrt, inputs)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(symtheano.__version__, prog_name="symtheano", message="%(prog)s %(version)s")
def main() -> None:
    """Look into what symtheano makes of an expression.

    Each command runs a Python file and takes one of its global variables: an expression, a list or
    dict of expressions, or a compiled function. The inputs are the variables that the expression
    depends on, shared ones excepted.
    """


@main.command("c")
@_about
def show_c(place: str, wrt: str | None, inputs: str | None, floatx: str | None) -> None:
    """Print the C that computes FILE:NAME."""
    with _target(place, wrt, inputs, floatx) as target, _in_one_line():
        find_toolchain(symtheano.config.cc or None)
        made = target.function or function(target.inputs, target.outputs, on_unused_input="ignore")
        if made.c_source is None:
            raise Trouble(f"there is no C: mode {made.mode.linker} runs without")
        _print_c(made.c_source)


@main.command()
@_about
@click.option("--types", is_flag=True, help="Show the types, too.")
def graph(place: str, wrt: str | None, inputs: str | None, floatx: str | None, types: bool) -> None:
    """Print the graph of FILE:NAME before and after rewriting."""
    with _target(place, wrt, inputs, floatx) as target, _in_one_line():
        written, runs = target.graphs()
        click.echo("As written:\n")
        click.echo(debugprint(written, print_type=types, file="str"))
        click.echo("\nAs it runs:\n")
        click.echo(debugprint(target.function or runs, print_type=types, file="str"))


@main.command("explain")
@_about
def show_explain(place: str, wrt: str | None, inputs: str | None, floatx: str | None) -> None:
    """Tell which rule did what to FILE:NAME, at which line of the file."""
    with _target(place, wrt, inputs, floatx) as target, _in_one_line():
        click.echo(explain(target.function or target.outputs, file="str"))


def _print_c(text: str) -> None:
    if not sys.stdout.isatty():
        click.echo(text, nl=False)
        return
    from rich.console import Console
    from rich.syntax import Syntax

    shown = Syntax("", "c", theme="ansi_dark", background_color="default").highlight(text)
    Console().print(shown, soft_wrap=True, end="")
