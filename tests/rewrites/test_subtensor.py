"""Parts of arrays."""

import pytest

import symtheano.tensor as T
from symtheano.rewrites import subtensor
from symtheano.rewrites.rule import Rule


def _halves(x, second):
    first = T.inc_subtensor(T.zeros_like(x)[:, second:], T.exp(x[:, second:]))
    return T.inc_subtensor(first[:, :1], 2 * x[:, :1])


FIRES = {
    "plain_slices": lambda x: x[0:, ::1],
    "part_of_elementwise": lambda x, y: (x + y)[1:, 0],
    "part_of_alloc": lambda s: T.alloc(s, 3, 5)[1:, 2],
    "part_of_dimshuffle": lambda x: x.T[1:, 0],
    "change_of_everything": lambda row, v: T.set_subtensor(row[0], v),
    "increment_by_zero": lambda x: T.inc_subtensor(x[1:], 0),
    "part_of_change": lambda x, y: T.inc_subtensor(x[1:], y[1:])[1:],
    "parts_of_zeros_joined": lambda x: _halves(x, 1),
    "gather_of_elementwise": lambda x, v, labels: (x + v)[T.arange(labels.shape[0]), labels],
    "broadcast_of_equal_lengths": lambda x, labels: x[labels, labels + 1],
    "gather_everything": lambda x: x[T.arange(x.shape[0])],
    "gather_of_alloc": lambda s, n: T.alloc(s, n, n)[T.arange(n), T.arange(n)],
}

RESTS = {
    "plain_slices": lambda x: x[1:],
    "part_of_elementwise": lambda x: T.specify_shape(x, (3, None))[1:],
    "part_of_alloc": lambda s, n, i: T.alloc(s, n)[i],
    "part_of_dimshuffle": lambda x: x[1:, 0],
    "change_of_everything": lambda row, v: T.set_subtensor(row[0, 1:], v),
    "increment_by_zero": lambda x: T.set_subtensor(x[1:], 0),
    "part_of_change": lambda x, y: T.inc_subtensor(x[1:], y[1:])[:-1],
    "parts_of_zeros_joined": lambda x: _halves(x, 2),
    "gather_of_elementwise": lambda x, v, labels: (x + v)[labels],
    "broadcast_of_equal_lengths": lambda x, n, labels: x[T.arange(n) + n, labels],
    "gather_everything": lambda x, n: x[T.arange(n)],
    "gather_of_alloc": lambda s, n, labels: T.alloc(s, n)[labels],
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(subtensor).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


@pytest.mark.parametrize(
    "example",
    [
        lambda row, s: T.inc_subtensor(row[-1, :], s),
        lambda row, v: T.inc_subtensor(T.zeros_like(row)[:], v),
        lambda x, y: T.set_subtensor(x[:], y),
        lambda x: T.inc_subtensor(T.zeros_like(x[:, None])[:, 0], x),
    ],
)
def test_changes_of_everything(example, fires):
    fires("change_of_everything", example)


@pytest.mark.parametrize(
    "example",
    [
        lambda x, y: T.set_subtensor(x[1:], y[1:])[1:],
        lambda x, v: T.set_subtensor(x[1:], v)[1:],
        lambda x, y: T.inc_subtensor(x[2:], y[2:])[:2],
        lambda x, v: T.set_subtensor(x[0], v)[1:],
        lambda x, y: T.inc_subtensor(x[1:], y[1:])[0],
    ],
)
def test_parts_of_changes(example, fires):
    fires("part_of_change", example)


@pytest.mark.parametrize(
    ("example", "applies"),
    [
        (lambda x: _both(T.exp(x), slice(2), slice(2, None)), True),
        (lambda x: _both(T.exp(x), slice(2), slice(1, None)), False),
        (lambda x: _both(T.exp(x), slice(2), slice(-1, None)), False),
        (lambda x: _both(T.exp(x), slice(2), slice(2, None)) + T.exp(x).sum(), False),
    ],
)
def test_parts_without_common_elements(example, applies, fires, rests):
    (fires if applies else rests)("part_of_elementwise", example)


def _both(x, one, other):
    return x[one].sum(axis=0) * x[other].sum(axis=0)
