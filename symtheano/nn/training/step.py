"""The compiled functions of a model: one call is one batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.training.data import Samples


class Resident:
    """Samples in shared variables, and where the next batch begins.

    A function whose inputs are given by :attr:`givens` takes its batch from there itself: a call
    has no arguments, and Python touches no data.

    Parameters
    ----------
    variables
        The symbolic arrays of a batch: inputs, targets and weights.

    Attributes
    ----------
    givens
        Pairs of these variables and the rows of the next batch.
    updates
        Pairs that move on to the batch after it.
    """

    def __init__(self, variables: Sequence[Any]) -> None:
        self._empty = [np.zeros((0,) * v.ndim, v.dtype) for v in variables]
        self._arrays = [symtheano.shared(array) for array in self._empty]
        self._order = symtheano.shared(np.zeros(0, "int64"))
        self._first = symtheano.shared(np.int64(0))
        self._size = symtheano.shared(np.int64(1))
        # The rows of a batch are a variable, so that its length is that of an array, as it is where
        # a batch is an argument: rules that need the length do the same, and the bits are the same.
        self._rows = symtheano.shared(np.zeros(0, "int64"))
        self.givens = [(v, a[self._rows]) for v, a in zip(variables, self._arrays, strict=True)]
        end = self._first + self._size
        self.updates = [(self._rows, self._order[self._first : end]), (self._first, end)]

    def load(self, samples: Samples) -> None:
        """Take samples, without a copy."""
        for variable, array in zip(self._arrays, samples.arrays, strict=True):
            variable.set_value(array, borrow=True)

    def begin(self, order: Any, size: int) -> int:
        """Begin an epoch with samples in an order; return the number of batches."""
        self._order.set_value(order, borrow=True)
        self._rows.set_value(order[:size])
        self._first.set_value(np.array(size, "int64"), borrow=True)
        self._size.set_value(np.array(size, "int64"), borrow=True)
        return -(-len(order) // size)

    def release(self) -> None:
        """Let go of the samples."""
        for variable, array in zip(self._arrays, self._empty, strict=True):
            variable.set_value(array)


class Totals:
    """Sums over the batches of an epoch, to which each call of a function adds.

    Parameters
    ----------
    metrics
        By name: the batch's array of sums, its shape, and what makes a number of the sums.

    Attributes
    ----------
    updates
        Pairs that add the sums of a batch.
    """

    def __init__(
        self, metrics: Mapping[str, tuple[Any, tuple[int, ...], Callable[[Any], Any]]]
    ) -> None:
        self._results = {name: result for name, (_, _, result) in metrics.items()}
        self._sums = {
            name: symtheano.shared(np.zeros(shape), name=f"sums of {name}")
            for name, (_, shape, _) in metrics.items()
        }
        self.updates = [
            (self._sums[name], self._sums[name] + T.cast(sums, "float64"))
            for name, (sums, _, _) in metrics.items()
        ]

    def reset(self) -> None:
        """Set all sums to zero."""
        for variable in self._sums.values():
            variable.set_value(np.zeros(variable.get_value(borrow=True).shape), borrow=True)

    def read(self, others: Sequence[Totals] = ()) -> dict[str, Any]:
        """Return what was measured since the last reset, by other functions, too.

        It is a number by name, or an array for metrics such as a confusion matrix.
        """
        return {
            name: self._results[name](
                sum((other.sums[name] for other in others), variable.get_value(borrow=True))
            )
            for name, variable in self._sums.items()
        }

    @property
    def sums(self) -> dict[str, Any]:
        """The sums since the last reset, by name."""
        return {name: variable.get_value(borrow=True) for name, variable in self._sums.items()}


class Step:
    """One pass over a batch, compiled for resident data, for arguments, or for both.

    Parameters
    ----------
    variables
        The symbolic arrays of a batch.
    totals
        What is summed up.
    updates
        Other updates of a call.
    mode
        The compiler's mode.
    waits
        Whether kernels that the package compiles once on a machine are waited for.
    """

    def __init__(
        self,
        variables: Sequence[Any],
        totals: Totals,
        updates: Sequence[Any],
        mode: Any,
        waits: bool = False,
    ) -> None:
        self.variables, self.totals = list(variables), totals
        self._updates, self._mode = [*updates, *totals.updates], mode
        self.waits = waits
        self.resident = Resident(variables)
        self._on_resident: Any = None
        self._on_arguments: Any = None

    def on_resident(self) -> Callable[[], Any]:
        """Return the function of the next batch of resident samples, without arguments."""
        if self._on_resident is None:
            with waiting(self.waits):
                self._on_resident = symtheano.function(
                    [],
                    [],
                    updates=[*self._updates, *self.resident.updates],
                    givens=self.resident.givens,
                    mode=self._mode,
                    name="step",
                )
        return self._on_resident  # type: ignore[no-any-return]

    def on_arguments(self) -> Callable[..., Any]:
        """Return the function of a batch's arrays."""
        if self._on_arguments is None:
            with waiting(self.waits):
                self._on_arguments = symtheano.function(
                    self.variables, [], updates=self._updates, mode=self._mode, name="step",
                    on_unused_input="ignore",
                )  # fmt: skip
        return self._on_arguments  # type: ignore[no-any-return]

    def compiles(self, resident: bool) -> bool:
        """Return whether the next call of ``on_resident``, or ``on_arguments``, compiles."""
        made = self._on_resident if resident else self._on_arguments
        return made is None and self._mode is None


@contextmanager
def waiting(waits: bool) -> Iterator[None]:
    """Compile as if the same bits were wanted in each run, which waits for kernels."""
    if not waits:
        yield
        return
    with symtheano.config.change_flags(deterministic="more"):
        yield


def measured(steps: Sequence[Step]) -> dict[str, Any]:
    """Return what several steps of one model measured, as if they were one."""
    return steps[0].totals.read([step.totals for step in steps[1:]])
