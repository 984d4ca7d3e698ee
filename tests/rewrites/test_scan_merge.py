"""Rules that make one of several loops, each with an example to which it applies and one not."""

import pytest

import symtheano.tensor as T
from symtheano import grad, scan
from symtheano.rewrites import scan_merge
from symtheano.rewrites.rule import Rule


def decayed(x, factor, start=None):
    return scan(lambda row, a: a * factor + row, x, x[0] if start is None else start)[0]


def gated(x, w):
    """Return a loss and a gradient for which the loop stores more than the user reads."""
    values, _ = scan(lambda row, h: h * T.exp(T.dot(h, w)) + row, x, w[0])
    loss = T.sqr(values).sum()
    return loss + grad(loss, w, disconnected_inputs="ignore").sum()


FIRES = {
    "loops_over_the_same_rows": lambda x: decayed(x, 0.5) + decayed(x, 0.25),
    "equal_results_of_loops": lambda x: sum(
        scan(lambda row, a, b: [a * 0.5 + row, b * 0.5 + row], x, [x[0], x[0]])[0]),
}  # fmt: skip

RESTS = {
    "loops_over_the_same_rows": lambda x, y: decayed(x, 0.5) + decayed(y, 0.25),
    "equal_results_of_loops": lambda x: sum(
        scan(lambda row, a, b: [a * 0.5 + row, b * 0.25 + row], x, [x[0], x[0]])[0]),
}  # fmt: skip


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_merge).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


@pytest.mark.parametrize("name", FIRES)
def test_a_gradient_that_stores_more(name, fires):
    fires(name, gated)


def test_a_loop_that_reads_the_other(rests):
    def example(x):
        once = decayed(x, 0.5)
        return scan(lambda row, kept, a: a * 0.5 + row * kept, [x, once], x[0])[0]

    rests("loops_over_the_same_rows", example)


def test_results_that_exchange_their_roles(fires):
    """Equal are those that stay equal if all are assumed to be."""

    def example(x):
        (a, b, c), _ = scan(lambda row, a, b, c: [b + row, a + row, c * row], x, [x[0]] * 3)
        return a + b + c

    fires("equal_results_of_loops", example)
