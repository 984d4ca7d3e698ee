"""The C text of routines, and memory for them, for tests that compile them alone."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence

import numpy as np

from symtheano.codegen.c.prelude import announcing, routine_sections
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.targets import COSTS

_MARK = 0xA5


def routine_texts(calls: Iterable[tuple[str, str]], externals: Sequence[str] = ()) -> str:
    """Return the text of routines, given by name and dtype, to follow the ABI."""
    sections = routine_sections({(n, d): ROUTINES[n] for n, d in calls}, externals)
    return "\n".join((announcing(COSTS), *sections))


class Workspace:
    """Memory of a size, aligned to 64 bytes; what is after it must not be written to."""

    def __init__(self, size: int) -> None:
        self._whole = np.full(size + 128, _MARK, "uint8")
        self._offset = -self._whole.ctypes.data % 64
        self.size = size

    @property
    def arguments(self) -> tuple[ctypes.c_void_p, ctypes.c_int64]:
        """The last arguments of a routine."""
        address = self._whole.ctypes.data + self._offset
        return ctypes.c_void_p(address), ctypes.c_int64(self.size)

    def check(self) -> None:
        """Raise AssertionError if a byte after it was written to."""
        assert (self._whole[self._offset + self.size :] == _MARK).all()
