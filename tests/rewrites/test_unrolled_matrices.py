"""Inverses, solutions, determinants and factors of small matrices in straight-line code."""

import numpy as np
import pytest
from scipy.linalg import hilbert

import symtheano.tensor as T
from symtheano import function, grad, scan, shared
from symtheano.function.modes import Mode
from symtheano.ifelse import ifelse
from symtheano.rewrites import unrolled_groups
from symtheano.rewrites.unrolled_matrices import is_decomposed
from symtheano.tensor.linalg.determinants import Cofactors, CofactorsTangent
from symtheano.tensor.linalg.matrices import LinalgOp, RequireAnswer

OPS = {
    "inverse": lambda a, b: T.nlinalg.matrix_inverse(a),
    "det": lambda a, b: T.nlinalg.det(a),
    "slogdet": lambda a, b: list(T.nlinalg.slogdet(a)),
    "cofactors": lambda a, b: Cofactors()(a),
    "cofactors_tangent": lambda a, b: CofactorsTangent()(a, a**2 + b[0, 0]),
    "solve": lambda a, b: T.slinalg.solve(a, b),
    "solve_vector": lambda a, b: T.slinalg.solve(a, b[:, 0]),
    "solve_symmetric": lambda a, b: T.slinalg.solve(a, b, "symmetric"),
    "solve_symmetric_lower": lambda a, b: T.slinalg.solve(a, b, "symmetric", lower=True),
    "lower": lambda a, b: T.slinalg.solve_triangular(a, b, lower=True),
    "upper": lambda a, b: T.slinalg.solve_triangular(a, b[:, 0]),
    "unit": lambda a, b: T.slinalg.solve_triangular(a, b, lower=True, unit_diagonal=True),
    "turned": lambda a, b: T.slinalg.solve_triangular(a, b, trans="C", lower=True),
    "cholesky": lambda a, b: T.slinalg.cholesky(a),
    "cholesky_upper": lambda a, b: T.slinalg.cholesky(a, lower=False),
    "cholesky_nan": lambda a, b: T.slinalg.cholesky(a, on_error="nan"),
}

# LAPACK does not say what becomes of infinities there.
TRIANGLES = ("lower", "upper", "unit", "turned")


def matrix(rows, columns, name="a", dtype="float64"):
    return T.tensor(name, dtype, shape=(rows, columns))


def decompositions(f):
    return [node.op for node in f.graph.nodes if isinstance(node.op, LinalgOp)]


def pair(name, n, dtype="float64"):
    """Return a function in straight-line code, and one with the call."""
    a, b = matrix(n, n, "a", dtype), matrix(n, 2, "b", dtype)
    results = OPS[name](a, b)
    unrolled_ = function([a, b], results, mode=Mode(linker="py"), on_unused_input="ignore")
    called = function([a, b], results, on_unused_input="ignore",
                      mode=Mode(linker="py").excluding("unrolled"))  # fmt: skip
    assert not decompositions(unrolled_)
    assert decompositions(called)
    return unrolled_, called


def outcome(f, *arguments):
    """Return the results, or class and text of the error."""
    try:
        with np.errstate(all="ignore"):
            found = f(*arguments)
    except np.linalg.LinAlgError as error:
        return type(error), str(error)
    return found if isinstance(found, list) else [found]


def normal(rng, dtype, *shape):
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if dtype.startswith("c") else x).astype(dtype)


