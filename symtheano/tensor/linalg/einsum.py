"""einsum: products of arrays summed over labelled axes, computed pairwise in a cheap order.

Each pair becomes a matrix product, batched over the axes that both keep. If there is no sum, it is
an elementwise product, which can be fused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.errors import ShapeError
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.linalg.dot import batched_dot_op, dot_op
from symtheano.tensor.linalg.lengths import checked_lengths
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims, dims_product, shape_of

# The value used for unknown lengths when an order is chosen.
_NOMINAL = 64
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_FOR_OPTIMAL = 6

Labels = tuple[Any, ...]


def einsum(subscripts: Any, *operands: Any, optimize: Any = True, dtype: Any = None) -> Tensor:
    """Return the product of arrays, summed over the labels that are not in the result.

    Parameters
    ----------
    subscripts, operands
        ``"ij,jk->ik"`` and one array per term. Without ``->``, the result has the labels that occur
        once, sorted. ``...`` represents any other axes, aligned to the right. Alternatively, arrays
        and lists of integer labels in turn, and optionally a list for the result.
    optimize
        Order of the products: ``"optimal"``; ``"greedy"``; True for the optimal order of up to six
        arrays and a greedy one for more; False for the order from left to right; or a list returned
        by ``numpy.einsum_path``. Unknown lengths are assumed to be equal.
    dtype
        Dtype of the computation; by default the promoted dtype of the operands.

    Returns
    -------
    An array with an axis for each label of the result.

    Raises
    ------
    ValueError
        If the subscripts are invalid or do not match the operands.
    ShapeError
        If axes with the same label have different lengths. The error occurs when the graph is built
        if the lengths are known. Axes whose length is known to be 1 are broadcast.

    Examples
    --------
    >>> A, B = T.tensor3("A"), T.tensor3("B")
    >>> einsum("bij,bjk->bik", A, B).type
    TensorType(float64, (?, ?, ?))
    >>> einsum("ii", T.matrix("C")).type
    TensorType(float64, scalar)
    """
    items, terms, result = _read(subscripts, operands)
    if dtype is not None:
        items = [cast(item, dtype) for item in items]
    factors = _simplified(items, terms, result)
    for pair in _order(factors, result, optimize):
        parts = [factors[position] for position in pair]
        factors = [f for position, f in enumerate(factors) if position not in pair]
        kept = set(result).union(*(labels for _, labels in factors))
        product = parts[0]
        for part in parts[1:]:
            product = _multiply(product, part, kept if part is parts[-1] else None)
        factors.append(product)
    (array, labels), kept = factors[0], set(result)
    array, labels = _sum_out(array, labels, kept)
    reordered: Tensor = array.dimshuffle(*[labels.index(label) for label in result])
    return reordered


# -- reading ---------------------------------------------------------------------------------------


def _read(subscripts: Any, operands: Sequence[Any]) -> tuple[list[Any], list[Labels], Labels]:
    """Return the operands, the labels of their axes, and those of the result."""
    if isinstance(subscripts, str):
        items = [as_tensor_variable(item) for item in operands]
        left, arrow, right = subscripts.replace(" ", "").partition("->")
        term_labels: list[Any] = [_letters(term, items) for term in left.split(",")]
        wanted = _letters(right, items) if arrow else None
    else:
        pairs = [subscripts, *operands]
        wanted = pairs.pop() if len(pairs) % 2 else None
        items = [as_tensor_variable(item) for item in pairs[::2]]
        term_labels = [_numbered(term, items) for term in pairs[1::2]]
        wanted = None if wanted is None else _numbered(wanted, items)
    if len(term_labels) != len(items):
        raise ValueError(
            build_message(f"einsum: {len(term_labels)} terms for {len(items)} operands", *items)
        )
    return _spelled_out(items, term_labels, wanted)


def _letters(term: str, items: Sequence[Any]) -> list[Any]:
    """Return the labels of one term; Ellipsis for three dots."""
    before, dots, after = term.partition("...")
    for letter in before + after:
        if letter not in _LETTERS:
            raise ValueError(
                build_message(f"einsum: {letter!r} in {term!r} is not a letter", *items)
            )
    return [*before, *([Ellipsis] if dots else []), *after]


def _numbered(term: Any, items: Sequence[Any]) -> list[Any]:
    """Return the integers of one term as letters, which sort like the integers."""
    labels: list[Any] = []
    for label in term:
        if label is Ellipsis:
            labels.append(label)
        elif isinstance(label, int | np.integer) and 0 <= label < len(_LETTERS):
            labels.append(sorted(_LETTERS)[int(label)])
        else:
            raise ValueError(
                build_message(f"einsum: {label!r} is not an integer from 0 to 51", *items)
            )
    return labels


def _spelled_out(
    items: Sequence[Any], term_labels: Sequence[list[Any]], wanted: list[Any] | None
) -> tuple[list[Any], list[Labels], Labels]:
    """Replace each ellipsis by labels, aligned to the right, and determine the result's labels."""
    terms: list[Labels] = []
    most = 0
    for item, labels in zip(items, term_labels, strict=True):
        extra = item.ndim - len(labels) + (Ellipsis in labels)
        if extra < 0 or (extra and Ellipsis not in labels):
            shown = "".join("..." if label is Ellipsis else label for label in labels)
            raise ValueError(
                build_message(f"einsum: {shown!r} does not label {item.ndim} axes", item)
            )
        most = max(most, extra) if Ellipsis in labels else most
        terms.append(_expanded(labels, extra))
    if wanted is None:
        every = [label for labels in terms for label in labels]
        named = [label for label in every if isinstance(label, str)]
        once = sorted(label for label in named if named.count(label) == 1)
        return list(items), terms, (*range(-most, 0), *once)
    result = _expanded(wanted, most)
    seen = {label for labels in terms for label in labels}
    for label in result:
        if label not in seen or result.count(label) > 1:
            why = "no operand has" if label not in seen else "twice in the result:"
            raise ValueError(build_message(f"einsum: {why} the label {label!r}", *items))
    if most and Ellipsis not in wanted:
        raise ValueError(
            build_message("einsum: the result needs '...' too", *items,
                          hint="label the axes that are to be summed")
        )  # fmt: skip
    return list(items), terms, result


