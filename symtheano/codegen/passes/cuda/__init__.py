"""The passes for CUDA: loops become launches of threads, and there is no printer for them yet."""

from __future__ import annotations

from symtheano.codegen.passes import Pass
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.collapse import collapse
from symtheano.codegen.passes.cuda.hold import hold
from symtheano.codegen.passes.cuda.launch import launch
from symtheano.codegen.passes.cuda.lift import lift
from symtheano.codegen.passes.cuda.place import place
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.codegen.passes.cuda.totals import totals
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.search import search
from symtheano.codegen.passes.tile import tile

CUDA_PASSES: tuple[Pass, ...] = (
    collapse, tile, hoist, search, chunk, lift, hold, totals, launch, place, synchronize,
)  # fmt: skip
"""The passes for CUDA, in order. Launches are loops of the kind ``grid``; see
:mod:`symtheano.loopir.device`."""
