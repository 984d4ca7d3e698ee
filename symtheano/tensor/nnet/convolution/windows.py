"""How a filter slides over an image: padding, strides, dilation, and the lengths of results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from symtheano.graph.variable import Constant
from symtheano.tensor.messages import build_message, called

Border: TypeAlias = str | tuple[str | tuple[int, int], ...]
"""One of :data:`NAMED_BORDERS` for all axes, or for each axis its name or the zeros around it."""

NAMED_BORDERS = ("valid", "half", "full", "causal")


def border_of(border_mode: Any, dims: int) -> Border:
    """Return a border mode in its normal form.

    Parameters
    ----------
    border_mode
        ``"valid"``: no zeros. ``"half"``: half of the filter's length on both sides. ``"full"``:
        the filter's length minus one on both sides. ``"causal"``: the same number, but only before
        the image. A number: this number of zeros on all sides. A sequence has one item for each
        axis: a name, a number of zeros on both sides, or a pair of numbers for the two sides.
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
    border_mode = _plain(border_mode)
    alone = isinstance(border_mode, str) or count_of(border_mode) is not None
    items = (border_mode,) * dims if alone else border_mode
    if isinstance(items, Sequence) and len(items) == dims:
        sides = tuple(map(_side, items))
        if None not in sides:
            same = isinstance(sides[0], str) and len(set(sides)) == 1
            return sides[0] if same else sides  # type: ignore[return-value]
    hint = (
        "'half' keeps the lengths of the image, if those of the filter are odd"
        if border_mode == "same"
        else "give 'valid', 'half', 'full', 'causal', a number of zeros from 0 to 2**31 - 1, or "
        f"one of these or a pair of numbers for each axis; there are {dims} axes"
    )
    what = f"{called()}: border_mode={border_mode!r} is not known"
    raise ValueError(build_message(what, hint=hint))


def _side(item: Any) -> str | tuple[int, int] | None:
    """Return the border along one axis; None if it is not known."""
    if isinstance(item, str):
        return item if item in NAMED_BORDERS else None
    pair = item if isinstance(item, Sequence) else (item, item)
    low, high = map(count_of, pair) if len(pair) == 2 else (None, None)
    return None if low is None or high is None else (low, high)


def counts_of(name: str, value: Any, dims: int) -> tuple[int, ...]:
    """Return one positive integer for each axis; one number counts for all of them.

    Raises
    ------
    ValueError
        If there are none; ``name`` is the argument.

    Examples
    --------
    >>> counts_of("subsample", 2, 2), counts_of("subsample", (1, 2), 2)
    ((2, 2), (1, 2))
    """
    value = _plain(value)
    items = value if isinstance(value, Sequence) else (value,) * dims
    counts = [count_of(item) for item in items]
    positive = tuple(n for n in counts if n)
    if len(counts) != dims or len(positive) != dims:
        raise ValueError(
            build_message(
                f"{called()}: invalid {name}={value!r}",
                hint=f"give {'an integer' if dims == 1 else f'{dims} integers'} from 1 to "
                "2**31 - 1, which must be known when the graph is built",
            )
        )
    return positive


def _plain(value: Any) -> Any:
    """Return the numbers of an array as a list."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def count_of(value: Any) -> int | None:
    """Return an integer that is known, and from 0 to 2**31 - 1; None for anything else.

    Sums and products of larger ones with lengths could overflow.

    Examples
    --------
    >>> count_of(3), count_of(-1), count_of("half")
    (3, None, None)
    """
    if isinstance(value, Constant) and np.ndim(value.data) == 0:
        value = np.asarray(value.data)[()]
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        return None
    return int(value) if 0 <= value < 2**31 else None


def spread(length: Any, dilation: int) -> Any:
    """Return the length of a filter whose elements are ``dilation`` apart."""
    return length if dilation == 1 else (length - 1) * dilation + 1


def padding(border: Border, axis: int, reach: Any) -> tuple[Any, Any]:
    """Return the zeros before and behind an axis for a filter of the length ``reach``."""
    match border if isinstance(border, str) else border[axis]:
        case "half":
            return reach // 2, reach // 2
        case "full":
            return reach - 1, reach - 1
        case "causal":
            return reach - 1, 0
        case (low, high):
            return low, high
    return 0, 0


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
