"""Thunks: functions without arguments that compute a node, from values in lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano.compat.ccode import text
from symtheano.compat.ccode.build import compiled_node
from symtheano.graph.variable import Apply

from .graph import NoParams, run_params
from .utils import MethodNotDefined

Maps = dict[Any, list[Any]]

if MethodNotDefined not in text.MISSING:
    text.MISSING.append(MethodNotDefined)


class _Runner:
    """A thunk of a node, and the lists of its values."""

    def __init__(self, node: Apply) -> None:
        variables = [*node.inputs, *node.outputs]
        self.storage: Maps = {item: [None] for item in variables}
        self.computed: Maps = {item: [True] for item in node.inputs}
        self.computed.update((item, [False]) for item in node.outputs)
        self.thunk: Callable[[], Any] = node.op.make_thunk(node, self.storage, self.computed, [])
        self._inputs = [self.storage[item] for item in node.inputs]
        self._outputs = [self.storage[item] for item in node.outputs]

    def run(self, values: list[Any], cells: list[list[Any]]) -> None:
        """Compute the node: values in, results into the cells."""
        for place, value in zip(self._inputs, values, strict=True):
            place[0] = value
        try:
            # A lazy op tells which of its inputs it needs; all are there.
            while self.thunk():
                pass
            for cell, place in zip(cells, self._outputs, strict=True):
                cell[0] = place[0]
        finally:
            for place in (*self._inputs, *self._outputs):
                place[0] = None


def run(node: Apply, values: list[Any], cells: list[list[Any]]) -> None:
    """Compute a node: with a thunk that no other thread uses, or a new one."""
    free: list[_Runner] = node.__dict__.setdefault("_runners", [])
    try:
        runner = free.pop()
    except IndexError:
        runner = _Runner(node)
    try:
        runner.run(values, cells)
    finally:
        free.append(runner)


def python_thunk(node: Apply, storage_map: Maps, compute_map: Maps) -> Callable[[], Any]:
    """Return the thunk that runs ``perform``."""
    inputs = [storage_map[item] for item in node.inputs]
    outputs = [storage_map[item] for item in node.outputs]
    perform: Any = node.op.perform
    params = run_params(node)
    more = () if params is NoParams else (node.op.params_type.filter(params),)

    def thunk() -> Any:
        result = perform(node, [item[0] for item in inputs], outputs, *more)
        for item in node.outputs:
            compute_map[item][0] = True
        return result

    return _described(thunk, inputs, outputs, perform=perform)


def c_thunk(node: Apply, storage_map: Maps, compute_map: Maps) -> Callable[[], Any]:
    """Return the thunk that runs the C code of a node.

    Raises
    ------
    MethodNotDefined, NotImplementedError
        If there is none.
    CompileError
        If the compiler rejects it.
    """
    params = run_params(node)
    pair = None
    if params is not NoParams:
        kind: Any = node.op.params_type
        pair = (kind, kind.filter(params))
    written = text.node_text(node, pair)
    half = any(
        getattr(item.type, "dtype", "") == "float16" for item in (*node.inputs, *node.outputs)
    )
    if half and not getattr(node.op, "_f16_ok", False):
        raise NotImplementedError(f"{node.op}: C code is not used for float16")
    module = compiled_node(node, written)
    inputs = [storage_map[item] for item in node.inputs]
    outputs = [storage_map[item] for item in node.outputs]
    lists = [*(storage_map[item] for item in dict.fromkeys(node.inputs)), *outputs]
    lists += [] if pair is None else [[pair[1]]]
    capsule = module.make(tuple(lists), text.label_of(node))

    def thunk() -> None:
        module.run(capsule)
        for item in node.outputs:
            compute_map[item][0] = True

    return _described(thunk, inputs, outputs, cthunk=capsule)


def _described(thunk: Any, inputs: Any, outputs: Any, **parts: Any) -> Callable[[], Any]:
    """Return a thunk with the attributes that programs read."""
    thunk.inputs, thunk.outputs, thunk.lazy = inputs, outputs, False
    for name, value in parts.items():
        setattr(thunk, name, value)
    result: Callable[[], Any] = thunk
    return result
