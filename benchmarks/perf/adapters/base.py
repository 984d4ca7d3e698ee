"""What every library has in common."""

from __future__ import annotations

import os

import numpy as np


class Base:
    """The interface of a library to a worker.

    ``flavours`` are the methods of a workload that suit the library, in order. ``m`` is the
    library's array module. The methods that are written once for all libraries
    (`benchmarks.perf.expression`) use ``m`` and, for what libraries spell differently,
    ``sigmoid``, ``softplus``, ``relu``, ``cast``, ``equal``, ``batched_dot`` and ``scattered``
    (values added at rows of an array).
    """

    flavours: tuple[str, ...] = ()
    _note = ""

    def version(self):
        return ""

    def threads(self):
        return int(os.environ.get("OMP_NUM_THREADS", "1"))

    def to_numpy(self, x):
        return np.asarray(x)

    def begin(self, case):
        """Get ready for a variant of a workload."""

    def equal(self, a, b):
        return a == b

    def release(self):
        """Free compiled functions."""

    def remark(self, text):
        """Say something about the result."""
        self._note = text

    def take_note(self):
        """Return the last remark, once."""
        note, self._note = self._note, ""
        return note
