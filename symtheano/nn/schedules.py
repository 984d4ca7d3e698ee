"""Learning rates that depend on the number of updates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log, pi
from typing import Any

import symtheano.tensor as T
from symtheano.nn.configuration import build, describe
from symtheano.nn.foreign import Explained
from symtheano.nn.lookup import look_up


class Schedule(Explained):
    """A learning rate for each update: an object that is called with the number of those before.

    A subclass has the method ``rate(step)``, with expressions in float64. Optimizers compute it
    for each update, once for all parameters.

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
            The number of updates before this one, an expression, a number or an array of any shape.

        Returns
        -------
        Expression of the same shape, float64.
        """
        return self.rate(T.cast(T.as_tensor_variable(step), "float64"))

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'rate'")

    def config(self) -> dict[str, Any]:
        """Return the class and its fields as data for JSON; :func:`from_config` reads it."""
        return describe(self)

    def _positive(self, **numbers: float) -> None:
        for name, value in numbers.items():
            if not value > 0:
                raise ValueError(f"{type(self).__name__}: {name} is positive, not {value}")


@dataclass(frozen=True)
class Constant(Schedule):
    """The same learning rate for all updates.

    Examples
    --------
    >>> Constant(0.1)([0, 5]).eval()
    array([0.1, 0.1])
    """

    value: float

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        return T.full_like(step, self.value)


@dataclass(frozen=True)
class ExponentialDecay(Schedule):
    """``initial * decay_rate ** (step / decay_steps)``.

    Parameters
    ----------
    initial
        The first learning rate.
    decay_steps
        After so many updates the rate has been multiplied by ``decay_rate``.
    decay_rate
        The factor.
    staircase
        Whether the exponent is rounded down, so that the rate changes all ``decay_steps`` updates.

    Examples
    --------
    >>> ExponentialDecay(0.4, 2, 0.25)([0, 1, 2]).eval()
    array([0.4, 0.2, 0.1])
    """

    initial: float
    decay_steps: float
    decay_rate: float
    staircase: bool = False

    def __post_init__(self) -> None:
        """Check the numbers."""
        self._positive(decay_steps=self.decay_steps, decay_rate=self.decay_rate)

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        times = step / self.decay_steps
        return self.initial * self.decay_rate ** (T.floor(times) if self.staircase else times)


@dataclass(frozen=True)
class InverseTimeDecay(Schedule):
    """``initial / (1 + decay_rate * step / decay_steps)``.

    Parameters
    ----------
    initial
        The first learning rate.
    decay_steps, decay_rate
        After ``decay_steps`` updates the denominator has grown by ``decay_rate``.
    staircase
        Whether ``step / decay_steps`` is rounded down.

    Examples
    --------
    >>> InverseTimeDecay(0.5, 2, 1.0)([0, 2, 8]).eval()
    array([0.5 , 0.25, 0.1 ])
    """

    initial: float
    decay_steps: float
    decay_rate: float
    staircase: bool = False

    def __post_init__(self) -> None:
        """Check the number."""
        self._positive(decay_steps=self.decay_steps)

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        times = step / self.decay_steps
        return self.initial / (1 + self.decay_rate * (T.floor(times) if self.staircase else times))


@dataclass(frozen=True)
class PiecewiseConstant(Schedule):
    """``values[i]`` until update ``boundaries[i]`` inclusive, at last ``values[-1]``.

    Parameters
    ----------
    boundaries
        Ascending numbers of updates.
    values
        The learning rates, one more than boundaries.

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
            raise ValueError(f"PiecewiseConstant: boundaries ascend, {self.boundaries} do not")

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        found = T.full_like(step, self.values[-1])
        for boundary, value in reversed(list(zip(self.boundaries, self.values[:-1], strict=True))):
            found = T.switch(step <= boundary, value, found)
        return found


@dataclass(frozen=True)
class PolynomialDecay(Schedule):
    """``(initial - end) * (1 - min(step / decay_steps, 1)) ** power + end``.

    Parameters
    ----------
    initial, end
        The first and the last learning rate.
    decay_steps
        The update that first uses the last one.
    power
        1 is a straight line.
    cycle
        Whether ``decay_steps`` is multiplied by ``ceil(step / decay_steps)``, so that the rate
        rises again each time that it has reached the end.

    Examples
    --------
    >>> PolynomialDecay(1.0, 4, 0.0, power=2.0)([0, 2, 4, 9]).eval()
    array([1.  , 0.25, 0.  , 0.  ])
    """

    initial: float
    decay_steps: float
    end: float = 0.0001
    power: float = 1.0
    cycle: bool = False

    def __post_init__(self) -> None:
        """Check the number."""
        self._positive(decay_steps=self.decay_steps)

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        times = step / self.decay_steps
        done = times / T.maximum(T.ceil(times), 1.0) if self.cycle else T.minimum(times, 1.0)
        return (self.initial - self.end) * (1 - done) ** self.power + self.end


