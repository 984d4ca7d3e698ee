"""Functions of a vector as C functions of pointers."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad, scan, shared, until

pytestmark = pytest.mark.needs_cc

X = np.array([0.5, -1.0, 2.0])


def test_a_density_and_its_gradient() -> None:
    x, w = T.dvector("x"), shared(np.array([1.0, 2.0, 3.0]), "w")
    weights = T.constant(np.random.default_rng(0).normal(size=(200, 3)))
    density = -T.log1p(T.exp(T.dot(weights, x))).sum() - (w * x).sum()
    f = function([x], [density, grad(density, x)])
    call = f.vector_callable(3)
    wanted = f(X)
    w.set_value(np.zeros(3))
    del f
    gc.collect()
    for result, want in zip(call(X), wanted, strict=True):
        np.testing.assert_array_equal(result, np.atleast_1d(want))


def test_threads_call_it_at_the_same_time() -> None:
    x = T.TensorType("float64", (3,))("x")
    call = function([x], [T.sqr(x).sum(), 2 * x]).vector_callable()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda k: call(X * k)[0][0], range(200)))
    np.testing.assert_allclose(results, [np.sum((X * k) ** 2) for k in range(200)])


def test_a_thread_keeps_its_temporary_memory() -> None:
    x = T.dvector("x")
    large = T.constant(np.random.default_rng(1).normal(size=(500, 3)))
    f = function([x], T.sort(T.dot(large, x))[::50].sum())
    call, small = f.vector_callable(3), function([x], T.exp(x).sum()).vector_callable(3)
    wanted = f(X)

    def run(_: int) -> tuple[int, list[int], float]:
        before = call.kept_bytes
        sums = [call(X * k)[0][0] for k in (1, 1, 1)]
        kept = [call.kept_bytes]
        small(X)
        assert call(X)[0][0] == sums[0]
        return before, [*kept, call.kept_bytes], sums[-1]

    with ThreadPoolExecutor(1) as pool:
        before, kept, result = pool.submit(run, 0).result()
        again, kept_again, _ = pool.submit(run, 1).result()
    assert before == 0
    assert kept[0] == kept[1] == again == kept_again[0] >= 500 * 8
    assert result == wanted
    with ThreadPoolExecutor(4) as pool:
        assert {item for _, _, item in pool.map(run, range(100))} == {float(wanted)}


def test_much_temporary_memory_is_given_back() -> None:
    x = T.TensorType("float64", (3,))("x")
    rows = T.outer(T.arange(3_000_000), x)
    f = function([x], T.sort(rows, axis=0)[-1].sum())
    call = f.vector_callable()
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: (call(X)[0][0], call.kept_bytes)).result() == (f(X), 0)


def test_arguments_after_the_first_are_fixed() -> None:
    x, scale, m = T.dvector("x"), T.iscalar("scale"), T.dmatrix("m")
    f = function([x, scale, m], T.dot(m, x) * scale)
    fixed = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    result = f.vector_callable(3, [2], [4, fixed])(X)[0]
    np.testing.assert_allclose(result, 4 * fixed @ X)


def test_one_result_of_another_size() -> None:
    x = T.dvector("x")
    call = function([x], T.concatenate([x, T.exp(x)])).vector_callable(3, sizes=[6])
    np.testing.assert_allclose(call(X)[0], [*X, *np.exp(X)])


def test_loops_that_need_memory_whose_size_is_not_known() -> None:
    x = T.dvector("x")
    rows, _ = scan(lambda v: (v / 2, until(v.max() < 0.1)), outputs_info=x, n_steps=100)
    f = function([x], rows.sum())
    np.testing.assert_allclose(f.vector_callable(3)(X)[0][0], f(X))


def test_a_failure_is_a_status() -> None:
    x = T.dvector("x")
    call = function([x], T.assert_op(x.sum(), T.all(x > 0))).vector_callable(3)
    with pytest.raises(ValueError, match="ended with the error 3"):
        call(X)
    wrong = function([x], T.concatenate([x, x])).vector_callable(3, sizes=[5])
    with pytest.raises(ValueError, match="ended with the error 4"):
        wrong(X)


def test_functions_that_are_not_of_one_vector_are_refused() -> None:
    x, y, n = T.dvector("x"), T.fvector("y"), shared(0.0)
    refused = [
        function([y], y.sum()),
        function([x], [x, x + 1, x + 2]),
        function([x], T.cast(x, "float32")),
        function([x], x, updates={n: n + 1}),
    ]
    for f in refused:
        with pytest.raises(NotImplementedError, match="can't be called"):
            f.vector_callable(3)
    with pytest.raises(ValueError, match="give the length"):
        function([x], x).vector_callable()
    with pytest.raises(ValueError, match="0 fixed values for 1"):
        function([x, y], x.sum() + y.sum()).vector_callable(3)
    with pytest.raises(ValueError, match="2 sizes for 1 results"):
        function([x], x).vector_callable(3, sizes=[1, 2])
