"""What every library has in common."""

from __future__ import annotations

import os
from collections import deque

import numpy as np


class Base:
    """The interface of a library to a worker.

    ``flavours`` are the methods of a workload that suit the library, in order. ``m`` is the
    library's array module. The methods that are written once for all libraries
    (`benchmarks.perf.expression`) use ``m`` and, for what libraries spell differently,
    ``sigmoid``, ``softplus``, ``relu``, ``cast``, ``equal``, ``batched_dot``, ``scattered``
    (values added at rows of an array), ``flip`` (of the first axis), ``largest`` (along an axis),
    ``logsumexp``, ``gammaln``, ``powers`` (squares of the absolute values of Fourier transforms of
    rows) and the two loops ``last_states`` and ``histories``. Loops call ``step`` with a row of
    each sequence, the states and the constants; it returns the new states and, for ``histories``,
    other results.
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

    def flip(self, x):
        return x[::-1]

    def rounds(self, step, start, sequences, constants, count):
        """Yield the results of each iteration of a loop in Python."""
        states = list(start)
        for k in range(len(sequences[0]) if count is None else count):
            results = step(*(rows[k] for rows in sequences), *states, *constants)
            states = results[: len(states)]
            yield results

    def last_states(self, step, start, sequences=(), constants=(), count=None):
        """Return the states after the last iteration."""
        return deque(self.rounds(step, start, sequences, constants, count), maxlen=1).pop()

    def histories(self, step, start, sequences=(), constants=(), count=None):
        """Return what each iteration gave, one array for each result."""
        every = list(self.rounds(step, start, sequences, constants, count))
        return [self.m.stack(list(column), 0) for column in zip(*every, strict=True)]

    def release(self):
        """Free compiled functions."""

    def remark(self, text):
        """Say something about the result."""
        self._note = text

    def take_note(self):
        """Return the last remark, once."""
        note, self._note = self._note, ""
        return note