@dataclass(frozen=True)
class CosineDecay(Schedule):
    """Half a period of a cosine from ``initial`` to ``alpha * initial``, which then stays.

    ``initial * ((1 - alpha) * (1 + cos(pi * min(step / decay_steps, 1))) / 2 + alpha)``. See
    Loshchilov and Hutter, 2017, SGDR.

    Parameters
    ----------
    initial
        The first learning rate.
    decay_steps
        The update that first uses the last learning rate.
    alpha
        The last learning rate as a share of the first.

    Examples
    --------
    >>> CosineDecay(1.0, 4)([0, 2, 4, 5]).eval().round(3)
    array([1. , 0.5, 0. , 0. ])
    """

    initial: float
    decay_steps: float
    alpha: float = 0.0

    def __post_init__(self) -> None:
        """Check the number."""
        self._positive(decay_steps=self.decay_steps)

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        fallen = (1 + T.cos(pi * T.minimum(step / self.decay_steps, 1.0))) / 2
        return self.initial * ((1 - self.alpha) * fallen + self.alpha)


@dataclass(frozen=True)
class CosineRestarts(Schedule):
    """Periods that each fall like half a cosine: stochastic gradient descent with warm restarts.

    See Loshchilov and Hutter, 2017, SGDR. Period ``i`` has ``first_decay_steps * t_mul ** i``
    updates and begins with ``initial * m_mul ** i``.

    Parameters
    ----------
    initial
        The first learning rate.
    first_decay_steps
        The number of updates of the first period.
    t_mul
        How many times longer each period is than the one before, at least 1.
    m_mul
        By what the highest learning rate is multiplied for each period.
    alpha
        The lowest learning rate as a share of the first.

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
            raise ValueError(f"CosineRestarts: t_mul is at least 1, not {self.t_mul}")

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
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
    """A straight line from ``start`` to the first rate of another schedule, then that schedule.

    See Goyal et al., 2017, Accurate, large minibatch SGD.

    Parameters
    ----------
    schedule
        What follows, a schedule or a number. Its updates are counted from the end of the line.
    steps
        The number of updates of the line.
    start
        The first learning rate.

    Examples
    --------
    >>> Warmup(ExponentialDecay(1.0, 1, 0.5), 4)([0, 1, 4, 5]).eval()
    array([0.  , 0.25, 1.  , 0.5 ])
    """

    schedule: Any
    steps: int
    start: float = 0.0

    def __post_init__(self) -> None:
        """Make a schedule of a number."""
        self._positive(steps=self.steps)
        object.__setattr__(self, "schedule", get(self.schedule))

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
        later = self.schedule(T.maximum(step - self.steps, 0.0))
        share = T.minimum(step / self.steps, 1.0)
        return T.switch(step < self.steps, self.start + share * (later - self.start), later)


@dataclass(frozen=True)
class OneCycle(Schedule):
    """A rise to ``max_rate`` and a longer fall to almost nothing, each half a cosine or a line.

    See Smith and Topin, 2017, Super-convergence. After ``total_steps`` updates the last rate stays.

    Parameters
    ----------
    max_rate
        The highest learning rate.
    total_steps
        The number of updates.
    pct_start
        The share of updates in which the rate rises.
    div_factor
        The first learning rate is ``max_rate / div_factor``.
    final_div_factor
        The last one is the first one divided by this.
    anneal
        ``"cos"`` or ``"linear"``.

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
            raise ValueError(f"OneCycle: anneal is 'cos' or 'linear', not {self.anneal!r}")
        if not 0 <= self.pct_start <= 1:
            raise ValueError(f"OneCycle: pct_start is between 0 and 1, not {self.pct_start}")

    def rate(self, step: Any) -> Any:
        """Return the learning rate of a float64 expression."""
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
    "constant": Constant,
    "exponential_decay": ExponentialDecay,
    "inverse_time_decay": InverseTimeDecay,
    "piecewise_constant": PiecewiseConstant,
    "polynomial_decay": PolynomialDecay,
    "cosine_decay": CosineDecay,
    "cosine_restarts": CosineRestarts,
    "warmup": Warmup,
    "one_cycle": OneCycle,
}
"""Schedules by name."""


def get(what: Any) -> Schedule:
    """Return a schedule.

    Parameters
    ----------
    what
        A schedule, a number, or what ``config`` returned.

    Raises
    ------
    TypeError
        For anything else.

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
        raise TypeError(f"the schedule {what!r} has arguments: write {kind.__name__}(...)")
    raise TypeError(f"a schedule is a Schedule or a number, not {what!r}")


def from_config(config: Mapping[str, Any]) -> Schedule:
    """Return the schedule that ``config`` described.

    Examples
    --------
    >>> from_config(Warmup(0.1, 5).config())
    Warmup(schedule=Constant(value=0.1), steps=5, start=0.0)
    """
    return build("schedule", config, SCHEDULES)
