"""The available names of Theano: the table in ``docs/coverage.md``, and functions for the tests.

``theano_api.csv`` lists Theano 1.0.5's public names with their kinds; ``api_census.csv`` has how
many of 46 programs use a name. ``omissions.csv`` has a line for each name, or pattern of names,
that is not here, with the reason. ``python -m tests.spec.coverage`` writes the table anew.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import symtheano
from symtheano.function import Function
from symtheano.sandbox.rng_mrg import MRG_RandomStreams
from symtheano.tensor.shared_randomstreams import RandomStreams
from symtheano.tensor.variable import TensorSharedVariable, TensorVariable

HERE = Path(__file__).parent
DOCUMENT = HERE.parent.parent / "docs" / "coverage.md"

_CLASSES: dict[str, Any] = {
    "Function": Function,
    "TensorVariable": TensorVariable,
    "TensorSharedVariable": TensorSharedVariable,
    "TensorType": symtheano.tensor.TensorType,
    "OrderedUpdates": symtheano.OrderedUpdates,
    "RandomStreams": RandomStreams,
    "MRG_RandomStreams": MRG_RandomStreams,
}
_OPERATORS = {
    "op Add": "__add__",
    "op BitAnd": "__and__",
    "op BitOr": "__or__",
    "op BitXor": "__xor__",
    "op Div": "__truediv__",
    "op FloorDiv": "__floordiv__",
    "op LShift": "__lshift__",
    "op MatMult": "__matmul__",
    "op Mod": "__mod__",
    "op Mult": "__mul__",
    "op Pow": "__pow__",
    "op RShift": "__rshift__",
    "op Sub": "__sub__",
    "cmp Gt": "__gt__",
    "cmp GtE": "__ge__",
    "cmp Lt": "__lt__",
    "cmp LtE": "__le__",
    "cmp Eq": "__eq__",
    "cmp NotEq": "__ne__",
}


@dataclass(frozen=True)
class Name:
    """One of Theano's names.

    Attributes
    ----------
    name, kind
        The dotted name; what it is (``function``, ``op``, ``method`` ...).
    clients
        Number of programs that use it.
    """

    name: str
    kind: str
    clients: int


@dataclass(frozen=True)
class Omission:
    """A reason why the names of a pattern are not here."""

    pattern: str
    kind: str
    reason: str

    def covers(self, name: str) -> bool:
        """Return whether a name falls under it."""
        return fnmatchcase(name, self.pattern)


def names() -> list[Name]:
    """Return all names of the two files."""
    census = {row["name"]: int(row["clients"]) for row in _rows("api_census.csv", "name")}
    listed = {row["name"]: row["kind"] for row in _rows("theano_api.csv", "name")}
    every = {**dict.fromkeys(census, "used"), **listed}
    return [Name(name, kind, census.get(name, 0)) for name, kind in sorted(every.items())]


def _rows(file: str, first: str) -> Iterator[dict[str, str]]:
    with open(HERE / file, encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
        for row in rows:
            yield dict(zip([first, *header[1:]], row, strict=True))


def omissions() -> list[Omission]:
    """Return the omission table."""
    return [
        Omission(row["pattern"], row["kind"], row["reason"])
        for row in _rows("omissions.csv", "pattern")
    ]


@cache
def present(name: str) -> bool:
    """Return whether a name of Theano's is here."""
    first, _, rest = name.partition(" ")
    if first == "var" and rest:
        return hasattr(TensorVariable, _OPERATORS[rest])
    if name.startswith("var["):
        return hasattr(TensorVariable, "__getitem__")
    head, *parts = name.split(".")
    if head == "var":
        return hasattr(TensorVariable, parts[0]) or hasattr(TensorSharedVariable, parts[0])
    if head == "theano":
        return _find(symtheano, parts)
    return head in _CLASSES and _find(_CLASSES[head], parts)


def _find(place: Any, parts: list[str]) -> bool:
    """Look among attributes, and in modules: a function or object may share its name with one."""
    if _find_attribute(place, parts):
        return True
    for count in range(len(parts) - 1, 0, -1) if isinstance(place, ModuleType) else ():
        try:
            module = import_module(".".join([place.__name__, *parts[:count]]))
        except ImportError:
            continue
        return _find_attribute(module, parts[count:])
    return False


def _find_attribute(place: Any, parts: list[str]) -> bool:
    for part in parts:
        if not hasattr(place, part):
            return False
        place = getattr(place, part)
    return True


def missing() -> list[Name]:
    """Return the names that are not here."""
    return [item for item in names() if not present(item.name)]


def reason_of(item: Name, table: Iterable[Omission]) -> Omission | None:
    """Return the first line of the table that a name falls under."""
    return next((line for line in table if line.covers(item.name)), None)


def document() -> str:
    """Return the text of the coverage page."""
    every, table = names(), omissions()
    gone = [(item, reason_of(item, table)) for item in every if not present(item.name)]
    used = [item for item in every if item.clients >= 2]
    counts = Counter(line for _, line in gone)
    rows = [
        f"| `{line.pattern}` | {line.kind} | {counts[line]} | {line.reason} |"
        for line in table
        if counts[line]
    ]
    families = Counter(_family(item.name) for item in every)
    here = Counter(_family(item.name) for item in every if present(item.name))
    shares = [f"| `{name}` | {here[name]} | {count} |" for name, count in families.most_common()]
    both = sum(present(item.name) for item in used)
    return "\n".join([
        "# Theano's names",
        "",
        "Written by `python -m tests.spec.coverage` from the list of Theano 1.0.5's public names",
        "and a census of 46 programs. `theano.x` is `symtheano.x`.",
        "",
        f"{len(every) - len(gone)} of {len(every)} names are available, and {both} of the",
        f"{len(used)} names that two or more programs use.",
        "",
        "| module | available | names |",
        "| --- | ---: | ---: |",
        *shares,
        "",
        "## Missing names",
        "",
        "*Compat*: programs that import theano have it ([compat.md](compat.md)). *Later*: planned.",
        "*Omitted*: left out on purpose. The first matching line",
        "applies to a name.",
        "",
        "| names | status | number | reason |",
        "| --- | --- | ---: | --- |",
        *rows,
        "",
    ])  # fmt: skip


def _family(name: str) -> str:
    head, *parts = name.split(".")
    if head != "theano":
        return "variables" if head.startswith("var") else head
    depth = 2 if parts[0] == "tensor" else 1
    return ".".join([head, *parts[: min(depth, len(parts) - 1)]])


def main() -> None:
    """Write the page; or, with ``missing``, print the names without a reason."""
    if sys.argv[1:] == ["missing"]:
        table = omissions()
        for item in missing():
            if reason_of(item, table) is None:
                print(item.name, item.kind, item.clients)
        return
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
