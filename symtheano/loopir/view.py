"""View: an array as an index map over a buffer, such as a transpose, slice or broadcast.

RowMemory: where a value is of which an op makes row after row, without knowing how many.
"""

from __future__ import annotations

from collections.abc import Sequence

from symtheano.dataclass import dataclass
from symtheano.loopir.index import Index, product
from symtheano.loopir.operands import Address, Buffer


@dataclass(frozen=True)
class View:
    """A strided array in a buffer; offset and strides count elements.

    Examples
    --------
    >>> n = Index.symbol("n")
    >>> buffer = Buffer("x", "float64", "input", n * 3, 0)
    >>> view = View.contiguous(buffer, (n, Index.of(3)))
    >>> view.permuted((1, 0)).strides
    (Index(1), Index(3))
    """

    buffer: Buffer
    shape: tuple[Index, ...]
    strides: tuple[Index, ...]
    offset: Index

    @staticmethod
    def contiguous(buffer: Buffer, shape: Sequence[Index]) -> View:
        """Return the row-major array of a shape that fills ``buffer``."""
        dims = tuple(shape)
        strides = tuple(product(dims[axis + 1 :]) for axis in range(len(dims)))
        return View(buffer, dims, strides, Index.of(0))

    @property
    def dtype(self) -> str:
        """Dtype of the elements."""
        return self.buffer.dtype

    @property
    def ndim(self) -> int:
        """Number of dims."""
        return len(self.shape)

    @property
    def address(self) -> Address:
        """The address of the first element."""
        return Address(self.buffer, self.offset)

    @property
    def size(self) -> Index:
        """Number of elements."""
        return product(self.shape)

    def is_contiguous(self) -> bool:
        """Return whether the elements are contiguous in row-major order, for any sizes."""
        expected = View.contiguous(self.buffer, self.shape).strides
        return all(
            stride == wanted or dim == 1
            for stride, wanted, dim in zip(self.strides, expected, self.shape, strict=True)
        )

    def permuted(self, order: Sequence[int | str]) -> View:
        """Return the axes in another order; ``"x"`` inserts an axis of length one."""
        shape = tuple(Index.of(1) if axis == "x" else self.shape[int(axis)] for axis in order)
        strides = tuple(Index.of(0) if axis == "x" else self.strides[int(axis)] for axis in order)
        return View(self.buffer, shape, strides, self.offset)

    def sliced(self, axis: int, start: Index | int, length: Index | int, step: Index | int) -> View:
        """Return ``length`` items of an axis, from ``start`` on, ``step`` apart."""
        shape, strides = list(self.shape), list(self.strides)
        offset = self.offset + strides[axis] * start
        shape[axis], strides[axis] = Index.of(length), strides[axis] * step
        return View(self.buffer, tuple(shape), tuple(strides), offset)

    def item(self, axis: int, position: Index | int) -> View:
        """Return one item along an axis, which is removed."""
        keep = [a for a in range(self.ndim) if a != axis]
        return View(
            self.buffer,
            tuple(self.shape[a] for a in keep),
            tuple(self.strides[a] for a in keep),
            self.offset + self.strides[axis] * position,
        )

    def broadcast(self, shape: Sequence[Index]) -> View:
        """Return the array broadcast to ``shape``, along axes of length 1 and new leading axes."""
        missing = len(shape) - self.ndim
        old = (Index.of(1),) * missing + self.shape
        strides = (Index.of(0),) * missing + self.strides
        repeated = tuple(
            Index.of(0) if dim == 1 else stride for dim, stride in zip(old, strides, strict=True)
        )
        return View(self.buffer, tuple(shape), repeated, self.offset)

    def reshaped(self, shape: Sequence[Index]) -> View:
        """Return a contiguous array with another shape of equal size."""
        if not self.is_contiguous():
            raise ValueError("LoopIR: only a contiguous view can be reshaped")
        whole = View.contiguous(self.buffer, shape)
        return View(self.buffer, whole.shape, whole.strides, self.offset)

    def at(self, indices: Sequence[Index | int]) -> Index:
        """Return the linear index of one element."""
        position = self.offset
        for index, stride in zip(indices, self.strides, strict=True):
            position = position + index * stride
        return position


@dataclass(frozen=True, eq=False)
class RowMemory:
    """The memory of a value whose number of rows its op tells when it has run.

    Attributes
    ----------
    name
        The memory that the value has at the time: what is reserved, or a name for what is chosen.
    reserved
        The memory at first.
    shape
        The lengths of the value that fits there.
    turns
        If there may be more rows: the numbers of two additional arrays of the caller's, one after
        the other. The second one is asked for first, since what is reserved may be the first one.
    """

    name: Buffer
    reserved: Buffer
    shape: tuple[Index, ...]
    turns: tuple[int, int] | None = None
