"""Lengths that do not fit into int64 are errors: never crashes, never silent results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.shapes.intervals import MOST_ALONG_AXIS, factors, interval
from symtheano.tensor.shapes.shape import shape_of

_MODES = ("FAST_RUN", "INTERPRET")
_X = np.arange(5.0)
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1
_x, _n, _v = T.dvector("x"), T.lscalar("n"), T.lvector("v")
_a, _b, _s = T.dscalars("a", "b", "s")

# Each expression is compiled once: its inputs, and the arguments of calls with their results, or
# errors and a part of the message.
_TOO_MUCH = "too large|too long|not enough memory"
_CASES: dict[str, tuple[list[Any], Any, list[tuple[tuple[Any, ...], Any]]]] = {
    "repeated": (
        [_x, _v],
        T.repeat(_x, _v),
        [
            ((_X, np.full(5, 2**62)), (MemoryError, "counts is at least 23058430092136939520")),
            ((_X[:4], np.full(4, 2**62)), (MemoryError, "counts is at least 18446744073709551616")),
            ((_X[:2], np.array([2**63 - 1, 2**63 - 1])), (MemoryError, "repeat: the sum")),
            ((_X[:1], np.array([2**60])), (MemoryError, "not enough memory")),
            ((_X[:2], np.array([1, 2])), [0.0, 1.0, 1.0]),
        ],
    ),
    "repeated_all": (
        [_x, _n],
        T.repeat(_x, _n),
        [((_X, 2**62), (MemoryError, _TOO_MUCH)), ((_X, 2**60), (MemoryError, _TOO_MUCH))],
    ),
    "tiled": (
        [_x, _n],
        T.tile(_x, (_n,)),
        [((_X, n), (MemoryError, _TOO_MUCH)) for n in (2**59, 2**60, 2**61, 2**62, _HIGHEST)],
    ),
    "counted": (
        [_v],
        T.bincount(_v),
        [
            ((np.array([2**63 - 1, 3]),), (MemoryError, "there would be 9223372036854775808")),
            ((np.array([2**62, 3]),), (MemoryError, "there would be 4611686018427387905")),
            ((np.array([1, 1]),), [0, 2]),
        ],
    ),
    "joined": (
        [_x, _n],
        T.join(0, *[T.zeros((_n,))] * 4, _x),
        [
            ((_X, 2**62), (MemoryError, _TOO_MUCH)),
            ((_X, 2**61), (MemoryError, _TOO_MUCH)),
            ((_X, 0), _X),
        ],
    ),
    "joined_length": (
        [_n],
        T.join(0, T.zeros((_n,)), T.zeros((_n,))).shape[0],
        [((2**62,), (MemoryError, "4611686018427387904 . 4611686018427387904")), ((3,), 6)],
    ),
    "added_ones": (
        [_n],
        T.ones((_n, _n)).sum(),
        [((2**32,), (MemoryError, r"shape \(4294967296, 4294967296\)")), ((2**31,), 2.0**62)],
    ),
    "reshaped": (
        [_x, _n],
        _x.reshape((_n, _n)),
        [
            (
                (_X[:0], 2**32),
                (ValueError, r"can't have shape \(4294967296, 4294967296\)"),
            ),
            ((_X[:1], _HIGHEST), (ValueError, rf"can't have shape \({_HIGHEST}, {_HIGHEST}\)")),
        ],
    ),
    "every": (
        [_x, _n],
        _x[::_n],
        [
            ((_X, _LOWEST), [4.0]),
            ((_X, _LOWEST + 1), [4.0]),
            ((_X, _HIGHEST), [0.0]),
            ((_X, _HIGHEST - 1), [0.0]),
            ((_X, 2), _X[::2]),
            ((_X, -2), _X[::-2]),
        ],
    ),
    "set": (
        [_x, _n],
        T.set_subtensor(_x[::_n], 9.0),
        [((_X, _LOWEST), [0, 1, 2, 3, 9.0]), ((_X, _HIGHEST), [9.0, 1, 2, 3, 4])],
    ),
    "padded": (
        [_x, _n],
        T.pad(_x, (_n, 1)),
        [
            ((_X, -1), (ValueError, "pad: a width is negative")),
            ((_X, _LOWEST), (ValueError, "pad: a width is negative")),
            ((_X, _HIGHEST), (MemoryError, "pad: a width is too large")),
            ((_X, 2**60), (MemoryError, _TOO_MUCH)),
            ((_X[:1], 1), [0, 0, 0]),
        ],
    ),
    "padded_by_edges": (
        [_x, _n],
        T.pad(_x, (1, _n), mode="edge"),
        [
            ((_X, -1), (ValueError, "pad: a width is negative")),
            ((_X, _HIGHEST), (MemoryError, "pad: a width is too large")),
            ((_X[:2], 1), [0, 0, 1, 1]),
        ],
    ),
    "triangle": (
        [_n],
        T.tri(3, 1, _n),
        [((_HIGHEST - 1,), [[1]] * 3), ((_LOWEST,), [[0]] * 3), ((-1,), [[0], [1], [1]])],
    ),
    "diagonal": (
        [_n],
        T.fill_diagonal_offset(T.zeros((2, 2)), 1.0, _n),
        [((_LOWEST,), np.zeros((2, 2))), ((_HIGHEST,), np.zeros((2, 2))), ((0,), np.eye(2))],
    ),
    "diagonal_taken": (
        [_x, _n],
        T.diagonal(_x[None], _n),
        [((_X, _LOWEST), []), ((_X, _HIGHEST), []), ((_X, 2), [2.0])],
    ),
    "transformed": (
        [_x, _n],
        T.fft.rfft1(_x, _n).real,
        [
            ((_X, -2), (ValueError, "length of a transform is negative")),
            ((_X, _LOWEST), (ValueError, "length of a transform is negative")),
            ((_X, 2**60), (MemoryError, _TOO_MUCH)),
            ((_X, 1), [0.0]),
        ],
    ),
    "spaced": (
        [_n],
        T.linspace(0, 1, _n),
        [((-1,), (ValueError, "number of points is negative")), ((2,), [0.0, 1.0])],
    ),
    "raveled": (
        [_n, _v],
        T.ravel_multi_index((_v, _v), (_n, _n)),
        [
            ((2**32, np.array([1])), (ValueError, "no array can have this shape")),
            ((2**31, np.array([1])), [2**31 + 1]),
        ],
    ),
    "repeated_nothing": (
        [_n],
        T.repeat(T.zeros((0, 3)), _n, axis=1),
        [((2**62 - 1,), (MemoryError, _TOO_MUCH)), ((2,), np.zeros((0, 6)))],
    ),
    "every_known": ([_x], _x[:: 2**63 - 1], [((_X,), [0.0])]),
    "back_known": ([_x], _x[:: -(2**63)], [((_X,), [4.0])]),
    "numbers": (
        [_a, _b, _s],
        T.arange(_a, _b, _s),
        [
            ((0, np.nan, 1), (ValueError, "not finite")),
            ((0, np.inf, 1), (ValueError, "not finite")),
            ((0, 1e300, 1e-300), (ValueError, "too large")),
            ((0, 1, np.nan), (ValueError, "not finite")),
            ((1, 2, np.inf), [1.0]),
            ((1, 2, -np.inf), []),
            ((2, 1, -np.inf), [2.0]),
            ((0, -np.inf, 1), []),
            ((0, 1e300, 1e300), [0.0]),
            ((0, 1, 0.5), [0.0, 0.5]),
        ],
    ),
    "integers": (
        [_n],
        T.arange(_n, 2**62, 1),
        [
            ((_LOWEST,), (MemoryError, "too many numbers")),
            ((2**62 - 1,), [2**62 - 1]),
        ],
    ),
    "steps": (
        [_n, _v],
        T.arange(_v[0], _v[1], _n),
        [
            ((1, np.array([-5, _HIGHEST])), (MemoryError, "too many numbers")),
            ((_HIGHEST, np.array([_LOWEST, _HIGHEST])), [_LOWEST, -1, _HIGHEST - 1]),
            ((2**62, np.array([-(2**62), 2**62 + 1])), [-(2**62), 0, 2**62]),
            ((_LOWEST, np.array([_HIGHEST, _LOWEST])), [_HIGHEST, -1]),
            ((_LOWEST, np.array([5, -5])), [5]),
            ((_HIGHEST, np.array([-5, 5])), [-5]),
            ((-1, np.array([_HIGHEST, -5])), (MemoryError, "too many numbers")),
            ((3, np.array([0, 7])), [0, 3, 6]),
            ((-3, np.array([7, 0])), [7, 4, 1]),
            ((1, np.array([_HIGHEST, _LOWEST])), []),
            ((-1, np.array([_LOWEST, _HIGHEST])), []),
        ],
    ),
}


@pytest.mark.parametrize("mode", _MODES)
@pytest.mark.parametrize("name", _CASES)
def test_hostile_lengths(name: str, mode: str) -> None:
    inputs, output, calls = _CASES[name]
    compiled = function(inputs, output, mode=mode)
    for arguments, expected in calls:
        if isinstance(expected, tuple):
            with pytest.raises(expected[0], match=expected[1]):
                compiled(*arguments)
        else:
            np.testing.assert_array_equal(compiled(*arguments), expected)


def test_intervals_contain_the_values() -> None:
    x, n = T.dmatrix("x"), T.lscalar("n")
    rows, columns = shape_of(x)
    assert interval(rows + columns) == (0, 2 * MOST_ALONG_AXIS)
    assert interval(T.maximum(T.minimum(n, rows), 0)) == (0, MOST_ALONG_AXIS)
    assert interval(rows // 2)[1] <= MOST_ALONG_AXIS
    assert interval(rows * rows * rows * rows)[1] == 2**63 - 1
    assert interval(n + 1) == (-(2**63), 2**63 - 1)
    assert set(factors([rows * columns, n, 1])) == {n, columns, rows}


@pytest.mark.parametrize("mode", _MODES)
def test_arguments_without_elements_have_no_longer_axes(mode: str) -> None:
    x = T.bmatrix("x")
    rows = function([x], x.shape[1], mode=mode)
    assert rows(np.empty((0, MOST_ALONG_AXIS), "int8")) == MOST_ALONG_AXIS
    for length in (MOST_ALONG_AXIS + 1, 2**62, _HIGHEST):
        with pytest.raises(ValueError, match="input x has an axis of more than"):
            rows(np.empty((0, length), "int8"))


@pytest.mark.one_in(1)
@pytest.mark.parametrize("mode", _MODES)
def test_arrays_without_elements_take_no_time(mode: str) -> None:
    """A loop over the axis that is not empty would run for hours."""
    x, row = T.dmatrix("x"), T.dvector("row")
    outputs = [
        x.sum(0), (x * row).sum(0), T.exp(x + row).sum(), x.T + 1, x + row, T.cumsum(x, axis=1),
        T.eye(_n, row.shape[0]), T.tile(row, (_n, 1)), T.join(0, x, x), T.sort(x, axis=0),
        T.set_subtensor(x[::-2], 1.0), x[x > 0],
    ]  # fmt: skip
    half = MOST_ALONG_AXIS // 2
    results = function([x, row, _n], outputs, mode=mode)(np.empty((half, 0)), np.empty(0), half)
    shapes = [(0,), (0,), (), (0, half), *[(half, 0)] * 4, (2 * half, 0), *[(half, 0)] * 2, (0,)]
    assert [result.shape for result in results] == shapes
    assert results[2] == 0.0


def test_errors_tell_the_lengths_that_were_requested() -> None:
    whole = function([_n], T.ones((_n, _n)))
    with pytest.raises(
        MemoryError, match="36,893,488,147,419,103,232 bytes for output 0"
    ) as raised:
        whole(2**31)
    assert "shape: (2147483648, 2147483648)" in " ".join(str(raised.value).split())
    stacked = function([_n], T.stack([T.zeros((_n,))] * 3)[0, 0])
    with pytest.raises(MemoryError, match=r"more than 2..62 bytes for its workspace") as raised:
        stacked(2**61)
    assert "T.stack([T.zeros((_n,))] * 3)[0, 0]" in str(raised.value)


def test_arguments_too_large_to_copy_are_named() -> None:
    """Arrays without strides take no memory, but compiled code reads contiguous copies."""
    double = function([_x], _x * 2)
    with pytest.raises(MemoryError, match="8,796,093,022,208 bytes for a contiguous copy of input"):
        double(np.broadcast_to(1.5, (2**40,)))
