"""Optimizers of nodes that are described by patterns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.graph.variable import Apply, Constant, Variable

from .optimizers import LocalOptimizer

Unified = dict[str, Variable]
"""The variables that the names of a pattern stand for."""


class OpSub(LocalOptimizer):
    """Replaces an op by another one.

    Parameters
    ----------
    op1, op2
        The op, and the one that replaces it.
    transfer_tags
        Whether tags are kept.
    """

    reentrant = False
    retains_inputs = True

    def __init__(self, op1: Any, op2: Any, transfer_tags: bool = True) -> None:
        self.op1, self.op2, self.transfer_tags = op1, op2, transfer_tags

    def op_key(self) -> Any:
        """Return the op."""
        return self.op1

    def tracks(self) -> Sequence[Any]:
        """Return the op, in a list."""
        return [self.op1]

    def transform(self, node: Apply) -> Any:
        """Return the results of the other op, or False."""
        if node.op != self.op1:
            return False
        new = self.op2.make_node(*node.inputs)
        if self.transfer_tags:
            new._tag = node._tag
            for old, twin in zip(node.outputs, new.outputs, strict=True):
                twin._tag = old._tag
        return new.outputs

    def __str__(self) -> str:
        return f"{self.op1} -> {self.op2}"


class OpRemove(LocalOptimizer):
    """Replaces the results of an op by its inputs."""

    reentrant = False

    def __init__(self, op: Any) -> None:
        self.op = op

    def op_key(self) -> Any:
        """Return the op."""
        return self.op

    def tracks(self) -> Sequence[Any]:
        """Return the op, in a list."""
        return [self.op]

    def transform(self, node: Apply) -> Any:
        """Return the inputs, or False."""
        return list(node.inputs) if node.op == self.op else False

    def __str__(self) -> str:
        return f"{self.op}(x) -> x"

    def print_summary(self, stream: Any = None, level: int = 0, depth: int = -1) -> None:
        """Print what it is."""
        text = f"{' ' * level}{type(self).__name__}({self.op}) id={id(self)}"
        print(text, file=stream or sys.stdout)


class PatternSub(LocalOptimizer):
    """Replaces expressions that have the form of a pattern.

    A pattern is a tuple of an op and patterns of its inputs; a string, which stands for the same
    variable wherever it occurs; a number or a :class:`Constant`, for constants of this value; or a
    dict with a ``pattern`` and a ``constraint``, a function of the variable.

    Parameters
    ----------
    in_pattern, out_pattern
        The pattern, and what replaces it.
    allow_multiple_clients
        Whether values inside may also be used elsewhere.
    skip_identities_fn
        Function that returns the variable which a variable is equal to, or None.
    name
        A name.
    tracks, get_nodes
        Ops to track instead, and a function that returns the nodes to try for a node of these.
    values_eq_approx
        Function that compares values, for :class:`DebugMode`.
    """

    def __init__(
        self,
        in_pattern: Any,
        out_pattern: Any,
        allow_multiple_clients: bool = False,
        skip_identities_fn: Callable[[Variable], Variable | None] | None = None,
        name: str | None = None,
        pdb: bool = False,
        tracks: Sequence[Any] = (),
        get_nodes: Callable[[Apply], Sequence[Any]] | None = None,
        values_eq_approx: Any = None,
    ) -> None:
        whole = in_pattern["pattern"] if isinstance(in_pattern, dict) else in_pattern
        if not isinstance(whole, list | tuple):
            raise TypeError("PatternSub: the pattern must start with an op")
        if tracks and get_nodes is None:
            raise ValueError("PatternSub: tracks need get_nodes")
        self.in_pattern, self.out_pattern, self.op = in_pattern, out_pattern, whole[0]
        self.allow_multiple_clients = allow_multiple_clients
        self.skip_identities_fn, self.get_nodes = skip_identities_fn, get_nodes
        self.values_eq_approx, self._tracks = values_eq_approx, tracks
        if name:
            self.__name__ = name

    def op_key(self) -> Any:
        """Return the op with which the pattern starts."""
        return self.op

    def tracks(self) -> Sequence[Any]:
        """Return the ops to which it applies."""
        return self._tracks or [self.op]

    def transform(self, node: Apply, get_nodes: bool = True) -> Any:
        """Return what replaces the result of a node, or False."""
        if get_nodes and self.get_nodes is not None:
            for other in self.get_nodes(node):
                found: Any = False if other == "output" else self.transform(other, get_nodes=False)
                if found:
                    return dict(zip(other.outputs, found, strict=True))
        if node.op != self.op:
            return False
        unified = self._match(self.in_pattern, node.out, {}, True)
        if unified is None:
            return False
        result = _build(self.out_pattern, unified)
        if self.values_eq_approx:
            result.tag.values_eq_approx = self.values_eq_approx
        return [result]

    def _match(
        self, pattern: Any, variable: Variable, unified: Unified, shared: bool
    ) -> Unified | None:
        """Return what names stand for if a variable has the form of a pattern, else None."""
        found = self._match_here(pattern, variable, unified, shared)
        if found is None and self.skip_identities_fn is not None:
            equal = self.skip_identities_fn(variable)
            return None if not equal else self._match(pattern, equal, unified, shared)
        return found

    def _match_here(
        self, pattern: Any, variable: Variable, unified: Unified, shared: bool
    ) -> Unified | None:
        if isinstance(pattern, dict):
            if not pattern.get("constraint", lambda item: True)(variable):
                return None
            shared = pattern.get("allow_multiple_clients", shared)
            return self._match(pattern["pattern"], variable, unified, shared)
        if isinstance(pattern, str):
            return (
                {**unified, pattern: variable}
                if unified.get(pattern, variable) is variable
                else None
            )
        if isinstance(pattern, list | tuple):
            return self._match_node(pattern, variable, unified, shared)
        return unified if _is_constant(pattern, variable) else None

    def _match_node(
        self, pattern: Sequence[Any], variable: Variable, unified: Unified, shared: bool
    ) -> Unified | None:
        node: Any = variable.owner
        if node is None or node.op != pattern[0] or len(pattern) - 1 != len(node.inputs):
            return None
        if not shared and len(variable.__dict__.get("clients", ())) > 1:
            return None
        result: Unified | None = unified
        for part, item in zip(pattern[1:], node.inputs, strict=True):
            if result is None:
                return None
            result = self._match(part, item, result, self.allow_multiple_clients)
        return result

    def __str__(self) -> str:
        name = getattr(self, "__name__", None)
        return name or f"{_text(self.in_pattern)} -> {_text(self.out_pattern)}"

    __repr__ = __str__


def _is_constant(pattern: Any, variable: Variable) -> bool:
    """Return whether a variable is the constant, or has the number, of a pattern."""
    if not isinstance(variable, Constant):
        return False
    if isinstance(pattern, Constant):
        return pattern.type == variable.type and bool(
            np.array_equal(np.asarray(pattern.data), np.asarray(variable.data))
        )
    return isinstance(pattern, int | float) and bool(np.all(pattern == variable.data))


def _build(pattern: Any, unified: Unified) -> Any:
    """Return the expression that a pattern describes."""
    if isinstance(pattern, list | tuple):
        return pattern[0](*(_build(part, unified) for part in pattern[1:]))
    if isinstance(pattern, str):
        return unified[pattern]
    return pattern if isinstance(pattern, int | float) else pattern.clone()


def _text(pattern: Any) -> str:
    if isinstance(pattern, list | tuple):
        return f"{pattern[0]}({', '.join(map(_text, pattern[1:]))})"
    if isinstance(pattern, dict):
        constraint = pattern.get("constraint", "no conditions")
        return f"{_text(pattern['pattern'])} subject to {constraint}"
    return str(pattern)
