"""Random numbers: calls of routines that draw become launches.

A number of Philox is a function of a key, a stream and a position, so each thread computes its own;
a row of the scalar table is this function (:mod:`symtheano.scalar.philox`). The streams of MRG31k3p
are apart from each other; each thread draws the numbers of one. Bits are the same as on the host.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.calls import RoutineCall, launched
from symtheano.codegen.targets import Target
from symtheano.loopir import Call, Index, Literal, Program, Value
from symtheano.loopir.operands import Operand
from symtheano.loopir.view import View
from symtheano.scalar.philox import BY_KIND
from symtheano.tensor.random.mrg31k3p import M1, M2, NORM, jump


def random_numbers(program: Program, target: Target, context: ProgramContext) -> Program:
    """Launch kernels instead of calling the routines of Philox and of MRG31k3p."""

    def make(call: Call) -> _Draw:
        return _Draw(call, target, context.names)

    return launched(program, _WRITERS, make)


class _Draw(RoutineCall):
    """Writes the launch of one call."""

    def word(self, number: Index) -> Operand:
        """Return an integer as a word, whose bits are the same."""
        return self.b.let("cast", "uint64", [self.b.operand(number)])

    def numbers(self) -> None:
        """Draw the first numbers of a stream."""
        b = self.b
        with self.elements(length=self.integer("n")) as (i,):
            key, stream = (b.load(self.element(name), []) for name in ("key", "stream"))
            self._store(i, key, stream, self.word(i))

    def firsts(self) -> None:
        """Draw the first number of each of some streams."""
        b = self.b
        with self.elements(length=self.integer("n")) as (i,):
            key, first = (b.load(self.element(name), []) for name in ("key", "stream"))
            distance = b.let("mul", "uint64", [self.word(i), self.word(self.integer("by"))])
            stream = b.let("add", "uint64", [first, distance])
            self._store(i, key, stream, self.word(Index.of(0)))

    def _store(self, i: Index, *operands: Operand) -> None:
        """Store the number of a key, a stream and a position."""
        kind = self.call.routine.name.rpartition("_")[2]
        row = BY_KIND[kind, self.dtype]
        number = self.b.let(row.name, self.dtype, list(operands))
        self.b.store(self.element("y", i), [], number)

    # -- MRG31k3p --------------------------------------------------------------------------------

    def streams(self) -> None:
        """Draw numbers from streams, from one after the other."""
        b, n, streams = self.b, self.integer("n"), self.integer("streams")
        with self.elements(length=b.minimum(streams, n, "used")) as (stream,):
            states = [self.element("states", stream * 6 + k) for k in range(6)]
            numbers = [self._state(view, _MODULI[k // 3]) for k, view in enumerate(states)]
            more = b.operand(n - 1 - stream)
            count = b.let("int_div", "int64", [more, b.operand(streams)], "more").index + 1
            with b.loop("draw", count) as draw:
                first, second = (self._step(numbers[k : k + 3], k // 3) for k in (0, 3))
                self._store_difference(stream + draw * streams, first, second)
            for view, number in zip(states, numbers, strict=True):
                b.store(view, [], number)

    def _state(self, view: View, modulus: int) -> Value:
        """Declare a number of a state; the state of a user may be no number of a stream."""
        b = self.b
        bits = b.cast(b.cast(b.load(view, []), "uint32"), "uint64")
        return b.declare("state", b.let("mod", "uint64", [bits, _word(modulus)]))

    def _step(self, numbers: Sequence[Value], component: int) -> Operand:
        """Compute the next number of a recurrence, and forget the oldest one."""
        b, modulus = self.b, _MODULI[component]
        factors = jump(1)[component].tolist()[0]
        terms = [b.let("mul", "uint64", [number, _word(factor)])
                 for number, factor in zip(numbers, factors, strict=True)
                 if factor]  # fmt: skip
        new = b.let("mod", "uint64", [b.let("add", "uint64", terms), _word(modulus)])
        for older, newer in ((2, 1), (1, 0)):
            b.assign(numbers[older], numbers[newer])
        b.assign(numbers[0], new)
        return new

    def _store_difference(self, place: Index, first: Operand, second: Operand) -> None:
        """Store the number from 1 to the modulus that is drawn, as one below 1."""
        b, dtype = self.b, self.dtype
        wraps = b.let("le", "bool", [first, second])
        added = b.let("switch", "uint64", [wraps, _word(_MODULI[0]), _word(0)])
        drawn = b.let("sub", "uint64", [b.let("add", "uint64", [first, added]), second])
        factor = Literal(NORM[dtype].item(), dtype)
        b.store(self.element("y", place), [], b.let("mul", dtype, [b.cast(drawn, dtype), factor]))


def _word(value: int) -> Literal:
    return Literal(value, "uint64")


_MODULI = (M1, M2)

_WRITERS: Mapping[str, Callable[[_Draw], None]] = {
    **{f"philox_{kind}": _Draw.numbers for kind, _ in BY_KIND},
    **{f"philox_first_{kind}": _Draw.firsts for kind, _ in BY_KIND},
    "mrg_uniform": _Draw.streams,
}
