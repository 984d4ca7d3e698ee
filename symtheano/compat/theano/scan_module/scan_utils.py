"""``theano.scan_module.scan_utils``."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from copy import copy, deepcopy
from typing import Any

import numpy as np

from symtheano import Constant, Variable, clone, config
from symtheano.errors import NotScalarConstantError
from symtheano.graph.walk import toposort as _toposort
from symtheano.loops.step import until
from symtheano.tensor import (
    AllocEmpty,
    as_tensor_variable,
    get_scalar_constant_value,
    set_subtensor,
)


def safe_new(x: Any, tag: str = "", dtype: Any = None) -> Any:
    """Return a new variable of the same type, whose name has an addition.

    Constants are copied. Test values are copied if they are computed.
    """
    if isinstance(x, Constant):
        return x.astype(dtype) if dtype and x.dtype != dtype else x.clone()
    x = x if isinstance(x, Variable) else as_tensor_variable(x)
    name = None if x.name is None else x.name + tag
    if dtype and x.dtype != dtype:
        x = x.astype(dtype)
    new = x.type()
    new.name = name
    if config.compute_test_value != "off" and hasattr(x.tag, "test_value"):
        new.tag.test_value = deepcopy(x.tag.test_value)
    return new


def isNaN_or_Inf_or_None(x: Any) -> bool:
    """Return whether a number, or a constant, is NaN, infinite or None."""
    if x is None:
        return True
    try:
        return not np.isfinite(get_scalar_constant_value(x))
    except (NotScalarConstantError, TypeError, ValueError):
        return False


def expand_empty(tensor_var: Any, size: Any) -> Any:
    """Return an array with more items along the first axis, whose values are arbitrary."""
    if isinstance(size, int) and size == 0:
        return tensor_var
    shape = [tensor_var.shape[axis] for axis in range(tensor_var.ndim)]
    empty = AllocEmpty(tensor_var.dtype)(size + shape[0], *shape[1:])
    return set_subtensor(empty[: shape[0]], tensor_var)


def equal_computations(
    xs: Sequence[Any], ys: Sequence[Any], in_xs: Any = None, in_ys: Any = None
) -> bool:
    """Return whether two lists of variables are computed in the same way.

    Parameters
    ----------
    xs, ys
        The variables.
    in_xs, in_ys
        Inputs of both, which correspond to each other.
    """
    if len(xs) != len(ys) or len(in_xs or ()) != len(in_ys or ()):
        raise ValueError("equal_computations: the lists have different lengths")
    same: dict[Any, Any] = dict(zip(in_ys or (), in_xs or (), strict=True))
    if any(x.type != y.type for x, y in zip(xs, ys, strict=True)):
        return False
    pairs = list(zip(xs, ys, strict=True))
    seen: set[tuple[int, int]] = set()
    while pairs:
        x, y = pairs.pop()
        if (id(x), id(y)) in seen or same.get(y, y) is x:
            continue
        seen.add((id(x), id(y)))
        if isinstance(x, Constant) and isinstance(y, Constant):
            if x.signature() != y.signature():
                return False
            continue
        if x.owner is None or y.owner is None or x.index != y.index or y in same:
            return False
        if x.owner.op != y.owner.op or len(x.owner.inputs) != len(y.owner.inputs):
            return False
        pairs += zip(x.owner.inputs, y.owner.inputs, strict=True)
    return True


def map_variables(
    replacer: Callable[[Any], Any], graphs: Sequence[Any], **options: Any
) -> list[Any]:
    """Return expressions in which a function has replaced variables, from the inputs on.

    Parameters
    ----------
    replacer
        Function of a variable, which returns it or another one.
    graphs
        The expressions.
    """
    new: dict[Any, Any] = {}

    def current(variable: Any) -> Any:
        if variable not in new:
            new[variable] = replacer(variable)
        return new[variable]

    for node in _toposort(graphs):
        inputs = [current(item) for item in node.inputs]
        changed = any(a is not b for a, b in zip(inputs, node.inputs, strict=True))
        twin = node.clone_with_new_inputs(inputs) if changed else node
        for old, copied in zip(node.outputs, twin.outputs, strict=True):
            new[old] = replacer(copied)
    return [current(variable) for variable in graphs]


def _is_outputs(item: Any) -> bool:
    several = isinstance(item, list | tuple) and all(isinstance(x, Variable) for x in item)
    return several or isinstance(item, Variable)


def _is_updates(item: Any) -> bool:
    pairs = isinstance(item, list | tuple) and all(
        isinstance(x, list | tuple) and len(x) == 2 for x in item
    )
    return pairs or isinstance(item, Mapping)


def get_updates_and_outputs(ls: Any) -> tuple[Any, list[Any], OrderedDict[Any, Any]]:
    """Return condition, outputs and updates of what the function of a loop returned.

    Raises
    ------
    ValueError
        If they have another order.
    """
    if _is_outputs(ls):
        return None, list(ls) if isinstance(ls, list | tuple) else [ls], OrderedDict()
    if _is_updates(ls):
        return None, [], OrderedDict(ls)
    condition, outputs, updates = None, [], OrderedDict()
    rest = list(ls) if isinstance(ls, list | tuple) else [ls]
    if rest and _is_outputs(rest[0]):
        first = rest.pop(0)
        outputs = list(first) if isinstance(first, list | tuple) else [first]
    if rest and _is_updates(rest[0]):
        updates = OrderedDict(rest.pop(0))
    if rest and isinstance(rest[0], until):
        condition = rest.pop(0).condition
    if rest:
        raise ValueError(
            f"scan: the function of a loop returned {ls}; return outputs, then updates, then until"
        )
    return condition, outputs, updates


def hash_listsDictsTuples(x: Any) -> int:
    """Return a hash of nested lists, dicts and tuples."""
    if isinstance(x, dict):
        return hash_listsDictsTuples([item for pair in x.items() for item in pair])
    if isinstance(x, list | tuple):
        total = 0
        for item in x:
            total ^= hash_listsDictsTuples(item)
        return total
    return hash(x)


def traverse(
    out: Any, x: Any, x_copy: Any, d: dict[Any, Any], visited: Any = None
) -> dict[Any, Any]:
    """Return ``d``: Theano adds what is moved to a GPU, and nothing is."""
    return d


def reconstruct_graph(
    inputs: Sequence[Any], outputs: Sequence[Any], tag: str = ""
) -> tuple[list[Any], list[Any]]:
    """Return new inputs, and the outputs computed from them."""
    new = [safe_new(item, tag) for item in inputs]
    pairs = dict(zip(inputs, new, strict=True))
    return new, [clone(output, replace=pairs) for output in outputs]
