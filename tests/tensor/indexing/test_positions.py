"""Items at positions along an axis, permutations, flat positions, choices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import BoundsError
from symtheano.tensor.indexing.positions import (
    choose,
    inverse_permutation,
    permute_row_elements,
    put_along_axis,
    ravel_multi_index,
    take_along_axis,
    unravel_index,
)
from tests.support.arrays import random_array
from tests.support.compare import Array, check, compiled, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_items_along_an_axis(dtype: str) -> None:
    x, i, s = T.tensor3("x", dtype), T.tensor3("i", "int32"), T.scalar("s", dtype)
    outputs = [take_along_axis(x, i, axis) for axis in (0, 1, 2, -1)]
    outputs += [take_along_axis(x, i[0, 0], None), put_along_axis(x, i, s, 1)]
    outputs += [put_along_axis(x, i[0, 0], s, None)]

    def reference(x: Array, i: Array, s: Array) -> list[Array]:
        found = [np.take_along_axis(x, i, axis) for axis in (0, 1, 2, -1)]
        found.append(np.take_along_axis(x, i[0, 0], None))
        changed, flat = x.copy(), x.copy()
        np.put_along_axis(changed, i, s, 1)
        np.put_along_axis(flat, i[0, 0], s, None)
        return [*found, changed, flat]

    random = np.random.default_rng(1)
    calls = [
        [
            random_array(random, dtype, (n, n, n)),
            random.integers(-n, n, (n, n, n)).astype("int32"),
            random_array(random, dtype, ()),
        ]
        for n in (1, 2, 3)
    ]
    check([x, i, s], outputs, calls, reference, kind="positions")


def test_rows_of_another_length() -> None:
    x, i, y = T.matrix("x"), T.lmatrix("i"), T.matrix("y")
    outputs = [
        take_along_axis(x, i, 1), put_along_axis(x, i, y, 1),
        take_along_axis(x, i, 1).shape, take_along_axis(x, i[:1] + T.zeros((1, 1), "int64"), 1),
    ]  # fmt: skip

    def reference(x: Array, i: Array, y: Array) -> list[Array]:
        changed = x.copy()
        np.put_along_axis(changed, i, y, 1)
        found = np.take_along_axis(x, i, 1)
        return [found, changed, np.array(found.shape), np.take_along_axis(x, i[:1], 1)]

    random = np.random.default_rng(2)
    calls = []
    for n in (0, 1, 5):
        chosen = np.array([random.permutation(5)[:n] for _ in range(3)]).reshape(3, n)
        calls.append([random.uniform(-1, 1, (3, 5)), chosen, random.uniform(-1, 1, (3, n))])
    check([x, i, y], outputs, calls, reference, kind="positions")


def test_gradients_of_items_along_an_axis() -> None:
    random = np.random.default_rng(3)
    x, y = random.uniform(-1, 1, (3, 4)), random.uniform(-1, 1, (3, 2))
    i = np.array([[0, 3], [1, 1], [2, 0]])
    j = np.array([[0, 3], [1, 2], [2, 0]])
    check_derivatives([
        (lambda x: take_along_axis(x, i, 1), [x]),
        (lambda x: take_along_axis(x, i[:, 0], None), [x]),
        (lambda x, y: put_along_axis(x, j, y, 1), [x, y]),
    ])  # fmt: skip


def test_positions_that_are_refused() -> None:
    x, i = T.matrix("x"), T.lmatrix("i")
    y = take_along_axis(x, i, 1)
    for h in (compiled([x, i], y), oracle([x, i], y)):
        assert outcome(h, [np.ones((2, 3)), np.array([[0], [3]])])[0] is BoundsError
    with pytest.raises(ValueError, match="positions of 1 dims for 2 dims"):
        take_along_axis(x, [0])
    with pytest.raises(TypeError, match="takes integers"):
        take_along_axis(x, x)


# -- permutations ----------------------------------------------------------------------------------


def test_permutations() -> None:
    x, v, p, q = T.matrix("x"), T.vector("v"), T.lmatrix("p"), T.ivector("q")
    outputs = [
        inverse_permutation(p), inverse_permutation(q), permute_row_elements(x, p),
        permute_row_elements(x, q), permute_row_elements(v, q, inverse=True),
        permute_row_elements(x, p, inverse=True), permute_row_elements(v.dimshuffle("x", 0), p),
    ]  # fmt: skip

    def reference(x: Array, v: Array, p: Array, q: Array) -> list[Array]:
        inverse = np.argsort(p, 1)
        return [
            inverse, np.argsort(q).astype("int32"), np.take_along_axis(x, p, 1), x[:, q],
            v[np.argsort(q)], np.take_along_axis(x, inverse, 1), v[p],
        ]  # fmt: skip

    random = np.random.default_rng(4)
    calls = [
        [
            random.uniform(-1, 1, (3, n)), random.uniform(-1, 1, n),
            np.array([random.permutation(n) for _ in range(3)], "int64").reshape(3, n),
            random.permutation(n).astype("int32"),
        ]
        for n in (0, 1, 4)
    ]  # fmt: skip
    check([x, v, p, q], outputs, calls, reference, kind="positions")
    point = random.uniform(-1, 1, (2, 3))
    check_derivatives([
        (lambda x: permute_row_elements(x, [2, 0, 1]) ** 2, [point]),
        (lambda x: permute_row_elements(x, [2, 0, 1], inverse=True) ** 2, [point]),
    ])  # fmt: skip


# -- flat positions --------------------------------------------------------------------------------


def test_numbers_of_elements() -> None:
    i, d = T.matrix("i", "int16"), T.lvector("d")
    outputs = []
    for order in "CF":
        parts = unravel_index(i, (2, 3, 4), order)
        outputs += [*parts, ravel_multi_index(parts, (2, 3, 4), order=order)]
    outputs += [*unravel_index(i, d, ndim=3), *unravel_index(i, 24)]
    multi = [i, i * 2]
    outputs += [ravel_multi_index(multi, (5, 7), "wrap"), ravel_multi_index(multi, (5, 7), "clip")]
    outputs += [ravel_multi_index(T.stack(multi), (5, 7), ("wrap", "clip"), "F")]

    def reference(i: Array, d: Array) -> list[Array]:
        found: list[Array] = []
        for order in ("C", "F"):
            found += [*np.unravel_index(i, (2, 3, 4), order), i.astype("int64")]
        found += [*np.unravel_index(i, tuple(d)), i.astype("int64")]
        twice = (i, i * 2)
        return [
            *found, np.ravel_multi_index(twice, (5, 7), "wrap"),
            np.ravel_multi_index(twice, (5, 7), "clip"),
            np.ravel_multi_index(twice, (5, 7), ("wrap", "clip"), "F"),
        ]  # fmt: skip

    numbers = np.arange(24, dtype="int16").reshape(4, 6)
    calls = [[numbers, np.array([2, 3, 4])], [numbers[:0], np.array([4, 3, 2])]]
    check([i, d], outputs, calls, reference, kind="positions")


def test_every_mode_and_order_along_axes_of_their_own() -> None:
    i, j, d = T.lcol("i"), T.lvector("j"), T.lvector("d")
    modes: list[Any] = ["wrap", "clip", ("wrap", "clip"), ("clip", "wrap")]
    outputs = [
        ravel_multi_index((i, j), shape, mode, order)
        for shape in ((4, 5), (d[0], d[1]))
        for mode in modes
        for order in "CF"
    ]
    outputs += [
        ravel_multi_index((i, 2), (4, 5), ("wrap", "raise")),
        *unravel_index(7, shape=d[:2], ndim=2),
    ]

    def reference(i: Array, j: Array, d: Array) -> list[Array]:
        found = [
            np.ravel_multi_index((i, j), shape, mode, order)  # type: ignore[call-overload]
            for shape in ((4, 5), tuple(d))
            for mode in modes
            for order in "CF"
        ]
        mixed = np.ravel_multi_index((i, 2), (4, 5), ("wrap", "raise"))  # type: ignore[call-overload]
        return [*found, mixed, *np.unravel_index(7, tuple(d))]

    calls = [
        [np.array(rows).reshape(-1, 1), np.array(columns), np.array([2, 7])]
        for rows, columns in (([-9, 0, 3, 4], [5, -1, 12]), ([1], [0]), ([0], np.zeros(0, int)))
    ]
    check([i, j, d], outputs, calls, reference, kind="positions")


def test_positions_in_an_empty_axis() -> None:
    i, d = T.lvector("i"), T.lvector("d")
    text = "ravel_multi_index: an empty axis has no positions"
    for mode in ("wrap", "clip"):
        f = oracle([i, d], ravel_multi_index((i, i), (d[0], 3), mode))
        assert outcome(f, [np.array([0]), np.array([0])]) == (ValueError, text)
        assert f(np.zeros(0, int), [0]).shape == (0,)
        assert outcome(oracle([i], ravel_multi_index((i, i), (3, 0), mode)), [np.array([0])]) == (
            ValueError, text
        )  # fmt: skip


def test_numbers_that_no_element_has() -> None:
    i = T.lvector("i")
    for output, text in (
        (unravel_index(i, (2, 3))[0], "unravel_index: an index is outside the array"),
        (ravel_multi_index([i, i], (2, 3)), "ravel_multi_index: a position is outside its axis"),
    ):
        for h in (compiled([i], output), oracle([i], output)):
            for wrong in (6, -1):
                assert outcome(h, [np.array([0, wrong])]) == (ValueError, text)
    with pytest.raises(ValueError, match="order 'K' is neither"):
        unravel_index(i, (2, 3), "K")
    with pytest.raises(ValueError, match="2 lengths, but ndim=3"):
        unravel_index(i, (2, 3), ndim=3)
    with pytest.raises(ValueError, match="mode 'what' is not one of"):
        ravel_multi_index([i], (2,), "what")
    with pytest.raises(ValueError, match="1 modes for 2 axes"):
        ravel_multi_index([i, i], (2, 3), ("wrap",))
    with pytest.raises(TypeError, match="takes dims or shape"):
        unravel_index(i)
    with pytest.raises(ValueError, match="a 0-d array has one element"):
        unravel_index(i, ())
    with pytest.raises(ValueError, match="the number of axes is not known"):
        ravel_multi_index(T.lmatrix("m"), (2, 3))


# -- choices ---------------------------------------------------------------------------------------


def test_choose() -> None:
    a, x, y, v = T.lmatrix("a"), T.matrix("x"), T.matrix("y"), T.vector("v")
    modes = ("raise", "wrap", "clip")
    outputs = [choose(a, [x, y, v], mode=mode) for mode in modes]
    outputs += [choose(a, T.stack([x, y, x + y]), mode=mode) for mode in modes]
    outputs += [choose(a, [1.5, x, 2]), choose(a[0], [x, y, x]), choose(a * 0, [v])]
    outputs += [choose(a[0], T.stack([x, y, x])), choose(a, v)]

    def reference(a: Array, x: Array, y: Array, v: Array) -> list[Array]:
        found = [np.choose(a, [x, y, v], mode=mode) for mode in modes]
        found += [np.choose(a, [x, y, x + y], mode=mode) for mode in modes]
        found += [np.choose(a, [1.5, x, 2.0]), np.choose(a[0], [x, y, x])]
        return [*found, np.choose(a * 0, [v]), np.choose(a[0], [x, y, x]), np.choose(a, v)]

    random = np.random.default_rng(5)
    calls = [
        [random.integers(0, 3, (n, 3)), *(random.uniform(-1, 1, s) for s in ((n, 3), (n, 3), 3))]
        for n in (1, 4)
    ]
    check([a, x, y, v], outputs, calls, reference, kind="positions")
    for mode in ("wrap", "clip"):
        far = np.array([[7, -9, 3]])
        args = [random.uniform(-1, 1, (1, 3)) for _ in "xyz"]
        for choices in (list(args), np.stack(args)):
            found = choose(far, choices, mode=mode).eval()
            assert found.tolist() == np.choose(far, args, mode=mode).tolist()


def test_choices_that_do_not_exist() -> None:
    a, x = T.lvector("a"), T.vector("x")
    text = "choose: a position is outside its axis"
    for output in (choose(a, [x, x * 2]), choose(a, T.stack([x, x * 2]))):
        for h in (compiled([a, x], output), oracle([a, x], output)):
            for wrong in (2, -1):
                assert outcome(h, [np.array([0, wrong]), np.ones(2)]) == (ValueError, text)
    with pytest.raises(NotImplementedError, match="out is not supported"):
        choose(a, [x], out=x)
    with pytest.raises(ValueError, match="there are no choices"):
        choose(a, [])
    random = np.random.default_rng(6)
    points = [random.uniform(-1, 1, (2, 3)) for _ in "xy"]
    check_derivatives([
        (lambda x, y: choose([[0, 1, 0], [1, 1, 0]], [x, y]) ** 2, points),
        (lambda x: choose([0, 1, 0], x), points[:1]),
    ])  # fmt: skip
