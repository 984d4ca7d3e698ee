"""Training by methods that evaluate the loss of all samples at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtheano.nn.layers.parameters import Parameter
from symtheano.nn.optimizers.full_batch import FullBatch
from symtheano.nn.session.operations import ancestors
from symtheano.nn.training.data import Samples
from symtheano.nn.training.step import Step, Totals


class Whole:
    """A minimization over all samples, compiled.

    Parameters
    ----------
    optimizer
        The method.
    cost
        The loss with all penalties.
    parameters
        What is trained.
    variables
        The symbolic arrays of all samples.
    totals
        What is measured.
    updates
        The running statistics of layers, which are updated once after a minimization.
    mode
        The compiler's mode.

    Raises
    ------
    ValueError
        If the loss is not the same in each evaluation.
    NotImplementedError
        If a parameter has a constraint.
    """

    LIMIT = 1
    """SciPy's status of a minimization that the largest number of iterations has ended."""

    def __init__(
        self,
        optimizer: FullBatch,
        cost: Any,
        parameters: Sequence[Parameter],
        variables: Sequence[Any],
        totals: Totals,
        updates: Mapping[Any, Any],
        mode: Any,
    ) -> None:
        name = type(optimizer).__name__
        for item in parameters:
            if item.constraint is not None:
                raise NotImplementedError(
                    f"{name}: {item.variable.name} has a constraint, which SciPy's methods do not "
                    "know; take another optimizer, such as 'adam'"
                )
        changing = [
            v for v in ancestors([cost])
            if v in updates or getattr(v, "default_update", None) is not None
        ]  # fmt: skip
        if changing:
            raise ValueError(
                f"{name}: the loss is not the same in each evaluation: it depends on "
                f"{changing[0].name or 'random numbers'}, which each one changes, as with dropout, "
                "noise and stateful layers; leave them out, or take another optimizer, such as "
                "'adam'"
            )
        self.totals = totals
        self._minimize = optimizer.minimizer(
            cost,
            [item.variable for item in parameters],
            variables,
            mode=mode,
            name="loss",
            on_unused_input="ignore",
        )
        self._measure = Step(variables, totals, list(updates.items()), mode)

    def run(self, samples: Samples) -> Any:
        """Minimize, and measure; return SciPy's result."""
        found = self._minimize(samples.arrays, None)
        self.totals.reset()
        self._measure.on_arguments()(*samples.arrays)
        return found
