"""Short loops that are written out, with examples to which the rule applies and not."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan
from symtheano.errors import BoundsError, ShapeError
from symtheano.ifelse import ifelse
from symtheano.loops.scan_op import Scan
from symtheano.rewrites import scan_unroll
from symtheano.rewrites.rule import Rule
from symtheano.scan_module import until

NAME = "few_iterations_one_by_one"


def numbers(v, s, steps=3):
    """Return the numbers of a recurrence."""
    return scan(lambda item, a: a * 0.5 + item, v, s, n_steps=steps)[0]


def two_before(v):
    return scan(lambda a, b: a * 0.5 + b, None, {"initial": v[:2], "taps": [-2, -1]}, n_steps=4)[0]


def once(x, v, w):
    """Return one step of a recurrent network."""
    return scan(lambda row, h: T.tanh(T.dot(h, w) + row) + h, x, v, n_steps=1)[0]


FIRES = [
    lambda v, s: numbers(v, s),
    two_before,
    once,
    lambda v, s: numbers(v, s)[-1],
    lambda v, s: numbers(v[::-1], s, 4)[1:],
    lambda v, s: grad(T.sqr(numbers(v, s)).sum(), s, disconnected_inputs="ignore"),
    lambda v, s: scan(lambda i, a: a + i * v[0], T.arange(3), s * v[1])[0],
    lambda x: scan(lambda row: row * 2, x, n_steps=1)[0],
    lambda x: scan(lambda a: a + x[0], None, x[1], n_steps=1)[0][-1],
    lambda x, v: scan(lambda row, a: row + a, x, v, n_steps=1)[0],
    lambda x: scan(lambda a, b: [b, a], None, [x[0, 0], x[0, 1]], n_steps=3)[0][0],
]

RESTS = [
    lambda v, s: scan(lambda item, a: a * 0.5 + item, v, s)[0],
    lambda v, s: numbers(v, s, 0),
    lambda v, s: numbers(v, s, 5),
    lambda x, v: scan(lambda row, a: a * 0.5 + row, x, v, n_steps=3)[0],
    lambda s: scan(lambda a: (a * 0.5, until(a < 0.5)), None, s, n_steps=3)[0],
    # what fails tells the iteration
    lambda v, labels: scan(lambda label, a: a + v[label], labels, v[0], n_steps=3)[0],
    lambda v, labels: scan(lambda label, a: a + v[label], labels, v[0], n_steps=1)[0],
    lambda v: scan(lambda a: a[1:] + a[:-1], None, v, n_steps=1)[0],
    # it is not known that the product is as long as the state
    lambda v, w: scan(lambda h: T.tanh(T.dot(h, w)), None, v, n_steps=1)[0],
]


@pytest.mark.parametrize("example", FIRES)
def test_fires(example, fires):
    fires(NAME, example)


@pytest.mark.parametrize("example", RESTS)
def test_rests(example, rests):
    rests(NAME, example)


def test_there_is_one_rule():
    assert [value.name for value in vars(scan_unroll).values() if isinstance(value, Rule)] == [NAME]


@pytest.mark.needs_cc
@pytest.mark.parametrize("steps", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int8", "bool", "complex128"])
def test_to_the_last_bit(steps: int, dtype: str) -> None:
    """All values and the last one, with infinities, NaN and zeros of either sign."""
    v, s = T.vector("v", dtype), T.scalar("s", dtype)

    def step(item, one, two):
        new = T.cast(one * item + two, dtype)
        return [new, T.cast(T.sqr(new) - item, dtype)]

    (one, two), _ = scan(step, v, [s, {"initial": s * 2, "taps": [-1]}], n_steps=steps)
    one, two = T.cast(one, dtype), T.cast(two, dtype)
    made = [function([v, s], [one, two[-1]], mode=mode)
            for mode in (Mode(), Mode().excluding(NAME), "INTERPRET")]  # fmt: skip
    assert not any(isinstance(node.op, Scan) for node in made[0].maker.fgraph.toposort())
    assert any(isinstance(node.op, Scan) for node in made[1].maker.fgraph.toposort())
    values = [0.1, -0.0, 3.7, 1e30] if dtype.startswith(("f", "c")) else [1, 0, 3, 7]
    for start in values + ([np.inf, np.nan, -0.0] if dtype.startswith(("f", "c")) else []):
        given = [np.array(values, dtype), np.array(start, dtype)]
        with np.errstate(all="ignore"):
            found = [[np.asarray(item) for item in f(*given)] for f in made]
        for written_out, loop, interpreted in zip(*found, strict=True):
            assert written_out.dtype == loop.dtype == dtype
            assert written_out.shape == loop.shape == interpreted.shape
            np.testing.assert_array_equal(written_out, loop)
            np.testing.assert_allclose(written_out, interpreted, rtol=1e-6)


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_messages_are_those_of_the_loop(mode: str | None) -> None:
    v, s, x, u = T.dvector("v"), T.dscalar("s"), T.dmatrix("x"), T.dvector("u")
    with pytest.raises(ShapeError, match="a sequence has 2 rows, fewer than the 3 iterations"):
        function([v, s], numbers(v, s), mode=mode)([1.0, 2.0], 0.0)
    with pytest.raises(ShapeError, match="1 initial values are given, but the taps need 2"):
        function([v], two_before(v), mode=mode)([1.0])
    one = scan(lambda row, a: a * 0.5 + row, x, u, n_steps=1)[0][-1]
    one = function([x, u], one, mode=mode)
    with pytest.raises(ShapeError, match="operands of different length"):
        one(np.zeros((1, 3)), np.zeros(2))
    with pytest.raises(ShapeError, match="0 rows, fewer than the 1 iterations"):
        one(np.zeros((0, 3)), np.zeros(3))
    assert one(np.zeros((1, 0)), np.zeros(0)).shape == (0,)


def test_a_state_that_changes_its_length() -> None:
    v = T.dvector("v")
    cut = function([v], scan(lambda a: a[1:], None, v, n_steps=1)[0], mode="INTERPRET")
    with pytest.raises(ShapeError, match="after one iteration"):
        cut([1.0, 2.0])


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_an_index_outside_tells_the_iteration(mode: str | None) -> None:
    v, labels = T.dvector("v"), T.lvector("labels")
    parts = scan(lambda label, a: a + v[label], labels, T.constant(0.0), n_steps=3)[0]
    with pytest.raises(BoundsError, match="in iteration 1 of Scan"):
        function([v, labels], parts, mode=mode)([1.0, 2.0], [0, 5, 1])


@pytest.mark.needs_cc
def test_a_short_loop_in_a_loop() -> None:
    """The loop around it does not depend on its earlier iterations, and so is no loop either."""
    x = T.dvector("x")

    def root(row):
        return scan(lambda y: y - (y * y - row) / (2 * y), None, row, n_steps=4)[0][-1]

    roots = function([x], scan(root, x)[0])
    assert not any(isinstance(node.op, Scan) for node in roots.maker.fgraph.toposort())
    values = np.linspace(0.5, 2.0, 9)
    np.testing.assert_allclose(roots(values), np.sqrt(values), 1e-6)


@pytest.mark.needs_cc
def test_a_branch_in_a_short_loop() -> None:
    v, s = T.dvector("v"), T.dscalar("s")
    made = scan(lambda item, a: ifelse(item > 0, a * 2, a - item), v, s, n_steps=3)[0]
    found = function([v, s], made)([1.0, -1.0, 2.0], 3.0)
    np.testing.assert_array_equal(found, [6.0, 7.0, 14.0])
