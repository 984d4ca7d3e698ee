"""Linkers that compile C code."""

from __future__ import annotations

from typing import Any

from .link import Linker


class CLinker(Linker):
    """Compiles a graph."""

    def make_function(self, unpack_single: bool = True, **kwargs: Any) -> Any:
        """Return a function of the graph's inputs that returns its outputs."""
        return super().make_function(unpack_single, **kwargs)


class OpWiseCLinker(Linker):
    """Compiles a graph; ops without C code run in Python."""

    def __init__(self, fallback_on_perform: bool = True, **options: Any) -> None:
        super().__init__(**options)
        self.fallback_on_perform = fallback_on_perform


class DualLinker(Linker):
    """Not supported: ``DebugMode`` compares C code and Python."""

    def __init__(self, checker: Any = None, schedule: Any = None) -> None:
        raise NotImplementedError("DualLinker: theano.compile.DebugMode() compares C and Python")


def HideC(*args: Any) -> None:
    """Raise an error, as the methods of an op whose C code is hidden.

    Raises
    ------
    MethodNotDefined
        Always.
    """
    from .utils import MethodNotDefined

    raise MethodNotDefined("HideC")


def get_module_cache(*args: Any, **kwargs: Any) -> Any:
    """Return the cache of compiled code."""
    from symtheano.config import config
    from symtheano.function.stages import open_cache

    return open_cache(config.snapshot())
