"""MRG31k3p against its definition in Python's integers, and what is drawn from it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad, scan
from symtheano.sandbox.rng_mrg import (
    MRG_RandomStreams,
    guess_n_streams,
    mrg_uniform,
)
from symtheano.tensor.random import PhiloxStreams, RandomStreams
from tests.tensor.random.recurrences import M1, M2, MODES, numbers


def test_number_of_streams() -> None:
    sizes = [(), (3,), (6,), (7,), (60,), (1000, 1000), (0,)]
    assert [guess_n_streams(size) for size in sizes] == [1, 3, 6, 1, 10, 15360, 1]
    assert guess_n_streams((T.lscalar(), 3)) == 15360
    n = T.lscalar("n")
    assert MRG_RandomStreams(1).uniform((n,)).rstate.get_value().shape == (15360, 6)


def test_seeds() -> None:
    srng = MRG_RandomStreams(5)
    drawn = srng.uniform((4,), dtype="float64")
    f = function([], drawn)
    first = f()
    srng.seed()
    assert (f() == first).all()
    srng.seed(6)
    assert (f() == function([], MRG_RandomStreams(6).uniform((4,), dtype="float64"))()).all()
    srng.set_rstate(5)
    assert (f() != function([], srng.uniform((4,), dtype="float64"))()).all()
    assert srng.updates() == [(states, new) for states, new, _, _ in srng.state_updates]
    for seed in (0, M2, -1, [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [M1, 1, 1, 1, 1, 1]):
        with pytest.raises(ValueError, match="seed"):
            MRG_RandomStreams(seed)
    for seed in ([1, 2], "1", [[1] * 6]):
        with pytest.raises(TypeError, match="one integer or six"):
            MRG_RandomStreams(seed)


def near(found: float, expected: float, deviation: float, count: int) -> bool:
    """Return whether a mean of numbers is within five standard errors."""
    return abs(found - expected) < 5 * deviation / count**0.5


def test_distributions_have_their_moments() -> None:
    srng, n = MRG_RandomStreams(17), 40_000
    p = np.array([0.1, 0.2, 0.7])
    made = [
        srng.normal((n,), 1.0, 2.0), srng.normal((n + 1,), truncate=True),
        srng.truncated_normal((n,), 3.0, 2.0),
        srng.binomial((n,), p=0.3), srng.binomial((n,), 7, 0.3),
        srng.random_integers((n,), 3, 9), srng.exponential((n,), 2.0), srng.laplace((n,), 1.0, 2.0),
        srng.choice((n,), a=3, p=p), srng.multinomial(pvals=np.tile(p, (n, 1)), n=5),
        srng.choice(2, p=np.tile(p, (n, 1)), replace=False),
    ]  # fmt: skip
    a, b, c, d, e, f, g, h, i, j, k = function([], made)()
    assert near(a.mean(), 1, 2, n)
    assert near(a.var(), 4, 4 * 2**0.5, n)
    assert abs(b).max() <= 2 < 1.001 * abs(b).max()
    assert near(b.var(), 0.7737, 1, n)
    assert near(c.mean(), 3, 2, n)
    assert near(c.var(), 4, 4, n)
    assert near(d.mean(), 0.3, 0.5, n)
    assert near(e.mean(), 2.1, 1.3, n)
    assert set(f) == {3, 4, 5, 6, 7, 8, 9}
    assert near(f.mean(), 6, 2, n)
    assert near(g.mean(), 2, 2, n)
    assert near(h.mean(), 1, 8**0.5, n)
    assert np.bincount(i) / n == pytest.approx(p, abs=0.012)
    assert (j.sum(1) == 5).all()
    assert j.mean(0) == pytest.approx(5 * p, abs=0.03)
    assert (k[:, 0] != k[:, 1]).all()
    assert np.bincount(k[:, 0]) / n == pytest.approx(p, abs=0.012)
    after_last = k[k[:, 0] == 2, 1]
    assert np.bincount(after_last) / len(after_last) == pytest.approx([1 / 3, 2 / 3], abs=0.015)


@pytest.mark.parametrize("mode", MODES)
def test_shapes_dtypes_and_half_precision(mode: Any) -> None:
    srng = MRG_RandomStreams(1)
    x = T.fmatrix("x")
    made = [
        srng.normal(x.shape), srng.normal((3,)), srng.normal(()), srng.uniform(()),
        srng.normal((1, 1)), srng.binomial((2, 2), dtype="float32"), srng.permutation((2,), 5),
        srng.uniform((70000,), dtype="float16"),
    ]  # fmt: skip
    found = function([x], made, mode=mode)(np.zeros((5, 3), "f"))
    assert [item.shape for item in found] == [
        (5, 3),
        (3,),
        (),
        (),
        (1, 1),
        (2, 2),
        (2, 5),
        (70000,),
    ]
    assert found[5].dtype == "float32"
    assert (np.sort(found[6]) == np.arange(5)).all()
    assert found[7].dtype == "float16"
    assert found[7].max() < 1


@pytest.mark.parametrize("mode", MODES)
def test_steps_of_a_loop_draw_on(mode: Any) -> None:
    srng = MRG_RandomStreams(3)
    rows, updates = scan(lambda: srng.uniform((2,), dtype="float64", nstreams=1), n_steps=4)
    f = function([], rows, updates=updates, mode=mode)
    source = numbers([3] * 6)
    for _ in range(2):
        assert (f() == np.array([next(source) for _ in range(8)]).reshape(4, 2) * 2.0**-31).all()


def test_gradient_and_variables_of_draws() -> None:
    srng = MRG_RandomStreams(3)
    low, width = T.dscalar("low"), T.dscalar("width")
    drawn = srng.uniform((3,), low, low + width)
    f = function([low, width], [drawn, *grad(drawn.sum(), [low, width])])
    found, by_low, by_width = f(2.0, 4.0)
    assert by_low == pytest.approx(3)
    assert by_width == pytest.approx((found - 2).sum() / 4)


def test_bad_arguments() -> None:
    srng = MRG_RandomStreams(3)
    with pytest.raises(TypeError, match="give the items"):
        srng.choice(3)
    with pytest.raises(TypeError, match="int32 matrix"):
        mrg_uniform("float64")(T.dmatrix())
    states = T.imatrix("states")
    for mode in MODES:
        f = function([states], mrg_uniform.new(states, 1, "float64", (3,))[1], mode=mode)
        for shape in ((0, 6), (2, 5)):
            with pytest.raises(ValueError, match="streams, 6"):
                f(np.ones(shape, "int32"))
    many = function([], srng.random_integers((3,), -(2**62), 2**62))
    with pytest.raises(ValueError, match="2\\*\\*31 integers"):
        many()
    few = function([], srng.choice(3, p=[[0.5, 0.5]], replace=False))
    with pytest.raises(ValueError, match="fewer items"):
        few()


@pytest.mark.parametrize("floatx", ["float64", "float32"])
def test_numbers_made_of_uniform_ones(floatx: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are Theano's, which draws normal and multinomial ones from the most streams."""
    monkeypatch.setattr(config, "floatX", floatx)
    u, few = (
        function([], MRG_RandomStreams(7).uniform((20,), nstreams=n), mode="INTERPRET")()
        for n in (15360, None)
    )
    tall = np.random.default_rng(0).dirichlet(np.ones(5), 20).astype(floatx)
    made = [
        MRG_RandomStreams(7).normal((19,), 1.0, 2.0), MRG_RandomStreams(7).binomial((20,), p=0.4),
        MRG_RandomStreams(7).multinomial(pvals=tall, target="cpu"),
        MRG_RandomStreams(7).multinomial(pvals=np.zeros((2, 0), floatx)),
    ]  # fmt: skip
    radius, angle = np.sqrt(-2 * np.log(u[:10])), u.dtype.type(2 * np.pi) * u[10:]
    normal = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])[:19]
    places = [np.searchsorted(p.cumsum(dtype="float64"), v) for p, v in zip(tall, u, strict=True)]
    for mode in MODES:
        a, b, c, d = function([], made, mode=mode, no_default_updates=True)()
        np.testing.assert_allclose(a, 1 + 2 * normal, rtol=1e-5)
        np.testing.assert_array_equal(b, few < 0.4)
        np.testing.assert_array_equal(c, np.eye(5)[places])
        assert d.shape == (2, 0)


def test_probabilities_that_sum_to_a_little_more_than_one() -> None:
    p = np.zeros((3, 2000), "float32")
    p[:, :1000] = np.float32(0.001)
    assert p.sum(dtype="float32") > 3
    made = [streams.multinomial(pvals=p, n=n) for n in (1, 4)
            for streams in (MRG_RandomStreams(3), RandomStreams(3), PhiloxStreams(3))]  # fmt: skip
    for mode in MODES:
        found = function([], made, mode=mode)()
        assert [item.sum(1).tolist() for item in found] == [[1] * 3] * 3 + [[4] * 3] * 3
    with pytest.raises(ValueError, match="sum to 1"):
        MRG_RandomStreams(3).multinomial(pvals=p.astype("float64") * 1.001)
