"""From a rewritten graph to something to call: lower, print, compile (or find), load."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from symtheano.codegen import blas
from symtheano.codegen.abi import ErrorCode
from symtheano.codegen.c import CSource, print_c
from symtheano.codegen.cache import Cache
from symtheano.codegen.load import ArraySpec, CompiledEntry, EntryError, OutputSpec, PythonOp
from symtheano.codegen.lower import Lowered, lower
from symtheano.codegen.toolchain import Toolchain, find_toolchain
from symtheano.config import Options
from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.variable import Apply
from symtheano.interpret import conform
from symtheano.rewrites.engine import Rewriter

_ERRORS = {
    ErrorCode.SHAPE: ShapeError,
    ErrorCode.INDEX: BoundsError,
    ErrorCode.VALUE: ValueError,
}


@dataclass(eq=False)
class Compiled:
    """A compiled graph.

    Attributes
    ----------
    source
        Its C.
    lowered
        Its LoopIR program and the words of its checks.
    library
        The compiled file.
    times
        Seconds spent: ``lower``, ``print``, ``compile`` (or taking it from the cache), ``load``.
    """

    source: CSource
    lowered: Lowered
    library: Path
    times: dict[str, float]
    entry: CompiledEntry
    outputs: tuple[OutputSpec, ...]
    python: tuple[PythonOp, ...]
    threads: int

    def __call__(self, inputs: Sequence[np.ndarray[Any, Any]]) -> list[Any]:
        """Run on contiguous arrays of the graph's input types; return all outputs."""
        try:
            results = self.entry(inputs, self.outputs, self.python, self.threads)
        except EntryError as error:
            raise self.explain(error) from None
        hidden = len(self.lowered.hidden)
        return results[: len(results) - hidden] if hidden else results

    def explain(self, error: EntryError) -> Exception:
        """Return the error the user sees for one a check found."""
        if error.site < 0:
            return MemoryError(f"no workspace of {error.values[0]} bytes could be had")
        site = self.lowered.sites[error.site]
        kind = _ERRORS.get(error.code, ValueError)
        return kind(site.message(error.values[: site.count]))


def build(
    graph: FunctionGraph,
    rewriter: Rewriter,
    options: Options,
    donors: Sequence[int | None] = (),
    name: str = "function",
    title: str = "",
) -> Compiled:
    """Compile a rewritten graph.

    Raises
    ------
    NoCompilerError
        If this machine has no C compiler.
    CompileError
        If the compiler refuses the file: a defect of this package.
    """
    clock = _Clock()
    store = _cache(options.cache_dir)
    toolchain = find_toolchain(options.cc or None, directory=store.directory)
    lowered = lower(graph, rewriter, donors, name, title)
    clock.lap("lower")
    source = print_c(lowered.program, toolchain.vector_functions)
    clock.lap("print")
    library = store.obtain(source.text, toolchain)
    clock.lap("compile")
    table = _blas_table(options.blas, toolchain, store) if "blas" in source.text else None
    entry = CompiledEntry(library, source.entry, table, [_external(n) for n in source.externals])
    clock.lap("load")
    outputs = [
        OutputSpec(np.dtype(output.dtype), output.ndim, donor)
        for output, donor in zip(
            [*graph.outputs, *lowered.hidden],
            [*lowered.donors, *[None] * len(lowered.hidden)],
            strict=True,
        )
    ]
    python = tuple(_python_op(node) for node in lowered.python)
    return Compiled(
        source, lowered, library, clock.laps, entry, tuple(outputs), python,
        options.threads or _usable_threads(),
    )  # fmt: skip


class _Clock:
    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._start = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = now - self._start
        self._start = now


@cache
def _cache(directory: str) -> Cache:
    return Cache(Path(directory) if directory else None)


def _blas_table(choice: str, toolchain: Toolchain, store: Cache) -> Any:
    return blas.table(blas.find_blas(choice or None, toolchain, store))


def _usable_threads() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@cache
def _external(name: str) -> int:
    """Return the address of a C function of SciPy's."""
    import ctypes

    from scipy.special import cython_special

    capsule = cython_special.__pyx_capi__[name]
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(pointer_of(capsule, name_of(capsule)) or 0)


def _python_op(node: Apply) -> PythonOp:
    return PythonOp(
        partial(_perform, node),
        tuple(ArraySpec(np.dtype(item.dtype), item.ndim) for item in node.inputs),
        tuple(ArraySpec(np.dtype(item.dtype), item.ndim) for item in node.outputs),
    )


def _perform(node: Apply, *values: Any) -> list[Any]:
    cells: list[list[Any]] = [[None] for _ in node.outputs]
    node.op.perform(node, list(values), cells)
    return [conform(node, o, cell[0]) for o, cell in zip(node.outputs, cells, strict=True)]
