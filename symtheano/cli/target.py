"""The expression or function that FILE:NAME on the command line refers to."""

from __future__ import annotations

import ast
import difflib
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

import symtheano
from symtheano.cli.trouble import Trouble, UserError, formatted
from symtheano.config import MODES
from symtheano.errors import printable_name
from symtheano.function import Function
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.origin import origin_scope
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Variable
from symtheano.graph.walk import ancestors, free_inputs

if TYPE_CHECKING:
    from symtheano.rewrites.trace import Trace

_NAMES_LISTED = 12

MODE_NAMES = tuple(name for name in MODES if name != "Mode")
"""The modes for the command line; ``Mode`` is Theano's name of one of them."""


@dataclass
class Target:
    """The object of a command.

    Attributes
    ----------
    name
        The variable's name in the file.
    outputs, inputs
        Expressions and the variables that they depend on.
    function
        The function, if the file contains a compiled one.
    """

    name: str
    outputs: list[Any]
    inputs: list[Any]
    function: Function | None = None

    def graphs(self) -> tuple[FunctionGraph, FunctionGraph, Trace]:
        """Return the graph as written and as it runs, and the trace of the rules."""
        if self.function is not None:
            return self.function.user_graph, self.function.graph, self.function.trace
        from symtheano.function.modes import get_mode
        from symtheano.rewrites.engine import Rewriter

        graph = FunctionGraph(free_inputs(self.outputs), self.outputs)
        rewriter = Rewriter(get_mode().rules())
        return graph, rewriter.rewrite(graph), rewriter.trace

    def compiled(self) -> Function:
        """Return the function, named after the variable if it has no name."""
        if self.function is not None:
            own = self.function.name is not None
            return self.function if own else self.function.copy(name=_c_name(self.name))
        function: Function = symtheano.function(
            self.inputs, self.outputs, on_unused_input="ignore", name=_c_name(self.name)
        )
        return function


def _c_name(name: str) -> str | None:
    return name if name.isascii() and name.isidentifier() else None


# -- options -------------------------------------------------------------------------------------


def _complete(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem[Any]]:
    """Return completions of FILE:NAME: files, then the names that the file assigns."""
    path, colon, start = incomplete.rpartition(":")
    if not colon:
        return [CompletionItem(incomplete, type="file")]
    return [CompletionItem(f"{path}:{name}") for name in assigned(path) if name.startswith(start)]


def assigned(path: str) -> list[str]:
    """Return the global names that a Python file assigns, without running it.

    The result is empty if the file can't be read.
    """
    try:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return []
    return list(
        dict.fromkeys(
            node.id
            for statement in tree.body
            if isinstance(statement, ast.Assign | ast.AnnAssign)
            for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        )
    )


def target_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that are common to commands about FILE:NAME."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        *setting_options,
        click.option("--wrt", metavar="NAMES", help="Add gradients: W,b for those by W and b."),
        click.option("--inputs", metavar="NAMES", help="The inputs, in order: x,y."),
        click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- ARGS]..."),
        click.argument("place", metavar="FILE:NAME", shell_complete=_complete),
    ):
        command = option(command)
    return command


threads_option = click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=0),
    help="Set config.threads: how many threads compiled code uses.",
)
setting_options = (
    click.option("--mode", type=click.Choice(MODE_NAMES), help="Set config.mode."),
    click.option("--floatX", "floatx", type=click.Choice(["float16", "float32", "float64"]),
                 help="Set config.floatX."),
)  # fmt: skip


@contextmanager
def read(
    place: str,
    wrt: str | None,
    inputs: str | None,
    floatx: str | None,
    mode: str | None,
    arguments: Sequence[str] = (),
    **flags: object,
) -> Iterator[Target]:
    """Return the target of a place with the given options; format errors.

    ``arguments`` are passed to the file; they follow ``--``.
    """
    wanted = {"floatX": floatx, "mode": mode, **flags}
    set_flags = {name: value for name, value in wanted.items() if value is not None}
    with symtheano.config.change_flags(**set_flags):
        target = read_target(place, wrt, inputs, arguments)
        with formatted():
            yield target


# -- reading -------------------------------------------------------------------------------------


