"""Scalars on the device, and checks that wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan, scan_module, shared
from symtheano.errors import BoundsError
from symtheano.loopir import Launch, Program, ReadBack, Run
from symtheano.loopir.names import walk
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated

pytestmark = pytest.mark.needs_cxx

x, v, k, labels = T.matrix("x"), T.vector("v"), T.lscalar("k"), T.lvector("labels")
X, V = np.arange(12.0).reshape(3, 4), np.array([3.0, 1.0, 2.0])


def statements(program: Program) -> list[Any]:
    """Return the host's statements."""
    return [*walk(program.body), *(s for f in program.functions for s in walk(f.body))]


def read_back(program: Program) -> list[str]:
    return [s.buffer.name for s in statements(program) if isinstance(s, ReadBack)]


def single(program: Program) -> int:
    """Return how many launches have one thread."""
    return sum(isinstance(s, Launch) and s.threads == 1 for s in statements(program))


@pytest.mark.parametrize(
    "expression",
    [
        lambda: v - v.sum(),
        lambda: x / T.sqrt(T.sqr(x).sum()) + x.max(),
        lambda: (v - v.mean()) / v.std(),
        lambda: [v.sum(), v.sum() * 2, T.exp(v.max())],
        lambda: T.switch(v.sum() > 0, v, -v),
        lambda: v * v.argmax(),
        lambda: T.log(v.sum()) * v.prod() + v[0],
    ],
)
def test_kernels_pass_scalars_on(expression: Any) -> None:
    outputs = expression()
    program = cuda_program([x, v], outputs)
    assert read_back(program) == []
    assert_emulated([x, v], outputs, [X, V])


def test_one_thread_runs_all_that_stands_together() -> None:
    y = v * T.tanh(v.sum() * v.max() + 1)
    assert single(cuda_program([v], y)) == 1
    assert_emulated([v], y, [V])


def test_what_the_host_needs_is_read_back() -> None:
    count = T.cast(v.sum(), "int64")
    outputs = [T.zeros((count,)) + v.sum(), v * v.sum()]
    program = cuda_program([v], outputs)
    assert len(read_back(program)) == 1
    assert_emulated([v], outputs, [V])


def test_functions_that_the_device_lacks() -> None:
    outputs = [v * T.hyp2f1(1, 2, 3, T.tanh(v.sum()) / 2), v + v.sum()]
    assert len(read_back(cuda_program([v], outputs))) == 1
    assert_emulated([v], outputs, [V])


def test_loops_of_the_host() -> None:
    total = v.sum()
    states, _ = scan(lambda row, state: T.tanh(state + row * total), x, v[0] * T.ones(4))
    assert_emulated([x, v], states[-1], [X, V])
    last, _ = scan(lambda state: state / (1 + state.sum()), outputs_info=v, n_steps=4)
    assert_emulated([v], last[-1], [V])


# -- checks ----------------------------------------------------------------------------------------


def picked() -> Any:
    """Return what is read at indices, which have to be checked."""
    return (x * 2)[T.arange(3), labels]


def test_a_check_waits() -> None:
    """The host reads the status after the last launch."""
    program = cuda_program([v, labels], (v * 2)[labels] + v.sum())
    assert read_back(program) == ["cells_i64"]
    steps = [type(s) for s in program.body if isinstance(s, Launch | Run | ReadBack)]
    assert steps.index(ReadBack) == len(steps) - 1


def test_errors_are_those_of_the_processor() -> None:
    f = emulated([x, labels], [picked(), x.sum()])
    value, total = f(X, [0, 3, 1])
    np.testing.assert_array_equal(value, [0, 14, 18])
    assert total == X.sum()
    for wrong in ([0, 4, 1], [0, 1, -5]):
        with pytest.raises(BoundsError, match="an index in labels is outside axis 1 of length 4"):
            f(X, wrong)
    np.testing.assert_array_equal(f(X, [-1, 0, 0])[0], [6, 8, 16])


def test_the_first_of_two_checks_is_told() -> None:
    more = T.lvector("more")
    f = emulated([v, labels, more], [(v * 2)[labels] + (v * 3)[more]])
    np.testing.assert_array_equal(f(V, [0, 1], [2, 0])[0], [12, 11])
    for first, second, name in (([5, 0], [0, 0], "labels"), ([0, 0], [7, 0], "more")):
        with pytest.raises(BoundsError, match=name):
            f(V, first, second)
    with pytest.raises(BoundsError, match="labels"):
        f(V, [5, 0], [7, 0])


