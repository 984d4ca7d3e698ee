"""Adam and optimizers that are derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import symtheano.tensor as T
from symtheano.nn.optimizers.base import Optimizer
from symtheano.nn.optimizers.memory import Memory

if TYPE_CHECKING:
    from typing_extensions import Unpack  # in typing from Python 3.11 on

    from symtheano.nn.optimizers.options import Options, OptionsWithoutDecay


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
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.001.
    beta_1, beta_2
        The decay rates of the running means of gradients and of squared gradients. The defaults are
        0.9 and 0.999.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    amsgrad
        Whether to divide by the largest mean square so far. The default is False.
    options
        ``weight_decay``, ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm``, see :class:`Optimizer`.

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
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = self.share("beta_1", beta_1), self.share("beta_2", beta_2)
        self.epsilon, self.amsgrad = epsilon, amsgrad

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate and the bias corrections of the running means."""
        return {
            "rate": rate,
            "mean": rate / (1 - power(self.setting("beta_1"), count)),
            "root": 1 / T.sqrt(1 - power(self.setting("beta_2"), count)),
        }

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return the change to subtract from a parameter."""
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        square = memory.mean("square", gradient * gradient, self.setting("beta_2"))
        if self.amsgrad:
            square = T.maximum(memory["largest"], square)
            memory["largest"] = square
        root = T.sqrt(square) * numbers["root"] + memory.number(self.setting("epsilon"))
        return numbers["mean"] * mean / root


class AMSGrad(Adam):
    """:class:`Adam` with ``amsgrad=True``: it divides by the largest mean square so far.

    See Reddi et al., 2018, On the convergence of Adam and beyond.

    Parameters
    ----------
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.001.
    beta_1, beta_2
        The decay rates of the running means of gradients and of squared gradients. The defaults are
        0.9 and 0.999.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    options
        ``weight_decay``, ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm``, see :class:`Optimizer`.

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
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, True, **options)


class AdamW(Adam):
    """:class:`Adam` with decoupled weight decay.

    ``learning_rate * weight_decay * w`` is subtracted from each parameter w. It is not added to the
    gradient, so it does not enter the running means. See Loshchilov and Hutter, 2019, Decoupled
    weight decay regularization.

    Parameters
    ----------
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.001.
    beta_1, beta_2
        The decay rates of the running means of gradients and of squared gradients. The defaults are
        0.9 and 0.999.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    amsgrad
        Whether to divide by the largest mean square so far. The default is False.
    weight_decay
        The factor of the decay. The default is 0.01, as in torch.
    options
        ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and ``global_clipnorm``, see
        :class:`Optimizer`.

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
        **options: Unpack[OptionsWithoutDecay],
    ) -> None:
        super().__init__(
            learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay=weight_decay, **options
        )


class Adamax(Optimizer):
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
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.002.
    beta_1, beta_2
        The decay rates of the running mean and of the running maximum. The defaults are 0.9 and
        0.999.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    options
        ``weight_decay``, ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm``, see :class:`Optimizer`.

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
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = self.share("beta_1", beta_1), self.share("beta_2", beta_2)
        self.epsilon = epsilon

    def begin(self, count: Any, rate: Any, updates: Any) -> dict[str, Any]:
        """Return the learning rate, and the learning rate with the bias correction of the mean."""
        return {"rate": rate, "mean": rate / (1 - power(self.setting("beta_1"), count))}

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return the change to subtract from a parameter."""
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        kept = memory.number(self.setting("beta_2")) * memory["largest"]
        largest = T.maximum(kept, abs(gradient) + memory.number(self.setting("epsilon")))
        memory["largest"] = largest
        return numbers["mean"] * mean / largest


class NAdam(Optimizer):
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
    learning_rate
        The learning rate: a number, a :class:`~symtheano.nn.schedules.Schedule`, or a 0-d variable.
        The default is 0.002.
    beta_1, beta_2
        The decay rates of the running means of gradients and of squared gradients. The defaults are
        0.9 and 0.999.
    epsilon
        A small number that avoids a division by zero. The default is 1e-8.
    momentum_decay
        How fast the momentum grows. The default is 0.004, as in torch and in the paper. Keras uses
        1.
    options
        ``weight_decay``, ``exclude_from_weight_decay``, ``clipvalue``, ``clipnorm`` and
        ``global_clipnorm``, see :class:`Optimizer`.

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
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1, self.beta_2 = self.share("beta_1", beta_1), self.share("beta_2", beta_2)
        self.epsilon, self.momentum_decay = epsilon, momentum_decay

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

    def change(self, gradient: Any, memory: Memory, numbers: Mapping[str, Any]) -> Any:
        """Return the change to subtract from a parameter."""
        mean = memory.mean("mean", gradient, self.setting("beta_1"))
        square = memory.mean("square", gradient * gradient, self.setting("beta_2"))
        root = T.sqrt(square) * numbers["root"] + memory.number(self.setting("epsilon"))
        return (numbers["gradient"] * gradient + numbers["mean"] * mean) / root


def power(base: Any, exponent: Any) -> Any:
    """Return ``base ** exponent``, computed in float64.

    Examples
    --------
    >>> power(0.5, T.constant(3.0)).eval()
    array(0.125)
    """
    return T.cast(T.as_tensor_variable(base), "float64") ** exponent
