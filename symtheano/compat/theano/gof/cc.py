"""Linkers that compile C code."""

from __future__ import annotations

from typing import Any

import numpy as np

from .link import Linker, LocalLinker


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


def _compare(x: list[Any], y: list[Any]) -> None:
    if not np.all(x[0] == y[0]):
        raise ValueError(f"DualLinker: Python computes {x[0]}, and C code {y[0]}")


class DualLinker(Linker):
    """Runs a graph in Python and as C code, and compares the outputs.

    Parameters
    ----------
    checker
        Function of two lists with a value each, which raises an error if these differ.
    schedule
        Accepted and ignored.
    """

    def __init__(self, checker: Any = _compare, schedule: Any = None) -> None:
        super().__init__()
        self.checker = checker

    def make_function(self, unpack_single: bool = True, **kwargs: Any) -> Any:
        """Return a function of the graph's inputs that returns its outputs."""
        runs = [linker().accept(self.fgraph) for linker in (LocalLinker, CLinker)]
        python, compiled = (run.make_function(unpack_single=False) for run in runs)

        def call(*values: Any) -> Any:
            results = python(*values)
            for expected, result in zip(results, compiled(*values), strict=True):
                self.checker([expected], [result])
            return results[0] if unpack_single and len(results) == 1 else results

        return call


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
