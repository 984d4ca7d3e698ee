"""Groups of small arrays of static shape, and the scalars that take their place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import prod

from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.unrolled_elements import (
    PRODUCTS,
    Writer,
    is_arranged,
    is_known,
    multiplications,
)
from symtheano.rewrites.unrolled_matrices import is_decomposed
from symtheano.rewrites.unrolled_terms import Elements, Terms
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import MakeVector, as_dims
from symtheano.tensor.variable import Tensor

# The largest array that is read: from about 6 x 6 on, loops of static length are as fast.
_READ = 64
# The largest array that is computed, and of whose elements most are zeros or not computed, such as
# derivatives of matrices.
_COMPUTED = 256
# The largest number of multiplications of a product, zeros included, and not.
_CONSIDERED = 4096
_MULTIPLICATIONS = 216
# The largest number of results of a function such as exp: loops compute several at a time.
_FUNCTIONS = 16
_COSTLY = 8
# The largest number of operations of all unrolled arrays of a graph. A thousand take a second to
# compile.
_OPERATIONS = 3000


def groups_as_scalars(
    nodes: Sequence[Apply], outputs: Collection[Variable]
) -> Mapping[Variable, Variable]:
    """Return what others read of groups of small arrays, made of scalars."""
    if not any(map(_is_start, nodes)):
        return {}
    unsuited: set[Apply] = set()
    while True:
        groups, writer = _groups(nodes, unsuited), Writer(Terms())
        rejected = {node for group in groups for node in group if not _write(node, writer)}
        if not rejected:
            replaced, too_long = _replaced(nodes, outputs, groups, writer)
            rejected = {node for group in too_long for node in group if is_decomposed(node)}
        if not rejected:
            return replaced
        unsuited |= rejected


def _is_start(node: Apply) -> bool:
    """Return whether a node is a small product or decomposition."""
    return (
        (isinstance(node.op, PRODUCTS) or is_decomposed(node))
        and all(_is_small(item, _COMPUTED) for item in (*node.inputs, *node.outputs))
        and multiplications(node) <= _MULTIPLICATIONS
    )


def _is_small(x: Variable, most: int) -> bool:
    shape = getattr(x.type, "shape", (None,))
    return None not in shape and 1 <= prod(shape) <= most


def _groups(nodes: Sequence[Apply], unsuited: Collection[Apply]) -> list[list[Apply]]:
    """Return groups of nodes that may be unrolled and have a start, each in order."""
    group_of: dict[Apply, list[Apply]] = {}
    for node in nodes:
        if node in unsuited or not _may_be_unrolled(node, group_of):
            continue
        around = [group_of[item.owner] for item in node.inputs if item.owner in group_of]
        joined = max(around, key=len, default=[])
        for group in around:
            if group is not joined and group_of[group[0]] is group:
                joined += group
                group_of.update(dict.fromkeys(group, joined))
        joined.append(node)
        group_of[node] = joined
    order = {node: position for position, node in enumerate(nodes)}
    distinct = {id(group): group for group in group_of.values()}.values()
    return [
        sorted(group, key=order.__getitem__) for group in distinct if any(map(_is_start, group))
    ]


def _may_be_unrolled(node: Apply, members: Collection[Apply]) -> bool:
    if not is_known(node):
        return False
    output = node.outputs[0]
    inner = [item.owner in members for item in node.inputs]
    if output.ndim == 0 and isinstance(node.op, Elemwise) and not any(inner):
        return False  # a scalar already
    small = all(_is_small(item, _COMPUTED) for item in node.outputs) and all(
        _is_small(item, _COMPUTED if is_inner else _READ)
        for item, is_inner in zip(node.inputs, inner, strict=True)
    )
    return small and multiplications(node) <= _CONSIDERED


def _write(node: Apply, writer: Writer) -> bool:
    """Find the elements of a node's result; return False if it must not be unrolled."""
    before = writer.terms.operations
    if not writer.write(node):
        return False
    operations = writer.terms.operations - before
    if is_decomposed(node):
        return True
    if isinstance(node.op, PRODUCTS):
        return operations <= 2 * _MULTIPLICATIONS
    costly = isinstance(node.op, Elemwise) and node.op.scalar_op.cost >= _COSTLY
    return operations <= (_FUNCTIONS if costly else _READ)


def _replaced(
    nodes: Sequence[Apply],
    outputs: Collection[Variable],
    groups: Iterable[Sequence[Apply]],
    writer: Writer,
) -> tuple[dict[Variable, Variable], list[Sequence[Apply]]]:
    """Return what others read of groups, made of scalars, as far as there may be more of these.

    The groups for which there are too many are returned, too.
    """
    readers: dict[Variable, list[Apply]] = {}
    for node in nodes:
        for item in node.inputs:
            readers.setdefault(item, []).append(node)
    replaced: dict[Variable, Variable] = {}
    too_long: list[Sequence[Apply]] = []
    left = _OPERATIONS
    for group in groups:
        inside = set(group)
        read = [
            output
            for node in group
            for output in node.outputs
            if (output in outputs or not inside.issuperset(readers.get(output, ())))
            and not (is_arranged(node) and inside.isdisjoint(x.owner for x in node.inputs))
        ]
        wanted = [term for x in read for term in writer.of(x).ravel()]
        more = writer.terms.count(wanted, left + len(group))
        more -= sum(isinstance(n.op, Elemwise) and n.outputs[0].ndim == 0 for n in group)
        if more <= left:
            left -= max(more, 0)
            replaced.update((x, _made_of(writer.of(x), x, writer.terms)) for x in read)
        else:
            too_long.append(group)
    return replaced, too_long


def _made_of(elements: Elements, like: Tensor, terms: Terms) -> Tensor:
    """Return an array with these elements."""
    flat = [terms.build(item) for item in elements.ravel()]
    with origin_scope(like.origin):
        if len(flat) == 1:
            return flat[0].dimshuffle(*["x"] * like.ndim) if like.ndim else flat[0]
        vector = MakeVector(like.dtype)(*flat)
        return vector if like.ndim == 1 else reshape_op(vector, *as_dims(elements.shape))
