"""Optimizers with a learning rate for each element, by the squares of its gradients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import symtheano.tensor as T
from symtheano.nn.optimizers.base import Optimizer
from symtheano.nn.optimizers.memory import Memory


class Adagrad(Optimizer):
    """Gradient descent, divided by the root of the sum of squares.

    With the gradient g and the sum s, which begins as ``initial_accumulator_value``::

        s ← s + g**2
        w ← w - learning_rate / (1 + (t - 1) * learning_rate_decay) * g / (sqrt(s) + epsilon)

    See Duchi et al., 2011, Adaptive subgradient methods. Here and in torch epsilon is added to the
    root, in Keras to the sum.

    Parameters
    ----------
    learning_rate
        See :class:`Optimizer`, also for options.
    learning_rate_decay
        How fast the learning rate falls with the number t of updates.
    initial_accumulator_value
        The first value of the sum.
    epsilon
        What avoids a division by zero.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adagrad(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value()
    array([ 0.75, -1.75])
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        learning_rate_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        epsilon: float = 1e-10,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.learning_rate_decay = learning_rate_decay
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate."""
        return {"rate": rate / (1 + (count - 1) * self.setting("learning_rate_decay"))}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return what is subtracted from a parameter."""
        total = memory.old("sum", self.initial_accumulator_value) + gradient * gradient
        memory["sum"] = total
        return numbers["rate"] * gradient / (T.sqrt(total) + memory.number(self.setting("epsilon")))


class Adadelta(Optimizer):
    """Gradients divided by the root of their mean square, times that of earlier changes.

    With the gradient g and the means s and d, which begin as 0::

        s ← rho * s + (1 - rho) * g**2
        c = g * sqrt(d + epsilon) / sqrt(s + epsilon)
        d ← rho * d + (1 - rho) * c**2
        w ← w - learning_rate * c

    See Zeiler, 2012, ADADELTA, whose learning rate is 1.

    Parameters
    ----------
    learning_rate
        See :class:`Optimizer`, also for options.
    rho
        The share of the means that is kept.
    epsilon
        What avoids a division by zero, and lets changes begin.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adadelta().updates((w**2).sum(), [w]))()
    >>> w.get_value().round(4)
    array([ 0.9968, -1.9968])
    """

    def __init__(
        self,
        learning_rate: Any = 1.0,
        rho: float = 0.9,
        epsilon: float = 1e-6,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.rho, self.epsilon = rho, epsilon

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return what is subtracted from a parameter."""
        epsilon = memory.number(self.setting("epsilon"))
        square = memory.mean("square", gradient * gradient, self.setting("rho"))
        change = gradient * (T.sqrt(memory["change"] + epsilon) / T.sqrt(square + epsilon))
        memory.mean("change", change * change, self.setting("rho"))
        return numbers["rate"] * change


class RMSProp(Optimizer):
    """Gradients divided by the root of their mean square.

    With the gradient g and the means s, m and v, which begin as 0::

        s ← rho * s + (1 - rho) * g**2
        m ← rho * m + (1 - rho) * g                        (0 unless centered)
        v ← momentum * v + g / (sqrt(s - m**2) + epsilon)
        w ← w - learning_rate * v

    See Tieleman and Hinton, 2012, lecture 6.5, and Graves, 2013, Generating sequences with
    recurrent neural networks, for the centered form. Here and in torch epsilon is added to the
    root, in Keras to the square. ``s - m**2`` is at least 0 here, whatever rounding makes of it.

    Parameters
    ----------
    learning_rate
        See :class:`Optimizer`, also for options.
    rho
        The share of the means that is kept.
    momentum
        The share of the velocity that is kept.
    epsilon
        What avoids a division by zero.
    centered
        Whether the variance is taken instead of the mean square.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=RMSProp(0.25, rho=0.75).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.5, -1.5])
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        rho: float = 0.99,
        momentum: float = 0.0,
        epsilon: float = 1e-8,
        centered: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.rho, self.momentum = rho, momentum
        self.epsilon, self.centered = epsilon, centered

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return what is subtracted from a parameter."""
        square = memory.mean("square", gradient * gradient, self.setting("rho"))
        if self.centered:
            mean = memory.mean("mean", gradient, self.setting("rho"))
            square = T.maximum(square - mean * mean, memory.number(0))
        scaled = gradient / (T.sqrt(square) + memory.number(self.setting("epsilon")))
        if self.momentum:
            scaled = memory.number(self.setting("momentum")) * memory["velocity"] + scaled
            memory["velocity"] = scaled
        return numbers["rate"] * scaled
