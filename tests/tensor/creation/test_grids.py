"""Evenly spaced numbers and grids."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.tensor.creation.grids import (
    bartlett,
    blackman,
    geomspace,
    hamming,
    hanning,
    indices,
    ix_,
    linspace,
    logspace,
    meshgrid,
    mgrid,
    ogrid,
)
from tests.support.compare import Array, check, oracle, outcome
from tests.support.gradients import check_derivatives

pytestmark = pytest.mark.needs_cc


def test_evenly_spaced_numbers() -> None:
    a, b, n = T.scalar("a"), T.scalar("b"), T.lscalar("n")
    v = T.vector("v")
    outputs = [
        linspace(a, b), linspace(a, b, n), linspace(a, b, n, endpoint=False), linspace(a, b, 1),
        linspace(a, b, 4, dtype="int32"), linspace(v, b, n), linspace(v, v * 2, 3, axis=-1),
        linspace(a, b, 0), *linspace(a, b, 5, retstep=True), linspace(0, 1, 3),
        linspace(a, b, 1, endpoint=False),
    ]  # fmt: skip

    def reference(a: Array, b: Array, n: Array, v: Array) -> list[Array]:
        k = int(n)
        spaced, step = np.linspace(a, b, 5, retstep=True)
        return [
            np.linspace(a, b), np.linspace(a, b, k), np.linspace(a, b, k, endpoint=False),
            np.linspace(a, b, 1), np.linspace(a, b, 4, dtype="int32"), np.linspace(v, b, k),
            np.linspace(v, v * 2, 3, axis=-1), np.linspace(a, b, 0), spaced, np.asarray(step),
            np.linspace(0, 1, 3), np.linspace(a, b, 1, endpoint=False),
        ]  # fmt: skip

    calls = [
        [np.array(x), np.array(y), np.array(k), np.array([-1.0, 0.5])]
        for x, y in ((0.0, 1.0), (2.5, -3.0), (1.0, 1.0))
        for k in (0, 1, 2, 7)
    ]
    check([a, b, n, v], outputs, calls, reference, kind="grids")


def test_powers_of_evenly_spaced_numbers() -> None:
    a, b, n = T.scalar("a"), T.scalar("b"), T.lscalar("n")
    outputs = [
        logspace(a, b, n), logspace(a, b, 4, base=2.0), logspace(a, b, 3, endpoint=False),
        geomspace(a, b, n), geomspace(-a, -b, 5), geomspace(a, b, 4, endpoint=False),
        geomspace(1, 1000, 4),
    ]  # fmt: skip

    def reference(a: Array, b: Array, n: Array) -> list[Array]:
        k = int(n)
        return [
            np.logspace(a, b, k), np.logspace(a, b, 4, base=2.0),
            np.logspace(a, b, 3, endpoint=False), np.geomspace(a, b, k), np.geomspace(-a, -b, 5),
            np.geomspace(a, b, 4, endpoint=False), np.geomspace(1, 1000, 4),
        ]  # fmt: skip

    calls = [[np.array(1.0), np.array(y), np.array(k)] for y in (2.0, 0.5) for k in (0, 1, 2, 6)]
    f = check([a, b, n], outputs, calls, reference, kind="grids", tolerance=1e-12)
    ends = f(np.array(0.3), np.array(0.7), np.array(9))[3]
    assert (ends[0], ends[-1]) == (0.3, 0.7)


def test_complex_ends() -> None:
    a, b, v, r = T.zscalar("a"), T.zscalar("b"), T.zvector("v"), T.scalar("r")
    outputs = [
        linspace(a, b, 5), linspace(a, b, 4, endpoint=False), linspace(a, r, 1),
        linspace(v, b, 3, axis=-1), *linspace(a, b, 3, retstep=True),
        linspace(r, b, 3, dtype="complex64"), logspace(a, b, 4), logspace(r, b, 4, base=2.0),
        geomspace(a, b, 5), geomspace(a, b, 1), geomspace(a, b, 0),
        geomspace(a, b, 4, endpoint=False), geomspace(v, b, 3, axis=-1), geomspace(r, b, 4),
        geomspace(1, -1, 5, dtype=complex),
    ]  # fmt: skip

    def reference(a: Array, b: Array, v: Array, r: Array) -> list[Array]:
        spaced, step = np.linspace(a, b, 3, retstep=True)
        return [
            np.linspace(a, b, 5), np.linspace(a, b, 4, endpoint=False), np.linspace(a, r, 1),
            np.linspace(v, b, 3, axis=-1), spaced, np.asarray(step),
            np.linspace(r, b, 3, dtype="complex64"), np.logspace(a, b, 4),
            np.logspace(r, b, 4, base=2.0), np.geomspace(a, b, 5), np.geomspace(a, b, 1),
            np.geomspace(a, b, 0), np.geomspace(a, b, 4, endpoint=False),
            np.geomspace(v, b, 3, axis=-1), np.geomspace(r, b, 4),
            np.geomspace(1, -1, 5, dtype=complex),
        ]  # fmt: skip

    calls = [
        [np.array(1 + 2j), np.array(-3 - 1j), np.array([1j, 2 - 1j]), np.array(2.0)],
        [np.array(-1 + 0j), np.array(1j), np.array([-1 + 0j, 1]), np.array(-1.0)],
    ]
    check([a, b, v, r], outputs, calls, reference, kind="grids", tolerance=1e-12)


def test_several_bases_steps_that_are_none_and_zeros() -> None:
    r, v, n = T.scalar("r"), T.vector("v"), T.lscalar("n")
    bases = np.array([2.0, 3.0])
    outputs = [
        logspace(r, 2, 3, base=bases), logspace(v, 2, 3, base=v, axis=-1),
        *linspace(r, v, n, retstep=True), linspace(r, 2, n, endpoint=False, retstep=True)[1],
        linspace(0, r, 3, dtype=bool),
    ]  # fmt: skip

    def reference(r: Array, v: Array, n: Array) -> list[Array]:
        k = int(n)
        spaced, step = np.linspace(r, v, k, retstep=True)
        return [
            np.logspace(r, 2, 3, base=bases), np.logspace(v, 2, 3, base=v, axis=-1), spaced,
            np.broadcast_to(step, v.shape), np.asarray(np.linspace(r, 2, k, False, True)[1]),
            np.linspace(0, r, 3, dtype=bool),
        ]  # fmt: skip

    calls = [[np.array(0.5), np.array([1.0, 3.0]), np.array(k)] for k in (0, 1, 4)]
    check([r, v, n], outputs, calls, reference, kind="grids")
    f = oracle([r], geomspace(r, 2, 3))
    assert outcome(f, [np.array(0.0)]) == (ValueError, "geomspace: start or stop is zero")


def test_dtypes_of_evenly_spaced_numbers() -> None:
    assert linspace(0, 1, 3).dtype == "float64"
    assert linspace(np.float32(0), 1, 3).dtype == "float32"
    with config.change_flags(floatX="float32"):
        assert linspace(0, 1, 3).dtype == "float32"
    assert logspace(0, 1, 3, dtype="float32").dtype == "float32"
    with pytest.raises(ValueError, match="must not be negative, but is -1"):
        linspace(0, 1, -1)
    assert geomspace(1, 2, 3, dtype="complex64").dtype == "complex64"
    ends = [np.array(0.5), np.array(2.0)]
    check_derivatives([
        (lambda a, b: linspace(a, b, 5) ** 2, ends), (lambda a, b: geomspace(a, b, 4), ends)
    ])  # fmt: skip


def test_grids() -> None:
    a, b, n, s = T.vector("a"), T.vector("b"), T.lscalar("n"), T.scalar("s")
    outputs = [
        *meshgrid(a, b), *meshgrid(a, b, indexing="ij"), *meshgrid(a, b, sparse=True),
        *meshgrid(a, b, a, s), *meshgrid(a), *mgrid[0:n, 1:7:2], *ogrid[0:n, 1:7:2],
        mgrid[2:n:1], *mgrid[0.0:1.0:0.25, :3], *ogrid[0:1:5j, 0:2],
    ]  # fmt: skip

    def reference(a: Array, b: Array, n: Array, s: Array) -> list[Array]:
        k = int(n)
        return [
            *np.meshgrid(a, b), *np.meshgrid(a, b, indexing="ij"),
            *np.meshgrid(a, b, sparse=True), *np.meshgrid(a, b, a, s), *np.meshgrid(a),
            *np.mgrid[0:k, 1:7:2], *np.ogrid[0:k, 1:7:2], np.mgrid[2:k:1],
            np.mgrid[0.0:1.0:0.25, :3][0].astype("f4"), np.mgrid[0:4, :3][1],
            np.ogrid[0:1:5j, 0:2][0], np.ogrid[0:1, 0:2][1],
        ]  # fmt: skip

    random = np.random.default_rng(1)
    calls = [
        [random.uniform(-1, 1, p), random.uniform(-1, 1, q), np.array(k), np.array(2.0)]
        for p, q, k in ((3, 4, 5), (0, 2, 0), (1, 1, 1))
    ]
    check([a, b, n, s], outputs, calls, reference, kind="grids")
    with pytest.raises(ValueError, match="indexing 'ji' is neither"):
        meshgrid(a, b, indexing="ji")
    with pytest.raises(TypeError, match="takes slices"):
        mgrid[1, 2]
    with pytest.raises(TypeError, match="slices that have an end"):
        ogrid[1:]


def test_windows() -> None:
    n = T.iscalar("n")
    calls = [[np.array(k, "int32")] for k in (-1, 0, 1, 2, 3, 8, 9)]
    windows = (bartlett, hanning, hamming, blackman)
    theirs = (np.bartlett, np.hanning, np.hamming, np.blackman)
    f = check([n], [window(n) for window in windows], calls,
              lambda n: [window(int(n)) for window in theirs], kind="grids")  # fmt: skip
    assert f(5)[0].tolist() == [0.0, 0.5, 1.0, 0.5, 0.0]
    with pytest.raises(TypeError, match="a 0-d integer"):
        bartlett(2.5)
    with pytest.raises(TypeError, match="hanning takes the number of points"):
        hanning(T.lvector("v"))


def test_positions_of_all_elements_and_of_combinations() -> None:
    x, n, i, c = T.matrix("x"), T.lscalar("n"), T.lvector("i"), T.vector("c", "bool")
    outputs = [
        indices((2, 3)), indices((n, 2), "int32"), *indices((n, 2), sparse=True), indices((n,)),
        *ix_(i, c), x[ix_(i, c)], x[ix_([0], i)], *ix_(i),
    ]  # fmt: skip

    def reference(x: Array, n: Array, i: Array, c: Array) -> list[Array]:
        k = int(n)
        return [
            np.indices((2, 3)), np.indices((k, 2), "int32"), *np.indices((k, 2), sparse=True),
            np.indices((k,)), *np.ix_(i, c), x[np.ix_(i, c)], x[np.ix_([0], i)], *np.ix_(i),
        ]  # fmt: skip

    calls = [
        [np.arange(6.0).reshape(2, 3), np.array(k), np.array(chosen, "i8"), np.array(mask)]
        for k, chosen, mask in (
            (0, [1, 0, 1], [True, False, True]), (3, [], [False] * 3), (1, [-1], [True] * 3)
        )
    ]  # fmt: skip
    check([x, n, i, c], outputs, calls, reference, kind="grids")
    with pytest.raises(ValueError, match="ix_ takes vectors"):
        ix_(x)