def run_file(path: str, arguments: Sequence[str] = ()) -> dict[str, Any]:
    """Return the globals of a Python file after running it, with its output sent to stderr."""
    if not Path(path).is_file():
        raise Trouble(f"there is no file {path}")
    before = sys.argv, sys.path
    sys.argv, sys.path = [path, *arguments], [str(Path(path).resolve().parent), *sys.path]
    try:
        with redirect_stdout(sys.stderr):
            return runpy.run_path(path, run_name=Path(path).stem)
    except Exception as error:
        raise UserError(error) from None
    except SystemExit as error:
        raise Trouble(f"{path} ended itself by sys.exit({error.code!r})") from None
    finally:
        sys.argv, sys.path = before


def read_target(
    place: str, wrt: str | None, inputs: str | None, arguments: Sequence[str] = ()
) -> Target:
    """Run the file of ``FILE:NAME`` and return the object with this name."""
    path, colon, name = place.rpartition(":")
    if not colon:
        names = _symbolic_names(run_file(place, arguments))
        raise Trouble(f"say which variable: {place}:NAME{_one_of(names)}")
    namespace = run_file(path, arguments)
    if name not in namespace:
        raise Trouble(
            f"{path} has no variable {printable_name(name)}"
            f"{_one_of(_symbolic_names(namespace), name)}"
        )
    value = namespace[name]
    if isinstance(value, Function):
        if wrt or inputs:
            raise Trouble(
                f"{printable_name(name)} is compiled already; --wrt and --inputs take an expression"
            )
        return Target(name, list(value.graph.outputs), value.inputs, value)
    outputs = _expressions(value, name)
    if wrt:
        outputs += _gradients(
            outputs, name, [_named(n, namespace, outputs, path) for n in _list(wrt)]
        )
    if inputs:
        return Target(name, outputs, [_named(n, namespace, outputs, path) for n in _list(inputs)])
    order = {id(item): position for position, item in enumerate(namespace.values())}
    free = [v for v in free_inputs(outputs) if not isinstance(v, SharedVariable)]
    return Target(name, outputs, sorted(free, key=lambda v: order.get(id(v), len(order))))


def _list(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _is_symbolic(value: Any) -> bool:
    if isinstance(value, Variable | Function):
        return True
    items = _items(value)
    return bool(items) and all(isinstance(item, Variable) for item in items)


def _items(value: Any) -> list[Any]:
    """Return the items of a list or dict, or nothing for other objects."""
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list | tuple) else []


def _symbolic_names(namespace: Mapping[str, Any]) -> list[str]:
    return [name for name, value in namespace.items() if _is_symbolic(value)]


def _one_of(names: Sequence[str], wanted: str = "") -> str:
    """Return a hint with similar names, or with all names."""
    close = list(map(printable_name, difflib.get_close_matches(wanted, names, n=3)))
    if close:
        return f"; did you mean {' or '.join(close)}?"
    if not names:
        return "; it has no symbolic ones"
    more = ", …" if len(names) > _NAMES_LISTED else ""
    return f"; there is {', '.join(map(printable_name, names[:_NAMES_LISTED]))}{more}"


def _expressions(value: Any, name: str) -> list[Any]:
    if not _is_symbolic(value):
        raise Trouble(
            f"{printable_name(name)} is of type {type(value).__name__}: neither a symbolic "
            "variable, nor a list or dict of them, nor a compiled function"
        )
    if isinstance(value, Variable):
        return [value]
    return _items(value)


def _named(name: str, namespace: Mapping[str, Any], outputs: Sequence[Any], path: str) -> Any:
    """Return the variable with a name: a global of the file, or a variable in the graph."""
    value = namespace.get(name)
    if isinstance(value, Variable):
        return value
    named = {item.name: item for item in ancestors(outputs) if item.name}
    if name in named:
        return named[name]
    global_names = [key for key, item in namespace.items() if isinstance(item, Variable)]
    names = list(dict.fromkeys([*global_names, *named]))
    raise Trouble(f"{path} has no symbolic variable {printable_name(name)}{_one_of(names, name)}")


def _gradients(outputs: Sequence[Any], name: str, wrt: Sequence[Any]) -> list[Any]:
    if len(outputs) != 1:
        raise Trouble(
            f"--wrt takes the gradient of one variable; {printable_name(name)} has {len(outputs)}"
        )
    with origin_scope(outputs[0].origin), formatted():
        return list(symtheano.grad(outputs[0], list(wrt)))
