"""Lengths that are equal because the arrays are outside of the loop."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.errors import ShapeError
from symtheano.graph.intern import FunctionGraph
from symtheano.interpret import interpret
from symtheano.loops.scan_op import Scan
from symtheano.rewrites import scan_lengths
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Rule
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, SumInCall

NAME = "broadcast_of_equal_lengths_in_loops"


def waves(start, speed):
    """Return three steps of a wave equation, whose inner part is stored into zeros."""

    def step(a, b, c):
        change = b[:-2] + b[2:] - 2 * b[1:-1]
        return b, T.set_subtensor(T.zeros_like(b)[1:-1], 2 * b[1:-1] - a[1:-1] + c * change)

    values, _ = scan(step, outputs_info=[start, start], non_sequences=speed, n_steps=3)
    return values[1]


def slope(start, speed):
    return grad(T.sqr(waves(start, speed)).sum(), speed)


def stored(x, values):
    """Return rows of zeros, each with a value that may have to be repeated."""
    return scan(lambda row, v: T.set_subtensor(row[1:], v), x, non_sequences=values)[0]


FIRES = {NAME: lambda v: slope(v, v[2:])}
RESTS = {NAME: stored}


def test_fires(fires):
    fires(NAME, FIRES[NAME])


def test_rests(rests):
    rests(NAME, lambda x, v: stored(x, v))


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(scan_lengths).values() if isinstance(value, Rule)}
    assert set(FIRES) == set(RESTS) == names


def ops_in_loops(graph):
    rewritten = Rewriter(default_rules()).rewrite(graph)
    loops = [node.op.region for node in rewritten.nodes if isinstance(node.op, Scan)]
    return {type(node.op) for region in loops for node in region.nodes}


@pytest.mark.needs_cc
def test_gradients_of_parts_are_not_summed():
    start, speed = T.dvectors("start", "speed")
    outputs = [waves(start, speed)[-1], slope(start, speed)]
    graph = FunctionGraph([start, speed], outputs)
    assert ops_in_loops(graph).isdisjoint({BroadcastInCall, SumInCall})
    rng = np.random.default_rng(0)
    given = [rng.normal(size=7), rng.normal(size=5)]
    f = function([start, speed], outputs)
    for one, other in zip(f(*given), interpret(graph, given), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    with pytest.raises(ShapeError):
        f(given[0], given[1][:-1])


@pytest.mark.needs_cc
@pytest.mark.parametrize("length", [1, 3])
def test_values_are_repeated_where_lengths_may_differ(length):
    x, v = T.dmatrix("x"), T.dvector("v")
    f = function([x, v], [stored(x, v), grad(T.sqr(stored(x, v)).sum(), v)])
    given = np.arange(8.0).reshape(2, 4), np.arange(1.0, length + 1)
    wanted = given[0].copy()
    wanted[:, 1:] = given[1]
    results = f(*given)
    np.testing.assert_array_equal(results[0], wanted)
    np.testing.assert_array_equal(results[1], 4 * given[1] * (3 if length == 1 else 1))
