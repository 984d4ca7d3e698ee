"""The recurrences of the generator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

M1, M2 = 2147483647, 2147462579


MODES = [None, "INTERPRET"]


def numbers(state: Sequence[int]) -> Iterator[int]:
    """Yield the numbers of a stream, by the recurrences of L'Ecuyer and Touzin."""
    x, y = [int(v) for v in state[:3]], [int(v) for v in state[3:]]
    while True:
        x = [(4194304 * x[1] + 129 * x[2]) % M1, *x[:2]]
        y = [(32768 * y[0] + 32769 * y[2]) % M2, *y[:2]]
        yield (x[0] - y[0]) % M1 or M1
