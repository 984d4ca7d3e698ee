"""Devices for which programs are written: what they are like, and the passes for each.

They are not in :mod:`symtheano.codegen.processors`, so that a program for the processor does not
load their passes.
"""

from __future__ import annotations

from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.cuda.elementwise_scans import elementwise_scans
from symtheano.codegen.passes.cuda.extrema import extrema
from symtheano.codegen.passes.cuda.functions import lacking
from symtheano.codegen.passes.cuda.fuse import fuse
from symtheano.codegen.passes.cuda.hold import hold
from symtheano.codegen.passes.cuda.hold_rows import hold_rows
from symtheano.codegen.passes.cuda.lane_accumulators import lane_accumulators
from symtheano.codegen.passes.cuda.launch import launch
from symtheano.codegen.passes.cuda.launches import launches
from symtheano.codegen.passes.cuda.lift import lift
from symtheano.codegen.passes.cuda.load_first import load_first
from symtheano.codegen.passes.cuda.narrow_indices import narrow_indices
from symtheano.codegen.passes.cuda.place import place
from symtheano.codegen.passes.cuda.places import places
from symtheano.codegen.passes.cuda.prefix import prefix
from symtheano.codegen.passes.cuda.ranges import ranges
from symtheano.codegen.passes.cuda.repetitions import repetitions
from symtheano.codegen.passes.cuda.routines.attention import attention
from symtheano.codegen.passes.cuda.routines.biases import biases
from symtheano.codegen.passes.cuda.routines.convolutions import convolutions
from symtheano.codegen.passes.cuda.routines.copies import copies
from symtheano.codegen.passes.cuda.routines.decompositions import decompositions
from symtheano.codegen.passes.cuda.routines.flash_attention import flash_attention
from symtheano.codegen.passes.cuda.routines.fourier import fourier
from symtheano.codegen.passes.cuda.routines.poolings import poolings
from symtheano.codegen.passes.cuda.routines.products import products
from symtheano.codegen.passes.cuda.routines.random_numbers import random_numbers
from symtheano.codegen.passes.cuda.routines.row_orders import row_orders
from symtheano.codegen.passes.cuda.routines.sorting import sorting
from symtheano.codegen.passes.cuda.row_chunks import row_chunks
from symtheano.codegen.passes.cuda.scalars import scalars
from symtheano.codegen.passes.cuda.segment_search import segment_search
from symtheano.codegen.passes.cuda.segments import segments
from symtheano.codegen.passes.cuda.steps import steps
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.codegen.passes.cuda.totals import totals
from symtheano.codegen.passes.cuda.vectors import vectors
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.interrupts import interrupts
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.passes.measure import measure
from symtheano.codegen.passes.motion import motion
from symtheano.codegen.passes.outline import outline
from symtheano.codegen.passes.pieces import pieces
from symtheano.codegen.passes.poll_work import poll_work
from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.passes.search import search
from symtheano.codegen.passes.tile import tile
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Caches, Chunks, Device, Functions, Rows, Target
from symtheano.dataclass import replace
from symtheano.loopir.dialect import OF_DEVICES, Dialect
from symtheano.loopir.memory import SHARED

_PLAIN = Dialect()

CUDA = Target(
    dialect=replace(
        _PLAIN, statements=_PLAIN.statements | OF_DEVICES,
        loops=_PLAIN.loops | {"unrolled", "grid", "thread", "warp", "lane"},
        memories=_PLAIN.memories | {SHARED}, vectors=True,
    ),
    name="cuda", caches=Caches(line=128, near=1 << 14, burst=1 << 15),
    rows=Rows(block=1 << 12), chunks=Chunks(work=1 << 13, most=1 << 10, most_rows=1 << 7),
    serial=False,
    device=Device(
        warp=32, threads=256, items=4, long_row=1 << 10, held=128, shared=48 << 10, pad=1,
    ),
    passes=(
        collapse, tile, hoist, extrema, search, chunk, row_chunks, lift, hold, fuse,
        repetitions, prefix, segment_search, ranges, totals, launch, vectors, lane_accumulators,
        place, hold_rows, load_first, synchronize,
    ),
    routines=CPU.routines,
    functions=Functions(lacking=lacking),
    legalizations=CPU.legalizations,
    program_passes=(
        motion, attention, fourier, decompositions, row_orders, segments, measure, poll_work,
        copies, products, biases, elementwise_scans, kernels, flash_attention, convolutions,
        poolings, random_numbers, sorting, scalars, places, reserve, interrupts, outline, launches,
        narrow_indices, steps, pieces,
    ),
)  # fmt: skip
"""A device of many threads. Loops become launches of these, loops of the kind ``grid``; see
:mod:`symtheano.loopir.device`."""
