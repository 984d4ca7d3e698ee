"""Programs of several processes, which ``mpiexec`` starts: operations on all of them."""

from __future__ import annotations

from symtheano.codegen.runtime.mpi import World, started, world
from symtheano.distributed.collective import rank, size
from symtheano.distributed.functions import allgather, allreduce, broadcast, scatter
from symtheano.distributed.guard import guard
from symtheano.distributed.order import in_order
from symtheano.distributed.parallel import DataParallel, compare as compare, give as give
from symtheano.errors import DistributedError
from symtheano.function.making import ARRANGING

__all__ = [
    "DataParallel", "DistributedError", "World", "allgather", "allreduce", "broadcast", "rank",
    "scatter", "size", "world",
]  # fmt: skip

ARRANGING.append(in_order)
started.append(guard)
