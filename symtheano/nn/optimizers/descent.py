"""Gradient descent: with momentum (SGD), and by signs of gradients (Lion)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import symtheano.tensor as T
from symtheano.nn.optimizers.base import Optimizer
from symtheano.nn.optimizers.memory import Memory

if TYPE_CHECKING:
    from typing_extensions import Unpack  # in typing from Python 3.11 on

    from symtheano.nn.optimizers.options import Options


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
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.01.
    momentum
        The share of the velocity that is kept in each update. The default is 0: no momentum.
    nesterov
        Whether to use Nesterov momentum, which needs ``momentum > 0``. The default is False.
    dampening
        The share of the gradient that is not added to the velocity. The default is 0.
    options
        ``weight_decay``, ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm``, see :class:`Optimizer`.

    Raises
    ------
    ValueError
        If ``nesterov`` is given without momentum, or with dampening.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0]), "w")
    >>> step = symtheano.function([], updates=SGD(0.25, momentum=0.5).updates((w**2).sum(), [w]))
    >>> for _ in range(2):
    ...     _ = step()
    >>> w.get_value()
    array([0.])
    """

    def __init__(
        self,
        learning_rate: Any = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        dampening: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        if nesterov and (momentum == 0 or dampening != 0):
            raise ValueError("SGD: nesterov=True needs momentum > 0 and dampening = 0")
        super().__init__(learning_rate, **options)
        self.momentum = self.share("momentum", momentum)
        self.nesterov, self.dampening = nesterov, dampening

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate and the share of the gradient that is added to the velocity."""
        share = T.switch(T.eq(count, 1), 1.0, 1 - self.setting("dampening"))
        return {"rate": rate, "share": share}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return the change to subtract from a parameter."""
        if not self.momentum:
            return numbers["rate"] * gradient
        momentum = memory.number(self.setting("momentum"))
        added = numbers["share"] * gradient if self.dampening else gradient
        velocity = momentum * memory["velocity"] + added
        memory["velocity"] = velocity
        return numbers["rate"] * (gradient + momentum * velocity if self.nesterov else velocity)


class Lion(Optimizer):
    """Lion: all elements change by the same amount, in the direction of a mean of gradients.

    The update of a parameter w with the gradient g is below. The running mean m begins with 0::

        w ← w - learning_rate * (sign(beta_1 * m + (1 - beta_1) * g) + weight_decay * w)
        m ← beta_2 * m + (1 - beta_2) * g

    Weight decay is decoupled: it is not added to the gradient. See Chen et al., 2023, Symbolic
    discovery of optimization algorithms.

    Parameters
    ----------
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.0001. Good values are 3 to 10 times smaller than for Adam.
    beta_1, beta_2
        The decay rates of the running mean: ``beta_1`` in the step, and ``beta_2`` in the mean that
        is kept. The defaults are 0.9 and 0.99.
    options
        ``weight_decay``, ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm``, see :class:`Optimizer`.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Lion(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value()
    array([ 0.75, -1.75])
    """

    decoupled = True

    def __init__(
        self,
        learning_rate: Any = 1e-4,
        beta_1: float = 0.9,
        beta_2: float = 0.99,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = self.share("beta_1", beta_1), self.share("beta_2", beta_2)

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return the change to subtract from a parameter."""
        old = memory["mean"]
        kept = self.setting("beta_1")
        mixed = memory.number(kept) * old + memory.number(1 - kept) * gradient
        memory.mean("mean", gradient, self.setting("beta_2"))
        return numbers["rate"] * T.sgn(mixed)
