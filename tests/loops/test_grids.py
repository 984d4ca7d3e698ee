"""Grids whose elements are computed from neighbours, iteration by iteration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan, shared
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.scan_module import until

pytestmark = pytest.mark.needs_cc

Step = Callable[..., Any]

INSIDE = np.s_[1:-1, 1:-1]


def mean(u: Any) -> Any:
    """Return the means of four neighbours."""
    return 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])


def jacobi(u: Any) -> Any:
    return T.set_subtensor(u[INSIDE], mean(u))


def around(u: Any) -> Any:
    """Return the means of six neighbours."""
    i, low, high = slice(1, -1), slice(None, -2), slice(2, None)
    return (u[low, i, i] + u[high, i, i] + u[i, low, i] + u[i, high, i] + u[i, i, low]
            + u[i, i, high]) / 6  # fmt: skip


def set_parts(u: Any, *parts: tuple[Any, Callable[[Any], Any]]) -> Any:
    """Return a grid with parts set one after the other, each from the grid before."""
    for key, value in parts:
        u = T.set_subtensor(u[key], value(u))
    return u


def bordered(u: Any) -> Any:
    """Return a grid whose borders are equal to what is beside them."""
    return set_parts(
        u,
        (0, lambda u: u[1]),
        (-1, lambda u: u[-2]),
        (np.s_[:, 0], lambda u: u[:, 1] * 0.9),
        (np.s_[:, -1], lambda u: u[:, -2] - 0.1),
    )


# Steps by the number of axes. Those of LARGE need at least four elements along each.
STEPS: dict[str, tuple[int, Step]] = {
    "means": (2, jacobi),
    "increment": (2, lambda u: T.inc_subtensor(u[INSIDE], 0.2 * mean(u) - 0.1 * u[INSIDE])),
    "increment by a part": (1, lambda u: T.inc_subtensor(u[1:], u[:-1])),
    "one axis": (1, lambda u: T.set_subtensor(u[1:-1], 0.5 * (u[:-2] + u[2:]))),
    "three axes": (3, lambda u: T.set_subtensor(u[1:-1, 1:-1, 1:-1], around(u))),
    "columns": (2, lambda u: T.set_subtensor(u[:, 1:-1], u[:, :-2] - 0.3 * u[:, 2:])),
    "from above": (2, lambda u: T.set_subtensor(u[1:], 0.7 * u[1:] + 0.3 * u[:-1])),
    "shift": (2, lambda u: T.set_subtensor(u[1:], u[:-1])),
    "shift back": (1, lambda u: T.set_subtensor(u[:-1], u[1:])),
    "wide edges": (1, lambda u: T.set_subtensor(u[3:-5], u[:-8] * 0.5 + u[8:])),
    "wider edges": (1, lambda u: T.set_subtensor(u[12:-1], u[:-13] * 0.5 + u[13:])),
    "every second": (1, lambda u: T.set_subtensor(u[1:-1:2], 0.5 * (u[:-2:2] + u[2::2]))),
    "red, black": (
        2,
        lambda u: set_parts(
            u,
            (np.s_[1:-1:2, 1:-1], lambda u: 0.5 * (u[:-2:2, 1:-1] + u[2::2, 1:-1])),
            (np.s_[2:-1:2, 1:-1], lambda u: 0.5 * (u[1:-2:2, 1:-1] + u[3::2, 1:-1])),
        ),
    ),
    "backwards": (1, lambda u: T.set_subtensor(u[::-1], u * 0.5 + 0.1)),
    "turned": (2, lambda u: T.set_subtensor(u[INSIDE], u.T[INSIDE] * 0.5)),
    "the same elements": (2, lambda u: T.set_subtensor(u[INSIDE], T.tanh(u[INSIDE]) * 2)),
    "two halves": (2, lambda u: jacobi(jacobi(u))),
    "ends from ends": (
        1,
        lambda u: set_parts(u, (np.s_[:1], lambda u: u[-1:] * 0.5), (np.s_[-1:], lambda u: u[:1])),
    ),
    "used twice": (2, lambda u: jacobi(u) * 0.5 + 0.25),
    "a value used twice": (
        2,
        lambda u: T.set_subtensor(u[INSIDE], mean(u)) - T.sqr(mean(u)).sum() * 1e-3,
    ),
    "a value read again": (
        2,
        lambda u: (
            T.tanh(T.set_subtensor(u[INSIDE], mean(u)))
            + 0.1 * T.tanh(T.exp(mean(u)).sum(axis=0).sum() * 0.01)
        ),
    ),
    "a value at another place": (
        2,
        lambda u: set_parts(
            T.set_subtensor(u[:, 1:-1], T.exp(-T.sqr(u[:, 2:] + u[:, :-2]))),
            (np.s_[:, :-2], lambda v: T.exp(-T.sqr(u[:, 2:] + u[:, :-2])) * v[:, 2:]),
        ),
    ),
    "joined and summed": (
        1,
        lambda u: (
            T.concatenate([T.exp(-T.sqr(u[:3])), T.exp(-T.sqr(u[3:]))])
            - T.exp(-T.sqr(u[:3])).sum() * 0.1
        ),
    ),
    "new and old": (2, lambda u: jacobi(u) + 0.1 * u),
    "shared sums": (2, lambda u: T.set_subtensor(u[INSIDE], mean(u) - u.mean() * 0.1)),
}
LARGE: dict[str, tuple[int, Step]] = {
    "inside, then borders": (2, lambda u: bordered(jacobi(u))),
    "borders, then inside": (2, lambda u: jacobi(bordered(u))),
    "periodic": (
        1,
        lambda u: set_parts(
            u,
            (np.s_[1:-1], lambda u: 0.5 * (u[:-2] + u[2:])),
            (0, lambda u: u[-2]),
            (-1, lambda u: u[1]),
        ),
    ),
    "joined": (2, lambda u: T.concatenate([u[:1], 0.5 * (u[1:-1] + u[:-2]), u[-1:]])),
    "joined twice": (
        2,
        lambda u: T.concatenate(
            [u[:1], T.concatenate([u[1:-1, :1], mean(u), u[1:-1, -1:]], axis=1), u[-1:]]
        ),
    ),
    "a column": (2, lambda u: T.set_subtensor(u[1:-1, 2], u[1:-1, 1] + 0.5 * u[1:-1, 3])),
    "a column from rows": (2, lambda u: T.set_subtensor(u[1:3, 2], u[2, 1:3] * 0.5)),
}
SIZES = {1: [(0,), (1,), (2,), (3,), (14,), (35,)],
         2: [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (21, 21)],
         3: [(0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 4, 5), (7, 6, 19)]}  # fmt: skip
TYPES = {1: T.dvector, 2: T.dmatrix, 3: T.dtensor3}


def looped(graph: FunctionGraph, u: np.ndarray, count: int) -> list[np.ndarray]:
    """Return the grid before each iteration, and after the last one, by the interpreter."""
    rows = [u]
    for _ in range(count):
        (u,) = interpret(graph, [u])
        rows.append(u)
    return rows


@pytest.mark.parametrize("name", [*STEPS, *LARGE])
def test_grids_are_those_of_a_loop(name: str) -> None:
    ndim, step = (STEPS | LARGE)[name]
    u, count = TYPES[ndim]("u"), T.lscalar("count")
    after = step(u)
    graph = FunctionGraph([u], [after])
    rows, _ = scan(step, None, u, n_steps=count)
    fixed = [scan(step, None, u, n_steps=k)[0][-1] for k in (1, 4, 5)]
    f = function([u, count], [rows, rows[-1]])
    last = function([u, count], [rows[-1], *fixed])
    for shape in SIZES[ndim][4 if name in LARGE else 0 :]:
        start = np.random.default_rng(3).normal(size=shape)
        wanted = looped(graph, start, 7)
        for k in (1, 2, 7):
            found, end = f(start, k)
            np.testing.assert_allclose(found, wanted[1 : k + 1], 1e-12, 1e-12)
            np.testing.assert_allclose(end, wanted[k], 1e-12, 1e-12)
            for found, n in zip(last(start, k), (k, 1, 4, 5), strict=True):
                np.testing.assert_allclose(found, wanted[n], 1e-12, 1e-12)


@pytest.mark.parametrize("name", [*STEPS, *LARGE])
def test_updates_are_those_of_a_loop(name: str) -> None:
    ndim, step = (STEPS | LARGE)[name]
    u = TYPES[ndim]("u")
    graph = FunctionGraph([u], [step(u)])
    for shape in SIZES[ndim][4 if name in LARGE else 0 :]:
        start = np.random.default_rng(4).normal(size=shape)
        w = shared(start)
        f = function([], w.sum(), updates=[(w, step(w))])
        for row in looped(graph, start, 3):
            np.testing.assert_allclose(w.get_value(), row, 1e-12, 1e-12)
            np.testing.assert_allclose(f(), row.sum(), 1e-9, 1e-9)


@pytest.mark.parametrize("name", [*STEPS, *LARGE])
def test_gradients_are_those_of_finite_differences(name: str) -> None:
    ndim, step = (STEPS | LARGE)[name]
    u = TYPES[ndim]("u")
    rows, _ = scan(step, None, u, n_steps=4)
    cost = T.sqr(rows[-1]).sum()
    f = function([u], [cost, grad(cost, u)])
    for shape in SIZES[ndim][4 if name in LARGE else 1 :]:
        rng = np.random.default_rng(5)
        start, way = rng.normal(size=shape), rng.normal(size=shape)
        _, slope = f(start)
        high, low = (f(start + sign * 1e-6 * way)[0] for sign in (1, -1))
        np.testing.assert_allclose((slope * way).sum(), (high - low) / 2e-6, 1e-5, 1e-6)


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex128"])
def test_grids_of_other_dtypes(dtype: str) -> None:
    def step(u: Any) -> Any:
        return T.set_subtensor(u[1:-1], u[:-2] + u[2:] * np.asarray(2, dtype))

    u = T.TensorType(dtype, (None,))("u")
    f = function([u], scan(step, None, u, n_steps=3)[0][-1])
    for length in (0, 1, 2, 3, 40):
        start = np.arange(length).astype(dtype)
        wanted = looped(FunctionGraph([u], [step(u)]), start, 3)[-1]
        np.testing.assert_array_equal(f(start), wanted)


def test_a_wave_with_two_taps() -> None:
    def step(old: Any, u: Any) -> Any:
        return T.set_subtensor(
            u[1:-1], 2 * u[1:-1] - old[1:-1] + 0.3 * (u[:-2] - 2 * u[1:-1] + u[2:])
        )

    both = T.dmatrix("both")
    rows, _ = scan(step, None, {"initial": both, "taps": [-2, -1]}, n_steps=9)
    f, last = function([both], rows), function([both], rows[-1])
    a, b = T.dvector("a"), T.dvector("b")
    graph = FunctionGraph([a, b], [step(a, b)])
    for length in (0, 1, 2, 3, 50):
        start = np.random.default_rng(2).normal(size=(2, length))
        wanted = list(start)
        for _ in range(9):
            wanted += interpret(graph, wanted[-2:])
        np.testing.assert_allclose(f(start), wanted[2:], 1e-12, 1e-12)
        np.testing.assert_allclose(last(start), wanted[-1], 1e-12, 1e-12)


def test_several_grids_that_read_one_another() -> None:
    def step(u: Any, v: Any) -> Any:
        new = T.set_subtensor(u[1:-1], 0.5 * (v[:-2] + u[2:]))
        return new, T.inc_subtensor(v[:-1], 0.1 * (new[1:] - u[:-1]))

    u, v = T.dvectors("u", "v")
    (us, vs), _ = scan(step, None, [u, v], n_steps=6)
    f = function([u, v], [us[-1], vs[-1]])
    graph = FunctionGraph([u, v], list(step(u, v)))
    for length in (0, 1, 2, 3, 50):
        values = list(np.random.default_rng(2).normal(size=(2, length)))
        found = f(*values)
        for _ in range(6):
            values = interpret(graph, values)
        np.testing.assert_allclose(found, values, 1e-12, 1e-12)


@pytest.mark.parametrize("tolerance", [0.0, 1e-2, 1e9])
def test_a_grid_that_ends_when_it_does_not_change(tolerance: float) -> None:
    def step(u: Any) -> Any:
        new = mean(u)
        change = T.abs(new - u[INSIDE]).max()
        return T.set_subtensor(u[INSIDE], new), until(change < tolerance)

    u = T.dmatrix("u")
    rows, _ = scan(step, None, u, n_steps=30)
    f = function([u], [rows[-1], rows.shape[0]])
    loop = str(function([u], rows[-1]).c_source).split("for (;;) {")[1].split("goto")[0]
    assert loop.split("count = v")[0].count("kernel_") == 1, "the values are made in their place"
    for size in (3, 8, 20):
        start = np.random.default_rng(1).normal(size=(size, size))
        grid, count = start, 0
        while count < 30:
            new = grid.copy()
            new[INSIDE] = mean(grid)
            change, grid, count = abs(new - grid).max(), new, count + 1
            if change < tolerance:
                break
        found, number = f(start)
        assert number == count
        np.testing.assert_allclose(found, grid, 1e-12, 1e-12)


def loop_of(step: Step, ndim: int = 2) -> str:
    """Return the C of the loop over iterations of a scan of which the last grid is used."""
    u = TYPES[ndim]("u")
    text = str(function([u], scan(step, None, u, n_steps=50)[0][-1]).c_source)
    (loop,) = text.split("step++) {\n")[1:]
    return loop.split("done:")[0]


def test_new_values_go_to_the_other_grid_and_nothing_is_copied() -> None:
    loop = loop_of(jacobi)
    assert loop.count("kernel_") == 1
    assert "copy" not in loop
    assert "st_before" in loop
    loop = loop_of(STEPS["increment"][1])
    assert loop.count("kernel_") == 1
    assert "copy" not in loop


def test_parts_that_do_not_overlap_what_they_are_made_of_are_changed_in_place() -> None:
    for name, count in (("every second", 1), ("red, black", 2), ("the same elements", 1)):
        ndim, step = STEPS[name]
        loop = loop_of(step, ndim)
        assert loop.count("kernel_") == count, name
        assert "copy" not in loop
        assert "st_before" not in loop
    loop = loop_of(LARGE["inside, then borders"][1])
    assert loop.count("kernel_edges") == 1
    assert "copy" not in loop


def test_the_edges_of_an_update_are_copied_and_its_inside_is_not() -> None:
    w = shared(np.zeros((30, 30)))
    text = str(function([], [], updates=[(w, jacobi(w))]).c_source)
    assert "arena_open(runtime" not in text.split("ST_EXPORT")[-1]
    assert "st_copy(" not in text.split("ST_EXPORT")[-1]
