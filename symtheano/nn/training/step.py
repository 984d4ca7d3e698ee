"""The compiled functions of a model. Each call processes one batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.backends import Backend
from symtheano.nn.training.data import Samples


class Resident:
    """Samples in shared variables, and the position of the next batch.

    A function that is compiled with :attr:`givens` and :attr:`updates` reads its batch from the
    shared variables. Its calls have no arguments, and Python does not copy data.

    Parameters
    ----------
    variables
        The symbolic arrays of a batch: inputs, targets and weights.

    Attributes
    ----------
    givens
        Pairs of a variable of the batch and the rows of the next batch.
    updates
        Pairs of a shared variable and its next value, which advance to the following batch.
    """

    def __init__(self, variables: Sequence[Any]) -> None:
        self._empty = [np.zeros((0,) * v.ndim, v.dtype) for v in variables]
        self._arrays = [symtheano.shared(array) for array in self._empty]
        self._order = symtheano.shared(np.zeros(0, "int64"))
        self._first = symtheano.shared(np.int64(0))
        self._size = symtheano.shared(np.int64(1))
        # The rows of a batch are a variable, so its length is the length of an array, as it is if
        # the batch is an argument. Rewrite rules that use the length then make the same functions,
        # whose results have the same bits.
        self._rows = symtheano.shared(np.zeros(0, "int64"))
        self.givens = [(v, a[self._rows]) for v, a in zip(variables, self._arrays, strict=True)]
        end = self._first + self._size
        self.updates = [(self._rows, self._order[self._first : end]), (self._first, end)]

    @property
    def variables(self) -> list[Any]:
        """The shared variables."""
        return [*self._arrays, self._order, self._first, self._size, self._rows]

    def load(self, samples: Samples) -> None:
        """Set the samples, without a copy."""
        for variable, array in zip(self._arrays, samples.arrays, strict=True):
            variable.set_value(array, borrow=True)

    def begin(self, order: Any, size: int) -> int:
        """Begin an epoch with an order of the samples, and return the number of batches."""
        self._order.set_value(order, borrow=True)
        self._rows.set_value(order[:size])
        self._first.set_value(np.array(size, "int64"), borrow=True)
        self._size.set_value(np.array(size, "int64"), borrow=True)
        return -(-len(order) // size)

    def release(self) -> None:
        """Release the memory of the samples."""
        for variable, array in zip(self._arrays, self._empty, strict=True):
            variable.set_value(array)


class Totals:
    """Sums over the batches of an epoch. Each call of a function adds the sums of its batch.

    Parameters
    ----------
    metrics
        A mapping from names to tuples: the expression of the sums of a batch, its shape, and a
        function that computes the metric from the sums.

    Attributes
    ----------
    updates
        Pairs of a shared variable and its next value, which add the sums of a batch.
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

    @property
    def variables(self) -> list[Any]:
        """The shared variables."""
        return list(self._sums.values())

    def keep_if(self, condition: Any) -> None:
        """Add the sums of a batch only if a condition is true, a 0-d expression."""
        self.updates = [(old, T.switch(condition, new, old)) for old, new in self.updates]

    def read(
        self,
        others: Sequence[Totals] = (),
        reduce: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
    ) -> dict[str, Any]:
        """Return the loss and the metrics since the last reset, by name.

        They are numbers, or arrays for metrics such as a confusion matrix.

        Parameters
        ----------
        others
            The sums of other functions, which are added.
        reduce
            Function that returns the sums of all processes for those of this one.
        """
        own = self.sums
        whole = {name: sum((other.sums[name] for other in others), own[name]) for name in own}
        return {name: self._results[name](sums) for name, sums in reduce(whole).items()}

    @property
    def sums(self) -> dict[str, Any]:
        """The sums since the last reset, by name."""
        return {name: variable.get_value(borrow=True) for name, variable in self._sums.items()}


class TrainingStep:
    """The processing of one batch, compiled for resident data, for arguments, or for both.

    Parameters
    ----------
    variables
        The symbolic arrays of a batch.
    totals
        The sums of the loss and the metrics.
    updates
        Further updates of each call.
    mode
        The mode of the compiled functions.
    waits
        Whether compilation waits for kernels that the package compiles once for a machine.
    distribution
        Function that returns how the step is distributed, given the shared variables that belong to
        a process alone; None if it is not.
    """

    def __init__(
        self,
        variables: Sequence[Any],
        totals: Totals,
        updates: Sequence[Any],
        backend: Backend,
        waits: bool = False,
        distribution: Callable[[Sequence[Any]], Any] | None = None,
    ) -> None:
        self._distribution = distribution
        self.variables, self.totals = list(variables), totals
        self._updates, self._backend = [*updates, *totals.updates], backend
        self.waits = waits
        self.resident = Resident(variables)
        self._on_resident: Any = None
        self._on_arguments: Any = None

    def on_resident(self) -> Callable[[], Any]:
        """Return the function without arguments that processes the next batch of resident data."""
        if self._on_resident is None:
            with waiting(self.waits):
                self._on_resident = symtheano.function(
                    [],
                    [],
                    updates=[*self._updates, *self.resident.updates],
                    givens=self.resident.givens,
                    name="step",
                    distribute=self._distributed(),
                    **self._backend.options,
                )
        return self._on_resident  # type: ignore[no-any-return]

    def _distributed(self) -> Any:
        """Return how the function is distributed, or None."""
        if self._distribution is None:
            return None
        return self._distribution([*self.resident.variables, *self.totals.variables])

    def on_arguments(self) -> Callable[..., Any]:
        """Return the function that takes the arrays of a batch as arguments."""
        if self._on_arguments is None:
            with waiting(self.waits):
                self._on_arguments = symtheano.function(
                    self.variables, [], updates=self._updates, name="step",
                    on_unused_input="ignore", distribute=self._distributed(),
                    **self._backend.options,
                )  # fmt: skip
        return self._on_arguments  # type: ignore[no-any-return]

    def compiles(self, resident: bool) -> bool:
        """Return whether the next call of ``on_resident`` or ``on_arguments`` compiles."""
        compiled = self._on_resident if resident else self._on_arguments
        return compiled is None and self._backend.compiles


@contextmanager
def waiting(waits: bool) -> Iterator[None]:
    """Compile inside of a ``with`` block as if each run must give the same bits.

    Compilation then waits for kernels.
    """
    if not waits:
        yield
        return
    with symtheano.config.change_flags(deterministic="more"):
        yield


def measured(
    steps: Sequence[TrainingStep],
    reduce: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict,
) -> dict[str, Any]:
    """Return the loss and the metrics of several steps of one model together.

    ``reduce`` returns the sums of all processes for those of this one.
    """
    return steps[0].totals.read([step.totals for step in steps[1:]], reduce)
