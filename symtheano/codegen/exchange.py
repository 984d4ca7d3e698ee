"""Exchange of loops: each element of nests goes through all iterations of the loop around them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Assign,
    Declare,
    For,
    Index,
    Kernel,
    Let,
    LetIndex,
    Load,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier


@dataclass(frozen=True)
class Iterations:
    """A loop around scalars and nests that change the elements of arrays.

    Attributes
    ----------
    step, count
        Its counter, and the number of iterations.
    scalars
        What an iteration computes beside the nests.
    registers
        Initial states whose elements are all one number, by their buffers.
    unused
        Buffers of states whose last values nothing reads.
    results
        Declared scalars with the values that they have after an iteration.
    brief
        Whether all iterations take a short time.
    """

    step: Value
    count: Index
    scalars: Sequence[Statement]
    registers: Mapping[str, Operand]
    unused: Collection[str]
    results: Sequence[tuple[Value, Operand]]
    brief: bool

    def inside(self, kernels: Sequence[Kernel], names: Names) -> Kernel:
        """Return nests over the same axes as one, with the loop over iterations inside its loops.

        Each element of an array that the nests write is a declared scalar there.
        """
        first = kernels[0]
        title = ", ".join([*(kernel.title for kernel in kernels), f"{self.count} times"])
        origins = tuple(dict.fromkeys(place for kernel in kernels for place in kernel.origins))
        body = self._nest([kernel.body for kernel in kernels], names)
        return replace(first, title=title, body=body, origins=origins, iterates=not self.brief)

    def _nest(self, bodies: Sequence[Body], names: Names) -> Body:
        loops = [s for body in bodies for s in body if isinstance(s, For)]
        if not loops:
            return self._element([s for body in bodies for s in body], names)
        loop, *others = loops
        inside = [loop.body]
        for other in others:
            assert other.stop == loop.stop, "nests are over the same axes"
            copier = Copier(None, {other.index.name: loop.index.index})
            inside.append(tuple(copier.block(other.body)))
        return (replace(loop, body=self._nest(inside, names)),)

    def _element(self, statements: Sequence[Statement], names: Names) -> Body:
        """Return the statements of one element."""
        totals = {old.name: Value(names.fresh(old.name), old.dtype) for old, _ in self.results}
        before: list[Statement] = [Declare(totals[old.name], old) for old, _ in self.results]
        counts = {name: value.index for name, value in totals.items() if value.dtype == "int64"}
        copier = Copier(None, counts, dict(totals.items()))
        stores = [s for s in statements if isinstance(s, Store)]
        cells: dict[str, Value] = {}
        for store in stores:
            name, dtype = store.buffer.name, store.buffer.dtype
            first = self.registers.get(name)
            if first is None:
                first = Value(names.fresh("initial"), dtype)
                before.append(Load(first, store.buffer, store.index))
            cells[name] = Value(names.fresh("state"), dtype)
            before.append(Declare(cells[name], first))
        inside: list[Statement] = copier.block(self.scalars)
        at = {store.buffer.name: store.index for store in stores}
        for s in statements:
            if isinstance(s, Load) and s.buffer.name in cells:
                assert s.index == at[s.buffer.name], f"{s.buffer.name} is read at another element"
                copier.values[s.target.name] = cells[s.buffer.name]
            elif not isinstance(s, Store):
                inside += copier.statement(s)
        following = {cells[s.buffer.name]: copier.operand(s.value) for s in stores}
        following.update((totals[old.name], copier.operand(new)) for old, new in self.results)
        inside += assigned(following, names)
        loop = For(self.step, Index.of(0), self.count, tuple(inside))
        after = [
            Store(s.buffer, s.index, cells[s.buffer.name])
            for s in stores
            if s.buffer.name not in self.unused
        ]
        return (*before, loop, *after)

    def alone(self, names: Names) -> Sequence[Statement]:
        """Return the loop over iterations for scalars alone, with names of its own."""
        following = dict(self.results)
        body = (*self.scalars, *assigned(following, names))
        return Copier(names).statement(For(self.step, Index.of(0), self.count, body))


def assigned(following: Mapping[Value, Operand], names: Names) -> list[Statement]:
    """Return the assignments of new values to declared scalars, all at once."""
    copies: list[Statement] = []
    assigns: list[Statement] = []
    for target, value in following.items():
        if value == target:
            continue
        if isinstance(value, Value) and value in following:
            copy = Value(names.fresh("next"), value.dtype)
            copies.append(Declare(copy, value))
            value = copy
        assigns.append(Assign(target, value))
    return [*copies, *assigns]


def parted(iteration: Sequence[Statement]) -> tuple[Sequence[Statement], Sequence[Kernel]]:
    """Return the scalar statements of an iteration, and the nests among them."""
    scalars = [s for s in iteration if isinstance(s, Let | LetIndex | Load)]
    return scalars, [s for s in iteration if isinstance(s, Kernel)]
