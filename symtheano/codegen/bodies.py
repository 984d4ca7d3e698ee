"""Loop bodies of a kernel: the work for one element, and for one outer index."""

from __future__ import annotations

from symtheano.codegen.accumulate import KernelReductions
from symtheano.codegen.steps import Member
from symtheano.loopir import Index, Literal
from symtheano.tensor.reduce import ArgReduce


class KernelBodies(KernelReductions):
    """Writes the bodies of loops."""

    def _outer_members(self, stage: int) -> None:
        for member in self.plan.members_of(stage):
            if self.plan.is_inner(member):
                continue
            if member.role == "point":
                self._compute(member)
            elif member.role == "row":
                self._row_without_loop(member)
            else:
                self._accumulate(member)
        self._store_columns()

    def _row_without_loop(self, member: Member) -> None:
        """A reduction over axes of length 1 is the element itself."""
        op = member.node.op
        (output,) = member.node.outputs
        self.b.origin = member.node.origin
        if isinstance(op, ArgReduce):
            self.values[output] = Literal(0, "int64")
        else:
            self.values[output] = self.b.cast(self._read(member, 0), output.dtype)

    def _values_again(self, stage: int) -> None:
        """Load or recompute values of earlier stages that a stage needs."""
        for value, how in self.plan.again(stage):
            if how == "compute":
                self._compute(self.plan.by_result[value])
            else:
                place = self.stored(value) if how == "load" else self.spilled(value)
                self.values[value] = self.load(*place)

    def _inner_body(self, stage: int, more_rows: bool = False) -> None:
        """Generate the work for one element: load, compute, accumulate, store.

        With ``more_rows``, column accumulators are kept in registers for the next rows.
        """
        with self._scope():
            self._values_again(stage)
            members = self.plan.inner_members_of(stage)
            for member in members:
                if member.role == "point":
                    self._compute(member)
                else:
                    self._accumulate(member)
            for member in members:
                self._store_point(member)
            if not more_rows:
                self._store_columns()

    def _compute_again(self, stage: int, member: Member) -> None:
        """Provide the current values of its own stage that an inner member reads."""
        kept = {
            **dict.fromkeys(self.nest.stores, self.stored),
            **dict.fromkeys(self.plan.spills, self.spilled),
        }
        needed, waiting = set(), [member]
        while waiting:
            for source in self.plan.sources(waiting.pop()):
                maker = self.plan.inside(source)
                if maker is None or maker.role != "point" or not self.plan.is_inner(maker):
                    continue
                needed.add(maker)
                if source not in kept:
                    waiting.append(maker)
        self._values_again(stage)
        for maker in self.plan.inner_members_of(stage):
            (output,) = maker.node.outputs
            if maker in needed and output in kept:
                self.values[output] = self.load(*kept[output](output))
            elif maker in needed:
                self._compute(maker)

    def _store_point(self, member: Member) -> None:
        (output,) = member.node.outputs
        if member.role != "point":
            return
        if output in self.plan.spills:
            self._store(self.spilled(output), self.values[output])
        if output in self.nest.stores:
            self._store(self.stored(output), self.values[output])

    def _store_outer(self) -> None:
        for stored in self.nest.stores:
            member = self.plan.by_result[stored]
            if member.role == "row" or (member.role == "point" and not self.plan.is_inner(member)):
                self._store(self.stored(stored), self.values[stored])

    def _minimum(self, a: Index, c: Index, name: str) -> Index:
        operands = [self.b.operand(a), self.b.operand(c)]
        return self.b.let("minimum", "int64", operands, name).index

    def _whole(self, length: Index, part: int) -> Index:
        """Return the largest multiple of ``part`` that is not larger than a length."""
        operands = [self.b.operand(length), Literal(part, "int64")]
        return self.b.let("int_div", "int64", operands, "times").index * part
