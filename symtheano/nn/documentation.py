"""Docstrings of classes that inherit some of their arguments."""

from __future__ import annotations

import re
from inspect import cleandoc

_SECTION = re.compile(r"^Parameters\n-{10}\n(.*?)(?=^\S[^\n]*\n-{3,}\n|\Z)", re.M | re.S)
_ANY_SECTION = re.compile(r"^\S[^\n]*\n-{3,}\n", re.M)
_ENTRY = re.compile(r"^(\S[^\n]*)\n((?: [^\n]*\n|\n)*)", re.M)


def document_inherited_parameters(kind: type) -> None:
    """Add the parameters that only its base classes describe to the docstring of a class.

    The inherited parameters follow the class's own ones, those of the nearest base class first. A
    name that the class declares as a ``ClassVar`` is not a parameter and is left out. A class
    without a docstring, as under ``python -OO``, is not changed.

    Examples
    --------
    >>> from symtheano import nn
    >>> class Mirrored(nn.Dense):
    ...     '''Products with a mirrored matrix.'''
    >>> [names for names, _ in parameters(Mirrored.__doc__)][:3]
    [['units'], ['activation'], ['use_bias']]
    """
    own = vars(kind).get("__doc__")
    if own is None:
        return
    own = cleandoc(own)
    known = {name for names, _ in parameters(own) for name in names}
    annotations = vars(kind).get("__annotations__", {})
    known |= {name for name, text in annotations.items() if "ClassVar" in str(text)}
    added = ""
    for base in kind.__mro__[1:]:
        for names, text in parameters(cleandoc(vars(base).get("__doc__") or "")):
            others = [name for name in names if name not in known]
            known |= set(others)
            if others:
                added += f"{', '.join(others)}\n{text.rstrip()}\n"
    if added:
        kind.__doc__ = _with_parameters(own, added)


def parameters(text: str) -> list[tuple[list[str], str]]:
    """Return the names and the indented text of each entry of the section "Parameters"."""
    section = _SECTION.search(text + "\n")
    if section is None:
        return []
    entries = _ENTRY.findall(section[1])
    return [([name.strip() for name in names.split(",")], body) for names, body in entries]


def _with_parameters(text: str, added: str) -> str:
    """Return a docstring with entries added at the end of its section "Parameters"."""
    section = _SECTION.search(text + "\n")
    if section is not None:
        start = len((text + "\n")[: section.end()].rstrip())
        return f"{text[:start]}\n{added.rstrip()}{text[start:]}".rstrip()
    other = _ANY_SECTION.search(text)
    start = len(text) if other is None else other.start()
    before, after = text[:start].rstrip(), text[start:]
    return f"{before}\n\nParameters\n----------\n{added}\n{after}".rstrip()
