"""The processor for which programs are written: what it is like, and the passes for it."""

from __future__ import annotations

from symtheano.codegen.passes.accumulators import accumulators
from symtheano.codegen.passes.announce import announce
from symtheano.codegen.passes.blend import blend
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.contract import contract
from symtheano.codegen.passes.halves import halves
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.idioms import idioms
from symtheano.codegen.passes.inline import inline
from symtheano.codegen.passes.interchange import interchange
from symtheano.codegen.passes.interrupts import interrupts
from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.passes.lanes import lanes
from symtheano.codegen.passes.masks import masks
from symtheano.codegen.passes.measure import measure
from symtheano.codegen.passes.motion import motion
from symtheano.codegen.passes.narrow import narrow
from symtheano.codegen.passes.outline import outline
from symtheano.codegen.passes.parallelize import parallelize
from symtheano.codegen.passes.partial_columns import partial_columns
from symtheano.codegen.passes.partial_sums import partial_sums
from symtheano.codegen.passes.peel import peel
from symtheano.codegen.passes.pieces import pieces
from symtheano.codegen.passes.poll_work import poll_work
from symtheano.codegen.passes.polls import polls
from symtheano.codegen.passes.prefetch import prefetch_gathers, prefetch_rows
from symtheano.codegen.passes.prefetch_stream import prefetch_stream
from symtheano.codegen.passes.promote import promote
from symtheano.codegen.passes.quotients import quotients
from symtheano.codegen.passes.recurrences import recurrences
from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.passes.rotate import rotate
from symtheano.codegen.passes.row_functions import row_functions
from symtheano.codegen.passes.scatters import scatters
from symtheano.codegen.passes.search import search
from symtheano.codegen.passes.share import share
from symtheano.codegen.passes.signs import signs
from symtheano.codegen.passes.sink import sink
from symtheano.codegen.passes.skip_empty import skip_empty
from symtheano.codegen.passes.split import split
from symtheano.codegen.passes.stage import stage
from symtheano.codegen.passes.strips import strips
from symtheano.codegen.passes.terms import terms
from symtheano.codegen.passes.tile import tile
from symtheano.codegen.passes.unroll import unroll
from symtheano.codegen.passes.unroll_rows import unroll_rows
from symtheano.codegen.passes.unswitch import unswitch
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.passes.widen import widen
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir.dialect import Dialect

_PLAIN = Dialect()

CPU = Target(
    routines=ROUTINES,
    dialect=replace(
        _PLAIN,
        loops=_PLAIN.loops | {"unrolled", "scalar", "simd", "unrolled simd"},
        vectors=True,
        converts=True,
    ),
    passes=(
        collapse, narrow, unroll, tile, interchange, unroll_rows, hoist, rotate, strips, chunk,
        stage, lanes, row_functions, search, promote, prefetch_rows, terms, jam, sink, split, peel,
        prefetch_gathers, share, parallelize, announce, vectorize, blend, quotients, partial_sums,
        partial_columns, widen, skip_empty, accumulators, contract,
        prefetch_stream, unswitch, polls,
    ),
    legalizations=(masks, halves),
    program_passes=(
        motion, scatters, signs, measure, idioms, poll_work, kernels, inline, recurrences, reserve,
        interrupts, outline, pieces,
    ),
)  # fmt: skip
"""A processor, for which C is written."""
