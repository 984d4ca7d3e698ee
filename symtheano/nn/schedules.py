"""Learning rates that depend on the number of updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, pi
from typing import Any

import symtheano.tensor as T
from symtheano.nn.configuration import Described, build
from symtheano.nn.foreign import Explained
from symtheano.nn.lookup import look_up
from symtheano.nn.missing import missing_in


class Schedule(Explained, Described):
    """Base class of schedules, which give a learning rate for each update.

    A schedule is called with the number of updates before the current one, and returns the learning
    rate. Subclasses define the method ``rate(step)``, which computes with float64 expressions.
    Optimizers compute the learning rate once for each update.

    Examples
    --------
    >>> class Halves(Schedule):
    ...     def rate(self, step):
    ...         return 1 / (step + 1)
    >>> Halves()([0, 1, 3]).eval()
    array([1.  , 0.5 , 0.25])
    """

    def __call__(self, step: Any) -> Any:
        """Return the learning rate.

        Parameters
        ----------
        step
            The number of updates before the current one: a number, an array or an expression, of
            any shape.

        Returns
        -------
        Float64 expression of the same shape.
        """
        return self.rate(T.cast(T.as_tensor_variable(step), "float64"))

    def rate(self, step: Any) -> Any:
        """Return the learning rate for a float64 expression of the number of updates."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'rate'")

    def _positive(self, **numbers: float) -> None:
        for name, value in numbers.items():
            if not value > 0:
                raise ValueError(f"{type(self).__name__}: {name} must be positive, not {value}")


@dataclass(frozen=True)
class Constant(Schedule):
    """The same learning rate for all updates.

    Parameters
    ----------
    value
        The learning rate.

    Examples
    --------
    >>> Constant(0.1)([0, 5]).eval()
    array([0.1, 0.1])
    """

    value: float

    def rate(self, step: Any) -> Any:
        return T.full_like(step, self.value)


@dataclass(frozen=True)
class Decay(Schedule):
    """Base class of schedules of a falling learning rate.

    Parameters
    ----------
    initial
        The initial learning rate.
    staircase
        Whether ``step / decay_steps`` is rounded down. The learning rate then changes once in
        ``decay_steps`` updates. The default is False.
    """

    initial: float
    decay_steps: float

    def __post_init__(self) -> None:
        """Check the number."""
        self._positive(decay_steps=self.decay_steps)


@dataclass(frozen=True)
class ExponentialDecay(Decay):
    """Exponential decay of the learning rate: ``initial * decay_rate ** (step / decay_steps)``.

    Parameters
    ----------
    decay_steps
        The number of updates after which the learning rate is multiplied by ``decay_rate``.
    decay_rate
        The factor of the decay, such as 0.9.

    Examples
    --------
    >>> ExponentialDecay(0.4, 2, 0.25)([0, 1, 2]).eval()
    array([0.4, 0.2, 0.1])
    """

    decay_rate: float
    staircase: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._positive(decay_steps=self.decay_steps, decay_rate=self.decay_rate)

    def rate(self, step: Any) -> Any:
        times = step / self.decay_steps
        return self.initial * self.decay_rate ** (T.floor(times) if self.staircase else times)


@dataclass(frozen=True)
class InverseTimeDecay(Decay):
    """Inverse time decay of the learning rate: ``initial / (1 + decay_rate * step / decay_steps)``.

    Parameters
    ----------
    decay_steps, decay_rate
        The denominator grows by ``decay_rate`` in ``decay_steps`` updates.

    Examples
    --------
    >>> InverseTimeDecay(0.5, 2, 1.0)([0, 2, 8]).eval()
    array([0.5 , 0.25, 0.1 ])
    """

    decay_rate: float
    staircase: bool = False

    def rate(self, step: Any) -> Any:
        times = step / self.decay_steps
        return self.initial / (1 + self.decay_rate * (T.floor(times) if self.staircase else times))


@dataclass(frozen=True)
class PiecewiseConstant(Schedule):
    """A learning rate that is constant between boundaries.

    It is ``values[i]`` up to and including update ``boundaries[i]``, and ``values[-1]`` after the
    last boundary.

    Parameters
    ----------
    boundaries
        Numbers of updates in ascending order.
    values
        The learning rates, one more than there are boundaries.

    Examples
    --------
    >>> PiecewiseConstant([2, 4], [1.0, 0.5, 0.1])([0, 2, 3, 4, 5]).eval()
    array([1. , 1. , 0.5, 0.5, 0.1])
    """

    boundaries: Sequence[float]
    values: Sequence[float]

    def __post_init__(self) -> None:
        """Check the numbers."""
        object.__setattr__(self, "boundaries", tuple(self.boundaries))
        object.__setattr__(self, "values", tuple(self.values))
        if len(self.values) != len(self.boundaries) + 1:
            raise ValueError(
                f"PiecewiseConstant: {len(self.boundaries)} boundaries need "
                f"{len(self.boundaries) + 1} values, not {len(self.values)}"
            )
        if list(self.boundaries) != sorted(set(self.boundaries)):
            raise ValueError(
                f"PiecewiseConstant: boundaries must be in ascending order, not {self.boundaries}"
            )

    def rate(self, step: Any) -> Any:
        rate = T.full_like(step, self.values[-1])
        for boundary, value in reversed(list(zip(self.boundaries, self.values[:-1], strict=True))):
            rate = T.switch(step <= boundary, value, rate)
        return rate