def matrices(n, dtype, infinite=True):
    """Yield matrices far from singular ones, and such as have an exact answer."""
    rng = np.random.default_rng(n)
    for _ in range(4):
        x = normal(rng, dtype, n, n)
        yield x
        yield x @ x.conj().T + np.eye(n, dtype=dtype)
    x[0, 0] = 0
    yield x
    yield np.eye(n, dtype=dtype)[rng.permutation(n)] * normal(rng, dtype, n)
    yield np.triu(normal(rng, dtype, n, n))
    yield np.zeros((n, n), dtype)
    for special in (np.nan, np.inf) if infinite else (np.nan,):
        for at in {(0, 0), (n - 1, 0), (n // 2, n - 1)}:
            x = normal(rng, dtype, n, n)
            x[at] = special
            yield x


SIZES = [(1, "float64"), (2, "float64"), (4, "float64"), (3, "float32"), (3, "complex64"),
         (2, "complex128"), (6, "float64")]  # fmt: skip
# From five rows on, the routine's loops are as fast.
SYSTEMS = ("inverse", "solve")
CASES = [
    (name, n, dtype)
    for name in OPS
    for n, dtype in SIZES
    if n <= (3 if name.startswith("cofactors") else 4 if name in SYSTEMS else 6)
]


@pytest.mark.parametrize(("name", "n", "dtype"), CASES)
def test_results_and_errors_are_those_of_the_call(name, n, dtype):
    f, called = pair(name, n, dtype)
    b = normal(np.random.default_rng(0), dtype, n, 2)
    for a in matrices(n, dtype, infinite=name not in TRIANGLES):
        found, wanted = outcome(f, a, b), outcome(called, a, b)
        assert len(found) == len(wanted)
        for x, y in zip(found, wanted, strict=True):
            if isinstance(x, np.ndarray):
                assert (x.dtype, x.shape) == (y.dtype, y.shape)
                tolerance = 2e4 * n * np.finfo(dtype).eps
                np.testing.assert_allclose(x, y, rtol=tolerance, atol=tolerance)
            else:
                assert x == y


@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("name", OPS)
def test_compiled_code_agrees(name, n):
    a, b = matrix(n, n), matrix(n, 2, "b")
    results = OPS[name](a, b)
    f = function([a, b], results, on_unused_input="ignore")
    interpreted = function([a, b], results, mode="INTERPRET", on_unused_input="ignore")
    right = np.random.default_rng(0).normal(size=(n, 2))
    for value in matrices(n, "float64"):
        found, wanted = outcome(f, value, right), outcome(interpreted, value, right)
        for x, y in zip(found, wanted, strict=True):
            if isinstance(x, np.ndarray):
                np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-14)
            else:
                assert x == y


def difficult(n):
    """Yield matrices with large condition numbers."""
    rng = np.random.default_rng(n)
    yield hilbert(n)
    yield hilbert(n)[::-1]
    yield rng.normal(size=(n, n)) * 10.0 ** rng.integers(-9, 9, size=(n, 1))
    yield rng.normal(size=(n, n)) * 10.0 ** rng.integers(-9, 9, size=n)
    yield np.vander(np.linspace(1, 1.1, n))
    for size in (1e-14, 1e-10, 1e-6):
        near = rng.normal(size=(n, n))
        near[-1] = near[0] + size * rng.normal(size=n)
        yield near
        near = rng.normal(size=(n, n))
        near[0, 0] = size
        yield near


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_residuals_are_as_small_as_those_of_lapack(n):
    """From five rows on, inverses are those of the routine's loops."""
    a, b = matrix(n, n), matrix(n, 2, "b")
    called = function([a, b], T.nlinalg.matrix_inverse(a), on_unused_input="ignore")
    inverse = pair("inverse", n)[0] if n < 5 else called
    solve, _ = pair("solve_vector", n)
    det, _ = pair("det", n)
    right = np.random.default_rng(0).normal(size=(n, 2))
    eps = np.finfo(np.float64).eps
    for a in difficult(n):
        x, y = inverse(a, right), np.linalg.inv(a)
        sizes = np.abs(a) @ np.abs(x)
        mine = (np.abs(a @ x - np.eye(n)) / sizes).max()
        its = (np.abs(a @ y - np.eye(n)) / (np.abs(a) @ np.abs(y))).max()
        assert mine <= max(4 * its, 8 * n * eps)
        v, w = solve(a, right), np.linalg.solve(a, right[:, 0])
        mine, its = (
            np.abs(a @ z - right[:, 0]).max() / (np.abs(a).sum(1).max() * np.abs(z).max())
            for z in (v, w)
        )
        assert mine <= max(4 * its, 4 * n * eps)
        bound = np.prod(np.linalg.norm(a, axis=1))
        assert abs(det(a, right) - np.linalg.det(a)) <= 8 * n * eps * bound


def test_determinants_do_not_overflow_on_the_way():
    det, _ = pair("det", 4)
    right = np.zeros((4, 2))
    for sizes in ([1e200, 1e200, 1e-200, 1e-200], [1e-200, 1e-200, 1e200, 1e300],
                  [1e300, 1e-300, 1e250, 1e-249], [1e-300, 1e200, 1e200, 1e200]):  # fmt: skip
        wanted = np.exp(np.log(sizes).sum())
        for order in ([0, 1, 2, 3], [3, 1, 2, 0], [2, 0, 3, 1]):
            np.testing.assert_allclose(det(np.diag(np.array(sizes)[order]), right), wanted)
    assert det(np.diag([1e200, 1e200, 1.0, 1.0]), right) == np.inf
    assert det(np.diag([1e200, 1e200, 1e200, 0.0]), right) == 0


def test_tiny_pivots_of_a_vector_do_not_overflow():
    solve, _ = pair("solve_vector", 2)
    b = np.array([[1e-310, 0], [2e-310, 0]])
    np.testing.assert_array_equal(solve(np.eye(2) * 1e-310, b), [1.0, 2.0])


def test_a_batch_tells_which_matrix_has_no_answer():
    a = T.tensor("a", "float64", shape=(3, 2, 2))
    values = np.random.default_rng(0).normal(size=(3, 2, 2))
    f = function([a], [T.nlinalg.matrix_inverse(a), T.nlinalg.det(a)])
    assert not decompositions(f)
    for found, wanted in zip(
        f(values), (np.linalg.inv(values), np.linalg.det(values)), strict=True
    ):
        np.testing.assert_allclose(found, wanted)
    values[1:] = 1
    with pytest.raises(np.linalg.LinAlgError, match=r"singular \(matrix 1 of the batch\)"):
        f(values)


def test_a_triangle_tells_its_first_zero():
    a, b = matrix(3, 3), T.tensor("b", "float64", shape=(3,))
    for lower in (True, False):
        f = function([a, b], T.slinalg.solve_triangular(a, b, lower=lower))
        value = np.diag([1.0, 0.0, 0.0])
        with pytest.raises(np.linalg.LinAlgError, match="its diagonal is zero at 1"):
            f(value, np.ones(3))


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_errors_in_loops_name_the_iteration(mode):
    a = T.tensor("a", "float64", shape=(None, 2, 2))
    factors, _ = scan(lambda x, last: T.dot(last, T.slinalg.cholesky(x)), a, T.eye(2))
    f = function([a], factors, mode=mode)
    values = np.stack([np.eye(2) * k for k in range(1, 6)])
    np.testing.assert_allclose(f(values)[-1], np.eye(2) * np.sqrt(120))
    values[3, 1, 0] = 7
    message = r"not positive definite(?s:.*)in iteration 3 of Scan"
    with pytest.raises(np.linalg.LinAlgError, match=message):
        f(values)


def test_a_branch_that_is_not_taken_reports_nothing():
    a, c = matrix(2, 2), T.bscalar("c")
    f = function([c, a], ifelse(c, T.nlinalg.matrix_inverse(a), a))
    np.testing.assert_array_equal(f(0, np.ones((2, 2))), np.ones((2, 2)))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        f(1, np.ones((2, 2)))


def test_nothing_is_updated_if_there_is_no_answer():
    p = shared(np.eye(3), name="p", shape=(3, 3))
    a = matrix(3, 3)
    f = function([a], [], updates=[(p, T.dot(p, T.nlinalg.matrix_inverse(a)))])
    f(2 * np.eye(3))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        f(np.ones((3, 3)))
    np.testing.assert_array_equal(p.get_value(), np.eye(3) / 2)


def test_what_is_known_of_a_matrix_saves_operations():
    x, y, z = T.dscalars("x", "y", "z")
    a = T.stack([T.stack([x, 0.0, 0.0]), T.stack([y, z, 0.0]), T.stack([0.0, y, 2.0])])
    f = function([x, y, z], T.nlinalg.det(a), mode="INTERPRET")
    g = function([x, y, z], T.nlinalg.matrix_inverse(a)[2], mode="INTERPRET")
    values = 3.0, 2.0, 0.5
    whole = np.array([[3, 0, 0], [2, 0.5, 0], [0, 2, 2]])
    np.testing.assert_allclose(f(*values), 3)
    np.testing.assert_allclose(g(*values), np.linalg.inv(whole)[2])
    assert len(f.graph.nodes) < 80
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        g(3.0, 0.0, 0.0)


def test_a_matrix_that_is_always_singular():
    x = T.dscalar("x")
    a = T.stack([T.stack([x, 0.0]), T.stack([x, 0.0])])
    f = function([x], T.nlinalg.matrix_inverse(T.dot(a, T.eye(2))))
    with pytest.raises(np.linalg.LinAlgError, match="singular"):
        f(1.0)


def test_lengths_that_are_larger_or_unknown_stay_calls():
    for a in (matrix(7, 7), T.dmatrix("a")):
        assert decompositions(function([a], T.nlinalg.matrix_inverse(a), mode=Mode(linker="py")))
    for n, kept in ((4, True), (5, False)):
        a, b = matrix(n, n), matrix(n, 2, "b")
        assert is_decomposed(T.nlinalg.matrix_inverse(a).owner) is kept
        assert is_decomposed(T.slinalg.solve(a, b).owner) is kept
    b = matrix(6, 1, "b")
    assert is_decomposed(T.slinalg.solve(matrix(6, 6), b).owner)
    assert is_decomposed(T.nlinalg.det(matrix(6, 6)).owner)
    assert is_decomposed(T.nlinalg.matrix_inverse(matrix(6, 6, "a", "complex64")).owner)
    assert not is_decomposed(Cofactors()(matrix(4, 4)).owner)
    assert not is_decomposed(T.dot(matrix(2, 2), matrix(2, 2)).owner)


def test_decompositions_stay_calls_where_a_group_is_too_long(monkeypatch):
    a = matrix(4, 4)
    result = T.dot(T.nlinalg.matrix_inverse(T.dot(a, a)), a)
    monkeypatch.setattr(unrolled_groups, "_OPERATIONS", 250)
    f = function([a], result, mode=Mode(linker="py"))
    assert [op.called for op in decompositions(f)] == ["matrix_inverse"]
    assert not any("Dot" in type(node.op).__name__ for node in f.graph.nodes)
    value = np.random.default_rng(0).normal(size=(4, 4))
    np.testing.assert_allclose(f(value), np.linalg.inv(value), rtol=1e-9, atol=1e-9)


GRADIENTS = {
    "inverse": lambda a, b: T.sqr(T.nlinalg.matrix_inverse(a)).sum(),
    "det": lambda a, b: T.nlinalg.det(a),
    "logdet": lambda a, b: T.nlinalg.slogdet(a)[1],
    "solve": lambda a, b: T.sqr(T.slinalg.solve(a, b)).sum(),
    "triangular": lambda a, b: T.sqr(T.slinalg.solve_triangular(a, b, lower=True)).sum(),
    "cholesky": lambda a, b: T.sqr(T.slinalg.cholesky(a)).sum() + T.slinalg.cholesky(a).sum(),
}


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients(name, n):
    a, b = matrix(n, n), matrix(n, 2, "b")
    cost = GRADIENTS[name](a, b)
    f = function([a, b], [cost, grad(cost, a)], on_unused_input="ignore")
    rng = np.random.default_rng(n)
    value, right = rng.normal(size=(n, n)), rng.normal(size=(n, 2))
    value = value @ value.T + np.eye(n)
    slope = f(value, right)[1]
    for index in np.ndindex(n, n):
        step = np.zeros((n, n))
        step[index] = 1e-6
        wanted = (f(value + step, right)[0] - f(value - step, right)[0]) / 2e-6
        np.testing.assert_allclose(slope[index], wanted, rtol=2e-6, atol=1e-7)


def test_what_is_checked_is_the_number_itself():
    x = T.dscalar("x")
    op = RequireAnswer("there is none\n  at a line")
    assert str(op) == "RequireAnswer{there is none}"
    f = function([x], op(x, x > 0) * 2)
    assert f(3.0) == 6
    with pytest.raises(np.linalg.LinAlgError, match="there is none"):
        f(-1.0)
