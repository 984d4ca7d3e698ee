"""Calls of attention and of its gradient: what their arguments are, and elements of them.

Arrays have three axes of items, then rows. A row of q has a score for each key, a row of k.
"""

from __future__ import annotations

from symtheano.codegen.passes.cuda.routines.calls import RoutineCall
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass
from symtheano.loopir import Buffer, Call, Index
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Address, Operand
from symtheano.loopir.view import View

MOST_COLUMNS = 128
"""Columns of q, k and v, at most, of kernels that go through blocks of keys."""

ZERO, ONE = Index.of(0), Index.of(1)

Position = tuple[Index, ...]
"""The position of a row: along three axes of items, and in an item."""


@dataclass(frozen=True)
class Matrices:
    """The matrices of items: where they begin, the steps of three axes of items, and of rows."""

    buffer: Buffer
    offset: Index
    steps: tuple[Index, ...]
    row: Index

    def element(self, place: Position, column: Index) -> View:
        """Return an element of a row."""
        *items, row = place
        offset = self.offset + row * self.row + column
        for item, step in zip(items, self.steps, strict=True):
            offset = offset + item * step
        return View(self.buffer, (), (), offset)


class AttentionCall(RoutineCall):
    """Writes what one call does.

    Attributes
    ----------
    batch
        The lengths of three axes of items.
    rows, keys, depth, width
        The lengths of an item: rows of q, and of k; columns of q and k, and of v.
    """

    def __init__(self, call: Call, target: Target, names: Names) -> None:
        super().__init__(call, target, names)
        batch = self.arguments["batch"]
        assert isinstance(batch, tuple)
        self.batch: tuple[Index, ...] = batch
        self.rows, self.keys = self.integer("rows"), self.integer("keys")
        self.depth, self.width = self.integer("depth"), self.integer("width")

    @property
    def is_causal(self) -> bool:
        """Whether a row's scores up to its own number are chosen."""
        return self.integer("causal") == 1

    def steps(self, name: str) -> tuple[Index, ...]:
        """Return the steps of an argument's axes."""
        value = self.arguments[f"{name}_steps"]
        assert isinstance(value, tuple)
        return value

    def matrices(self, name: str) -> Matrices:
        """Return an argument whose axes have steps."""
        address, steps = self.address(name), self.steps(name)
        return Matrices(address.buffer, address.offset, steps[:3], steps[3])

    def result(self, name: str, rows: Index, width: Index) -> Matrices:
        """Return an argument that is contiguous."""
        address = self.address(name)
        return self.contiguous(address.buffer, address.offset, rows, width)

    def contiguous(self, buffer: Buffer, offset: Index, rows: Index, width: Index) -> Matrices:
        """Return matrices that follow each other in memory."""
        _, middle, last = self.batch
        one = rows * width
        return Matrices(buffer, offset, (one * last * middle, one * last, one), width)

    def of_row(self, name: str, place: Position) -> View:
        """Return the element of an argument that has one of each row."""
        return self.result(name, self.rows, ONE).element(place, ZERO)

    def mask(self, name: str, place: Position, column: Index) -> Operand | None:
        """Return an element of what is added to scores, or of what tells which are chosen."""
        if not isinstance(self.arguments[name], Address):
            return None
        step = self.steps(name)[4]
        return self.b.load(self.matrices(name).element(place, column * step), [])

    def is_chosen(self, place: Position, column: Index) -> Operand | None:
        """Return whether a score is chosen; None if all of them are."""
        if self.is_causal:
            return self.b.let("le", "bool", [self.b.operand(column), self.b.operand(place[-1])])
        return self.mask("chosen", place, column)

    def score(self, x: Operand, place: Position, column: Index, chosen: Operand | None) -> Operand:
        """Return a score, of its product."""
        b = self.b
        bias = self.mask("bias", place, column)
        if bias is not None:
            x = b.let("add", self.dtype, [x, bias])
        if chosen is not None:
            x = b.let("switch", self.dtype, [chosen, x, self.number("fill")])
        return x
