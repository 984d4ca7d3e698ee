"""Signs: kernels learn whether any index of an array is negative, which checks have found out.

A negative index counts from the end of an axis, so each index is compared with zero and corrected.
All indices are tested before they are used, by their least and their largest one. If the least one
is not negative, none is. The comparisons say so from here on, for :mod:`.unswitch`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.dtypes import SIGNED
from symtheano.loopir import (
    Alias,
    Buffer,
    Choose,
    For,
    Index,
    Kernel,
    Let,
    Literal,
    Load,
    Program,
    Reduce,
    Statement,
    Store,
    Swap,
    Value,
    While,
)
from symtheano.loopir.names import bodies, walk, writes, written_through
from symtheano.loopir.rewrite import Body, unless_same, with_bodies

_ZERO = Literal(0, "int64")
_SEVERAL = 2
"""Corrections in an iteration of a loop from which on a second form of it is worth its text."""


def signs(program: Program, target: Target, context: ProgramContext) -> Program:
    """Let comparisons of indices with zero depend on whether any index is negative."""
    signs_of = _Signs(program, context)
    return replace(program, body=signs_of.block(program.body, {}))


class _Signs:
    """The kernels of one program.

    Attributes
    ----------
    stores
        How many statements write to each buffer, by name.
    """

    def __init__(self, program: Program, context: ProgramContext) -> None:
        self.names = context.names
        every = [*walk(program.body)]
        self.stores = Counter(buffer.name for s in every for buffer in writes(s))
        self.naming = [s for s in every if isinstance(s, Alias | Choose | Swap)]

    def block(self, body: Body, least: Mapping[str, Value]) -> Body:
        """Return statements whose kernels know of negative indices.

        Parameters
        ----------
        body
            The statements of one list.
        least
            The least element of arrays, by the names of their buffers, as known before them.
        """
        known = dict(least)
        flags: dict[tuple[Value, ...], Value] = {}
        after: list[Statement] = []
        for statement in body:
            if isinstance(statement, Kernel) and not statement.region:
                changed = self._kernel(statement, known, flags, after)
                after.append(changed)
                known.update(self._minima(statement))
            elif isinstance(statement, While):
                inside = self.block(statement.body, known)
                same = inside is statement.body
                after.append(statement if same else replace(statement, body=inside))
            else:
                after.append(with_bodies(statement, lambda inner: self.block(inner, known)))
        return unless_same(after, body)

    def _kernel(
        self,
        kernel: Kernel,
        least: Mapping[str, Value],
        flags: dict[tuple[Value, ...], Value],
        before: list[Statement],
    ) -> Kernel:
        """Return a kernel whose comparisons depend on flags, which are defined before it."""
        compared = _compared(kernel.body, least) if least else {}
        if not compared:
            return kernel
        arrays = dict.fromkeys(compared.values())
        flag = self._flag(tuple(dict.fromkeys(least[a] for a in arrays)), flags, before)

        def block(body: Body) -> Body:
            new: list[Statement] = []
            for s in body:
                if isinstance(s, Let) and s.target.name in compared:
                    alone = Value(self.names.fresh(s.target.name), "bool")
                    new.append(replace(s, target=alone))
                    new.append(replace(s, op="and_", arguments=(flag, alone)))
                else:
                    new.append(with_bodies(s, block))
            return unless_same(new, body)

        return with_bodies(kernel, block)

    def _flag(
        self,
        least: tuple[Value, ...],
        flags: dict[tuple[Value, ...], Value],
        before: list[Statement],
    ) -> Value:
        """Return whether any of some numbers is negative, which may be defined before a kernel."""
        if least not in flags:
            flag = flags[least] = Value(self.names.fresh("any_negative"), "bool")
            if len(least) == 1:
                before.append(Let(flag, "lt", (least[0], Literal(0, least[0].dtype))))
            else:
                last = self._flag(least[-1:], flags, before)
                others = self._flag(least[:-1], flags, before)
                before.append(Let(flag, "or_", (others, last)))
        return flags[least]

    def _minima(self, kernel: Kernel) -> Iterator[tuple[str, Value]]:
        """Yield the arrays of which a kernel finds the least element, by buffer, with its name."""
        results = {value.name for value in kernel.results}
        for loop in kernel.body:
            inner, place, count = _whole(loop)
            if inner is None:
                continue
            least: dict[str, Value] = {
                getattr(s.value, "name", ""): s.target
                for s in inner
                if isinstance(s, Reduce) and s.op in ("smaller", "minimum")
                and s.target.name in results and s.target.dtype in SIGNED
            }  # fmt: skip
            for s in inner:
                if isinstance(s, Let) and s.arguments and _keeps_sign(s):
                    of = least.get(getattr(s.arguments[0], "name", ""))
                    if of is not None:
                        least.setdefault(s.target.name, of)
                elif isinstance(s, Load | Store) and s.index == place and s.buffer.size == count:
                    value = s.target if isinstance(s, Load) else s.value
                    of = least.get(getattr(value, "name", ""))
                    if of is not None and self._keeps(s.buffer, isinstance(s, Store)):
                        yield s.buffer.name, of

    def _keeps(self, buffer: Buffer, stored: bool) -> bool:
        """Return whether a buffer's elements stay as they are once they are stored."""
        if self.stores[buffer.name] > stored:
            return False
        others = self.stores.keys() - {buffer.name}
        return buffer.name not in written_through(others, self.naming)


