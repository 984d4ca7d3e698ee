"""How a filter slides over an image: padding, strides, dilation, and the lengths of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from symtheano.tensor.messages import build_message

Border: TypeAlias = str | tuple[tuple[int, int], ...]
"""``"valid"``, ``"half"`` or ``"full"``, or the zeros before and behind each axis."""

NAMED_BORDERS = ("valid", "half", "full")


def border_of(border_mode: Any, dims: int) -> Border:
    """Return a border mode in its normal form.

    Parameters
    ----------
    border_mode
        ``"valid"``, ``"half"`` or ``"full"``; a number of zeros on all sides; or for each axis a
        number of zeros on both sides, or a pair for the two sides.
    dims
        The number of axes.

    Raises
    ------
    ValueError
        If it is none of these.

    Examples
    --------
    >>> border_of("half", 2), border_of(1, 2), border_of((0, (2, 1)), 2)
    ('half', ((1, 1), (1, 1)), ((0, 0), (2, 1)))
    """
    if isinstance(border_mode, str) and border_mode in NAMED_BORDERS:
        return border_mode
    if _is_count(border_mode):
        return ((int(border_mode), int(border_mode)),) * dims
    if isinstance(border_mode, Sequence) and not isinstance(border_mode, str):
        pairs = [(n, n) if _is_count(n) else n for n in border_mode]
        if len(pairs) == dims and all(_is_pair(pair) for pair in pairs):
            return tuple((int(low), int(high)) for low, high in pairs)
    raise ValueError(
        build_message(
            f"convolution: border_mode={border_mode!r} is not known",
            hint="give 'valid', 'half', 'full', a number of zeros that is not negative, or for "
            f"each of the {dims} axes a number or a pair of numbers",
        )
    )


def counts_of(name: str, given: Any, dims: int) -> tuple[int, ...]:
    """Return one positive integer for each axis; one number counts for all of them.

    Raises
    ------
    ValueError
        If there are none; ``name`` is the argument.
    """
    values = (given,) * dims if _is_count(given) else tuple(given)
    if len(values) != dims or not all(_is_count(n) and n > 0 for n in values):
        raise ValueError(
            build_message(
                f"convolution: {name}={given!r}",
                hint=f"give {dims} positive integers, one for each axis",
            )
        )
    return tuple(int(n) for n in values)


def spread(length: Any, dilation: int) -> Any:
    """Return the length of a filter whose elements are ``dilation`` apart."""
    return length if dilation == 1 else (length - 1) * dilation + 1


def padding(border: Border, axis: int, reach: Any) -> tuple[Any, Any]:
    """Return the zeros before and behind an axis for a filter of the length ``reach``."""
    if not isinstance(border, str):
        return border[axis]
    pad = {"valid": 0, "half": reach // 2, "full": reach - 1}[border]
    return pad, pad


def output_length(
    border: Border, axis: int, image: Any, kernel: Any, stride: int, dilation: int
) -> Any:
    """Return the number of positions of a filter: ints or 0-d variables; None if unknown.

    It is ``(image + before + behind - (kernel - 1) * dilation - 1) // stride + 1``.

    Examples
    --------
    >>> output_length("valid", 0, 28, 5, 1, 1), output_length("half", 0, 28, 3, 2, 1)
    (24, 14)
    """
    if image is None or kernel is None:
        return None
    reach = spread(kernel, dilation)
    low, high = padding(border, axis, reach)
    return (image + low + high - reach) // stride + 1


def _is_count(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool) and value >= 0


def _is_pair(value: Any) -> bool:
    return isinstance(value, Sequence) and len(value) == 2 and all(map(_is_count, value))