def test_nothing_is_updated_if_a_check_fails() -> None:
    state = shared(np.zeros(3), "state")
    f = emulated([v, labels], v[labels].sum(), updates=[(state, state + v[labels])])
    with pytest.raises(BoundsError):
        f(V, [0, 3, 1])
    np.testing.assert_array_equal(state.get_value(), np.zeros(3))
    f(V, [0, 2, 1])
    np.testing.assert_array_equal(state.get_value(), V[[0, 2, 1]])


def test_python_runs_after_checks() -> None:
    import symtheano

    calls: list[int] = []

    def note(values: Any) -> Any:
        calls.append(len(values))
        return values + 1

    noted = symtheano.as_op([v.type], [v.type])(note)
    f = emulated([v, labels], [(v * 2)[labels], noted(v)])
    calls.clear()
    with pytest.raises(BoundsError):
        f(V, [3])
    assert calls == []
    f(V, [2])
    assert calls == [3]


def test_a_training_step_waits_once() -> None:
    """The status and the cost are all that is read from the device."""
    W = shared(np.ones((4, 3), "float32"), "W")
    rows, y = T.fmatrix("rows"), T.ivector("y")
    p = T.nnet.softmax(T.dot(rows, W))
    cost = T.nnet.categorical_crossentropy(p, y).mean()
    f = emulated([rows, y], cost, updates=[(W, W - np.float32(0.1) * grad(cost, W))])
    program = f.stages.built.lowered.program
    assert read_back(program) == ["cells_i64"]
    data = X.astype("float32")
    np.testing.assert_allclose(f(data, [0, 1, 2]), np.log(3), rtol=1e-5)
    with pytest.raises(BoundsError):
        f(data, [0, 3, 2])


def test_loops_of_the_host_do_not_wait() -> None:
    """The error of a check is that of its iteration, and later ones change nothing."""
    rows, indices, count = T.matrix("rows"), T.lmatrix("indices"), shared(np.zeros(3), "count")

    def step(index: Any, state: Any) -> Any:
        new = T.tanh(T.dot(state, x) + rows[index].sum(0))
        return new / T.sqrt(T.sqr(new).sum() + 1)

    states, _ = scan(step, sequences=indices, outputs_info=v)
    inputs, outputs = [rows, indices, x, v], [states, states.sum()]
    assert len(read_back(cuda_program(inputs, outputs))) == 3  # the status, and two integers
    updates = [(count, count + states[-1])]
    mine, its = (make(inputs, outputs, updates=updates) for make in (emulated, function))
    given = [np.ones((4, 3)), np.array([[0, 1], [2, 3], [-1, 0]]), np.eye(3), V]
    for one, other in zip(mine(*given), its(*given), strict=True):
        np.testing.assert_allclose(one, other)
    before = count.get_value()
    for place in ((1, 0), (2, 1)):
        wrong = given[1].copy()
        wrong[place] = 7
        messages = []
        for f in (mine, its):
            with pytest.raises(BoundsError) as error:
                f(given[0], wrong, *given[2:])
            messages.append(str(error.value))
        assert messages[0] == messages[1]
        assert f"iteration {place[0]}" in messages[0]
        np.testing.assert_array_equal(count.get_value(), before)


def test_iterations_that_the_host_reads() -> None:
    """It ends a loop by a condition, and is told of checks before."""
    rows, index = T.matrix("rows"), T.lvector("index")

    def step(state: Any) -> Any:
        new = state + rows[index].sum(0)
        return new, scan_module.until(new.sum() > 20)

    states, _ = scan(step, outputs_info=v, n_steps=9)
    mine, its = emulated([rows, index, v], states), function([rows, index, v], states)
    given = [np.ones((4, 3)), np.array([0, 3]), V]
    np.testing.assert_allclose(mine(*given), its(*given))
    with pytest.raises(BoundsError):
        mine(given[0], np.array([4]), V)
    nested, _ = scan(
        lambda number: scan(lambda k, s: s / (1 + s.sum()) + rows[k], index, v + number)[0][-1],
        sequences=T.arange(3),
    )
    mine, its = emulated([rows, index, v], nested), function([rows, index, v], nested)
    np.testing.assert_allclose(mine(*given), its(*given))
    with pytest.raises(BoundsError):
        mine(given[0], np.array([1, 4]), V)
