"""Nodes that PyTensor computes itself, in Python, when the compiled function calls them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import Apply, Op, sparse
from symtheano_pytensor.objects import number_of, object_of
from symtheano_pytensor.values import converted_type, is_dense, is_number, is_sparse


class FallbackWarning(UserWarning):
    """An op of a graph has no converter, so its nodes run in Python."""


_warned: ContextVar[set[str] | None] = ContextVar("_warned", default=None)


@contextmanager
def one_warning_each() -> Iterator[set[str]]:
    """Warn once of each op in here, and provide the names of these ops."""
    told: set[str] = set()
    token = _warned.set(told)
    try:
        yield told
    finally:
        _warned.reset(token)


def warn_about(node: Any, reason: object = None) -> None:
    """Warn that PyTensor computes a node, unless the function has such a node already."""
    told: set[str] | None = _warned.get()
    if told is not None:
        if str(node.op) in told:
            return
        told.add(str(node.op))
    why = f": {reason}" if reason is not None and str(reason) else ""
    warnings.warn(
        f"symtheano has no code for {node.op}, so PyTensor computes it in Python{why}",
        FallbackWarning,
        stacklevel=2,
    )


class PyTensorNode(Op):
    """A node of PyTensor, computed by its own function in Python.

    Parameters
    ----------
    node
        The node. Inputs that are None or slices are part of the op.
    """

    def __init__(self, node: Any) -> None:
        self.node = node
        self.fixed = tuple(
            isinstance(getattr(item, "data", 0), slice | None) for item in node.inputs
        )

    def _key(self) -> tuple[Any, ...]:
        inputs = self.node.inputs
        fixed = tuple(
            repr(item) for item, is_fixed in zip(inputs, self.fixed, strict=True) if is_fixed
        )
        return self.node.op, tuple(item.type for item in inputs), fixed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PyTensorNode) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((type(self.node.op), len(self.node.inputs)))

    def __str__(self) -> str:
        return f"PyTensorNode{{{self.node.op}}}"

    def make_node(self, *inputs: Any) -> Apply:
        """Apply to variables for the inputs that are not fixed."""
        kinds = [kind for out in self.node.outputs for kind in _parts(out.type)]
        return Apply(self, list(inputs), [kind() for kind in kinds])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Call PyTensor's function."""
        values = iter(inputs)
        arguments = [
            item.data if fixed else _given(item.type, values)
            for item, fixed in zip(self.node.inputs, self.fixed, strict=True)
        ]
        returned = [
            part
            for value, out in zip(self._run(arguments), self.node.outputs, strict=True)
            for part in _returned(out.type, value)
        ]
        for cell, part in zip(output_storage, returned, strict=True):
            cell[0] = part

    def _run(self, arguments: list[Any]) -> list[Any]:
        storage = {item: [None] for item in (*self.node.inputs, *self.node.outputs)}
        compute = {item: [item in self.node.inputs] for item in storage}
        thunk = self.node.op.make_thunk(self.node, storage, compute, [], "py")
        for item, value in zip(self.node.inputs, arguments, strict=True):
            storage[item][0] = value
        thunk()
        return [storage[item][0] for item in self.node.outputs]


def _parts(kind: Any) -> list[Any]:
    """Return the types of the arrays that stand for a value: the components of a sparse matrix."""
    if not is_sparse(kind):
        return [converted_type(kind)]
    integers = T.TensorType("int32", (None,))
    return [T.TensorType(kind.dtype, (None,)), integers, integers, T.TensorType("int32", (2,))]


def _given(kind: Any, values: Iterator[Any]) -> Any:
    """Return a value as PyTensor's functions expect it; arrays are copies they may change."""
    if is_sparse(kind):
        data, indices, indptr, shape = (np.array(next(values)) for _ in range(4))
        make = scipy_sparse().csr_matrix if kind.format == "csr" else scipy_sparse().csc_matrix
        return make((data, indices, indptr), tuple(shape))
    value = next(values)
    if not is_dense(kind):
        return object_of(value)
    return value[()] if is_number(kind) else np.array(value)


def _returned(kind: Any, value: Any) -> list[Any]:
    if is_sparse(kind):
        parts = (value.indices, value.indptr, value.shape)
        return [np.asarray(value.data, kind.dtype), *(np.asarray(part, "int32") for part in parts)]
    return [np.asarray(value, kind.dtype) if is_dense(kind) else number_of(value)]


def scipy_sparse() -> Any:
    """Return SciPy's module of sparse matrices, which takes time to import."""
    import scipy.sparse

    return scipy.sparse


def run_in_python(node: Any, operands: Sequence[Any]) -> list[Any]:
    """Return the results of a node that PyTensor computes."""
    op = PyTensorNode(node)
    variables: list[Any] = []
    for old, item, fixed in zip(node.inputs, operands, op.fixed, strict=True):
        if not fixed:
            variables += sparse.csm_properties(item) if is_sparse(old.type) else [item]
    results = iter(op.make_node(*variables).outputs)
    return [_whole(out.type, results) for out in node.outputs]


def _whole(kind: Any, results: Iterator[Any]) -> Any:
    if not is_sparse(kind):
        return next(results)
    make = sparse.CSR if kind.format == "csr" else sparse.CSC
    return make(*(next(results) for _ in range(4)))