@dataclass(frozen=True)
class PolynomialDecay(Decay):
    """Polynomial decay of the learning rate from ``initial`` to ``end``.

    It is ``(initial - end) * (1 - min(step / decay_steps, 1)) ** power + end``.

    Parameters
    ----------
    decay_steps
        The number of updates after which the learning rate is ``end``.
    end
        The final learning rate. The default is 0.0001.
    power
        The exponent. The default is 1, a straight line.
    cycle
        Whether ``decay_steps`` is multiplied by ``ceil(step / decay_steps)``. The learning rate
        then rises again each time it has reached ``end``. The default is False.

    Examples
    --------
    >>> PolynomialDecay(1.0, 4, 0.0, power=2.0)([0, 2, 4, 9]).eval()
    array([1.  , 0.25, 0.  , 0.  ])
    """

    end: float = 0.0001
    power: float = 1.0
    cycle: bool = False

    def rate(self, step: Any) -> Any:
        times = step / self.decay_steps
        done = times / T.maximum(T.ceil(times), 1.0) if self.cycle else T.minimum(times, 1.0)
        return (self.initial - self.end) * (1 - done) ** self.power + self.end


@dataclass(frozen=True)
class CosineDecay(Decay):
    """Cosine decay of the learning rate from ``initial`` to ``alpha * initial``.

    It is ``initial * ((1 - alpha) * (1 + cos(pi * min(step / decay_steps, 1))) / 2 + alpha)``: half
    a period of a cosine, and then a constant. See Loshchilov and Hutter, 2017, SGDR.

    Parameters
    ----------
    decay_steps
        The number of updates after which the learning rate is ``alpha * initial``.
    alpha
        The final learning rate as a share of the initial one. The default is 0.

    Examples
    --------
    >>> CosineDecay(1.0, 4)([0, 2, 4, 5]).eval().round(3)
    array([1. , 0.5, 0. , 0. ])
    """

    alpha: float = 0.0

    def rate(self, step: Any) -> Any:
        fallen = (1 + T.cos(pi * T.minimum(step / self.decay_steps, 1.0))) / 2
        return self.initial * ((1 - self.alpha) * fallen + self.alpha)


@dataclass(frozen=True)
class CosineRestarts(Schedule):
    """Cosine decay of the learning rate with restarts.

    In each period, the learning rate falls like half a period of a cosine. Period ``i`` has
    ``first_decay_steps * t_mul ** i`` updates and begins with ``initial * m_mul ** i``. See
    Loshchilov and Hutter, 2017, SGDR: stochastic gradient descent with warm restarts.

    Parameters
    ----------
    initial
        The initial learning rate.
    first_decay_steps
        The number of updates in the first period.
    t_mul
        The factor by which each period is longer than the previous one, at least 1. The default
        is 2.
    m_mul
        The factor of the highest learning rate from one period to the next. The default is 1.
    alpha
        The lowest learning rate as a share of ``initial``. The default is 0.

    Examples
    --------
    >>> CosineRestarts(1.0, 2, m_mul=0.5)([0, 1, 2, 4, 6]).eval().round(3)
    array([1.  , 0.5 , 0.5 , 0.25, 0.25])
    """

    initial: float
    first_decay_steps: float
    t_mul: float = 2.0
    m_mul: float = 1.0
    alpha: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._positive(first_decay_steps=self.first_decay_steps)
        if self.t_mul < 1:
            raise ValueError(f"CosineRestarts: t_mul must be at least 1, not {self.t_mul}")

    def rate(self, step: Any) -> Any:
        times = step / self.first_decay_steps
        if self.t_mul == 1:
            period = T.floor(times)
            done = times - period
        else:
            # The periods before number i take (1 - t_mul**i) / (1 - t_mul) of the first. Where one
            # begins, the logarithm is a whole number, which rounding must not make smaller.
            begun = T.log(1 - times * (1 - self.t_mul)) / log(self.t_mul)
            period = T.floor(begun + 1e-9)
            length = self.t_mul**period
            done = (times - (1 - length) / (1 - self.t_mul)) / length
        fallen = self.m_mul**period * (1 + T.cos(pi * done)) / 2
        return self.initial * ((1 - self.alpha) * fallen + self.alpha)


