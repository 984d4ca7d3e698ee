"""Positions of extrema: search by blocks, then within one block."""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from symtheano.codegen.bodies import KernelBodies
from symtheano.codegen.elements import accumulated
from symtheano.codegen.neutral import neutral_element
from symtheano.codegen.steps import Member
from symtheano.loopir import Literal, Value
from symtheano.loopir.nodes import Operand
from symtheano.tensor.reduce import ArgReduce

# Elements of a block in which the position of an extremum is searched.
_BLOCK = 512


class KernelPositions(KernelBodies):
    """Generates stages that search positions."""

    def _positions(self, stage: int, group: int) -> None:
        """Generate a stage whose members search the positions of extrema.

        The extremum of each block is computed with vector code. If it is better than the previous
        ones, only the block is recorded; at the end, the position is searched in this block.
        """
        b = self.b
        found = [m for m in self.plan.members_of(stage) if isinstance(m.node.op, ArgReduce)]
        length = self._length(group)
        best = {m: self._best(m) for m in found}
        where = {m: b.declare("where", Literal(0, "int64")) for m in found}
        with b.loop("block", length, step=_BLOCK) as block, self._scope():
            stop = self._minimum(block + _BLOCK, length, "stop")
            for member in found:
                self._declare(member)
            reductions = self._reductions(stage)
            with self._loop(group, block, stop, kind="simd", reductions=reductions):
                self._inner_body(stage)
            for member in found:
                b.origin = member.node.origin
                here = self._total(member)
                with b.branch(self._better(member, here, best[member])):
                    b.assign(best[member], here)
                    b.assign(where[member], b.operand(block))
        for member in found:
            b.origin = member.node.origin
            self._look_up(stage, group, member, best[member], where[member])

    def _best(self, member: Member) -> Value:
        dtype, ((row, _), *_) = accumulated(member.node)
        return self.b.declare("best", neutral_element(row, dtype))

    def _better(self, member: Member, here: Operand, best: Value) -> Operand:
        """Return whether a block's extremum is better than all before; the first NaN is final."""
        b, op = self.b, member.node.op
        assert isinstance(op, ArgReduce)
        better = b.let("gt" if op.which == "argmax" else "lt", "bool", [here, best])
        if dtypes.is_discrete(best.dtype):
            return better
        is_nan = b.let("neq", "bool", [here, here])
        was_number = b.let("eq", "bool", [best, best])
        first_nan = b.let("and_", "bool", [is_nan, was_number])
        return b.let("or_", "bool", [better, first_nan])

    def _look_up(self, stage: int, group: int, member: Member, best: Value, where: Value) -> None:
        """Find the first element of a block that equals the extremum."""
        b = self.b
        # As wide as the elements, so that positions fill the lanes of their vectors.
        dtype = "int64" if np.dtype(best.dtype).itemsize == 8 else "int32"
        none = Literal(int(np.iinfo(dtype).max), dtype)
        first = b.declare("first", none)
        stop = self._minimum(where.index + _BLOCK, self._length(group), "stop")
        block = stop - where.index
        with self._scope(), b.loop("k", block, kind="simd", reductions=((first, "minimum"),)) as k:
            self.counters[group] = where.index + k
            self._compute_again(stage, member)
            element = b.cast(self._read(member, 0), best.dtype)
            same: Operand = b.let("eq", "bool", [element, best])
            if not dtypes.is_discrete(best.dtype):
                both = [b.let("neq", "bool", [x, x]) for x in (element, best)]
                same = b.let("or_", "bool", [same, b.let("and_", "bool", both)])
            position = b.let("switch", dtype, [same, b.cast(b.operand(k), dtype), none])
            self._assign_combined(first, "minimum", position)
        del self.counters[group]
        place = b.operand(where.index + b.as_index(b.cast(first, "int64")))
        self.values[member.node.outputs[0]] = place
