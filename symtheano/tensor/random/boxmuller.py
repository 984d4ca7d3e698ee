"""Standard numbers computed from uniform ones, for sources that draw nothing else."""

from __future__ import annotations

from math import pi
from typing import Any

from symtheano.scalar import table as scalar


def box_muller(u: Any, v: Any) -> tuple[Any, Any]:
    """Return two independent normal numbers for two uniform ones from (0, 1).

    G. E. P. Box and M. E. Muller (1958), "A note on the generation of random normal deviates".
    """
    radius = scalar.sqrt(-2 * scalar.log(u))
    angle = _number(2 * pi, v) * v
    return radius * scalar.cos(angle), radius * scalar.sin(angle)


def _number(value: float, model: Any) -> Any:
    return model.constant_like(value)
