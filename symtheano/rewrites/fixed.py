"""Lengths that are numbers: because requirements say so, or because they are known outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from symtheano.tensor.variable import Dim, Tensor


def fixed_lengths(
    equalities: Sequence[Sequence[Dim] | None], is_length: Callable[[Tensor], bool]
) -> tuple[dict[Tensor, int], set[int]]:
    """Return lengths that must be numbers, and the positions of the equalities that say so.

    Each other equality of these lengths follows from those, or contradicts them.

    Parameters
    ----------
    equalities
        What must be equal, two by two; None is passed over.
    is_length
        Whether a variable is a length of which a number may take the place.

    Examples
    --------
    >>> n, m, k = T.lscalars("n", "m", "k")
    >>> fixed_lengths([(n, m), (k, 5), None, (m, 3), (n, 3)], lambda length: length is not k)
    ({m: 3, n: 3}, {0, 3})
    """
    of: dict[Dim, Dim] = {}

    def root(item: Dim) -> Dim:
        while item in of:
            item = of[item]
        return item

    joined: list[tuple[int, Dim]] = []
    for position, pair in enumerate(equalities):
        if pair is None or not all(isinstance(d, int) or is_length(d) for d in pair):
            continue
        first, second = map(root, pair)
        if isinstance(second, int):
            first, second = second, first
        if first is not second and not isinstance(second, int):
            of[second] = first
            joined.append((position, second))
    numbers = {item: root(item) for item in of if not isinstance(item, int)}
    fixed = {item: number for item, number in numbers.items() if isinstance(number, int)}
    return fixed, {position for position, item in joined if item in fixed}
