"""The linker: PyTensor's graphs become functions of symtheano."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from pytensor.link.basic import JITLinker

import symtheano
from symtheano_pytensor.fallback import one_warning_each
from symtheano_pytensor.functions import function_to_copy
from symtheano_pytensor.graph import convert_graph, input_for
from symtheano_pytensor.objects import number_of, object_of, table_of_call
from symtheano_pytensor.stored import Stored, remember
from symtheano_pytensor.values import is_number, is_object


class SymtheanoLinker(JITLinker):  # type: ignore[misc]
    """Compiles a whole graph of PyTensor to one function of symtheano."""

    required_rewrites = ("minimum_compile",)
    incompatible_rewrites = (
        "cxx_only",
        "BlasOpt",
        "fusion",
        "inplace",
        "local_careduce_fusion",
        "scan_save_mem",
        "scan_save_mem_prealloc",
        "scan_reduce_trace",
        "scan_reduce_trace_prealloc",
    )

    stored: Stored | None = None
    """The converted graph, if it is known."""

    key: str | None = None
    """The key with which the converted graph is stored."""

    def fgraph_convert(self, fgraph: Any, **options: Any) -> Any:
        """Return the compiled function of a graph."""
        copied = function_to_copy()
        if copied is not None:
            return copied
        inputs, outputs = self.stored or self._converted(fgraph)
        return symtheano.function(inputs, outputs, on_unused_input="ignore", name=fgraph.name)

    def _converted(self, fgraph: Any) -> Stored:
        """Convert a graph, and store the result if it has no objects of this process."""
        inputs = [input_for(item) for item in fgraph.inputs]
        with one_warning_each() as told:
            outputs = convert_graph(fgraph, inputs)
        if self.key is not None and not told and not needs_python(fgraph):
            remember(self.key, inputs, outputs)
        return Stored(inputs, outputs)

    def jit_compile(self, fn: Any) -> Callable[..., Any]:
        """Return a function of PyTensor's values."""
        if not isinstance(fn, symtheano.Function):  # of a function that is copied
            return fn  # type: ignore[no-any-return]
        fn.trust_input = True
        # Graphs that need Python are not stored.
        adapts = self.stored is None and needs_python(self.fgraph)
        return _adapted(fn, self.fgraph) if adapts else fn

    def create_thunk_inputs(self, storage_map: Any) -> list[Any]:
        """Return the storage of the inputs."""
        return [storage_map[item] for item in self.fgraph.inputs]


def needs_python(fgraph: Any) -> bool:
    """Return whether calls pass numbers or objects, or ops in Python have objects."""
    inside = (item for node in fgraph.apply_nodes for item in (*node.inputs, *node.outputs))
    ends = [item.type for item in (*fgraph.inputs, *fgraph.outputs)]
    return any(is_object(kind) or is_number(kind) for kind in ends) or any(
        is_object(item.type) and not isinstance(getattr(item, "data", 0), slice | None)
        for item in inside
    )


def _adapted(fn: Callable[..., Any], fgraph: Any) -> Callable[..., Any]:
    """Return the function with arrays in place of NumPy's numbers and of objects."""
    entering = [_entering(item.type) for item in fgraph.inputs]
    leaving = [_leaving(item.type) for item in fgraph.outputs]

    def call(*values: Any) -> list[Any]:
        with table_of_call():
            pairs = zip(values, entering, strict=True)
            results = fn(*(value if change is None else change(value) for value, change in pairs))
            pairs = zip(results, leaving, strict=True)
            return [value if change is None else change(value) for value, change in pairs]

    return call


def _entering(kind: Any) -> Callable[[Any], Any] | None:
    """Return how a value of a type becomes an array; None for arrays."""
    if is_object(kind):
        return number_of
    return partial(np.asarray, dtype=kind.dtype) if is_number(kind) else None


def _leaving(kind: Any) -> Callable[[Any], Any] | None:
    """Return how an array becomes a value of a type; None for arrays."""
    if is_object(kind):
        return object_of
    return itemgetter(()) if is_number(kind) else None
