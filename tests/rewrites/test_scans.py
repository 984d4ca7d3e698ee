"""Rules about what loops do not need, each with an example to which it applies and one not."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.rewrites import scans
from symtheano.rewrites.rule import Rule
from symtheano.scan_module import until


def sums(x, n_steps=None):
    """Return the sums of the first rows of a matrix, and of their squares."""
    (one, two), _ = scan(
        lambda row, a, b: [a + row, b * 0.5 + T.sqr(row)], x, [x[0], T.zeros_like(x[0])],
        n_steps=n_steps,
    )  # fmt: skip
    return one, two


def last_two(x):
    values, _ = scan(lambda row, a, b: a * 0.5 + b * 0.25 + row, x,
                     {"initial": x[:2], "taps": [-1, -2]})  # fmt: skip
    return values[-1] + values[-2]


def ended(x, v, row):
    values, _ = scan(lambda a: (a * 0.5, until((a * 0.5).sum() < 0.5)), None, v + 1.0, n_steps=20)
    return values[row]


FIRES = {
    "steps_in_normal_form": lambda x: scan(lambda row, a: a * 1 + row + 0, x, x[0])[0],
    "unused_parts_of_loops": lambda x: sums(x)[1],
    "last_rows_as_states": lambda x: sums(x)[0][-1],
    "rows_that_are_not_read": lambda x: scan(
        lambda i, a: a * 0.5 + i, T.arange(x.shape[0]), x[0])[0],
}  # fmt: skip

RESTS = {
    "steps_in_normal_form": lambda x: scan(lambda row, a: a + row, x, x[0])[0],
    "unused_parts_of_loops": lambda x: scan(lambda row, a: a * row, x, x[0])[0],
    "last_rows_as_states": lambda x: scan(lambda row, a: a * row, x, x[0])[0][-1:],
    "rows_that_are_not_read": lambda x: scan(lambda row, a: a * row, x, x[0])[0],
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scans).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


@pytest.mark.parametrize(
    "example",
    [
        last_two,
        lambda x: sums(x, 2)[1][-1],
        lambda x: sums(x)[0][-1, 1:],
        lambda x, v: ended(x, v, -1),
        lambda x: scan(lambda row: T.cumsum(row), x)[0][-1],
    ],
)
def test_last_rows(example, fires):
    fires("last_rows_as_states", example)


@pytest.mark.parametrize(
    "example", [lambda x, v: ended(x, v, 0), lambda x: scan(lambda row: T.cumsum(row), x)[0][0]]
)
def test_other_rows_are_kept(example, rests):
    rests("last_rows_as_states", example)


def test_earlier_rows_of_which_less_is_known():
    """The step adds an array of known length; the initial value has any."""

    def last_rows(v):
        values, _ = scan(lambda a: T.cos(a) + T.zeros((3,)), None, v, n_steps=4)
        return values[-1] + values[-2]

    v = T.dvector("v")
    start = np.array([0.1, 0.2, 0.3])
    wanted = [start]
    for _ in range(4):
        wanted.append(np.cos(wanted[-1]))
    found = function([v], last_rows(v), mode="INTERPRET")(start)
    np.testing.assert_allclose(found, wanted[-1] + wanted[-2], 1e-15)


@pytest.mark.parametrize(
    "example",
    [
        lambda v: grad(scan(lambda a: T.tanh(a), None, v, n_steps=5)[0][-1].sum(), v),
        lambda x, v: scan(lambda row, a: a * 0.5 + row, T.zeros_like(x), x[0])[0],
        lambda x, n: scan(lambda i, a: a * 0.5 + i, T.arange(1, 2 * n, 2), x[0])[0],
    ],
)
def test_rows_that_are_not_read(example, fires):
    fires("rows_that_are_not_read", example)
