"""Targets: what is known of a processor, and what is done for it.

:mod:`symtheano.codegen.processors` and :mod:`symtheano.codegen.devices` have those for which
programs are written.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from symtheano.dataclass import dataclass, field, replace
from symtheano.loopir import Kernel, Program
from symtheano.loopir.dialect import Dialect
from symtheano.loopir.routine import Routine
from symtheano.scalar.row import ScalarOp, Signature


@dataclass(frozen=True)
class Costs:
    """What moving and computing values costs on a processor, and how large its loops may be.

    Values that share a loop are passed on in registers, which saves a store and a load of each, and
    loads of arrays that are read twice. Loops may get too large in several ways. The numbers were
    measured on an AVX-512 processor with gcc.

    Attributes
    ----------
    move
        Cost of moving an element to or from a cache beyond the nearest one, in additions.
    store, load
        Moves of an element: a cache line that is stored is read before it is written.
    inline
        Largest cost, in additions, of an element that is computed wherever it is read.
    moved
        Most members that move to another loop to compute a value again.
    arrays
        Most arrays that a loop reads. Lines of arrays that begin at the same place of a page
        replace each other in the cache, and prefetchers follow few streams. A sum of products of 40
        arrays took 1.6 of the time in one loop instead of two, and of 100 arrays 5 times as long as
        in five.
    ahead, at_a_time
        Members of a loop up to which it does not matter how they depend on others; number of
        members that are independent of each other, on average, in larger loops. A processor looks
        ahead a few hundred instructions. If the body of a loop is longer, the next iteration does
        not fill the time in which members wait. 1,500 members, three at a time, took 2 of the time
        of loops of 120; 1,000 with five at a time took 0.4, and half the time to compile. Rows and
        columns are limited to ``ahead`` members: their loops have remainders for each row, values
        are kept or computed again in later stages, and passes write some loops twice.
    members
        Most members of a loop. Compilers take more than linear time for very long functions, and
        compile one at a time.
    length
        The length that is assumed for axes of unknown length where bytes are compared.
    alone, threads
        Work, about 50 microseconds, up to which the host is not told of it (``ST_LONG_WORK`` in C),
        and below which a loop is written for one thread only if it is known; work, in a call, up to
        which one thread runs a loop. Starting threads costs a few microseconds, as much as about
        ten thousand additions, but where a processor is taken away for a moment, all wait for it:
        with half of this work, 50 short iterations of an optical flow took 1 to 3 of the time. With
        twice as much, loops of 50 microseconds ran in one thread: Sinkhorn's iterations of a matrix
        of 200 x 200 took 1.9 of the time.
    """

    move: int = 4
    store: int = 2
    load: int = 1
    inline: int = 8
    moved: int = 40
    arrays: int = 32
    ahead: int = 120
    at_a_time: int = 4
    members: int = 1000
    length: int = 1000
    alone: int = 100_000
    threads: int = 1 << 19


COSTS = Costs()
"""The measured ones."""


@dataclass(frozen=True)
class Functions:
    """What is done with calls of mathematical functions.

    Attributes
    ----------
    inlined
        Most calls in the loops of a file for which our functions are inlined. An inlined function
        shares registers and constants with the loop, which is then a fifth faster than with calls,
        but each copy adds 10 ms to the compile time, and up to 80 ms in a loop of ten.
    lacking
        Function that returns whether there is no text for a row with these dtypes.
    """

    inlined: int = 6
    lacking: Callable[[ScalarOp, Signature], bool] = lambda row, signature: False


@dataclass(frozen=True)
class Device:
    """The threads of a device, and the memory that they share.

    Attributes
    ----------
    warp, threads
        Threads that run in step, and exchange numbers without memory; threads of a block.
    items
        Elements that each thread computes where it needs no other ones.
    long_row
        Rows with more elements are shared by all threads of a block, others by a warp.
    held
        Registers of a thread, of 4 bytes, for elements of a row that several loops use.
    libraries
        The libraries of NVIDIA's that are there: ``cublas`` for products of matrices, ``cufft`` for
        Fourier transforms; ``geev`` if that of decompositions, ``cusolver``, has this function.
    tf32
        Whether they may round the factors of products of float32.
    atomics
        Whether threads may add to elements in any order, so that sums differ from run to run.
    shared, pad
        Bytes of a block's own memory; elements between two rows of a tile there, so that a column
        of it lies in different banks.
    """

    warp: int = 1
    threads: int = 1
    items: int = 1
    long_row: int = 0
    held: int = 0
    shared: int = 0
    pad: int = 0
    libraries: frozenset[str] = frozenset()
    tf32: bool = False
    atomics: bool = False

    @property
    def warps(self) -> int:
        """Warps of a block."""
        return self.threads // self.warp


ONE_THREAD = Device()
"""A thread by itself."""


@dataclass(frozen=True)
class Caches:
    """The caches of a processor, and how memory is asked for before it is needed.

    Attributes
    ----------
    line
        Bytes of a cache line.
    near
        Bytes that stay in the nearest cache, for tiles on the stack.
    core, far
        Numbers of elements up to which arrays stay in a cache of the core, and in any cache beside
        others.
    memory
        Bytes of arrays from which they are read from memory, since no cache holds them.
    burst
        Bytes of a row between two prefetches, and of a block in which a position is searched: about
        as many cache lines as a core waits for at once.
    ahead, ahead_lines
        Rows that indices select are prefetched this many rows before they are read, if the arrays
        have more elements than ``core``; the most cache lines of a row.
    """

    line: int = 64
    near: int = 1 << 15
    core: int = 1 << 16
    far: int = 1 << 18
    memory: int = 1 << 24
    burst: int = 1 << 10
    ahead: int = 8
    ahead_lines: int = 4


@dataclass(frozen=True)
class Vectors:
    """The registers of a processor, and how many values have to be computed side by side.

    Attributes
    ----------
    width, registers, chains
        Bytes of a vector, and number of registers for them; largest number of vectors of each state
        that go through iterations side by side, so that they need not wait for each other. They are
        those of AVX2 whatever processor there is, so that texts, and the order of sums, are the
        same everywhere. Other numbers have not been measured where registers are wider; the width
        of instructions is the compiler's choice, and in our own C text that of ``registers.py``.
    cheap_sums, jam, sums
        Largest cost of an element, in additions, for which the latency of sums is the limit; number
        of rows, or parts of a whole array, that are then reduced at once; most vectors of sums for
        which registers suffice.
    strip, settled
        Number of elements that go through iterations side by side if their states are in the
        nearest cache; iterations after which a strip looks whether its states still change, if
        they are such as may freeze.
    """

    width: int = 32
    registers: int = 16
    chains: int = 8
    cheap_sums: int = 16
    jam: int = 4
    sums: int = 8
    strip: int = 64
    settled: int = 8


@dataclass(frozen=True)
class Rows:
    """What is done with short rows and with interleaved elements.

    Attributes
    ----------
    lanes, short
        Number of rows at once, and largest length of rows, where rows are too short for vectors.
    longest
        Largest known length of rows that are unrolled.
    channels, unrolled
        Most usual length of a short axis whose elements are interleaved; largest known length for
        which such an axis is unrolled.
    block
        Most elements of a row in a tile.
    """

    lanes: int = 32
    short: int = 16
    longest: int = 16
    channels: int = 3
    unrolled: int = 8
    block: int = 512

    @staticmethod
    def interleaves(count: int) -> bool:
        """Return whether vectors are filled from ``count`` interleaved elements by shuffles.

        Compilers know such shuffles for three elements and for powers of two.

        Examples
        --------
        >>> [count for count in range(1, 17) if Rows.interleaves(count)]
        [1, 2, 3, 4, 8, 16]
        """
        return count == 3 or count & (count - 1) == 0


@dataclass(frozen=True)
class Chunks:
    """How reductions are divided. Results depend on it, but not on the number of threads.

    Attributes
    ----------
    work
        Work for which a chunk is worth beginning.
    most, most_rows
        Largest number of chunks, and of chunks which have a row of accumulators each.
    vector
        Bytes of the elements that have an accumulator each in a loop in lanes: a vector of most
        processors.
    """

    work: int = 1 << 15
    most: int = 64
    most_rows: int = 16
    vector: int = 32


@dataclass(frozen=True)
class Target:
    """A processor: its numbers, costs, routines and passes.

    Attributes
    ----------
    name
        For the trace.
    caches, vectors, rows, chunks
        Its numbers, by what they are about.
    inlined
        Most elements of a kernel whose statements take its place in the program.
    serial
        Whether a thread runs iterations in order, so that loops of ops that are written for this
        stay as they are.
    device
        The threads of a device; that of a CPU is one thread.
    costs
        What decides which nodes share loops, and which loops threads share.
    functions
        What is done with calls of mathematical functions.
    routines
        What programs may call, by name.
    dialect
        What its text can say.
    passes
        What is done with the loops of kernels, in order.
    legalizations
        Passes over kernels without reductions: what compilers make nothing good of is expressed
        otherwise.
    program_passes
        What is done with a naive program, in order.
    """

    name: str = "cpu"
    caches: Caches = Caches()
    vectors: Vectors = Vectors()
    rows: Rows = Rows()
    chunks: Chunks = Chunks()
    inlined: int = 16
    serial: bool = True
    device: Device = ONE_THREAD
    costs: Costs = COSTS
    functions: Functions = Functions()
    routines: Mapping[str, Routine] = field(default_factory=dict)
    dialect: Dialect = Dialect()
    passes: tuple[Pass, ...] = ()
    legalizations: tuple[Pass, ...] = ()
    program_passes: tuple[ProgramPass, ...] = ()

    def without(self, names: Collection[str]) -> Target:
        """Return the target but for the passes over kernels with some names."""
        return replace(self, passes=tuple(p for p in self.passes if p.__name__ not in names))


MEASURED = Target()
"""The numbers of the processor on which they were measured, without passes and routines."""

Pass = Callable[[Kernel, Target, Any], Kernel]
"""A change of a kernel's loops; see :mod:`symtheano.codegen.passes`."""

ProgramPass = Callable[[Program, Target, Any], Program]
"""A change of a whole program; see :mod:`symtheano.codegen.passes.program`."""
