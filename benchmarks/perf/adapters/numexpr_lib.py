"""Numexpr: elementwise expressions from text."""

import numexpr

from benchmarks.perf.adapters.base import Base


class Adapter(Base):
    flavours = ("numexpr",)

    def __init__(self):
        numexpr.set_num_threads(self.threads())
        self.ne = numexpr

    def version(self):
        return f"numexpr {numexpr.__version__}"
