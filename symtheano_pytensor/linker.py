"""The linker: PyTensor's graphs become functions of symtheano."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytensor.link.basic import JITLinker

import symtheano
from symtheano_pytensor.graph import convert_graph, input_for
from symtheano_pytensor.objects import number_of, object_of, table_of_call
from symtheano_pytensor.values import is_dense


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
        inputs = [input_for(item) for item in fgraph.inputs]
        outputs = convert_graph(fgraph, inputs)
        return symtheano.function(inputs, outputs, on_unused_input="ignore", name=fgraph.name)

    def jit_compile(self, fn: Any) -> Callable[..., Any]:
        """Return a function of PyTensor's values."""
        fn.trust_input = True
        arrays = all(is_dense(item.type) for item in (*self.fgraph.inputs, *self.fgraph.outputs))
        return fn if arrays and not _uses_objects(fn) else _with_objects(fn, self.fgraph)

    def create_thunk_inputs(self, storage_map: Any) -> list[Any]:
        """Return the storage of the inputs."""
        return [storage_map[item] for item in self.fgraph.inputs]


def _uses_objects(fn: Any) -> bool:
    return True


def _with_objects(fn: Callable[..., Any], fgraph: Any) -> Callable[..., Any]:
    """Return the function with numbers in place of objects that are not arrays."""
    objects_in = [not is_dense(item.type) for item in fgraph.inputs]
    objects_out = [not is_dense(item.type) for item in fgraph.outputs]

    def call(*values: Any) -> list[Any]:
        with table_of_call():
            arguments = [
                number_of(value) if is_object else value
                for value, is_object in zip(values, objects_in, strict=True)
            ]
            results = fn(*arguments)
            return [
                object_of(value) if is_object else value
                for value, is_object in zip(results, objects_out, strict=True)
            ]

    return call
