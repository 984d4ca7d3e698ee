"""Ops written out."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.rewrites import expand
from symtheano.rewrites.rule import Rule
from symtheano.tensor.reductions.reduce import CAReduce

FIRES = {
    "write_out_softmax": lambda x: T.nnet.softmax(x),
    "broadcast_operands": lambda x, y: T.inc_subtensor(x[1:], y * 3),
    "broadcast_indices_of_selection": lambda v, u, labels: T.inc_subtensor(v[1:], u[labels]),
    "broadcast_before_dimshuffle": lambda x, y: T.set_subtensor(x[1:], y.T),
    "choose_in_call": lambda x, v: T.set_subtensor(x[1:, 0], v),
}

RESTS = {
    "write_out_softmax": lambda x: T.exp(x),
    "broadcast_operands": lambda x, y: T.inc_subtensor(x[1:], y),
    "broadcast_indices_of_selection": lambda x, y, labels: T.inc_subtensor(x[1:], y[:, labels]),
    "broadcast_before_dimshuffle": lambda x, y: T.set_subtensor(x[1:], y),
    "choose_in_call": lambda x: T.set_subtensor(x[1:, 0], x[1:, 1] * 3),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(expand).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize("axis", [0, 1])
def test_no_second_maximum_of_differences_from_one(axis) -> None:
    x = T.dmatrix("x")
    top = x.max(axis=axis, keepdims=True)
    weights = T.exp(x - top)
    f = function([x], [weights, T.log(weights.sum(axis=axis) / 3) + 1])
    rows = [n.op.scalar_name for n in f.graph.toposort() if isinstance(n.op, CAReduce)]
    assert sorted(rows) == ["add", "maximum"]
    value = np.array([[1e4, -1e4, 3.0], [np.inf, 2.0, 1.0], [-np.inf, np.nan, 0.0]])
    with np.errstate(invalid="ignore"):
        for given in (value, value[:1], -value, np.full((2, 2), -np.inf)):
            wanted = np.exp(given - given.max(axis, keepdims=True))
            got, logs = f(given)
            np.testing.assert_allclose(got, wanted, rtol=1e-13)
            np.testing.assert_allclose(logs, np.log(wanted.sum(axis) / 3) + 1, rtol=1e-13)


def test_differences_from_another_maximum_have_their_own() -> None:
    x = T.dmatrix("x")
    for top in (x.max(axis=0, keepdims=True), x.max(), x.min(axis=1, keepdims=True)):
        f = function([x], [T.log(T.exp(x - top).sum(axis=1))])
        assert np.isfinite(f(np.array([[800.0, -800.0], [-800.0, -800.0]]))[0]).all()


@pytest.mark.parametrize("count", [1, 4])
def test_what_indices_select_is_added_where_it_is_selected(count: int) -> None:
    """The other indices may be as many, or one."""
    x, y = T.dmatrix("x"), T.dvector("y")
    source, target = T.lvector("source"), T.lvector("target")
    rows = function([x, source, target], T.inc_subtensor(T.zeros_like(x)[target], x[source]))
    numbers = function([y, source, target], T.inc_subtensor(T.zeros_like(y)[target], y[source]))
    values = np.random.default_rng(0).normal(size=(5, 3))
    sources, targets = np.array([4, 0, -5, 4])[:count], np.array([1, 1, 3, -2])
    for f, value in ((rows, values), (numbers, values[:, 0])):
        wanted = np.zeros_like(value)
        np.add.at(wanted, targets, value[sources])
        np.testing.assert_allclose(f(value, sources, targets), wanted, rtol=1e-14)
        assert "/* advancedsubtensor" not in f.c_source  # a loop of its own
        for wrong in ([0, 5], [-6, 0]):
            with pytest.raises(IndexError):
                f(value, wrong, [0, 1])
        with pytest.raises(ValueError, match="length"):
            f(value, [0, 1, 2], [0, 1])


@pytest.mark.parametrize("columns", [1, 3])
def test_rows_of_another_array_may_have_one_column(columns: int) -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    source, target = T.lvector("source"), T.lvector("target")
    f = function([y, x, source, target], T.inc_subtensor(y[target], x[source]))
    random = np.random.default_rng(1)
    base, values = random.normal(size=(4, 3)), random.normal(size=(5, columns))
    for sources in ([4, 0, -5], [2]):
        wanted = base.copy()
        np.add.at(wanted, [1, 1, 3], values[sources])
        np.testing.assert_allclose(f(base, values, sources, [1, 1, 3]), wanted, rtol=1e-14)
    assert "/* advancedsubtensor" not in f.c_source
    with pytest.raises(ValueError, match="length"):
        f(base, random.normal(size=(5, 2)), [0], [0])
