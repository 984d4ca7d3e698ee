"""Docstrings of classes that inherit some of their arguments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from inspect import cleandoc, signature
from typing import Any, TypeVar

Entry = tuple[list[str], str]
F = TypeVar("F", bound=Callable[..., Any])

_SECTION = re.compile(r"^Parameters\n-{10}\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", re.M | re.S)
_ANY_SECTION = re.compile(r"^\S[^\n]*\n-{3,}\n", re.M)
_ENTRY = re.compile(r"^(\S[^\n]*)\n((?: [^\n]*\n|\n)*)", re.M)


def document_inherited_parameters(kind: type) -> None:
    """Add the parameters that only its base classes describe to the docstring of a class.

    All parameters are then listed in the order of the signature; names that the signature does not
    contain follow. A name that the class declares as a ``ClassVar`` is not a parameter and is left
    out. A class without a docstring, as under ``python -OO``, is not changed.

    Examples
    --------
    >>> class Mirrored(nn.Dense):
    ...     '''Products with a mirrored matrix.'''
    >>> [names for names, _ in parameters(Mirrored.__doc__)][:3]
    [['units'], ['activation'], ['use_bias']]
    """
    own = vars(kind).get("__doc__")
    if own is None:
        return
    annotations = vars(kind).get("__annotations__", {})
    constants = [name for name, text in annotations.items() if "ClassVar" in str(text)]
    inherited = [cleandoc(vars(base).get("__doc__") or "") for base in kind.__mro__[1:]]
    entries = [entry for text in inherited for entry in parameters(text)]
    kind.__doc__ = _completed(cleandoc(own), entries, list(_arguments(kind)), constants)


class Documented:
    """Base class of classes whose docstrings get the parameters of their base classes."""

    def __init_subclass__(cls, **options: Any) -> None:
        """Add inherited parameters to the docstring."""
        super().__init_subclass__(**options)
        document_inherited_parameters(cls)


def described_by(other: Any) -> Callable[[F], F]:
    """Return a decorator of a function whose arguments are those of a class or another function.

    The arguments that the function does not describe are described there, and ``options`` are
    further ones.

    Examples
    --------
    >>> @described_by(nn.Dense)
    ... def dense(units, **options):
    ...     '''Return products.'''
    >>> print(dense.__doc__.splitlines()[-1].strip())
    Further arguments of :class:`Dense`.
    """

    def add(function: F) -> F:
        own = function.__doc__
        if own is not None:  # it is None under ``python -OO``
            further = (["options"], f"    Further arguments of :class:`{other.__name__}`.")
            entries = [*parameters(cleandoc(other.__doc__)), further]
            order = list(signature(function).parameters)
            others = {name for names, _ in entries for name in names}.difference(order)
            function.__doc__ = _completed(cleandoc(own), entries, order, others)
        return function

    return add


def _completed(
    own: str, entries: Iterable[Entry], order: Sequence[str], left_out: Iterable[str]
) -> str:
    """Return a docstring with entries of the names that it does not describe, in an order."""
    all_entries = parameters(own)
    described = len(all_entries)
    described_names = {name for names, _ in all_entries for name in names}.union(left_out)
    for names, text in entries:
        if others := [name for name in names if name not in described_names]:
            described_names.update(others)
            all_entries.append((others, text))
    if len(all_entries) == described:
        return own
    place = {name: k for k, name in enumerate(order)}
    all_entries.sort(key=lambda entry: place.get(entry[0][0], len(place)))
    return with_parameters(own, all_entries)


def _arguments(kind: type) -> Iterator[str]:
    """Yield the names of a class's arguments, also of a dataclass that has no ``__init__`` yet."""
    if "__init__" in vars(kind):
        yield from signature(vars(kind)["__init__"]).parameters
        return
    fields: dict[str, object] = dict(getattr(kind, "__dataclass_fields__", {}))
    for name in vars(kind).get("__annotations__", {}):
        fields.setdefault(name, vars(kind).get(name))
    # Keywords alone come last. Of class variables, kw_only is neither True nor False.
    yield from sorted(fields, key=lambda name: getattr(fields[name], "kw_only", None) is True)


def parameters(text: str) -> list[Entry]:
    """Return the names and the indented text of each entry of the section "Parameters"."""
    section = _SECTION.search(text + "\n")
    if section is None:
        return []
    entries = _ENTRY.findall(section[1])
    return [([name.strip() for name in names.split(",")], body) for names, body in entries]


def with_parameters(text: str, entries: list[Entry]) -> str:
    """Return a docstring with these entries as its section "Parameters"."""
    listed = "\n".join(f"{', '.join(names)}\n{body.rstrip()}" for names, body in entries)
    section = _SECTION.search(text + "\n")
    if section is not None:
        return f"{text[: section.start(1)]}{listed}\n\n{text[section.end() :]}".rstrip()
    other = _ANY_SECTION.search(text)
    start = len(text) if other is None else other.start()
    before, after = text[:start].rstrip(), text[start:]
    return f"{before}\n\nParameters\n----------\n{listed}\n\n{after}".rstrip()
