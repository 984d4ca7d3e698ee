"""Biases: a row that is added to the rows of a product is added by the library that multiplies.

The library may refuse: then it multiplies, and a kernel adds the row in place. Nothing else is left
to it: what its activations make of NaN is not documented.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.places import sharing
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import (
    Buffer,
    For,
    If,
    Index,
    Kernel,
    Let,
    Literal,
    Load,
    Product,
    Program,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.alike import with_buffers
from symtheano.loopir.index import product as product_of
from symtheano.loopir.names import named_alike, reads, walk, writes
from symtheano.loopir.rewrite import Body, unless_same, with_bodies


def biases(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let the library add the rows that are added to products, and to nothing else."""
    products = [s for s in walk(program.body) if isinstance(s, Product)]
    if not products:
        return program
    return _Biases(program, context).write()


class _Biases:
    """Changes the products of one program.

    Parameters
    ----------
    program
        The program.
    context
        Where new names come from.

    Attributes
    ----------
    uses
        How many statements use each array.
    gone
        Names of the arrays that are not needed any more.
    changed
        Whether the program has changed.
    """

    def __init__(self, program: Program, context: ProgramContext) -> None:
        self.program, self.names = program, context.names
        self.uses = Counter(
            name for s in walk(program.body) for name in _names((*reads(s), *writes(s)))
        )
        self.lasting = _names((*program.inputs, *program.outputs))
        self.gone: set[str] = set()
        self.changed = False

    def write(self) -> Program:
        """Return the changed program."""
        body = self.block(self.program.body)
        if not self.changed:
            return self.program
        slots = (
            replace(slot, buffers=tuple(b for b in slot.buffers if b.name not in self.gone))
            for slot in self.program.arena
        )
        return replace(self.program, body=body, arena=tuple(slot for slot in slots if slot.buffers))

    def block(self, statements: Body) -> Body:
        after: list[Statement] = []
        for s in statements:
            if not isinstance(s, Kernel) or s.region:
                after.append(with_bodies(s, self.block))
                continue
            total = _Sum.of(s)
            number = None if total is None else self._product_of(total, after)
            if total is None or number is None:
                after.append(s)
                continue
            multiply = after.pop(number)
            assert isinstance(multiply, Product)
            self.changed = True
            if total.source.buffer.name != total.target.buffer.name:
                self.gone.add(total.source.buffer.name)
            after += self._both(multiply, total, s)
        return unless_same(after, statements)

    def _product_of(self, total: _Sum, before: Sequence[Statement]) -> int | None:
        """Return the position of the product to which a kernel adds a row; None if it must stay."""
        source, target = total.source.buffer, total.target.buffer
        numbers = [
            k for k, s in enumerate(before) if isinstance(s, Product) and s.c.name == source.name
        ]
        if not numbers or (source.name != target.name and not self._is_read_once(source)):
            return None
        multiply = before[numbers[-1]]
        assert isinstance(multiply, Product)
        if not total.fits(multiply):
            return None
        kept = sharing({multiply.a.name, multiply.b.name}, self.program)
        added = sharing({total.bias.buffer.name}, self.program)
        if target.name in kept | added:
            return None
        in_place = sharing({source.name}, self.program) if source.name == target.name else set()
        for s in (s for each in before[numbers[-1] + 1 :] for s in walk([each])):
            if not (kept | in_place).isdisjoint(_names(writes(s))):
                return None
            if not in_place.isdisjoint(_names(reads(s))):
                return None
        return numbers[-1]

    def _is_read_once(self, source: Buffer) -> bool:
        """Return whether only a kernel uses a product, which counts twice, as it may read it."""
        alone = named_alike({source.name}, walk(self.program.body)) == {source.name}
        return alone and self.uses[source.name] == 3 and source.name not in self.lasting

    def _both(self, multiply: Product, total: _Sum, kernel: Kernel) -> Iterator[Statement]:
        """Yield the product with the row, and what takes its place if the library refuses."""
        target = total.target.buffer
        taken, refused = (Value(self.names.fresh(name), "bool") for name in ("taken", "refused"))
        plain = replace(multiply, c=target)
        added = (total.bias.buffer,)
        yield replace(plain, bias=added, integers=(*plain.integers, total.first), taken=(taken,))
        yield Let(refused, "invert", (taken,))
        in_place = with_buffers(kernel, {total.source.buffer.name: target})
        yield If(refused, (plain, in_place))


class _Sum:
    """A kernel that only adds a row to the rows of an array.

    Attributes
    ----------
    loops
        Its loops, the outer one first.
    source, bias
        The loads of the array, and of the row.
    target
        Where the sum is stored.
    """

    def __init__(self, loops: list[For], source: Load, bias: Load, target: Store) -> None:
        self.loops, self.source, self.bias, self.target = loops, source, bias, target

    @classmethod
    def of(cls, kernel: Kernel) -> _Sum | None:
        """Return the parts of a kernel; None if it does anything else."""
        loops: list[For] = []
        body: Body = kernel.body
        while len(body) == 1 and isinstance(body[0], For):
            loops.append(body[0])
            body = body[0].body
        if len(loops) < 2 or len(body) != 4:
            return None
        first, second, total, target = body
        if not (
            isinstance(first, Load)
            and isinstance(second, Load)
            and isinstance(total, Let)
            and isinstance(target, Store)
        ):
            return None
        names = [getattr(item, "name", "") for item in total.arguments]
        loaded = [first.target.name, second.target.name]
        if total.op != "add" or sorted(names) != sorted(loaded) or loaded[0] == loaded[1]:
            return None
        if target.value != total.target or total.target.dtype != "float32":
            return None
        whole, row = (first, second) if first.index == target.index else (second, first)
        return cls(loops, whole, row, target)

    @property
    def first(self) -> Index:
        """Where the row begins, if its elements are neighbours."""
        return self.bias.index - self.loops[-1].index.index

    def fits(self, multiply: Product) -> bool:
        """Return whether all rows of a product get the same row, and become those of the array."""
        rows, columns = multiply.sizes[1:3]
        *_, (_, first, distance, _) = multiply.matrices
        inner = self.loops[-1]
        place = Index.of(0)
        for loop in self.loops:
            if loop.kind != "independent" or loop.start != 0 or loop.step != 1:
                return False
            place = place * loop.stop + loop.index.index
        outer = product_of(tuple(loop.stop for loop in self.loops[:-1]))
        return (
            multiply.sizes[0] == 1
            and not multiply.bias
            and _is_number(multiply.alpha, 1)
            and _is_number(multiply.beta, 0)
            and (outer, inner.stop) == (rows, columns)
            and first == 0
            and distance == columns
            and self.source.index == self.target.index == place
            and {loop.index.name for loop in self.loops}.isdisjoint(self.first.names())
            and self.source.buffer.dtype == self.bias.buffer.dtype == self.target.buffer.dtype
        )


def _is_number(factor: object, value: int) -> bool:
    return isinstance(factor, Literal) and factor.value == value


def _names(buffers: Iterable[Buffer]) -> list[str]:
    return [buffer.name for buffer in buffers]