def _expanded(labels: Sequence[Any], extra: int) -> Labels:
    """Return labels with the ellipsis replaced by numbers, counted from the right."""
    result: list[Any] = []
    for label in labels:
        result += range(-extra, 0) if label is Ellipsis else [label]
    return tuple(result)


# -- single operands ------------------------------------------------------------------------------


def _simplified(
    items: Sequence[Any], terms: Sequence[Labels], result: Labels
) -> list[tuple[Any, Labels]]:
    """Return the operands with each label once, with equal lengths, and without broadcast axes.

    An axis of static length 1 is omitted if another operand has the label.
    """
    factors = [_diagonal(item, labels) for item, labels in zip(items, terms, strict=True)]
    lengths: dict[Any, Any] = {}
    owners: dict[Any, int] = {}
    for position, (array, labels) in enumerate(factors):
        for label, length in zip(labels, shape_of(array), strict=True):
            if label not in lengths or _tells_more(length, lengths[label]):
                lengths[label], owners[label] = length, position
    reduced_factors = []
    for position, (array, labels) in enumerate(factors):
        dropped = [
            axis
            for axis, label in enumerate(labels)
            if array.type.shape[axis] == 1 and owners[label] != position
        ]
        kept = [axis for axis in range(array.ndim) if axis not in dropped]
        wanted = [
            (axis, lengths[labels[axis]]) for axis in kept if owners[labels[axis]] != position
        ]
        try:
            array = checked_lengths("einsum", array, wanted)
        except ShapeError:
            raise ShapeError(
                build_message("einsum: axes of one label have different lengths", *items)
            ) from None
        reduced_factors.append((array.dimshuffle(*kept), tuple(labels[axis] for axis in kept)))
    return reduced_factors


def _tells_more(length: Any, other: Any) -> bool:
    """Return whether a length is preferred for a label: not 1, and static if possible."""
    if isinstance(other, int):
        return other == 1 and not (isinstance(length, int) and length == 1)
    return isinstance(length, int) and length != 1


def _diagonal(array: Any, labels: Labels) -> tuple[Any, Labels]:
    """Replace axes with the same label by their diagonal."""
    from symtheano.tensor.creation.ranges import arange
    from symtheano.tensor.indexing.advanced import take_at

    for label in dict.fromkeys(labels):
        axes = [axis for axis, other in enumerate(labels) if other == label]
        if len(axes) == 1:
            continue
        length = shape_of(array)[axes[0]]
        array = checked_lengths("einsum", array, [(axis, length) for axis in axes[1:]])
        others = [axis for axis in range(array.ndim) if axis not in axes]
        array = array.dimshuffle(*axes, *others)
        place = arange(length)
        array = take_at(array, [(axis, place) for axis in range(len(axes))])
        labels = (label, *(labels[axis] for axis in others))
    return array, labels