def _whole(loop: Statement) -> tuple[Sequence[Statement] | None, Index, Index]:
    """Return the statements inside loops over all of an array, an element's place, their number."""
    place, count = Index.of(0), Index.of(1)
    inner: Sequence[Statement] | None = None
    while isinstance(loop, For) and loop.start == 0 and loop.step == 1:
        place = place * loop.stop + loop.index.index
        count = count * loop.stop
        inner = loop.body
        nested = [s for s in inner if isinstance(s, For)]
        if not nested:
            return inner, place, count
        if len(inner) > 1:
            break
        loop = nested[0]
    return None, place, count


def _compared(body: Body, least: Mapping[str, Value]) -> dict[str, str]:
    """Return the comparisons of indices with zero, by name, with the buffers they come from.

    They are those that innermost loops correct, another one in each iteration.
    """
    compared: dict[str, str] = {}
    for s in body:
        if isinstance(s, For) and not any(isinstance(inner, For) for inner in s.body):
            compared.update(_compared_in(s, least))
        else:
            for inside in bodies(s):
                compared.update(_compared(inside, least))
    return compared


def _compared_in(loop: For, least: Mapping[str, Value]) -> dict[str, str]:
    """Return the comparisons in the statements of a loop, with the buffers they come from."""
    origin: dict[str, str] = {}
    compared: dict[str, str] = {}
    corrected: set[str] = set()
    for s in loop.body:
        if isinstance(s, Load):
            if s.buffer.name in least and loop.index.name in s.index.names():
                origin[s.target.name] = s.buffer.name
        elif isinstance(s, Let) and s.arguments:
            first = getattr(s.arguments[0], "name", "")
            array = origin.get(first)
            if s.op == "switch" and first in compared:
                corrected.add(first)
            elif array is not None and s.op == "lt" and s.arguments[1] == _ZERO:
                compared[s.target.name] = array
            elif array is not None and _keeps_sign(s):
                origin[s.target.name] = array
    if len(corrected) < _SEVERAL:
        return {}
    return {name: array for name, array in compared.items() if name in corrected}


def _keeps_sign(let: Let) -> bool:
    """Return whether a result is not negative if the first operand is not."""
    if let.target.dtype != "int64":
        return False
    if let.op == "cast":
        return True
    if let.op != "add" or not isinstance(let.arguments[1], Literal):
        return False
    value = let.arguments[1].value
    return isinstance(value, int) and 0 <= value < 1 << 32
