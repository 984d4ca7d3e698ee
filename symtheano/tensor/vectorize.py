"""Conversion of expressions to batches: vectorize_graph, vectorize.

A graph is traversed once; each node whose operands have batch axes is replaced by nodes that
compute the whole batch. Batch axes are aligned to the right and broadcast if their length is known
to be 1, as in NumPy's universal functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.eager import quietly
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.batches import Batch, pad
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.static_shape import SpecifyShape


@quietly
def vectorize_graph(outputs: Any, replace: Mapping[Any, Any]) -> Any:
    """Return expressions computed for batches of some of their variables.

    Parameters
    ----------
    outputs
        A variable, or a list or tuple of them.
    replace
        Replacements of variables of the graph: arrays with any number of batch axes in front. Batch
        axes of known length 1 are broadcast.

    Returns
    -------
    The values of ``outputs`` for each item of the batch, with batch axes in front, in the form of
    ``outputs``. Expressions that do not depend on a replaced variable have no batch axes.

    Raises
    ------
    NotImplementedError
        If an op does not support batches, or its results would differ in shape from item to item.
        The message names the op.
    ValueError
        If a replacement has fewer dimensions than its variable.

    Examples
    --------
    >>> x = T.vector("x")
    >>> y = T.exp(x) / T.exp(x).sum()
    >>> xs = T.matrix("xs")
    >>> vectorize_graph(y, {x: xs}).eval({xs: [[0.0, 0.0], [1.0, 1.0]]})
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    roots = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
    memo: dict[Variable, Any] = {old: _replacement(old, new) for old, new in replace.items()}
    replaced = set(memo)
    nodes = toposort(roots, replaced)
    items = (item for node in nodes for item in (*node.inputs, *node.outputs))
    sparse: Any = next(filter(_is_sparse, items), None)
    if sparse is not None:
        # Only the components of sparse matrices, which are dense, can have batch axes.
        roots = sparse.open_graph(roots, replaced)
        nodes = toposort(roots, replaced)
    for node in nodes:
        inputs = [memo.get(item, item) for item in node.inputs]
        if all(new is old for new, old in zip(inputs, node.inputs, strict=True)):
            continue
        if _same_dims(node.inputs, inputs):
            batched = node.clone_with_new_inputs(inputs).outputs
        else:
            with origin_scope(node.origin):
                batched = vectorize_node(node, inputs)
        for old, new in zip(node.outputs, batched, strict=True):
            memo.setdefault(old, new)
    results = [memo.get(item, item) for item in roots]
    if isinstance(outputs, tuple):
        return tuple(results)
    return results if isinstance(outputs, list) else results[0]


def _is_sparse(variable: Any) -> bool:
    return isinstance(getattr(variable, "format", None), str)


def _same_dims(old: Sequence[Any], new: Sequence[Any]) -> bool:
    return all(
        getattr(a, "ndim", None) == getattr(b, "ndim", None) for a, b in zip(old, new, strict=True)
    )


def _replacement(old: Any, value: Any) -> Any:
    """Return the replacement of a variable, with the known lengths of the variable."""
    new = as_tensor_variable(value)
    extra = new.ndim - old.ndim
    if extra < 0:
        raise ValueError(
            build_message(
                f"vectorize_graph: a replacement has {new.ndim} dims, its variable {old.ndim}",
                old,
                new,
                hint="batch axes come in front of the variable's own",
            )
        )
    if new.dtype != old.dtype:
        raise TypeError(
            build_message(
                f"vectorize_graph: a replacement is {new.dtype}, but its variable is {old.dtype}",
                old,
                new,
                hint="cast it",
            )
        )
    mine, wanted = new.type.shape[extra:], old.type.shape
    missing = [a is None and b is not None for a, b in zip(mine, wanted, strict=True)]
    if not any(missing):
        return new
    lengths = [b if flag else None for b, flag in zip(wanted, missing, strict=True)]
    return SpecifyShape((*[None] * extra, *lengths))(new)


_NAMES = r"\(\s*(?:\w+(?:\s*,\s*\w+)*)?\s*\)"
_SIGNATURE = re.compile(rf"\s*{_NAMES}(?:\s*,\s*{_NAMES})*\s*->\s*{_NAMES}(?:\s*,\s*{_NAMES})*\s*")


