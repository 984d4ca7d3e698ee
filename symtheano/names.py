"""Public names of modules, and error messages for names that do not exist."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from symtheano.errors import format_error

_PLACES = (
    "symtheano", "symtheano.tensor", "symtheano.tensor.nnet", "symtheano.gradient",
    "symtheano.tensor.nlinalg", "symtheano.tensor.slinalg", "symtheano.tensor.linalg",
    "symtheano.tensor.fft", "symtheano.tensor.special", "symtheano.tensor.random",
    "symtheano.sparse", "symtheano.printing",
)  # fmt: skip
"""Modules in which a missing name is searched, in order of use."""


class MissingName(AttributeError):
    """A missing attribute of a module or a variable.

    Missing attributes are common (``hasattr``), so the message is only created when it is shown.

    Parameters
    ----------
    owner
        The module's name, or the variable's class.
    name
        The missing name.

    Examples
    --------
    >>> print(MissingName("symtheano.tensor", "relu"))
    module 'symtheano.tensor' has no attribute 'relu'
      hint: it is symtheano.tensor.nnet.relu
    """

    def __init__(self, owner: str | type, name: str) -> None:
        super().__init__(owner, name)
        self.owner, self.asked = owner, name
        self.name = name  # with it, Python adds no suggestion of its own

    def __str__(self) -> str:
        owner = self.owner
        whose = f"module {owner!r}" if isinstance(owner, str) else f"{owner.__name__!r} object"
        what = f"{whose} has no attribute {self.asked!r}"
        return format_error(what, hint=self._where() or self._meant())

    def _where(self) -> str | None:
        """Return the modules in which the name exists."""
        places = [place for place in _PLACES if self.asked in _names_of(place)]
        if not places or self.asked.startswith("_"):
            return None
        if isinstance(self.owner, str):
            return f"it is {places[0]}.{self.asked}"
        return f"it is a function: {places[0]}.{self.asked}(x)"

    def _meant(self) -> str | None:
        """Return the most similar name, preferring the owner's own."""
        if not isinstance(self.owner, str):
            own = [name for name in dir(self.owner) if not name.startswith("_")]
            found = [(name, name) for name in _closest(self.asked, own)]
        else:
            found = [(name, name) for name in _closest(self.asked, _names_of(self.owner))]
            for place in _PLACES:
                found += [(n, f"{place}.{n}") for n in _closest(self.asked, _names_of(place))]
        if not found:
            return None
        _, shown = max(found, key=lambda item: _likeness(item[0], self.asked))
        return f"did you mean {shown}?"


def _names_of(module: str) -> list[str]:
    found = import_module(module)
    return list(getattr(found, "__all__", None) or dir(found))


def _closest(name: str, known: list[str]) -> list[str]:
    from difflib import get_close_matches

    same = [other for other in known if other.lower() == name.lower()]
    return same[:1] or get_close_matches(name, known, 1, 0.8)


def _likeness(one: str, other: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one.lower(), other.lower()).ratio()


def public(
    module: str, modules: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` for a module with ``__all__``.

    ``modules`` are submodules that are imported when they are first used.

    Examples
    --------
    >>> "pinv" in public("symtheano.tensor.nlinalg")[1]()
    True
    """

    def missing(name: str) -> Any:
        if name in modules:
            return import_module(f"{module}.{name}")
        raise MissingName(module, name)

    def names() -> list[str]:
        return sorted(import_module(module).__all__)

    return missing, names


class PublicModule(ModuleType):
    """The class of a module whose functions keep their names when a submodule is imported.

    Python sets an imported submodule as an attribute of its package, which would hide a function of
    the same name: ``symtheano.tensor.linalg.solve`` is both.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in vars(self)["__all__"]):
            super().__setattr__(name, value)


def late(
    module: str, names: Mapping[str, str], own: Sequence[str] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of a package with names from elsewhere.

    Parameters
    ----------
    module
        The package, whose ``__all__`` is to be the third result. No submodule can replace them.
    names
        Names, separated by spaces, by the module of this package in which they are; they are
        imported on first access. ``shown=other`` is the name ``other``, shown as ``shown``.
    own
        Names that the package itself defines.

    Examples
    --------
    >>> sorted(late("symtheano.tensor.linalg", {"tensor.linalg.svd": "SVD svd"})[2])
    ['SVD', 'svd']
    """
    pairs = [
        (item.partition("=")[0], place, item.rpartition("=")[2])
        for place, items in names.items()
        for item in items.split()
    ]
    places = {shown: (place, own) for shown, place, own in pairs}
    package = sys.modules[module]

    def missing(name: str) -> Any:
        if name not in places:
            raise MissingName(module, name)
        place, own = places[name]
        value = vars(package)[name] = getattr(import_module(f"symtheano.{place}"), own)
        return value

    package.__class__ = PublicModule
    public_names = sorted({*places, *own})
    return missing, lambda: sorted(public_names), public_names
