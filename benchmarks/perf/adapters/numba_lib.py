"""Numba: loops written by hand for each workload."""

import numba

from benchmarks.perf.adapters.base import Base


class Adapter(Base):
    flavours = ("numba",)

    def __init__(self):
        numba.set_num_threads(self.threads())
        self.nb = numba

    def jit(self, f, parallel=True):
        """Compile with fastmath, in parallel if several threads are requested."""
        return self.nb.njit(fastmath=True, parallel=parallel and self.threads() > 1)(f)

    def version(self):
        return f"numba {numba.__version__}"
