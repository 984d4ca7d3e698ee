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
