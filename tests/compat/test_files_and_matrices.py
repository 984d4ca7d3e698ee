"""Arrays from files, shared sparse matrices, and draws of sparse matrices."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import scipy.sparse


def test_arrays_are_read_in_calls(theano: ModuleType, tmp_path: Path) -> None:
    file, tensor = tmp_path / "x.npy", theano.tensor
    np.save(file, np.arange(5, dtype="int32"))
    path = theano.gof.Variable(theano.gof.Generic())
    twice = theano.function([path], tensor.load(path, "int32", (False,)) * 2)
    assert twice(str(file)).tolist() == [0, 2, 4, 6, 8]
    mapped = tensor.load(str(file), "int32", (False,), mmap_mode="c")
    assert theano.function([], mapped)().tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(TypeError, match="has int32, not float64"):
        theano.function([path], tensor.load(path, "float64", (False,)))(str(file))
    with pytest.raises(ValueError, match="several arrays"):
        twice("x.npz")
    with pytest.raises(ValueError, match="'r'"):
        tensor.load(path, "int32", (False,), "r")


def test_sparse_shared_variables(theano: ModuleType) -> None:
    sparse = importlib.import_module("theano.sparse")
    for shared in (theano.shared, sparse.shared):
        w = shared(scipy.sparse.csc_matrix(np.eye(3)), "w")
        f = theano.function([], w[1:], updates=[(w, w * 2)])
        assert f().toarray().tolist() == [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        assert w.get_value().toarray().trace() == 6
    with pytest.raises(TypeError):
        sparse.shared(np.eye(3))


def test_draws_of_sparse_matrices(theano: ModuleType) -> None:
    sp2 = importlib.import_module("theano.sparse.sandbox.sp2")
    sparse, tensor = importlib.import_module("theano.sparse"), theano.tensor
    x, n, shape = sparse.csr_matrix("x"), tensor.lscalar("n"), tensor.lvector("shape")
    p = scipy.sparse.csr_matrix([[0.0, 1.0], [0.5, 0.5]])
    counts = theano.function([n, x], sp2.multinomial(n, x))(5, p)
    assert counts.toarray().sum(axis=1).tolist() == [5.0, 5.0]
    assert counts[0, 1] == 5
    with pytest.raises(ValueError, match="3 numbers of trials for 2 rows"):
        theano.function([x], sp2.multinomial(np.ones(3, "int64"), x))(p)
    means = theano.function([x], sp2.poisson(x))(p)
    assert means.shape == p.shape
    assert (means.data == np.floor(means.data)).all()
    drawn = theano.function([n, shape], sp2.csc_fbinomial(n, 1.0, shape))(4, [2, 3])
    assert drawn.format == "csc"
    assert drawn.dtype == "float32"
    assert (drawn.toarray() == 4).all()
    with pytest.raises(NotImplementedError, match="format csr"):
        sp2.multinomial(n, sparse.csc_matrix())
    with pytest.raises(TypeError, match="Binomial"):
        sp2.csr_dbinomial(0.5, 0.5, shape)


def test_ops_of_values_are_no_methods(theano: ModuleType) -> None:
    nlinalg = importlib.import_module("theano.tensor.nlinalg")

    class Holder:
        op = nlinalg.eig

    m = theano.tensor.matrix("m")
    values, _ = theano.function([m], Holder().op(m))(np.diag([1.0, 2.0]))
    assert values.tolist() == [1.0, 2.0]
    assert isinstance(Holder().op(m)[0].owner.op, nlinalg.Eig)


def test_eigenvalues_of_one_matrix(theano: ModuleType) -> None:
    eigvalsh = importlib.import_module("theano.tensor.slinalg").eigvalsh
    m, none = theano.tensor.matrix("m"), theano.tensor.NoneConst
    assert theano.function([m], eigvalsh(m, none))(np.diag([2.0, 1.0])).tolist() == [1.0, 2.0]
