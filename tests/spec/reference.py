"""The page that lists every public function by family: ``docs/reference.md``.

``python -m tests.spec.reference`` writes it anew from the modules' and functions' docstrings.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import constructors
from symtheano.tensor.elemwise import Elemwise

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "reference.md"

# Modules whose public names are listed, in the order of the page.
MODULES = (
    "symtheano",
    "symtheano.tensor",
    "symtheano.tensor.nnet",
    "symtheano.tensor.nnet.abstract_conv",
    "symtheano.tensor.nnet.blocksparse",
    "symtheano.tensor.nnet.conv",
    "symtheano.tensor.nnet.conv3d2d",
    "symtheano.tensor.nnet.ctc",
    "symtheano.tensor.nnet.neighbours",
    "symtheano.tensor.signal.conv",
    "symtheano.tensor.signal.downsample",
    "symtheano.tensor.signal.pool",
    "symtheano.tensor.nlinalg",
    "symtheano.tensor.slinalg",
    "symtheano.tensor.linalg",
    "symtheano.tensor.fft",
    "symtheano.tensor.special",
    "symtheano.tensor.random",
    "symtheano.tensor.extra_ops",
    "symtheano.tensor.opt",
    "symtheano.tensor.xlogx",
    "symtheano.distributed",
    "symtheano.gradient",
    "symtheano.ifelse",
    "symtheano.sparse",
    "symtheano.printing",
)

_ROWS, _INPUTS = "elementwise", "inputs"
_TITLES = {_ROWS: "Element by element", _INPUTS: "Input variables"}
_CONSTRUCTORS = constructors()


def functions(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the public functions and classes of a module with their names."""
    loaded = import_module(module)
    for name in sorted(getattr(loaded, "__all__", ()), key=str.lower):
        found = getattr(loaded, name)
        if callable(found) and not inspect.ismodule(found):
            yield name, found


def is_constructor(module: str, name: str) -> bool:
    """Return whether a name makes input variables, as ``fmatrix`` and ``vectors`` do."""
    return module == "symtheano.tensor" and name in _CONSTRUCTORS


def row_of(item: Any) -> ScalarOp | None:
    """Return the row of the scalar table that an elementwise function applies."""
    if isinstance(item, Elemwise):
        return item.scalar_op
    return item if isinstance(item, ScalarOp) else None


def family_of(item: Any) -> str:
    """Return the module where something is defined."""
    return _ROWS if row_of(item) is not None else str(inspect.getmodule(item).__name__)  # type: ignore[union-attr]


def summary(item: Any) -> str:
    """Return the first line of a docstring."""
    row = row_of(item)
    text = inspect.getdoc(item) if row is None else row.doc
    return (text or "").strip().partition("\n")[0]


def document() -> str:
    """Return the text of the page."""
    names: dict[int, list[str]] = {}
    items: dict[int, Any] = {}
    for module in MODULES:
        for name, item in functions(module):
            if not is_constructor(module, name):
                key = id(row_of(item) or item)
                items.setdefault(key, item)
                names.setdefault(key, []).append(_short(f"{module}.{name}"))
    families: dict[str, list[str]] = {_INPUTS: list(_inputs())}
    for key, item in items.items():
        line = f"- {_code(names[key])}: {summary(item)}"
        families.setdefault(family_of(item), []).append(line)
    lines = [
        "# Functions by family",
        "",
        "Written by `python -m tests.spec.reference` from the docstrings. `help(name)` shows the",
        "whole text with arguments, errors and an example. Modules are imported as in",
        "`import symtheano.tensor as T`.",
    ]
    for family, members in sorted(families.items()):
        lines += ["", f"## {_title(family)}", "", *members]
    return "\n".join([*lines, ""])


def _inputs() -> Iterator[str]:
    """Yield a line for each number of dims: ``matrix`` with all letters of dtypes."""
    plain = [name for name in _CONSTRUCTORS if f"f{name}" in _CONSTRUCTORS]
    for name in plain:
        letters = [item for item in _CONSTRUCTORS if item[1:] == name]
        words = (inspect.getdoc(_CONSTRUCTORS[name]) or "").partition("\n")[0]
        yield f"- {_code(f'T.{item}' for item in (name, *letters))}: {words}"


def _title(family: str) -> str:
    if family in _TITLES:
        return _TITLES[family]
    text = inspect.getdoc(import_module(family)) or family
    return text.partition("\n")[0].rstrip(".")


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _short(name: str) -> str:
    return name.replace("symtheano.tensor.", "T.", 1)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
