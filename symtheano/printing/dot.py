"""pydotprint: draws a graph with the program ``dot`` of Graphviz.

The input of dot is written here without pydot, which would only pass it to the same program.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from symtheano.errors import format_error, printable
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.printing.graph import Printed, as_printed, kind_of

_COLOURS = {
    "input": "#a6dba0", "shared": "#fdb863", "constant": "#e0e0e0", "output": "#92c5de",
    "op": "#ffffff", "Elemwise": "#fde0ef", "CAReduce": "#f1b6da", "Dot": "#d1e5f0",
}  # fmt: skip
_TEXT_FORMATS = ("dot", "gv")


def pydotprint(
    fct: Any,
    outfile: Any = None,
    compact: bool = True,
    format: str = "png",
    with_ids: bool = False,
    high_contrast: bool = True,
    cond_highlight: Any = None,
    colorCodes: dict[str, str] | None = None,
    max_label_size: int = 70,
    scan_graphs: bool = False,
    var_with_name_simple: bool = False,
    print_output_file: bool = True,
    return_image: bool = False,
) -> Any:
    """Draw a graph with Graphviz, with Theano's arguments.

    Green boxes are inputs, orange ones shared variables, grey ones constants, blue ones outputs;
    ellipses are ops. If an op has several operands, edges show their position and type.

    Parameters
    ----------
    fct
        A function, whose rewritten graph is drawn, or a variable, a node, a FunctionGraph or a list
        of them.
    outfile
        Path of the file; by default ``symtheano.pydotprint.png`` in the working directory.
    compact
        Omit unnamed variables between two ops.
    format
        Any format of Graphviz, such as ``"png"``, ``"svg"``, ``"pdf"``; ``"dot"`` writes the
        description of the graph, which does not require Graphviz.
    with_ids
        Add the number of the node to each label.
    high_contrast
        Fill the shapes with colors; otherwise only their outlines are colored.
    cond_highlight
        Accepted for compatibility with Theano, and ignored.
    colorCodes
        Additional colors, by name of an op's class.
    max_label_size
        Maximum length of labels, which are truncated.
    scan_graphs
        Also draw the graphs inside ops that are made from graphs, in separate boxes.
    var_with_name_simple
        Show only the name of named variables, without the type.
    print_output_file
        Print the path of the image.
    return_image
        Return the image as SVG for a notebook, instead of writing it.

    Raises
    ------
    RuntimeError
        If the program ``dot`` is not installed, or fails.

    Examples
    --------
    >>> x = T.dvector("x")
    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "graph.dot")
    >>> pydotprint(T.exp(x).sum(), path, format="dot", print_output_file=False)
    >>> with open(path) as file:
    ...     print(file.readline().strip())
    digraph symtheano {
    """
    drawing = _Drawing(compact, with_ids, high_contrast, max_label_size, var_with_name_simple)
    drawing.colours.update(colorCodes or {})
    drawing.add(as_printed(fct), "", scan_graphs)
    text = drawing.text()
    if return_image:
        return _image(_rendered(text, "svg"))
    path = Path(outfile) if outfile is not None else Path(f"symtheano.pydotprint.{format}")
    path.write_bytes(text.encode() if format in _TEXT_FORMATS else _rendered(text, format))
    if print_output_file:
        print(f"The output file is available at {path}")
    return None


def _rendered(text: str, format: str) -> bytes:
    """Return the output of the program for a graph."""
    program = shutil.which("dot")
    if program is None:
        hint = (
            "install Graphviz (apt install graphviz, brew install graphviz), or give format='dot' "
            "to write the text that other programs can draw"
        )
        raise RuntimeError(
            format_error("pydotprint: the program dot was not found on the path", hint=hint)
        )
    ended = subprocess.run([program, f"-T{format}"], input=text.encode(), capture_output=True)
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()
        raise RuntimeError(format_error(f"pydotprint: dot can't make {format!r}: {said}"))
    return ended.stdout


def _image(svg: bytes) -> Any:
    try:
        display = import_module("IPython.display")
    except ImportError:
        hint = "give outfile= instead of return_image=True"
        message = "pydotprint: pictures are returned in notebooks only: IPython is not installed"
        raise RuntimeError(format_error(message, hint=hint)) from None
    return display.SVG(svg.decode())


class _Drawing:
    """Collects the lines of a graph's description."""

    def __init__(
        self, compact: bool, with_ids: bool, filled: bool, longest: int, simple: bool
    ) -> None:
        self.compact, self.with_ids, self.filled = compact, with_ids, filled
        self.longest, self.simple = longest, simple
        self.colours = dict(_COLOURS)
        self.lines: list[str] = []
        self.names: dict[Any, str] = {}

    def text(self) -> str:
        """Return the whole description."""
        head = ["digraph symtheano {", '  node [fontname="Helvetica", fontsize=11];',
                '  edge [fontname="Helvetica", fontsize=9, color="#555555"];']  # fmt: skip
        return "\n".join([*head, *self.lines, "}", ""])

    def add(self, printed: Printed, scope: str, inner: bool) -> None:
        """Add a graph; ``scope`` tells its names from those of other graphs."""
        nodes = toposort(printed.outputs)
        for node in nodes:
            kind = next((c.__name__ for c in type(node.op).__mro__ if c.__name__ in self.colours),
                        "op")  # fmt: skip
            self._shape((scope, node), str(node.op), "ellipse", kind)
            for position, item in enumerate(node.inputs):
                label = f"{position} {item.type}" if len(node.inputs) > 1 else str(item.type)
                self._edge(self._of(scope, item), self.names[scope, node], label)
        for position, output in enumerate(printed.outputs):
            target = printed.updates.get(position)
            mark = f"-> {target.describe()}" if target is not None else None
            label = mark or (
                output.describe() if output.owner is not None and output.name else "output"
            )
            self._shape((scope, "output", position), f"{label} {output.type}", "box", "output")
            self._edge(self._of(scope, output), self.names[scope, "output", position], "")
        for number, node in enumerate(nodes if inner else ()):
            outputs = getattr(node.op, "outputs", None)
            if isinstance(outputs, list | tuple) and outputs:
                self.lines.append(f'subgraph "cluster{scope}_{number}" {{')
                self.lines.append(f"label={_quoted(str(node.op))};")
                self.add(Printed(list(outputs)), f"{scope}_{number}", inner)
                self.lines.append("}")

    def _of(self, scope: str, variable: Variable) -> str:
        """Return the name of the shape that an edge from a variable starts at."""
        node = variable.owner
        if (scope, variable) in self.names:
            return self.names[scope, variable]
        if node is not None and (self.compact or variable.name is None):
            return self.names[scope, node]
        self._shape((scope, variable), self._label(variable), "box", kind_of(variable))
        if node is not None:
            self._edge(self.names[scope, node], self.names[scope, variable], "")
        return self.names[scope, variable]

    def _label(self, variable: Variable) -> str:
        if isinstance(variable, Constant) and variable.name is None:
            return str(variable)
        if self.simple and variable.name is not None:
            return variable.describe()
        name = "" if variable.name is None else f"{variable.describe()} "
        return f"{name}{variable.type}"

    def _shape(self, key: Any, label: str, shape: str, kind: str) -> None:
        name = self.names[key] = f"n{len(self.names)}"
        if len(label) > self.longest:
            label = f"{label[: self.longest - 1]}…"
        if self.with_ids:
            label = f"{label} id={name[1:]}"
        colour = self.colours[kind]
        paint = f'style=filled, fillcolor="{colour}"' if self.filled else f'color="{colour}"'
        self.lines.append(f"  {name} [label={_quoted(label)}, shape={shape}, {paint}];")

    def _edge(self, start: str, end: str, label: str) -> None:
        shown = f" [label={_quoted(label)}]" if label else ""
        self.lines.append(f"  {start} -> {end}{shown};")


def _quoted(text: str) -> str:
    cleaned = "".join(_escaped(text))
    return f'"{cleaned}"'


def _escaped(text: str) -> Iterator[str]:
    for sign in printable(text):
        yield {'"': '\\"', "\\": "\\\\", "\n": "\\n"}.get(sign, sign)
