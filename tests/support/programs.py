"""An interpreter of whole LoopIR programs: the workspace, checks and copies around kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano.loopir import (
    Alias,
    Allocate,
    Buffer,
    Call,
    Check,
    Choose,
    Interrupt,
    Measure,
    Program,
    Reserve,
    Swap,
)
from symtheano.loopir.operands import Address
from symtheano.loopir.run import Run
from tests.support.loops import Array, Machine

_BYTES = 77
"""The memory that each call asks for."""


class ProgramMachine(Machine):
    """Runs a program.

    Parameters
    ----------
    program
        The program. The only routines that it calls are ``copy``, ``zero`` and ``sort``.
    inputs
        Its arguments; they may be written to.
    """

    def __init__(self, program: Program, inputs: Sequence[Array]) -> None:
        arrays = {
            buffer.name: array.reshape(-1)
            for buffer, array in zip(program.inputs, inputs, strict=True)
        }
        arrays |= {
            buffer.name: np.array(values, buffer.dtype) for buffer, values in program.constants
        }
        dims = {
            name: length
            for names, array in zip(program.input_dims, inputs, strict=True)
            for name, length in zip(names, array.shape, strict=True)
            if name
        }
        super().__init__(dims, arrays)
        self.program = program
        self.functions = {function.name: function for function in program.functions}
        self.opened = False

    def outputs(self) -> list[Array]:
        """Run the program and return its outputs, as flat arrays."""
        self.run(self.program.body)
        return [self.arrays[buffer.name] for buffer in self.program.outputs]

    def memory(self, buffer: Buffer) -> Array:
        """Return the memory of a buffer, after giving places to all parts of the workspace."""
        if buffer.space == "arena" and not self.opened:
            self.opened = True
            for slot in self.program.arena:
                place = np.full(max(self.index(slot.size), 0), 77, "uint8")
                for user in slot.buffers:
                    bytes_ = self.index(user.size) * np.dtype(user.dtype).itemsize
                    assert bytes_ <= place.size, (slot, user)
                    self.arrays[user.name] = place[:bytes_].view(user.dtype)
        return super().memory(buffer)

    def part(self, address: Address) -> Array:
        """Return the elements of a buffer from an address on."""
        return self.memory(address.buffer)[self.index(address.offset) :]

    def _alias(self, s: Alias) -> None:
        self.arrays[s.buffer.name] = self.part(s.address)

    def _choose(self, s: Choose) -> None:
        self.arrays[s.buffer.name] = self.part(s.first if self.operand(s.condition) else s.second)

    def _swap(self, s: Swap) -> None:
        first, second = s.first.name, s.second.name
        self.arrays[first], self.arrays[second] = self.arrays[second], self.arrays[first]

    def _allocate(self, s: Allocate) -> None:
        size = int(np.prod([self.index(dim) for dim in s.shape], dtype=int))
        self.arrays[s.buffer.name] = np.full(size, 77, s.buffer.dtype)

    def _check(self, s: Check) -> None:
        assert self.expression(s.condition), s

    def _call(self, s: Call) -> None:
        given: list[Any] = [
            self.part(item) if isinstance(item, Address) else item for item in s.arguments
        ]
        if s.routine.name == "copy":
            target, source, count = given
            target[: self.index(count)] = source[: self.index(count)]
        elif s.routine.name == "zero":
            target, count = given
            target[: self.index(count)] = 0
        elif s.routine.name == "sort":
            rows, n, array = given
            assert s.workspace is not None
            assert self.memory(s.workspace).size >= _BYTES, s.workspace
            part = array[: self.index(rows) * self.index(n)]
            part[:] = np.sort(part.reshape(self.index(rows), -1)).reshape(-1)
        else:
            raise NotImplementedError(s.routine.name)

    def _run(self, s: Run) -> None:
        function = self.functions[s.function]
        count = 0
        if s.threads is not None:
            count = -(-self.index(s.threads.length) // s.threads.step)
        for value, number in zip(function.range, (0, count, 0), strict=False):
            self.values[value.name] = np.int64(number)
        arrays = [self.memory(buffer) for buffer in s.buffers]
        values = [self.values[value.name] for value in s.values]
        # Others of the program have the names of these parameters, perhaps this call's arguments.
        before = dict(self.values), dict(self.arrays)
        self.arrays |= {b.name: a for b, a in zip(function.buffers, arrays, strict=True)}
        self.values |= {v.name: value for v, value in zip(function.values, values, strict=True)}
        self.run(function.body)
        results = [self.values[value.name] for value in function.results]
        kept = {b.name: self.arrays[b.name] for b in function.stack if b.name in self.arrays}
        kept |= {b.name: self.memory(b) for b in function.left if isinstance(b, Buffer)}
        self.values, self.arrays = before[0], before[1] | kept
        self.values |= {v.name: value for v, value in zip(s.results, results, strict=True)}

    def _reserve(self, s: Reserve) -> None:
        """Do nothing: parts of the workspace get their places when they are used."""

    def _interrupt(self, s: Interrupt) -> None:
        """Do nothing: no host asks for the end."""

    def _measure(self, s: Measure) -> None:
        self.values[s.target.name] = np.int64(_BYTES)
