"""How functions of random programs are called: other lengths, shared variables, updates, givens."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from hypothesis import event, given, strategies as st

import symtheano.tensor as T
from symtheano import shared, sparse as S
from tests.language.check import agree_all, rewritten, variables_of
from tests.language.inputs import FIXED, values
from tests.language.program import Array, Program
from tests.language.strategies import GENERAL, budget, mixed_programs, programs
from tests.support.compare import compiled, count, oracle, outcome
from tests.support.extent import TIMES
from tests.support.memory import little_memory

LENGTHS = ((3, 4), (5, 2), (1, 3), (0, 2))
LENGTHS_LONG = (*LENGTHS, (2, 600), (3, 4), (600, 3), (150, 300), (5, 2), (33, 32))


def check_calls_lengths(program: Program, make: Callable[..., Any]) -> None:
    """Call one function with arrays of several lengths; errors must be the interpreter's.

    What NumPy cannot do, or would repeat only because a length happens to be one, is compared with
    the interpreter alone.
    """
    names, inputs = program.results(8), program.used()
    if not names:
        return
    variables, outputs = variables_of(program, inputs), variables_of(program, names)
    f, g = make(variables, outputs), oracle(variables, outputs)
    for n, m in LENGTHS_LONG if TIMES else LENGTHS:
        given = values(n, m, n)
        args = [given[name] for name in inputs]
        try:
            # Comparing takes several times the memory of the results.
            with little_memory(1 << 30):
                mine, its = outcome(f, args), outcome(g, args)
        except MemoryError:
            event("too large, for other lengths")
            continue
        if isinstance(its, tuple):
            wanted = _errors(variables, outputs, args)
            assert mine[0] in wanted, f"{mine} and not {its} for {n} and {m} in{program!r}"
            event("an error, for other lengths")
            continue
        assert not isinstance(mine, tuple), f"{mine} for {n} and {m} in{program!r}"
        scale = dict(zip(names, its, strict=True))
        agree_all(program, names, mine, scale, f"the interpreter, for {n} and {m},")
        try:
            found = program.run(given)
            certain = program.is_certain(found)
        except (ValueError, IndexError, ArithmeticError):
            event("an error of NumPy's alone, for other lengths")
            continue
        if certain:
            agree_all(program, names, mine, found, f"NumPy, for {n} and {m},")
            count("programs called with other lengths", sum(got.size for got in mine))


def _errors(variables: list[Any], outputs: list[Any], args: list[Any]) -> set[Any]:
    """Return the classes of the errors that outputs raise alone: a call may report any of them."""
    alone = [outcome(oracle(variables, [output]), args) for output in outputs]
    return {error[0] for error in alone if isinstance(error, tuple)}


@pytest.mark.needs_cc
@budget(5)
@given(programs(GENERAL))
def test_other_lengths_in_c(program: Program) -> None:
    check_calls_lengths(program, compiled)


@budget(14)
@given(programs(GENERAL))
def test_other_lengths_rewritten(program: Program) -> None:
    check_calls_lengths(program, rewritten)


def check_calls_updates(program: Program, make: Callable[..., Any]) -> None:
    """Call a function twice whose inputs are shared or given, and which updates what is shared.

    The first inputs of double precision become shared variables, which the last lines of their
    shapes update; the next one is replaced by an expression.
    """
    inputs, names = program.used(), program.results(6)
    free = [name for name in inputs if name in program.values and name not in FIXED
            and program.values[name].dtype == "float64"]  # fmt: skip
    if not (free and names):
        return
    givens, updates, state, new = {}, {}, {}, {}
    for name in free[:3]:
        variable, value = program.variables[name], program.values[name]
        state[name] = shared(value.copy(), name)
        givens[variable] = state[name]
        like = [line for line in names if program.values[line].shape == value.shape
                and program.values[line].dtype == value.dtype]  # fmt: skip
        if like:
            new[name] = like[-1]
            updates[state[name]] = program.variables[like[-1]]
    rest = [name for name in inputs if name not in state]
    outer = variables_of(program, rest)
    if len(free) > 3:
        at = rest.index(free[3])
        outer[at] = T.TensorType("float64", program.variables[free[3]].type.shape)("outer")
        givens[program.variables[free[3]]] = outer[at] * 2 - outer[at]
    f = make(outer, variables_of(program, names), givens=givens, updates=updates)
    values = program.given()
    for call in range(3):
        before = {name: item.get_value() for name, item in state.items()}
        mine = f(*(values[name] for name in rest))
        found = program.run(values)
        for name, value in before.items():
            np.testing.assert_array_equal(value, values[name], f"shared {name} in{program!r}")
        if not program.is_certain(found):
            return
        agree_all(program, names, mine, found, f"NumPy in call {call}")
        values = values | {name: item.get_value() for name, item in state.items()}
        for name, line in new.items():
            what = f"update of {name} by {line} in{program!r}"
            np.testing.assert_allclose(values[name], found[line], 1e-8, 1e-8, err_msg=what)
        count("calls with updates", sum(got.size for got in mine))


@pytest.mark.needs_cc
@budget(6)
@given(mixed_programs())
def test_updates_in_c(program: Program) -> None:
    check_calls_updates(program, compiled)


@budget(10)
@given(mixed_programs())
def test_updates_rewritten(program: Program) -> None:
    check_calls_updates(program, rewritten)


def check_threads(program: Program, kind: str) -> None:
    """Call one function from four threads at once, each with arguments of its own."""
    names, inputs = program.results(6), program.used()
    if not names:
        return
    variables, outputs = variables_of(program, inputs), variables_of(program, names)
    count_of_calls = shared(0, "calls")
    updates = [(count_of_calls, count_of_calls + 1)] if "updates" in kind else []
    wanted: Any = {"list": outputs, "dict": dict(zip(names, outputs, strict=True)),
                   "single": outputs[-1]}[kind.split()[0]]  # fmt: skip
    f = compiled(variables, wanted, updates=updates)
    given = [values(n, m, n) for n, m in ((3, 4), (5, 2), (200, 170), (4, 4))]
    sets = [[some[name] for name in inputs] for some in given]
    try:
        with little_memory(1 << 29):  # a hundred calls follow
            alone = [outcome(f, args) for args in sets]
    except MemoryError:
        event("too large, for other lengths")
        return

    def work(number: int) -> None:
        for _ in range(25):
            mine, its = outcome(f, sets[number]), alone[number]
            assert type(mine) is type(its), f"{mine} and not {its} in{program!r}"
            if isinstance(mine, tuple):
                assert mine == its, repr(program)
                continue
            if isinstance(mine, dict):
                assert list(mine) == names
                mine, its = list(mine.values()), list(its.values())
            elif kind.startswith("single"):
                mine, its = [mine], [its]
            for one, other in zip(mine, its, strict=True):
                np.testing.assert_array_equal(one, other, f"{kind} in{program!r}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    failures = sum(isinstance(result, tuple) for result in alone)
    if updates:
        assert count_of_calls.get_value() == (4 - failures) * 26, f"{kind} in{program!r}"
    count("programs called from four threads", 100)


KINDS = ("list", "dict", "single", "list with updates", "dict with updates", "single with updates")


@pytest.mark.needs_cc
@budget(5)
@given(programs(GENERAL), st.sampled_from(KINDS))
def test_threads_in_c(program: Program, kind: str) -> None:
    check_threads(program, kind)


@pytest.mark.needs_cc
def test_sparse_results_of_threads_in_c() -> None:
    """Each thread has a matrix of its own, of which no other has the number of stored elements."""
    x, y, calls = S.csr_matrix("x"), T.dmatrix("y"), shared(0, "calls")
    outputs = {"scaled": x * 2, "sampled": S.csc_from_dense(T.nnet.relu(y)),
               "product": S.true_dot(x, S.transpose(x)), "dense": S.dot(x, y)}  # fmt: skip
    f = compiled([x, y], outputs, updates=[(calls, calls + 1)])
    random = np.random.default_rng(0)
    sets = [
        (scipy.sparse.random(n, n, density, "csr", random_state=n), random.uniform(-1, 1, (n, n)))
        for n, density in ((4, 0.9), (60, 0.1), (9, 0), (33, 1))
    ]
    alone = [parts_of(f(*args)) for args in sets]

    def work(number: int) -> None:
        for _ in range(25):
            for mine, its in zip(parts_of(f(*sets[number])), alone[number], strict=True):
                np.testing.assert_array_equal(mine, its)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    for (a, b), parts in zip(sets, alone, strict=True):
        want = a * 2, scipy.sparse.csc_matrix(np.maximum(b, 0)), a @ a.T, a @ b
        for mine, its in zip(parts[::4], want, strict=True):
            its = its if isinstance(its, np.ndarray) else its.toarray()
            np.testing.assert_allclose(mine, its, 1e-12, 1e-12)
    assert calls.get_value() == 4 * 26
    count("sparse results of four threads", 100)


def parts_of(found: dict[str, Any]) -> list[Array]:
    """Return each result as an array, those that are sparse with their components behind them."""
    parts: list[Array] = []
    for item in found.values():
        is_dense = isinstance(item, np.ndarray)
        parts += [item] if is_dense else [item.toarray(), item.data, item.indices, item.indptr]
    return parts
