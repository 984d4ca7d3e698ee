"""Launches for windows over images: a thread for each element of an array with three axes."""

from __future__ import annotations

from symtheano.codegen.passes.cuda.routines.calls import RoutineCall
from symtheano.loopir import Buffer, Index


class WindowLaunch(RoutineCall):
    """Writes the launch of one call of a routine over images."""

    def lengths(self, name: str) -> list[Index]:
        return [self.integer(f"{name}{axis}") for axis in range(3)]

    def at(self, name: str, *places: tuple[Index, Index]) -> tuple[Buffer, Index]:
        """Return an element of an array, by positions and the lengths of their axes."""
        address = self.address(name)
        offset = Index.of(0)
        for position, length in places:
            offset = offset * length + position
        return address.buffer, address.offset + offset

    def unravelled(self, place: Index, lengths: list[Index], wish: str) -> list[Index]:
        """Return the positions along three axes of an element of an array in C order."""
        b, positions = self.b, []
        rest = b.operand(place)
        for axis in (2, 1):
            length = b.operand(lengths[axis])
            positions.append(b.let("mod", "int64", [rest, length], f"{wish}{axis}").index)
            rest = b.let("int_div", "int64", [rest, length], wish)
        return [b.as_index(rest), *reversed(positions)]