def parse_signature(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """Return the names of the core dimensions of inputs and outputs.

    Raises
    ------
    ValueError
        If it does not have NumPy's form.

    Examples
    --------
    >>> parse_signature("(m,n),(n)->(m)")
    ([('m', 'n'), ('n',)], [('m',)])
    """
    if not _SIGNATURE.fullmatch(signature):
        raise ValueError(
            build_message(
                f"vectorize: {signature!r} is not a signature",
                hint="write core dims as in '(m,n),(n)->(m)'; '()' means a number",
            )
        )
    left, right = (
        [tuple(re.findall(r"\w+", part)) for part in re.findall(_NAMES, side)]
        for side in signature.split("->")
    )
    return left, right


def vectorize(func: Callable[..., Any], signature: str | None = None) -> Callable[..., Any]:
    """Return a function of batches for a function of single arrays.

    Parameters
    ----------
    func
        Function of symbolic arrays that returns one symbolic array, or a list or tuple of them.
    signature
        Core dimensions of inputs and outputs in NumPy's notation: ``"(m,n),(n)->(m)"``. By default,
        arguments and results are scalars.

    Returns
    -------
    A function of symbolic arrays or of values that can be converted. They may have any number of
    batch axes in front of the core dimensions.

    Raises
    ------
    NotImplementedError
        When the returned function is called, if an op does not support batches.
    ValueError
        If the signature is malformed, or operands or results do not have the dimensions in the
        signature.

    Examples
    --------
    >>> product = vectorize(T.dot, "(m,n),(n)->(m)")
    >>> product(T.tensor3("A"), T.matrix("b")).type
    TensorType(float64, matrix)
    """
    dimensions = parse_signature(signature) if signature is not None else None

    @quietly
    def vectorized(*args: Any) -> Any:
        operands = [as_tensor_variable(item) for item in args]
        cores, wanted = dimensions or ([()] * len(operands), None)
        _check_operands(operands, cores)
        inner = [
            item.type.clone(shape=item.type.shape[item.ndim - len(core) :]).make_variable()
            for item, core in zip(operands, cores, strict=True)
        ]
        returned = func(*inner)
        several = isinstance(returned, list | tuple)
        listed = [as_tensor_variable(item) for item in (returned if several else [returned])]
        _check_results(listed, wanted if wanted is not None else [()] * len(listed))
        replaced = vectorize_graph(listed, dict(zip(inner, operands, strict=True)))
        fronts = Batch(inner, operands)
        results = [_with_batch(r, core, fronts) for r, core in zip(replaced, listed, strict=True)]
        return type(returned)(results) if several else results[0]

    return vectorized


def _with_batch(result: Any, core: Any, batch: Batch) -> Any:
    """Return a result with all batch axes, even if it does not depend on all operands."""
    if batch.ndim == 0:
        return result
    missing = batch.ndim - (result.ndim - core.ndim)
    return batch.spread(pad(result, missing) if missing else result)


def _check_operands(operands: Sequence[Any], cores: Sequence[tuple[str, ...]]) -> None:
    if len(operands) != len(cores):
        raise ValueError(
            build_message(f"vectorize: {len(operands)} operands, but {len(cores)} in the signature")
        )
    lengths: dict[str, int] = {}
    for item, core in zip(operands, cores, strict=True):
        if item.ndim < len(core):
            raise ValueError(
                build_message(
                    f"vectorize: an operand has {item.ndim} dims, but the signature has "
                    f"({','.join(core)})",
                    item,
                )
            )
        for name, length in zip(core, item.type.shape[item.ndim - len(core) :], strict=True):
            if length is not None and lengths.setdefault(name, length) != length:
                raise ValueError(
                    build_message(
                        f"vectorize: core dim {name} has length {length} and {lengths[name]}",
                        *operands,
                    )
                )


def _check_results(results: Sequence[Any], cores: Sequence[tuple[str, ...]]) -> None:
    if len(results) != len(cores):
        raise ValueError(
            build_message(f"vectorize: {len(results)} results, but {len(cores)} in the signature")
        )
    for item, core in zip(results, cores, strict=True):
        if item.ndim != len(core):
            raise ValueError(
                build_message(
                    f"vectorize: a result has {item.ndim} dims, but the signature has "
                    f"({','.join(core)})",
                    item,
                    hint="give the signature of what the function returns",
                )
            )


def vectorize_node(node: Apply, inputs: Sequence[Any]) -> list[Any]:
    """Return a node's outputs for operands, some of which have batch axes in front.

    Raises
    ------
    NotImplementedError
        If its op does not support batches; the message names it.
    """
    op: Any = node.op
    batch = Batch(node.inputs, inputs)
    if not all(hasattr(item, "ndim") for item in (*inputs, *node.outputs)):
        batch.refuse(node, "it has inputs or outputs that are not arrays")
    returned = op.vectorize(node, batch)
    outputs = list(returned) if isinstance(returned, list | tuple) else [returned]
    if len(outputs) != len(node.outputs):
        raise ValueError(
            format_error(
                f"{node.op}: vectorize returned {len(outputs)} for {len(node.outputs)} outputs",
                places=[node.origin],
            )
        )
    return outputs
