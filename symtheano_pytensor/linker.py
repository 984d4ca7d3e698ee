"""The linker: PyTensor's graphs become functions of symtheano."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytensor.link.basic import JITLinker

import symtheano
from symtheano_pytensor.fallback import one_warning_each
from symtheano_pytensor.functions import function_to_copy
from symtheano_pytensor.graph import convert_graph, input_for
from symtheano_pytensor.objects import number_of, object_of, table_of_call
from symtheano_pytensor.values import is_object


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

    def fgraph_convert(self, fgraph: Any, **options: Any) -> Any:
        """Return the compiled function of a graph."""
        copied = function_to_copy()
        if copied is not None:
            return copied
        inputs = [input_for(item) for item in fgraph.inputs]
        with one_warning_each():
            outputs = convert_graph(fgraph, inputs)
        return symtheano.function(inputs, outputs, on_unused_input="ignore", name=fgraph.name)

    def jit_compile(self, fn: Any) -> Callable[..., Any]:
        """Return a function of PyTensor's values."""
        if not isinstance(fn, symtheano.Function):  # of a function that is copied
            return fn  # type: ignore[no-any-return]
        fn.trust_input = True
        return _with_objects(fn, self.fgraph) if passes_objects(self.fgraph) else fn

    def create_thunk_inputs(self, storage_map: Any) -> list[Any]:
        """Return the storage of the inputs."""
        return [storage_map[item] for item in self.fgraph.inputs]


def passes_objects(fgraph: Any) -> bool:
    """Return whether a graph has values that are not arrays."""
    variables = (item for node in fgraph.apply_nodes for item in (*node.inputs, *node.outputs))
    return any(
        is_object(item.type) and not isinstance(getattr(item, "data", 0), slice | None)
        for item in (*fgraph.inputs, *fgraph.outputs, *variables)
    )


def _with_objects(fn: Callable[..., Any], fgraph: Any) -> Callable[..., Any]:
    """Return the function with numbers in place of objects that are not arrays."""
    objects_in = [is_object(item.type) for item in fgraph.inputs]
    objects_out = [is_object(item.type) for item in fgraph.outputs]

    def call(*values: Any) -> list[Any]:
        with table_of_call():
            arguments = [
                number_of(value) if numbered else value
                for value, numbered in zip(values, objects_in, strict=True)
            ]
            results = fn(*arguments)
            return [
                object_of(value) if numbered else value
                for value, numbered in zip(results, objects_out, strict=True)
            ]

    return call
