"""Conversion of PyTensor's graphs to symtheano's variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano_pytensor.fallback import run_in_python, warn_about
from symtheano_pytensor.registry import converter_of
from symtheano_pytensor.values import converted_constant, converted_type, fitted

__all__ = ["convert_graph", "convert_node", "input_for"]


def input_for(variable: Any) -> Any:
    """Return a new symtheano variable for an input of a PyTensor graph."""
    return converted_type(variable.type)(name=variable.name)


def convert_graph(fgraph: Any, inputs: Sequence[Any]) -> list[Any]:
    """Return the outputs of a PyTensor graph as symtheano variables.

    Parameters
    ----------
    fgraph
        A ``FunctionGraph`` of PyTensor, which is not changed.
    inputs
        Symtheano variables for its inputs.

    Raises
    ------
    NotImplementedError
        If an output cannot be represented.
    """
    memo: dict[Any, Any] = {
        old: fitted(new, old.type) if new is not None else None
        for old, new in zip(fgraph.inputs, inputs, strict=True)
    }
    for node in fgraph.toposort():
        operands = [_operand(item, memo) for item in node.inputs]
        memo.update(zip(node.outputs, convert_node(node, operands), strict=True))
    return [_operand(item, memo) for item in fgraph.outputs]


def convert_node(node: Any, operands: Sequence[Any]) -> list[Any]:
    """Return what a PyTensor node computes from symtheano variables."""
    converter = converter_of(node.op)
    if converter is None:
        warn_about(node)
        return run_in_python(node, operands)
    try:
        results = converter(node.op, node, *operands)
    except (NotImplementedError, TypeError) as reason:  # a TypeError for dtypes
        warn_about(node, reason)
        return run_in_python(node, operands)
    listed = list(results) if isinstance(results, list | tuple) else [results]
    return [fitted(new, old.type) if new is not None else None
            for new, old in zip(listed, node.outputs, strict=True)]  # fmt: skip


def _operand(variable: Any, memo: dict[Any, Any]) -> Any:
    if variable in memo:
        return memo[variable]
    if not hasattr(variable, "data"):
        raise NotImplementedError(f"{variable} is neither an input, a constant nor computed")
    value = memo[variable] = converted_constant(variable)
    return value
