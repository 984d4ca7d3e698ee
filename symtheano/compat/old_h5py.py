"""HDF5 files as they were before h5py 3.

Texts of attributes were bytes, which programs of that time decode, for example Keras when it loads
a model. Lists of bytes had a fixed length, a file that was opened without a mode could be written,
and its attribute ``id`` was also ``fid``. ``h5py`` is not loaded for
this: its classes are prepared when the program imports it.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

import numpy as np

_MODULE = "h5py"


class Text(str):
    """A text that can be decoded once more.

    Examples
    --------
    >>> Text("2.2.5").decode("utf8")
    '2.2.5'
    """

    __slots__ = ()

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """Return the text."""
        return str(self)


class _Loader(Loader):
    """Loads h5py, and prepares it."""

    def __init__(self, own: Any) -> None:
        self.own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Return the module, before its code has run."""
        module: ModuleType | None = self.own.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        self.own.exec_module(module)
        _prepare(module)


class _Finder(MetaPathFinder):
    """Finds h5py where it would be found without this."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where h5py is, None for other modules."""
        spec = PathFinder.find_spec(fullname, path) if fullname == _MODULE else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


_FINDER = _Finder()
_prepared: list[tuple[Any, str, Any]] = []
"""Classes, and the methods that they had."""


def _decodable(value: Any) -> Any:
    """Return a text, or an array of texts, that can be decoded."""
    if type(value) is str:
        return Text(value)
    if isinstance(value, np.ndarray) and value.dtype == object:
        texts = np.empty_like(value)
        texts[...] = np.frompyfunc(_decodable, 1, 1)(value)
        return texts
    return value


def _prepare(module: ModuleType) -> None:
    attributes = module.AttributeManager
    read, write, opened = attributes.__getitem__, attributes.__setitem__, module.File.__init__

    def read_text(self: Any, name: str) -> Any:
        return _decodable(read(self, name))

    def write_bytes(self: Any, name: str, value: Any) -> None:
        listed = isinstance(value, list | tuple) and all(isinstance(item, bytes) for item in value)
        write(self, name, np.array(value) if listed and value else value)

    def open_file(
        self: Any, name: Any, mode: str | None = None, *more: Any, **options: Any
    ) -> None:
        if mode is not None:
            opened(self, name, mode, *more, **options)
            return
        try:
            opened(self, name, "a", *more, **options)
        except OSError:  # it may not be written
            opened(self, name, "r", *more, **options)

    _set(attributes, "__getitem__", read_text)
    _set(attributes, "__setitem__", write_bytes)
    _set(module.File, "__init__", open_file)
    _set(module.File, "fid", property(lambda self: self.id))


def _set(owner: Any, name: str, method: Any) -> None:
    _prepared.append((owner, name, getattr(owner, name, None)))
    setattr(owner, name, method)


def supply() -> None:
    """Prepare h5py now, or when it is imported."""
    if _FINDER in sys.meta_path:
        return
    sys.meta_path.insert(0, _FINDER)
    if _MODULE in sys.modules:
        _prepare(sys.modules[_MODULE])


def withdraw() -> None:
    """Undo :func:`supply`."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
    while _prepared:
        owner, name, method = _prepared.pop()
        if method is None:
            delattr(owner, name)
        else:
            setattr(owner, name, method)
