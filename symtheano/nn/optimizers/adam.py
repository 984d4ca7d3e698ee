"""Adam and optimizers that are derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import symtheano.tensor as T
from symtheano.nn.optimizers.base import LearningRate, Optimizer
from symtheano.nn.optimizers.memory import Memory


@dataclass(eq=False, repr=False)
class Adam(Optimizer):
    """Adam: steps are a running mean of gradients, divided by the root of their mean square.

    The update of a parameter w with the gradient g in update number t is below. The running means
    m and v begin with 0::

        m ← beta_1 * m + (1 - beta_1) * g
        v ← beta_2 * v + (1 - beta_2) * g**2
        w ← w - learning_rate * (m / (1 - beta_1**t)) / (sqrt(v / (1 - beta_2**t)) + epsilon)

    With ``amsgrad``, the last line uses the largest v so far instead of v. See Kingma and Ba, 2015,
    Adam, algorithm 1, and Reddi et al., 2018, On the convergence of Adam and beyond.

    As in torch, epsilon is added after the root is divided by ``sqrt(1 - beta_2**t)``. Keras adds
    it before, as at the end of section 2 of the paper, so the same epsilon has a larger effect.

    Parameters
    ----------
    beta_1, beta_2
        The decay rates of the running means of gradients and of squared gradients. The defaults are
        0.9 and 0.999.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    amsgrad
        Whether to divide by the largest mean square so far. The default is False.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adam(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.75, -1.75])
    """

    learning_rate: LearningRate = LearningRate(0.001)
    beta_1: float = 0.9
    beta_2: float = 0.999
    epsilon: float = 1e-8
    amsgrad: bool = False

    shares = ("beta_1", "beta_2")

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate and the bias corrections of the running means."""
        return {
            "rate": rate,
            "mean": rate / (1 - power(self.setting("beta_1"), count)),
            "root": 1 / T.sqrt(1 - power(self.setting("beta_2"), count)),
        }

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        square = memory.mean("square", gradient * gradient, self.setting("beta_2"))
        if self.amsgrad:
            square = T.maximum(memory["largest"], square)
            memory["largest"] = square
        root = T.sqrt(square) * numbers["root"] + memory.number(self.setting("epsilon"))
        step = numbers["mean"] * mean
        if "gradient" in numbers:
            step = step + numbers["gradient"] * gradient
        return step / root


@dataclass(eq=False, repr=False)
class AMSGrad(Adam):
    """:class:`Adam` with ``amsgrad=True``: it divides by the largest mean square so far.

    See Reddi et al., 2018, On the convergence of Adam and beyond.

    Examples
    --------
    >>> AMSGrad().amsgrad
    True
    """

    amsgrad: ClassVar[bool] = True  # type: ignore[misc]


@dataclass(eq=False, repr=False)
class AdamW(Adam):
    """:class:`Adam` with decoupled weight decay.

    ``learning_rate * weight_decay * w`` is subtracted from each parameter w. It is not added to the
    gradient, so it does not enter the running means. See Loshchilov and Hutter, 2019, Decoupled
    weight decay regularization.

    Parameters
    ----------
    weight_decay
        The factor of the decay. The default is 0.01, as in torch.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> rule = AdamW(0.25, weight_decay=0.5)
    >>> _ = symtheano.function([], updates=rule.updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.625, -1.5  ])
    """

    weight_decay: float = field(default=0.01, kw_only=True)

    decoupled = True


@dataclass(eq=False, repr=False)
class Adamax(Adam):
    """Adamax: :class:`Adam` with a maximum of gradients in place of the root of the mean square.

    The update of a parameter w with the gradient g in update number t is below. The running mean m
    and the running maximum u begin with 0::

        m ← beta_1 * m + (1 - beta_1) * g
        u ← max(beta_2 * u, abs(g) + epsilon)
        w ← w - learning_rate / (1 - beta_1**t) * m / u

    See Kingma and Ba, 2015, Adam, algorithm 2. As in torch, epsilon is part of the maximum. Keras
    adds it to u in the last line.

    Parameters
    ----------
    beta_1, beta_2
        The decay rates of the running mean and of the running maximum. The defaults are 0.9 and
        0.999.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adamax(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.75, -1.75])
    """

    learning_rate: LearningRate = LearningRate(0.002)
    amsgrad: ClassVar[bool] = False  # type: ignore[misc]

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate, and the learning rate with the bias correction of the mean."""
        return {"rate": rate, "mean": rate / (1 - power(self.setting("beta_1"), count))}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        kept = memory.number(self.setting("beta_2")) * memory["largest"]
        largest = T.maximum(kept, abs(gradient) + memory.number(self.setting("epsilon")))
        memory["largest"] = largest
        return numbers["mean"] * mean / largest


@dataclass(eq=False, repr=False)
class NAdam(Adam):
    """NAdam: :class:`Adam` with Nesterov momentum, which grows with the number of updates.

    The update of a parameter w with the gradient g in update number t is below. The running means
    m and v begin with 0::

        mu(t) = beta_1 * (1 - 0.96 ** (t * momentum_decay) / 2)
        m ← beta_1 * m + (1 - beta_1) * g
        v ← beta_2 * v + (1 - beta_2) * g**2
        r = sqrt(v / (1 - beta_2**t)) + epsilon
        w ← w - learning_rate / r * (  g * (1 - mu(t)) / (1 - mu(1) ... mu(t))
                                     + m * mu(t + 1) / (1 - mu(1) ... mu(t + 1)) )

    See Dozat, 2016, Incorporating Nesterov momentum into Adam.

    Parameters
    ----------
    momentum_decay
        How fast the momentum grows. The default is 0.004, as in torch and in the paper. Keras uses
        1.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=NAdam(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(4)
    array([ 0.7359, -1.7359])
    """

    learning_rate: LearningRate = LearningRate(0.002)
    momentum_decay: float = 0.004
    amsgrad: ClassVar[bool] = False  # type: ignore[misc]

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate and the factors of the gradient, of its mean and of the root."""
        product = self.number("momentum_product", 1.0)
        now, later = self._momentum(count), self._momentum(count + 1)
        updates[product] = product * now
        return {
            "rate": rate,
            "gradient": rate * (1 - now) / (1 - product * now),
            "mean": rate * later / (1 - product * now * later),
            "root": 1 / T.sqrt(1 - power(self.setting("beta_2"), count)),
        }

    def _momentum(self, count: Any) -> Any:
        exponent = count * self.setting("momentum_decay")
        return self.setting("beta_1") * (1 - 0.5 * power(0.96, exponent))


def power(base: Any, exponent: Any) -> Any:
    """Return ``base ** exponent``, computed in float64.

    Examples
    --------
    >>> power(0.5, T.constant(3.0)).eval()
    array(0.125)
    """
    return T.cast(T.as_tensor_variable(base), "float64") ** exponent