@dataclass(frozen=True)
class Warmup(Schedule):
    """Linear warmup: the learning rate rises from ``start``, and then follows another schedule.

    See Goyal et al., 2017, Accurate, large minibatch SGD.

    Parameters
    ----------
    schedule
        The schedule after the warmup, or a number for a constant learning rate. It begins with
        update 0 at the end of the warmup.
    steps
        The number of updates of the warmup.
    start
        The initial learning rate. The default is 0.

    Examples
    --------
    >>> Warmup(ExponentialDecay(1.0, 1, 0.5), 4)([0, 1, 4, 5]).eval()
    array([0.  , 0.25, 1.  , 0.5 ])
    """

    schedule: Any
    steps: int
    start: float = 0.0

    def __post_init__(self) -> None:
        """Convert a number to a schedule."""
        self._positive(steps=self.steps)
        object.__setattr__(self, "schedule", get(self.schedule))

    def rate(self, step: Any) -> Any:
        later = self.schedule(T.maximum(step - self.steps, 0.0))
        share = T.minimum(step / self.steps, 1.0)
        return T.switch(step < self.steps, self.start + share * (later - self.start), later)


@dataclass(frozen=True)
class OneCycle(Schedule):
    """One-cycle schedule: the learning rate rises to ``max_rate``, and then falls to almost 0.

    After ``total_steps`` updates, the learning rate is constant. See Smith and Topin, 2017,
    Super-convergence.

    Parameters
    ----------
    max_rate
        The highest learning rate.
    total_steps
        The number of updates of the cycle.
    pct_start
        The share of the updates in which the learning rate rises, from 0 to 1. The default is 0.3.
    div_factor
        The initial learning rate is ``max_rate / div_factor``. The default is 25.
    final_div_factor
        The final learning rate is the initial one divided by this number. The default is 10,000.
    anneal
        The form of the rise and of the fall: ``"cos"``, the default, is half a period of a cosine,
        and ``"linear"`` is a straight line.

    Examples
    --------
    >>> OneCycle(1.0, 10, final_div_factor=10.0)([0, 2, 9, 12]).eval().round(3)
    array([0.04 , 1.   , 0.004, 0.004])
    """

    max_rate: float
    total_steps: int
    pct_start: float = 0.3
    div_factor: float = 25.0
    final_div_factor: float = 1e4
    anneal: str = "cos"

    def __post_init__(self) -> None:
        """Check the arguments."""
        self._positive(total_steps=self.total_steps)
        if self.anneal not in ("cos", "linear"):
            raise ValueError(f"OneCycle: anneal must be 'cos' or 'linear', not {self.anneal!r}")
        if not 0 <= self.pct_start <= 1:
            raise ValueError(f"OneCycle: pct_start must be between 0 and 1, not {self.pct_start}")

    def rate(self, step: Any) -> Any:
        top, last = self.pct_start * self.total_steps - 1, self.total_steps - 1
        first = self.max_rate / self.div_factor
        falling = self._between(step, top, last, self.max_rate, first / self.final_div_factor)
        if top <= 0:
            return falling
        return T.switch(step <= top, self._between(step, 0, top, first, self.max_rate), falling)

    def _between(self, step: Any, begin: float, end: float, low: float, high: float) -> Any:
        share = T.clip((step - begin) / max(end - begin, 1e-9), 0.0, 1.0)
        if self.anneal == "cos":
            share = (1 - T.cos(pi * share)) / 2
        return low + (high - low) * share


SCHEDULES: dict[str, type[Schedule]] = {
    "constant": Constant, "exponential_decay": ExponentialDecay,
    "inverse_time_decay": InverseTimeDecay, "piecewise_constant": PiecewiseConstant,
    "polynomial_decay": PolynomialDecay, "cosine_decay": CosineDecay,
    "cosine_restarts": CosineRestarts, "warmup": Warmup, "one_cycle": OneCycle,
}  # fmt: skip
"""Schedules by name."""


def get(what: Any) -> Schedule:
    """Return a schedule.

    Parameters
    ----------
    what
        A schedule, a number for a constant learning rate, or the result of :meth:`Schedule.config`.

    Raises
    ------
    TypeError
        If the argument is something else.

    Examples
    --------
    >>> get(0.1)
    Constant(value=0.1)
    """
    if isinstance(what, Mapping):
        return from_config(what)
    if isinstance(what, Schedule):
        return what
    if isinstance(what, int | float):
        return Constant(float(what))
    if isinstance(what, str):
        kind = look_up("schedule", what, SCHEDULES)
        raise TypeError(f"the schedule {what!r} needs arguments: write {kind.__name__}(...)")
    raise TypeError(f"a schedule must be a Schedule or a number, not {what!r}")


def from_config(config: Mapping[str, Any]) -> Schedule:
    """Return the schedule from the result of :meth:`Schedule.config`.

    Examples
    --------
    >>> from_config(Warmup(0.1, 5).config())
    Warmup(schedule=Constant(value=0.1), steps=5, start=0.0)
    """
    return build("schedule", config, SCHEDULES)


__getattr__ = missing_in(__name__, tuple(kind.__name__ for kind in Schedule.__subclasses__()))
