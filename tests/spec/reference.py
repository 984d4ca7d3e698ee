"""The page that lists every public function by family: ``docs/reference.md``.

``python -m tests.spec.reference`` writes it anew from the modules' and functions' docstrings.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from symtheano.tensor.elemwise import Elemwise

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "reference.md"

# Modules whose public names are listed, in the order of the page.
FACES = (
    "symtheano",
    "symtheano.tensor",
    "symtheano.tensor.nnet",
    "symtheano.tensor.nlinalg",
    "symtheano.tensor.slinalg",
    "symtheano.tensor.fft",
    "symtheano.gradient",
    "symtheano.sparse",
)


def functions(face: str) -> Iterator[tuple[str, Any]]:
    """Yield the public functions and classes of a module with their names."""
    module = import_module(face)
    for name in sorted(getattr(module, "__all__", ()), key=str.lower):
        found = getattr(module, name)
        if callable(found) and not inspect.ismodule(found):
            yield name, found


def family_of(item: Any) -> str:
    """Return the module where something is defined."""
    return "elementwise" if isinstance(item, Elemwise) else str(inspect.getmodule(item).__name__)


def summary(item: Any) -> str:
    """Return the first line of a docstring."""
    text = item.scalar_op.doc if isinstance(item, Elemwise) else inspect.getdoc(item)
    return (text or "").strip().partition("\n")[0]


def document() -> str:
    """Return the text of the page."""
    names: dict[int, list[str]] = {}
    items: dict[int, Any] = {}
    for face in FACES:
        for name, item in functions(face):
            items[id(item)] = item
            names.setdefault(id(item), []).append(_short(f"{face}.{name}"))
    families: dict[str, dict[int, Any]] = {}
    for key, item in items.items():
        families.setdefault(family_of(item), {})[key] = item
    lines = [
        "# Functions by family",
        "",
        "Written by `python -m tests.spec.reference` from the docstrings. `help(name)` shows the",
        "whole text with arguments, errors and an example. Modules are imported as in",
        "`import symtheano.tensor as T`.",
    ]
    for family, members in sorted(families.items()):
        title = "Element by element" if family == "elementwise" else _title(family)
        lines += ["", f"## {title}", ""]
        for key, item in members.items():
            shown = ", ".join(f"`{name}`" for name in names[key])
            lines.append(f"- {shown}: {summary(item)}")
    return "\n".join([*lines, ""])


def _title(family: str) -> str:
    text = inspect.getdoc(import_module(family)) or family
    return text.partition("\n")[0].rstrip(".")


def _short(name: str) -> str:
    return name.replace("symtheano.tensor.", "T.", 1)


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
