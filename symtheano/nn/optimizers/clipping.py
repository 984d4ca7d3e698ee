"""Clipping of gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symtheano.tensor as T
from symtheano.nn.floats import like, setting


class Clipping:
    """A limit of gradients. At most one of three kinds of limits can be given.

    Parameters
    ----------
    owner
        The name of the optimizer, for error messages.
    clipvalue
        The largest absolute value of an element, or None.
    clipnorm
        The largest L2 norm of each gradient, or None.
    global_clipnorm
        The largest L2 norm of all gradients together, or None.

    Raises
    ------
    ValueError
        If several limits are given, or the limit is not positive.

    Examples
    --------
    >>> g = T.constant(np.array([3.0, 4.0]))
    >>> [Clipping("", None, 2.5, None)([g])[0].eval(), Clipping("", 3.5, None, None)([g])[0].eval()]
    [array([1.5, 2. ]), array([3. , 3.5])]
    """

    def __init__(
        self,
        owner: str,
        clipvalue: float | None,
        clipnorm: float | None,
        global_clipnorm: float | None,
    ) -> None:
        limits = {"clipvalue": clipvalue, "clipnorm": clipnorm, "global_clipnorm": global_clipnorm}
        requested = {name: limit for name, limit in limits.items() if limit is not None}
        if len(requested) > 1:
            raise ValueError(f"{owner}: at most one of {', '.join(requested)} can be given")
        for name, limit in requested.items():
            if not limit > 0:
                raise ValueError(f"{owner}: {name} must be positive, not {limit}")
        self.value, self.norm, self.global_norm = clipvalue, clipnorm, global_clipnorm

    def __call__(self, gradients: Sequence[Any]) -> list[Any]:
        """Return the gradients within the limits, with their shapes and dtypes."""
        if self.value is not None:
            limit = setting("clipvalue", self.value)
            return [T.clip(g, like(-limit, g), like(limit, g)) for g in gradients]
        if self.norm is not None:
            limit = setting("clipnorm", self.norm)
            return [g * _factor(limit, (g * g).sum(), g) for g in gradients]
        if self.global_norm is not None and gradients:
            squares = [(g * g).sum() for g in gradients]
            total = sum(squares[1:], squares[0])
            limit = setting("global_clipnorm", self.global_norm)
            return [g * _factor(limit, total, g) for g in gradients]
        return list(gradients)


def _factor(limit: Any, square: Any, g: Any) -> Any:
    """Return ``limit / max(length, limit)``, which is 1 for gradients within the limit."""
    limited = like(limit, square)
    return T.cast(limited / T.maximum(T.sqrt(square), limited), g.dtype)
