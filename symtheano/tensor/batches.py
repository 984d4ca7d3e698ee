"""Operands with batch axes in front, for the method ``vectorize`` of ops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from symtheano.errors import format_error
from symtheano.graph.lazy import lazy
from symtheano.graph.origin import current_origin
from symtheano.graph.variable import Apply
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.elemwise import dimshuffle
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.shapes.join import stack
from symtheano.tensor.shapes.shape import as_dim, as_dims, dims_product, shape_of


class Batch:
    """Operands, some of which have batch axes in front.

    Parameters
    ----------
    cores
        The operands without batch axes.
    inputs
        The operands; their batch axes are aligned at the right.

    Attributes
    ----------
    ndim
        Number of batch axes; operands that have any have all of them.
    inputs
        The operands, each without axes of the batch or with all of them.
    batched
        For each operand, whether it has batch axes.
    """

    def __init__(self, cores: Sequence[Any], inputs: Sequence[Any]) -> None:
        pairs = zip(inputs, cores, strict=True)
        # What has no axes, such as the state of a generator, is the same for all items.
        extra = [getattr(new, "ndim", 0) - getattr(old, "ndim", 0) for new, old in pairs]
        self.ndim = max(extra, default=0)
        self.batched = [count > 0 for count in extra]
        self.inputs = [
            item if not count or count == self.ndim else pad(item, self.ndim - count)
            for item, count in zip(inputs, extra, strict=True)
        ]

    @lazy
    def shape(self) -> tuple[Any, ...]:
        """The lengths of the batch axes, as ints if they are known."""
        shapes = [
            shape_of(item) for item, flag in zip(self.inputs, self.batched, strict=True) if flag
        ]
        lengths = []
        for axis in range(self.ndim):
            dims = [s[axis] for s in shapes if not (isinstance(s[axis], int) and s[axis] == 1)]
            static_lengths = [dim for dim in dims if isinstance(dim, int)]
            lengths.append(static_lengths[0] if static_lengths else dims[0] if dims else 1)
        return tuple(lengths)

    @property
    def dims(self) -> list[Any]:
        """The lengths of the batch axes, as variables."""
        return as_dims(self.shape)

    def full(self, number: int) -> Any:
        """Return an operand with all batch axes in their full length."""
        item = self.inputs[number]
        return self.spread(item if self.batched[number] else pad(item, self.ndim))

    def spread(self, item: Any) -> Any:
        """Return an array that has all batch axes, broadcast to their full lengths."""
        front = zip(item.type.shape[: self.ndim], self.shape, strict=True)
        if not any(length == 1 and _is_longer(dim) for length, dim in front):
            return item
        return alloc(item, *as_dims((*self.shape, *shape_of(item)[self.ndim :])))

    def shifted(self, axes: Sequence[int]) -> tuple[int, ...]:
        """Return the axes of an unbatched operand as axes of the batched one."""
        return tuple(axis + self.ndim for axis in axes)

    def front(self) -> tuple[int, ...]:
        """Return the batch axes."""
        return tuple(range(self.ndim))

    def needs_plain(self, node: Apply, first: int) -> None:
        """Raise an error if one of the operands from ``first`` on has batch axes.

        Raises
        ------
        NotImplementedError
            If one of them has batch axes.
        """
        if any(self.batched[first:]):
            self.refuse(node, "its lengths or bounds would differ from item to item of the batch")

    def refuse(self, node: Apply, why: str) -> NoReturn:
        """Raise an error: the op does not support this batch."""
        raise NotImplementedError(
            format_error(
                f"vectorize: {node.op} can't work on this batch: {why}",
                operands=[(item.describe(), str(item.type)) for item in node.inputs],
                places=[node.origin, current_origin()],
            )
        )

    def items(self) -> Any:
        """Return the numbers of the items, in the shape of the batch."""
        return arange(as_dim(dims_product(self.shape))).reshape(self.dims)

    def stacked(self) -> Any:
        """Return all operands as one, along a new axis after those of the batch."""
        return stack([self.full(number) for number in range(len(self.inputs))], axis=self.ndim)

    def aligned(self, first: int) -> list[Any]:
        """Return the operands from ``first`` on with batch axes, of length 1 if they had none."""
        operands = zip(self.inputs[first:], self.batched[first:], strict=True)
        return [item if flag else pad(item, self.ndim) for item, flag in operands]

    def gathered(self, x: Any, arrays: Sequence[Any], axis: int) -> Any:
        """Select from the first operand by index arrays that have batch axes."""
        n = self.ndim
        if not self.batched[0]:
            part = AdvancedSubtensor(axis)(x, *arrays)
            return _moved(part, [*range(axis, axis + n), *range(axis)])
        joint = arrays[0].ndim - n
        x = _moved(self.spread(x), [*range(n), *range(n + axis, n + axis + len(arrays))])
        part = AdvancedSubtensor(0)(x, *self._numbers(joint), *arrays)
        return _moved(part, [*range(n), *range(n + joint, n + joint + axis)])

    def changed(self, x: Any, y: Any, axis: int, setting: bool) -> Any:
        """Set or increment elements by the operands from 2 on, index arrays of single items."""
        n, arrays = self.ndim, self.aligned(2)
        joint = arrays[0].ndim - n
        first = [*range(n), *range(n + axis, n + axis + len(arrays))]
        y = _moved(y, [*range(n), *range(n + axis, n + axis + joint)])
        op = AdvancedIncSubtensor(0, setting)
        changed = op(_moved(x, first), y, *self._numbers(joint), *arrays)
        order = [*first, *[axis for axis in range(x.ndim) if axis not in set(first)]]
        return dimshuffle(changed, *[order.index(axis) for axis in range(x.ndim)])

    def _numbers(self, joint: int) -> list[Any]:
        """Return index arrays that select each item of the batch."""
        return [
            arange(dim).dimshuffle(*["x"] * axis, 0, *["x"] * (self.ndim - axis - 1 + joint))
            for axis, dim in enumerate(self.shape)
        ]


def _is_longer(dim: Any) -> bool:
    return not isinstance(dim, int) or dim != 1


def pad(x: Any, count: int) -> Any:
    """Return ``x`` with axes of length one in front."""
    return x.dimshuffle(*["x"] * count, *range(x.ndim))


def _moved(x: Any, first: Sequence[int]) -> Any:
    """Return ``x`` with some axes in front, in the order given."""
    return dimshuffle(x, *first, *[axis for axis in range(x.ndim) if axis not in set(first)])
