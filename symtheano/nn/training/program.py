"""Compiled functions of a model, made from its network, losses, metrics and optimizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symtheano
import symtheano.tensor as T
from symtheano.errors import DisconnectedInputError
from symtheano.nn.backends import Backend
from symtheano.nn.layers.convolution import Convolution
from symtheano.nn.layers.separable import Depthwise, Separable
from symtheano.nn.network import Network
from symtheano.nn.training.data import Samples
from symtheano.nn.training.objective import Objective, WholeBatch
from symtheano.nn.training.step import Totals, TrainingStep, waiting
from symtheano.nn.training.whole import Whole


class Program:
    """The compiled functions of a model for samples of one kind.

    Parameters
    ----------
    network
        The network of the model.
    objective
        The losses and metrics.
    optimizer
        The optimizer, or None if the model is only evaluated.
    samples
        Samples of this kind. Their targets give dtypes and numbers of axes, and their weights tell
        whether samples have weights.
    backend
        How functions run.
    ranks
        The processes that train the model together; None for this one alone.
    """

    def __init__(
        self,
        network: Network,
        objective: Objective,
        optimizer: Any,
        samples: Samples,
        backend: Backend,
        ranks: Any = None,
    ) -> None:
        self._ranks = ranks
        self._network, self._objective, self._backend = network, objective, backend
        self._optimizer = optimizer
        self._targets = [T.tensor(str(a.dtype), shape=(None,) * a.ndim) for a in samples.targets]
        self._weights = None if samples.weights is None else T.fvector("weights")
        inputs = [value.test for value in network.inputs]
        self._variables = [
            *inputs,
            *self._targets,
            *([] if self._weights is None else [self._weights]),
        ]
        self._waits = waits_for_kernels(network, backend)
        self._train: TrainingStep | None = None
        self.unused: list[Any] = []
        self.has_diverged = False  # whether train_on_batch has warned of a loss that is not finite
        self._test: TrainingStep | None = None
        self._test_together: TrainingStep | None = None
        self._whole: Whole | None = None

    @property
    def whole(self) -> Whole:
        """The minimization over all samples, for optimizers that need all samples at once."""
        if self._whole is None:
            cost, totals = self._trained()
            trained = [p for p in self._network.parameters if p.trains]
            self._whole = Whole(
                self._optimizer, cost, trained, self._variables, totals, self._network.updates,
                self._backend,
            )  # fmt: skip
        return self._whole

    @property
    def is_new(self) -> bool:
        """Whether there is no training step yet."""
        return self._train is None

    @property
    def train(self) -> TrainingStep:
        """The training step: forward, backward, optimizer and metrics in one function."""
        if self._train is None:
            whole = self._whole_batch()
            cost, totals = self._trained(whole)
            trained = [p for p in self._network.parameters if p.trains]
            distribution = None if self._ranks is None else self._distributed(totals, whole)
            updates = dict(self._changes(cost, trained))
            for p in trained:
                if p.constraint is not None and p.variable in updates:
                    updates[p.variable] = p.constraint(updates[p.variable])
            updates.update(self._network.updates)
            if self._ranks is not None:
                self._ranks.keep_if_empty(updates, self._network, self._variables[0].shape[0])
            self._train = TrainingStep(
                self._variables, totals, list(updates.items()), self._backend, self._waits,
                distribution,
            )  # fmt: skip
        return self._train

    def _whole_batch(self) -> WholeBatch | None:
        """Return the batch of all processes if losses need it: means that others have a part in."""
        if self._ranks is None:
            return None
        masked = any(value.masks[0] is not None for value in self._network.outputs)
        if not (masked or self._ranks.synchronizes) and self._objective.is_mean:
            return None
        whole: WholeBatch = self._ranks.whole_batch(self._variables[0].shape[0])
        return whole

    def _distributed(self, totals: Totals, whole: WholeBatch | None) -> Any:
        """Return how the step is distributed."""
        ranks, length = self._ranks, self._variables[0].shape[0]
        totals.keep_if(T.gt(length, 0))
        states = [state for state, _ in self._network.randomness.streams.updates()]
        statistics = [] if ranks.synchronizes else list(ranks.running(self._network))
        own = [*states, *self._network.states, *statistics]
        return lambda local: ranks.plan_for(length, [*own, *local], whole is not None)

    def _changes(self, cost: Any, trained: Sequence[Any]) -> Any:
        """Return the updates of the optimizer.

        Parameters on which the loss does not depend get gradients of 0.
        """
        variables = [p.variable for p in trained]
        try:
            return self._optimizer.updates(cost, variables)
        except DisconnectedInputError:
            gradients = symtheano.grad(
                cost, variables, disconnected_inputs="ignore", return_disconnected="None"
            )
        pairs = list(zip(trained, gradients, strict=True))
        self.unused = [p for p, gradient in pairs if gradient is None]
        if len(self.unused) == len(trained):
            raise ValueError("fit: the loss does not depend on any parameter")
        filled = [T.zeros_like(p.variable) if g is None else g for p, g in pairs]
        return self._optimizer.updates(cost, variables, filled)

    @property
    def test(self) -> TrainingStep:
        """The step of evaluation: the loss and the metrics at test."""
        if self._test is None:
            ends = self._ends(1)
            totals = Totals(self._objective.sums(*ends, *self._objective.total(*ends)))
            if self._ranks is not None:
                totals.keep_if(T.gt(self._variables[0].shape[0], 0))
            carried = list(self._network.test_updates.items())
            self._test = TrainingStep(self._variables, totals, carried, self._backend, self._waits)
        return self._test

    @property
    def test_together(self) -> TrainingStep:
        """The step of evaluation by several processes, which all take it for each batch."""
        whole = None if self._test_together else self._whole_batch()
        if self._test_together is None and whole is not None:
            ends = self._ends(1)
            sums = self._objective.sums(*ends, *self._objective.total(*ends, whole), whole)
            totals = Totals(sums)
            totals.keep_if(T.gt(self._variables[0].shape[0], 0))
            self._test_together = TrainingStep(
                self._variables, totals, [], self._backend, self._waits
            )
        return self._test_together or self.test

    def _trained(self, whole: WholeBatch | None = None) -> tuple[Any, Totals]:
        """Return the loss with all penalties, and the sums of the metrics, in training."""
        ends = self._ends(0)
        total, parts = self._objective.total(*ends, whole)
        penalty: Any = self._network.penalty
        if not isinstance(penalty, int):
            if whole is not None:
                penalty = penalty * T.cast(whole.share(), penalty.dtype)
            total = total + T.cast(penalty, total.dtype)
        return total, Totals(self._objective.sums(*ends, total, parts, whole))

    def _ends(self, phase: int) -> tuple[list[Any], list[Any], list[Any], Any]:
        """Return outputs in training (0) or at test (1), their masks, the targets, the weights."""
        outputs = self._network.outputs
        arrays = [(value.train, value.test)[phase] for value in outputs]
        return arrays, [value.masks[phase] for value in outputs], self._targets, self._weights


def prediction(network: Network, backend: Backend) -> Any:
    """Return the compiled function that computes the outputs at test."""
    with waiting(waits_for_kernels(network, backend)):
        return symtheano.function(
            [value.test for value in network.inputs],
            [value.test for value in network.outputs],
            updates=network.test_updates,
            name="predict",
            on_unused_input="ignore",
            **backend.options,
        )


def waits_for_kernels(network: Network, backend: Backend) -> bool:
    """Return whether functions of a network wait for kernels that are compiled once for a machine.

    Without these kernels, plain loops compute convolutions ten times slower.
    """
    return backend.compiles and any(convolves(layer) for layer in network.layers)


def convolves(layer: Any) -> bool:
    """Return whether a layer, or a layer that it wraps, is a convolution.

    Examples
    --------
    >>> convolves(nn.TimeDistributed(nn.Conv1D(2, 3))), convolves(nn.Dense(2))
    (True, False)
    """
    if isinstance(layer, Convolution | Depthwise | Separable):
        return True
    inner = getattr(layer, "layer", None)
    return inner is not None and convolves(inner)
