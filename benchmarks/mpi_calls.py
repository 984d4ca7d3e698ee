"""The communication of a call alone: its messages are recorded, and repeated without computations.

Compiled code finds the functions of MPI in a table. While a call is recorded, the table has
functions of our own, which note the arguments and call those of MPI; what Python sends (in ``fit``,
for example) passes through an object that does the same. :meth:`Recorded.repeat` calls the same
functions in the same order, with as many elements of the same types, in arrays of its own.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano.codegen.routines.mpi import MPI_FUNCTIONS

ARGUMENTS = {"Allreduce": 6, "Iallreduce": 7, "Wait": 2, "Test": 3}
"""The functions that can be recorded, and how many arguments they have.

A test counts as a wait if it has found the end of a sum, and is left out otherwise.
"""

LARGEST = 16
"""Bytes of the largest type."""


def signature(name: str) -> Any:
    """Return the type of a function of MPI: all arguments have the size of a pointer."""
    return ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * ARGUMENTS[name])


class Recorded:
    """The messages of one call of a function, on all ranks.

    Parameters
    ----------
    world
        The ranks.
    run
        What is called.

    Attributes
    ----------
    calls
        For each message of compiled code, the name of MPI's function and the number of elements;
        for each of Python the name alone.
    """

    def __init__(self, world: Any, run: Callable[[], object]) -> None:
        self.calls: list[tuple[str, int]] = []
        self._world, self._repeats = world, list[Callable[[], object]]()
        self._requests: dict[int, Any] = {}
        self._arrays: list[Any] = []
        table, control = world.table, world.control
        functions = table.fn[:]
        self._wait_function = signature("Wait")(functions[MPI_FUNCTIONS.index("Wait")])
        kept = [self._noting(name, functions[k]) for k, name in enumerate(MPI_FUNCTIONS)]
        table.fn[:] = [ctypes.cast(function, ctypes.c_void_p).value for function in kept]
        world.control = _Noted(control, self)
        try:
            run()
        finally:
            table.fn[:], world.control = functions, control

    def repeat(self) -> None:
        """Send the messages again, without anything between them."""
        for call in self._repeats:
            call()

    def note(self, name: str, count: int, call: Callable[[], object]) -> None:
        """Note a message."""
        self.calls.append((name, count))
        self._repeats.append(call)

    def _noting(self, name: str, address: int) -> Any:
        if name not in ARGUMENTS:

            def refuse(*_: Any) -> int:
                raise SystemExit(f"MPI_{name} is not recorded")

            return ctypes.CFUNCTYPE(ctypes.c_int)(refuse)
        kind = signature(name)
        original = kind(address)
        notes = {"Allreduce": self._sum, "Iallreduce": self._start, "Wait": self._wait}

        def noting(*arguments: int | None) -> int:
            values = [value or 0 for value in arguments]
            status: int = original(*values)
            if name in notes:
                notes[name](original, values)
            elif ctypes.c_int.from_address(values[1]).value:  # a test that found the end
                self._wait(self._wait_function, values)
            return status

        return kind(noting)

    def _sum(self, function: Any, values: list[int]) -> None:
        copied = self._copied(values)
        self.note("Allreduce", copied[2], lambda: function(*copied))

    def _start(self, function: Any, values: list[int]) -> None:
        copied = self._copied(values)
        request = np.zeros(1, "int64")
        self._requests[values[6]] = request
        copied.append(request.ctypes.data)
        self.note("Iallreduce", copied[2], lambda: function(*copied))

    def _wait(self, function: Any, values: list[int]) -> None:
        request, status = self._requests[values[0]], np.zeros(LARGEST, "int64")
        self.note("Wait", 0, lambda: function(request.ctypes.data, status.ctypes.data))

    def _copied(self, values: list[int]) -> list[int]:
        """Return arguments with arrays of our own: from, to, count, type, operation, ranks."""
        table = self._world.table
        whole = (1 << 32) - 1
        handles = [value & whole if table.ints else value for value in values[3:6]]
        count = values[2] & whole
        arrays = [np.zeros(count * LARGEST, "uint8") for _ in range(2)]
        self._arrays.extend(arrays)
        source = table.in_place if values[0] == table.in_place else arrays[0].ctypes.data
        return [source, arrays[1].ctypes.data, count, *handles]


class _Noted:
    """A communicator whose methods are noted."""

    def __init__(self, comm: Any, recorded: Recorded) -> None:
        self._comm, self._recorded = comm, recorded

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._comm, name)

        def noting(*arguments: Any) -> Any:
            self._recorded.note(name, 0, lambda: method(*arguments))
            return method(*arguments)

        return noting
