"""Gradient descent: with momentum (SGD), and by signs of gradients (Lion)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.nn.optimizers.base import LearningRate, Optimizer
from symtheano.nn.optimizers.memory import Memory


@dataclass(eq=False, repr=False)
class SGD(Optimizer):
    """Stochastic gradient descent, optionally with momentum.

    The update of a parameter w with the gradient g is below. The velocity v begins with 0::

        v ← momentum * v + (1 - dampening) * g
        w ← w - learning_rate * v                         or, with nesterov:
        w ← w - learning_rate * (g + momentum * v)

    As in torch, the learning rate is not part of the velocity, and the first update is not
    dampened. In Keras, the velocity contains the learning rate. This makes a difference only if the
    learning rate changes. See Polyak, 1964, Some methods of speeding up the convergence of
    iteration methods, and Sutskever et al., 2013, On the importance of initialization and momentum.

    Parameters
    ----------
    momentum
        The share of the velocity that is kept in each update. The default is 0: no momentum.
    nesterov
        Whether to use Nesterov momentum, which needs ``momentum > 0``. The default is False.
    dampening
        The share of the gradient that is not added to the velocity. The default is 0.

    Raises
    ------
    ValueError
        If ``nesterov`` is given without momentum, or with dampening.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0]), "w")
    >>> step = symtheano.function([], updates=SGD(0.25, momentum=0.5).updates((w**2).sum(), [w]))
    >>> for _ in range(2):
    ...     _ = step()
    >>> w.get_value()
    array([0.])
    """

    learning_rate: LearningRate = LearningRate(0.01)
    momentum: float = 0.0
    nesterov: bool = False
    dampening: float = 0.0

    shares = ("momentum",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nesterov and (self.momentum == 0 or self.dampening != 0):
            raise ValueError("SGD: nesterov=True needs momentum > 0 and dampening = 0")

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate and the share of the gradient that is added to the velocity."""
        share = T.switch(T.eq(count, 1), 1.0, 1 - self.setting("dampening"))
        return {"rate": rate, "share": share}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        if not self.momentum:
            return numbers["rate"] * gradient
        momentum = memory.number(self.setting("momentum"))
        added = numbers["share"] * gradient if self.dampening else gradient
        velocity = momentum * memory["velocity"] + added
        memory["velocity"] = velocity
        return numbers["rate"] * (gradient + momentum * velocity if self.nesterov else velocity)


@dataclass(eq=False, repr=False)
class Lion(Optimizer):
    """Lion: all elements change by the same amount, in the direction of a mean of gradients.

    The update of a parameter w with the gradient g is below. The running mean m begins with 0::

        w ← w - learning_rate * (sign(beta_1 * m + (1 - beta_1) * g) + weight_decay * w)
        m ← beta_2 * m + (1 - beta_2) * g

    Weight decay is decoupled: it is not added to the gradient. See Chen et al., 2023, Symbolic
    discovery of optimization algorithms.

    Parameters
    ----------
    beta_1, beta_2
        The decay rates of the running mean: ``beta_1`` in the step, and ``beta_2`` in the mean that
        is kept. The defaults are 0.9 and 0.99.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Lion(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value()
    array([ 0.75, -1.75])
    """

    learning_rate: LearningRate = LearningRate(1e-4)
    beta_1: float = 0.9
    beta_2: float = 0.99

    decoupled = True
    shares = ("beta_1", "beta_2")

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        old = memory["mean"]
        kept = self.setting("beta_1")
        mixed = memory.number(kept) * old + memory.number(1 - kept) * gradient
        memory.mean("mean", gradient, self.setting("beta_2"))
        return numbers["rate"] * T.sgn(mixed)
