"""Adam and what is derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import symtheano.tensor as T
from symtheano.nn.optimizers.base import Optimizer
from symtheano.nn.optimizers.memory import Memory


class Adam(Optimizer):
    """Adaptive moments: a mean of gradients, divided by the root of their mean square.

    With the gradient g, the number t of the update, and the means m and v, which begin as 0::

        m ← beta_1 * m + (1 - beta_1) * g
        v ← beta_2 * v + (1 - beta_2) * g**2
        w ← w - learning_rate * (m / (1 - beta_1**t)) / (sqrt(v / (1 - beta_2**t)) + epsilon)

    With ``amsgrad``, the largest v so far takes the place of v in the last line. See Kingma and Ba,
    2015, Adam, algorithm 1, and Reddi et al., 2018, On the convergence of Adam and beyond. Here and
    in torch epsilon is added after the correction of the root; Keras adds it before, the form at
    the end of section 2 of the paper, where epsilon is larger.

    Parameters
    ----------
    learning_rate
        See :class:`Optimizer`, also for options.
    beta_1, beta_2
        The shares of the means that are kept.
    epsilon
        What avoids a division by zero.
    amsgrad
        Whether the divisor never shrinks.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adam(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.75, -1.75])
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.epsilon, self.amsgrad = epsilon, amsgrad

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate and the corrections of the means."""
        return {
            "rate": rate,
            "mean": rate / (1 - power(self.setting("beta_1"), count)),
            "root": 1 / T.sqrt(1 - power(self.setting("beta_2"), count)),
        }

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return what is subtracted from a parameter."""
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        square = memory.mean("square", gradient * gradient, self.setting("beta_2"))
        if self.amsgrad:
            square = T.maximum(memory["largest"], square)
            memory["largest"] = square
        root = T.sqrt(square) * numbers["root"] + memory.number(self.setting("epsilon"))
        return numbers["mean"] * mean / root


class AMSGrad(Adam):
    """:class:`Adam` with ``amsgrad``: the divisor never shrinks.

    See Reddi et al., 2018, On the convergence of Adam and beyond.

    Parameters
    ----------
    learning_rate, beta_1, beta_2, epsilon
        See :class:`Adam`.

    Examples
    --------
    >>> AMSGrad().amsgrad
    True
    """

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, True, **options)


class AdamW(Adam):
    """:class:`Adam` with decoupled weight decay.

    ``learning_rate * weight_decay * w`` is subtracted from w, and is not part of the gradient. See
    Loshchilov and Hutter, 2019, Decoupled weight decay regularization.

    Parameters
    ----------
    learning_rate, beta_1, beta_2, epsilon, amsgrad
        See :class:`Adam`.
    weight_decay
        The decay; 0.01 as in torch.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> rule = AdamW(0.25, weight_decay=0.5)
    >>> _ = symtheano.function([], updates=rule.updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.625, -1.5  ])
    """

    decoupled = True

    def __init__(
        self,
        learning_rate: Any = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        amsgrad: bool = False,
        weight_decay: float = 0.01,
        **options: Any,
    ) -> None:
        options["weight_decay"] = weight_decay
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, **options)


class Adamax(Optimizer):
    """:class:`Adam` with the largest gradient in place of the root of the mean square.

    With the gradient g, the number t of the update, and m and u, which begin as 0::

        m ← beta_1 * m + (1 - beta_1) * g
        u ← max(beta_2 * u, abs(g) + epsilon)
        w ← w - learning_rate / (1 - beta_1**t) * m / u

    See Kingma and Ba, 2015, Adam, algorithm 2. Here and in torch epsilon is in the maximum; Keras
    adds it to u in the last line.

    Parameters
    ----------
    learning_rate
        See :class:`Optimizer`, also for options.
    beta_1, beta_2
        The shares of the mean and of the maximum that are kept.
    epsilon
        What avoids a division by zero.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=Adamax(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(6)
    array([ 0.75, -1.75])
    """

    def __init__(
        self,
        learning_rate: Any = 0.002,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the corrected learning rate."""
        return {"rate": rate, "mean": rate / (1 - power(self.setting("beta_1"), count))}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return what is subtracted from a parameter."""
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        kept = memory.number(self.setting("beta_2")) * memory["largest"]
        largest = T.maximum(kept, abs(gradient) + memory.number(self.setting("epsilon")))
        memory["largest"] = largest
        return numbers["mean"] * mean / largest


class NAdam(Optimizer):
    """:class:`Adam` with Nesterov's momentum, whose share grows with the number of updates.

    With the gradient g, the number t of the update, and the means m and v, which begin as 0::

        mu(t) = beta_1 * (1 - 0.96 ** (t * momentum_decay) / 2)
        m ← beta_1 * m + (1 - beta_1) * g
        v ← beta_2 * v + (1 - beta_2) * g**2
        r = sqrt(v / (1 - beta_2**t)) + epsilon
        w ← w - learning_rate / r * (  g * (1 - mu(t)) / (1 - mu(1) ... mu(t))
                                     + m * mu(t + 1) / (1 - mu(1) ... mu(t + 1)) )

    See Dozat, 2016, Incorporating Nesterov momentum into Adam. ``momentum_decay`` is torch's; Keras
    computes with 1, and so does the paper with 0.004.

    Parameters
    ----------
    learning_rate
        See :class:`Optimizer`, also for options.
    beta_1, beta_2
        The shares of the means that are kept.
    epsilon
        What avoids a division by zero.
    momentum_decay
        How fast the momentum grows.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=NAdam(0.25).updates((w**2).sum(), [w]))()
    >>> w.get_value().round(4)
    array([ 0.7359, -1.7359])
    """

    def __init__(
        self,
        learning_rate: Any = 0.002,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-8,
        momentum_decay: float = 0.004,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = beta_1, beta_2
        self.epsilon, self.momentum_decay = epsilon, momentum_decay

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the factors of the gradient and of its mean."""
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

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return what is subtracted from a parameter."""
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        square = memory.mean("square", gradient * gradient, self.setting("beta_2"))
        root = T.sqrt(square) * numbers["root"] + memory.number(self.setting("epsilon"))
        return (numbers["gradient"] * gradient + numbers["mean"] * mean) / root


def power(base: Any, exponent: Any) -> Any:
    """Return a power in float64.

    Examples
    --------
    >>> power(0.5, T.constant(3.0)).eval()
    array(0.125)
    """
    return T.cast(T.as_tensor_variable(base), "float64") ** exponent