def _sum_out(array: Any, labels: Labels, kept: set[Any]) -> tuple[Any, Labels]:
    """Sum over the axes whose labels are not used elsewhere."""
    axes = [axis for axis, label in enumerate(labels) if label not in kept]
    if not axes:
        return array, labels
    # Unlike sum(), NumPy's einsum keeps the dtype of integers.
    summed = array.sum(axis=axes, dtype=array.dtype)
    return summed, tuple(label for label in labels if label in kept)


# -- pairs ----------------------------------------------------------------------------------------


def _order(
    factors: Sequence[tuple[Any, Labels]], result: Labels, optimize: Any
) -> list[tuple[int, ...]]:
    """Return which factors to multiply in each step; the product is appended to the list."""
    count = len(factors)
    if isinstance(optimize, list | tuple) and optimize and optimize[0] == "einsum_path":
        return [tuple(sorted(pair)) for pair in optimize[1:]]
    if count < 3 or optimize is False:
        return [] if count < 2 else [(0, 1), *[(0, count - 1 - k) for k in range(1, count - 1)]]
    names: dict[Any, str] = {}
    terms, shapes = [], []
    for array, labels in factors:
        for label in labels:
            names.setdefault(label, _LETTERS[len(names)])
        terms.append("".join(names[label] for label in labels))
        shapes.append([_NOMINAL if n is None else n for n in array.type.shape])
    sizes = {name: n for term, shape in zip(terms, shapes, strict=True)
             for name, n in zip(term, shape, strict=True) if n != _NOMINAL}  # fmt: skip
    arrays = [np.broadcast_to(0.0, [sizes.get(name, _NOMINAL) for name in term]) for term in terms]
    how = optimize if isinstance(optimize, str) else "greedy"
    if optimize is True and count <= _MOST_FOR_OPTIMAL:
        how = "optimal"
    text = f"{','.join(terms)}->{''.join(names[label] for label in result)}"
    path: Any = np.einsum_path(text, *arrays, optimize=how)[0][1:]
    return [tuple(sorted(pair)) for pair in path]


def _multiply(
    one: tuple[Any, Labels], two: tuple[Any, Labels], kept: set[Any] | None
) -> tuple[Any, Labels]:
    """Return the product of two factors, summed over labels that are not used elsewhere.

    ``kept`` None keeps everything.
    """
    (x, mine), (y, yours) = one, two
    needed = set(mine) | set(yours) if kept is None else kept
    x, mine = _sum_out(x, mine, needed | set(yours))
    y, yours = _sum_out(y, yours, needed | set(mine))
    shared = [label for label in mine if label in yours]
    batch = [label for label in shared if label in needed]
    summed = [label for label in shared if label not in needed]
    left = [label for label in mine if label not in shared]
    right = [label for label in yours if label not in shared]
    if not summed or (batch and not (left and right)):
        every = (*batch, *left, *right, *summed)
        product = _aligned(x, mine, every) * _aligned(y, yours, every)
        return _sum_out(product, every, needed)
    return _matrix_product(x, mine, y, yours, batch, left, right, summed)


def _aligned(x: Any, labels: Labels, every: Labels) -> Any:
    return x.dimshuffle(*[labels.index(label) if label in labels else "x" for label in every])


def _matrix_product(
    x: Any, mine: Labels, y: Any, yours: Labels, batch: list[Any], left: list[Any],
    right: list[Any], summed: list[Any],
) -> tuple[Any, Labels]:  # fmt: skip
    """Call BLAS: axes of the same kind are combined."""
    lengths = dict(zip(mine, shape_of(x), strict=True))
    lengths.update({label: n for label, n in zip(yours, shape_of(y), strict=True)
                    if label not in lengths})  # fmt: skip
    first = _grouped(x, mine, (batch, left, summed), lengths)
    second = _grouped(y, yours, (batch, summed, right), lengths)
    product = batched_dot_op(first, second) if batch else dot_op(first, second)
    labels = (*batch, *left, *right)
    kinds = [kind for kind in (batch, left, right) if kind]
    if any(len(kind) > 1 for kind in kinds):
        product = reshape_op(product, *as_dims([lengths[label] for label in labels]))
    return product, labels


def _grouped(x: Any, labels: Labels, groups: Sequence[list[Any]], lengths: dict[Any, Any]) -> Any:
    """Return an array with one axis for each nonempty group (the first one may be empty).

    Empty groups become axes of length 1 if this is a batch.
    """
    array = x.dimshuffle(*[labels.index(label) for group in groups for label in group])
    wanted = [group for group in groups if group]
    if all(len(group) == 1 for group in wanted):
        return array
    dims = [dims_product([lengths[label] for label in group]) for group in wanted]
    return reshape_op(array, *as_dims(dims))
