"""Training with optimizers that evaluate the loss of all samples at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtheano.nn.backends import Backend
from symtheano.nn.layers.parameters import Parameter
from symtheano.nn.optimizers.full_batch import FullBatch
from symtheano.nn.session.operations import ancestors
from symtheano.nn.training.data import Samples
from symtheano.nn.training.step import Totals, TrainingStep


class Whole:
    """A compiled minimization over all samples.

    Parameters
    ----------
    optimizer
        The optimizer.
    cost
        The loss with all penalties.
    parameters
        The parameters to train.
    variables
        The symbolic arrays of all samples.
    totals
        The sums of the loss and the metrics.
    updates
        The updates of the running statistics of layers. They are applied once after each
        minimization.
    mode
        The mode of the compiled functions.

    Raises
    ------
    ValueError
        If the loss is not the same in each evaluation.
    NotImplementedError
        If a parameter has a constraint.
    """

    LIMIT = 1
    """The status that SciPy returns if the largest number of iterations was reached."""

    def __init__(
        self,
        optimizer: FullBatch,
        cost: Any,
        parameters: Sequence[Parameter],
        variables: Sequence[Any],
        totals: Totals,
        updates: Mapping[Any, Any],
        backend: Backend,
    ) -> None:
        name = type(optimizer).__name__
        for item in parameters:
            if item.constraint is not None:
                raise NotImplementedError(
                    f"{name}: {item.variable.name} has a constraint, which SciPy's methods do not "
                    "support; use another optimizer, such as 'adam'"
                )
        changing = [
            v for v in ancestors([cost])
            if v in updates or getattr(v, "default_update", None) is not None
        ]  # fmt: skip
        if changing:
            raise ValueError(
                f"{name}: the loss must be the same in each evaluation, but it depends on "
                f"{changing[0].name or 'random numbers'}, which each evaluation changes, as with "
                "dropout, noise and stateful layers; leave them out, or use another optimizer, "
                "such as 'adam'"
            )
        self.totals = totals
        self._minimize = optimizer.minimizer(
            cost,
            [item.variable for item in parameters],
            variables,
            name="loss",
            on_unused_input="ignore",
            **backend.options,
        )
        self._measure = TrainingStep(variables, totals, list(updates.items()), backend)

    def run(self, samples: Samples) -> Any:
        """Minimize, measure the metrics, and return the result of SciPy."""
        result = self._minimize(samples.arrays, None)
        self.totals.reset()
        self._measure.on_arguments()(*samples.arrays)
        return result
