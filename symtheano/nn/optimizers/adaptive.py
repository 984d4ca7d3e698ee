"""Optimizers that adapt the learning rate of each element to the squares of its gradients."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import symtheano.tensor as T
from symtheano.nn.optimizers.base import LearningRate, Optimizer
from symtheano.nn.optimizers.memory import Memory


@dataclass(eq=False, repr=False)
class Adagrad(Optimizer):
    """Adagrad: gradients are divided by the root of the sum of all their squares.

    The update of a parameter w with the gradient g in update number t is below. The sum s begins
    with ``initial_accumulator_value``::

        s ← s + g**2
        w ← w - learning_rate / (1 + (t - 1) * learning_rate_decay) * g / (sqrt(s) + epsilon)

    See Duchi et al., 2011, Adaptive subgradient methods. As in torch, epsilon is added to the root.
    Keras adds it to the sum.

    Parameters
    ----------
    learning_rate_decay
        How fast the learning rate falls with the number of updates. The default is 0.
    initial_accumulator_value
        The initial value of the sum. The default is 0.
    epsilon
        A small number that avoids a division by zero. The default is 1e-10.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adagrad(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value()
    array([ 0.75, -1.75])
    """

    learning_rate: LearningRate = LearningRate(0.01)
    learning_rate_decay: float = 0.0
    initial_accumulator_value: float = 0.0
    epsilon: float = 1e-10

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate of this update."""
        return {"rate": rate / (1 + (count - 1) * self.setting("learning_rate_decay"))}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        total = memory.old("sum", self.initial_accumulator_value) + gradient * gradient
        memory["sum"] = total
        return numbers["rate"] * gradient / (T.sqrt(total) + memory.number(self.setting("epsilon")))


@dataclass(eq=False, repr=False)
class Adadelta(Optimizer):
    """Adadelta: gradients are scaled by root mean squares of gradients and of earlier changes.

    The update of a parameter w with the gradient g is below. The running means s and d begin with
    0::

        s ← rho * s + (1 - rho) * g**2
        c = g * sqrt(d + epsilon) / sqrt(s + epsilon)
        d ← rho * d + (1 - rho) * c**2
        w ← w - learning_rate * c

    See Zeiler, 2012, ADADELTA.

    Parameters
    ----------
    rho
        The decay rate of the running means. The default is 0.9.
    epsilon
        A small number that avoids a division by zero, and that makes the first changes differ from
        zero. The default is 1e-6.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adadelta().updates((w**2).sum(), [w]))()
    >>> w.get_value().round(4)
    array([ 0.9968, -1.9968])
    """

    learning_rate: LearningRate = LearningRate(1.0)
    rho: float = 0.9
    epsilon: float = 1e-6

    shares = ("rho",)

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        epsilon = memory.number(self.setting("epsilon"))
        square = memory.mean("square", gradient * gradient, self.setting("rho"))
        change = gradient * (T.sqrt(memory["change"] + epsilon) / T.sqrt(square + epsilon))
        memory.mean("change", change * change, self.setting("rho"))
        return numbers["rate"] * change


@dataclass(eq=False, repr=False)
class RMSProp(Optimizer):
    """RMSProp: gradients are divided by the root of their running mean square.

    The update of a parameter w with the gradient g is below. The running means s and m and the
    velocity v begin with 0::

        s ← rho * s + (1 - rho) * g**2
        m ← rho * m + (1 - rho) * g                        (0 unless centered)
        v ← momentum * v + g / (sqrt(s - m**2) + epsilon)
        w ← w - learning_rate * v

    If rounding makes ``s - m**2`` negative, 0 is used. As in torch, epsilon is added to the root.
    Keras adds it to the mean square. See Tieleman and Hinton, 2012, lecture 6.5, and for the
    centered form Graves, 2013, Generating sequences with recurrent neural networks.

    Parameters
    ----------
    rho
        The decay rate of the running means. The default is 0.99.
    momentum
        The share of the velocity that is kept in each update. The default is 0.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    centered
        Whether to divide by the root of the variance of gradients, not of their mean square. The
        default is False.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=RMSProp(0.25, rho=0.75).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.5, -1.5])
    """

    learning_rate: LearningRate = LearningRate(0.01)
    rho: float = 0.99
    momentum: float = 0.0
    epsilon: float = 1e-8
    centered: bool = False

    shares = ("rho", "momentum")

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        square = memory.mean("square", gradient * gradient, self.setting("rho"))
        if self.centered:
            mean = memory.mean("mean", gradient, self.setting("rho"))
            square = T.maximum(square - mean * mean, memory.number(0))
        scaled = gradient / (T.sqrt(square) + memory.number(self.setting("epsilon")))
        if self.momentum:
            scaled = memory.number(self.setting("momentum")) * memory["velocity"] + scaled
            memory["velocity"] = scaled
        return numbers["rate"] * scaled
