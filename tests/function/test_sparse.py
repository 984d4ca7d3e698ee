"""Functions with sparse inputs and outputs: arguments, updates, givens, errors, and all modes."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import In, Lop, Out, Rop, config, function, grad, printing, shared, sparse as S
from symtheano.errors import MisfitError, MissingInputError, ShapeError, UnusedInputError
from tests.sparse.harness import random_sparse, same

pytestmark = pytest.mark.needs_cc

MODES = ("FAST_RUN", "FAST_COMPILE", "INTERPRET")
A, B = random_sparse(1), random_sparse(2)


# -- arguments and results -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_forms_of_outputs(mode: str) -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    same(function([x], x * 2, mode=mode)(A), A * 2)
    several = function([x, d], [x, d + 1, S.dot(x, d)], mode=mode)(A, np.eye(4))
    assert isinstance(several, list)
    same(several[0], A)
    np.testing.assert_array_equal(several[1], np.eye(4) + 1)
    np.testing.assert_allclose(several[2], A.toarray())
    named = function([x, d], {"s": Out(x, borrow=True), "t": x.toarray() + d}, mode=mode)
    found = named(A, d=np.ones(A.shape))
    assert list(found) == ["s", "t"]
    same(found["s"], A)
    np.testing.assert_allclose(found["t"], A.toarray() + 1)
    assert function([x], [], mode=mode, on_unused_input="ignore")(A) == []
    same(function([], S.as_sparse(A) * 2, mode=mode)(), A * 2)


@pytest.mark.parametrize("mode", MODES)
def test_arguments(mode: str) -> None:
    x, y, n = S.csr_matrix("x"), S.csr_matrix("y"), T.dscalar("n")
    f = function([x, In(y, value=B), In(n, value=2.0, name="factor")], x + y * n, mode=mode)
    same(f(A), A + B * 2)
    same(f(A, factor=3), A + B * 3)
    same(f(y=A, x=B), B + A * 2)
    same(f(A.tocsc(), A.toarray()), A + A * 2)
    same(f(scipy.sparse.coo_array(A), A.astype("int8")), A + A.astype("int8").astype("float64") * 2)
    f[y] = A
    same(f(A), A * 3)
    assert y in f
    assert x not in f
    strict = function([In(x, strict=True)], x * 2, mode=mode)
    same(strict(A), A * 2)
    with pytest.raises(MisfitError, match=r"strict .* got a csc matrix"):
        strict(A.tocsc())
    f.trust_input = True
    with pytest.raises(MisfitError, match="got a csc matrix"):
        f(A.tocsc())
    single = S.csr_fmatrix("single")
    cast = function([single], single, mode=mode, allow_input_downcast=True)
    same(cast(A), A.astype("float32"))


@pytest.mark.parametrize("mode", MODES)
def test_inputs_that_keep_their_values(mode: str) -> None:
    x, d = S.csr_matrix("x"), T.vector("d")
    f = function([In(x, value=A, update=x * 2)], x, mode=mode)
    for factor in (1, 2, 4):
        same(f(), A * factor)
    same(f(B), B)
    same(f(), B * 2)
    same(f["x"], B * 4)
    hidden = function([In(x, value=A, implicit=True), d], S.dot(x, d), mode=mode)
    np.testing.assert_allclose(hidden(np.ones(4)), A.sum(1).A1)
    hidden["x"] = B.tocsc()
    np.testing.assert_allclose(hidden(np.ones(4)), B.sum(1).A1)
    other = function([In(x, value=f.container[x])], x, mode=mode)
    f[x] = A
    same(other(), A)


def test_errors_of_calls() -> None:
    x, v = S.csr_matrix("x"), T.vector("v")
    f = function([x, v], S.dot(x, v), name="product")
    with pytest.raises(TypeError, match=r"function product takes 2 inputs \(x, v\), got 1"):
        f(A)
    with pytest.raises(TypeError, match=r"takes 2 inputs .* got 5"):
        f(A.data, A.indices, A.indptr, 4, np.ones(4))
    with pytest.raises(TypeError, match="has no input named 'z'"):
        f(A, z=1)
    with pytest.raises(MisfitError, match="function product: bad value for input x: ") as caught:
        f([[1.0]], np.ones(4))
    assert "give a matrix of scipy.sparse" in str(caught.value)
    assert "test_sparse.py" in str(caught.value)
    with pytest.raises(MisfitError, match="bad value for input v"):
        f(A, "word")
    with pytest.raises(ShapeError, match="sparse dot: the inner lengths are 4 and 7"):
        f(A, np.ones(7))
    broken = A.copy()
    broken.indptr[1] = 9
    with pytest.raises(MisfitError, match=r"bad value for input x: .* indptr does not rise"):
        f(broken, np.ones(4))


def test_errors_of_function() -> None:
    x, y, d = S.csr_matrix("x"), S.csr_matrix("y"), T.matrix("d")
    w = S.shared(A, "w")
    with pytest.raises(MissingInputError, match="x is needed but is not an input"):
        function([], x * 2)
    with pytest.raises(UnusedInputError, match="input y is not used"):
        function([x, y], x * 2)
    with pytest.raises(TypeError, match="the shared variable w can't be an input"):
        function([w], w)
    with pytest.raises(NotImplementedError, match="can't be a computed sparse matrix"):
        function([S.sin(x)], d)
    cases: list[tuple[Any, Any, str]] = [
        (w, S.to_format(w, "csc"), r"to_format\(update, 'csr'\)"),
        (w, w.toarray(), r"csr_from_dense\(update\)"),
        (w, S.cast(w, "float32"), r"update.astype\('float64'\)"),
        (shared(np.ones((2, 2)), "v"), w, r"update.toarray\(\)"),
    ]
    for target, new, hint in cases:
        with pytest.raises(TypeError, match="another type than the variable") as caught:
            function([], [], updates=[(target, new)])
        assert "test_sparse.py" in str(caught.value)
        caught.match(hint)


# -- shared variables and updates ----------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_updates(mode: str) -> None:
    w, n = S.shared(A, "w"), shared(0.0, "n")
    step = function([], [w, n], updates={w: w * 2, n: n + S.sp_sum(w)}, mode=mode)
    assert step.shared == step.get_shared() == [w, n]
    for turn in range(3):
        old, count = step()
        same(old, A * 2**turn)
        np.testing.assert_allclose(count, A.sum() * (2**turn - 1))
    same(w.get_value(), A * 8)
    same(step["w"], A * 8)
    step[w] = B.tocsc()
    same(w.get_value(), B)
    same(function([], w, mode=mode)(), B)


@pytest.mark.parametrize("mode", MODES)
def test_updates_that_change_the_structure(mode: str) -> None:
    w, v = S.shared(A, "w"), S.shared(B, "v")
    x = S.csr_matrix("x")
    function([x], [], updates=[(w, w + x), (v, w)], mode=mode)(B)
    same(w.get_value(), A + B)
    same(v.get_value(), A)
    function([], [], updates=[(w, v), (v, w)], mode=mode)()
    same(w.get_value(), A)
    same(v.get_value(), A + B)
    function([], [], updates={w: B, v: S.csr_from_dense(np.eye(3))}, mode=mode)()
    same(w.get_value(), B)
    same(v.get_value(), scipy.sparse.csr_matrix(np.eye(3)))


@pytest.mark.parametrize("mode", MODES)
def test_a_call_that_fails_changes_nothing(mode: str) -> None:
    w, n = S.shared(A, "w"), shared(np.zeros(3), "n")
    x, d, i = S.csr_matrix("x"), T.vector("d"), T.lscalar("i")
    f = function([x, d, i], n[i], updates={w: w + x, n: n + d}, mode=mode)
    bad: list[tuple[Any, Any, int]] = [(B.T, np.ones(3), 0), (B, np.ones(2), 0), (B, np.ones(3), 7)]
    for args in bad:
        with pytest.raises((ShapeError, IndexError)):
            f(*args)
        same(w.get_value(), A)
        np.testing.assert_array_equal(n.get_value(), np.zeros(3))
    f(B, np.ones(3), 0)
    same(w.get_value(), A + B)
    np.testing.assert_array_equal(n.get_value(), np.ones(3))


def test_default_updates_and_lent_values() -> None:
    w = S.shared(A, "w")
    w.default_update = w * 2
    x = S.csr_matrix("x")
    function([x], w + x)(B)
    same(w.get_value(), A * 2)
    function([x], w + x, no_default_updates=True)(B)
    same(w.get_value(), A * 2)
    twin = w.clone("twin")
    twin.set_value(B)
    same(w.get_value(), B)
    mine = B.copy()
    w.set_value(mine, borrow=True)
    result = function([], w, no_default_updates=True)()
    result.data[:] = 0
    same(w.get_value(), B)
    kept = w.get_value()
    function([], [], updates={w: w * 2})()
    same(kept, B)


def test_readers_see_whole_matrices() -> None:
    """Each of three threads sees the one or the other matrix, never parts of both."""
    small, large = (scipy.sparse.csr_matrix(np.full((60, n), float(n))) for n in (20, 50))
    w, v = S.shared(small, "w"), S.shared(large, "v")
    swap = function([], [], updates=[(w, v), (v, w)])
    total = function([], S.sp_sum(w))
    wanted = {float(small.sum()), float(large.sum())}
    wrong: list[Any] = []

    def read() -> None:
        for _ in range(150):
            found = w.get_value()
            if {float(found.sum()), float(total())} - wanted or len(found.data) != found.indptr[-1]:
                wrong.append(found)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for thread in readers:
        thread.start()
    for _ in range(151):
        swap()
    for thread in readers:
        thread.join()
    assert wrong == []
    same(w.get_value(), large)
    same(v.get_value(), small)


# -- givens --------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_givens(mode: str) -> None:
    x, y, d = S.csr_matrix("x"), S.csr_matrix("y"), T.matrix("d")
    w = S.shared(B, "w")
    cases: list[tuple[Any, list[Any], list[Any], Any]] = [
        (y, [y], [B], B),
        (w, [], [], B),
        (A, [], [], A),
        (A.toarray(), [], [], A),
        (y + w, [y], [A], A + B),
        (S.csr_from_dense(d), [d], [B.toarray()], B),
    ]
    for new, inputs, args, want in cases:
        f = function(inputs, [x * 2, S.sp_sum(x)], givens={x: new}, mode=mode)
        double, total = f(*args)
        same(double, want * 2)
        np.testing.assert_allclose(total, want.sum())


def test_errors_of_givens() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    for new, hint in (
        (d, "csr_from_dense"),
        (A.tocsc(), r"to_format\(given, 'csr'\)"),
        (S.csr_matrix("y", "int8"), "astype"),
    ):
        with pytest.raises(
            TypeError, match="givens replace x by a value of another type"
        ) as caught:
            function([d], x * 2, givens={x: new}, on_unused_input="ignore")
        caught.match(hint)
    y = S.sin(x)
    with pytest.raises(
        NotImplementedError,
        match="a variable that givens replace can't be a computed sparse matrix",
    ):
        function([x], y + y, givens={y: x})


# -- other features of functions -----------------------------------------------------------------


def test_copies() -> None:
    w, v = S.shared(A, "w"), S.shared(B, "v")
    f = function([], w, updates={w: w * 2})
    same(f.copy(swap={w: v})(), B)
    same(v.get_value(), B * 2)
    same(w.get_value(), A)
    same(f.copy(delete_updates=True)(), A)
    same(w.get_value(), A)
    with pytest.raises(TypeError, match="can only be swapped for a shared variable of its type"):
        f.copy(swap={w: S.shared(A.tocsc())})


@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_pickles(mode: str) -> None:
    w, x, n = S.shared(A, "w"), S.csr_matrix("x"), shared(1.0, "n")
    f = function(
        [In(x, value=B, update=x * 2)], [w + x, n], updates={w: w * 2, n: n + 1}, mode=mode
    )
    f()
    twin = pickle.loads(pickle.dumps(f))
    for made in (twin, f):
        total, count = made()
        same(total, A * 2 + B * 2)
        assert count == 2
        same(made["w"], A * 4)
        same(made["x"], B * 4)


def test_what_it_shows() -> None:
    w, x = S.shared(A, "w"), S.csr_matrix("x")
    f = function([x], S.dot(x, w.T), updates={w: w * 2}, name="shown", profile=True)
    f(B)
    assert f.inputs == [x]
    assert repr(f) == "<function shown: 1 input; c, fast_run>"
    assert "shown" in f.c_source
    assert f.profile.calls == 1
    text = printing.debugprint(f, file="str")
    assert "x.indices" in text
    assert [target.name for target, _ in f.updates] == [
        "w.data", "w.indices", "w.indptr", "w.columns",
    ]  # fmt: skip
    f.free()
    f.wait()
    np.testing.assert_allclose(f(B), (B @ (A * 2).T).toarray())


def test_compiled_in_the_background() -> None:
    x = S.csr_matrix("x")
    with config.change_flags(first_tier="interpreter"):
        f = function([x], S.structured_exp(x * 3.0) - x)
    want = (A * 3.0)._with_data(np.exp((A * 3.0).data)) - A
    same(f(A), want)
    f.wait()
    same(f(A), want)
    assert f.c_source is not None


def test_eval() -> None:
    x, w = S.csr_matrix("x"), S.shared(A, "w")
    same((x + w).eval({x: B}), A + B)
    same((x + w).eval({"x": A}), A * 2)
    np.testing.assert_allclose(S.dot(w, np.ones(4)).eval(), A.sum(1).A1)


def test_gradients_with_given_directions() -> None:
    w, x, v = S.shared(A, "w"), S.csr_matrix("x"), np.arange(4.0)
    y = w * 3.0
    slope = grad(None, w, known_grads={y: x})
    same(function([x], slope)(A), A * 3)
    same(function([], Lop(y, w, A))(), A * 3)
    same(function([], Rop(y, w, S.as_sparse(A)))(), A * 3)
    np.testing.assert_allclose(Rop(S.dot(w, v), w, A).eval(), A @ v)
    apart = grad(T.dscalar("s") * 2, w, disconnected_inputs="ignore").eval()
    same(apart, A * 0)
    same(function([], grad(S.sp_sum(y, sparse_grad=True), y))(), (A != 0).astype("float64"))
    same(
        function([], grad(S.sp_sum(y + w, sparse_grad=True), w, [y]))(), (A != 0).astype("float64")
    )
    z = S.sin(w)
    for refused in (lambda: grad(S.sp_sum(z), z), lambda: grad(S.sp_sum(z), w, [z])):
        with pytest.raises(NotImplementedError, match="can't be a computed sparse matrix"):
            refused()


def test_dense_programs_load_nothing_sparse() -> None:
    program = (
        "import sys, symtheano as s, symtheano.tensor as T; x = T.vector('x'); "
        "w = s.shared(1.0); y = (x * w).sum(); "
        "f = s.function([s.In(x, value=[1.0])], s.Out(s.grad(y, x)), updates={w: w + 1}, "
        "givens={w: w * 2}); f(); "
        "print([name for name in sys.modules if 'sparse' in name])"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stdout.strip(), result.stderr) == (0, "[]", "")


def test_shared_of_a_scipy_matrix_is_sparse() -> None:
    matrix = scipy.sparse.csc_matrix([[0.0, 2.0]])
    w = shared(matrix, "w", borrow=True)
    assert isinstance(w, S.SparseSharedVariable)
    assert (w.name, w.type.format) == ("w", "csc")
    same(w.get_value(), matrix)
