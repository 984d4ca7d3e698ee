"""Loops in order over segments, such as those of a transposed sparse product, on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import config, grad, sparse
from symtheano.codegen.passes.cuda.segment_elements import find_segment_elements
from symtheano.loopir import For, Index, Kernel, Value
from symtheano.sparse.compressed import columns_dot
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program, emulated
from tests.cuda_programs import counts

pytestmark = pytest.mark.needs_cxx

data, dense, v = T.dvector("data"), T.dmatrix("dense"), T.dvector("v")
indices, starts, columns = T.ivector("indices"), T.ivector("starts"), T.lscalar("columns")


def structure(rows: int, width: int, most: int) -> list[np.ndarray[Any, Any]]:
    """Return data, indices and starts of a matrix; rows have up to so many elements."""
    rng = np.random.default_rng(rows)
    lengths = rng.integers(0, most + 1, rows)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype("int32")
    count = int(starts[-1])
    return [
        rng.normal(size=count),
        rng.integers(0, max(1, width), count).astype("int32"),
        starts,
    ]


@pytest.mark.parametrize(
    ("rows", "width", "most"), [(0, 3, 4), (1, 1, 0), (40, 7, 6), (3, 90, 300), (300, 2, 3)]
)
def test_transposed_products(rows: int, width: int, most: int) -> None:
    """A vector and a matrix; rows without elements, and with many."""
    own, places, bounds = structure(rows, width, most)
    rng = np.random.default_rng(1)
    for factor, given in ((v, rng.normal(size=rows)), (dense, rng.normal(size=(rows, 5)))):
        inputs = [data, factor, indices, starts, columns]
        y = columns_dot(data, factor, indices, starts, columns)
        arrays = [own, given, places, bounds, width]
        assert_emulated(inputs, y, arrays)


def test_arrays_that_are_parts_of_others() -> None:
    """What comes after the elements of all segments is no element."""
    own, places, bounds = structure(50, 9, 8)
    inputs = [data, dense, indices, starts, columns]
    y = columns_dot(data[:-40], dense, indices[:-40], starts, columns)
    given = np.random.default_rng(2).normal(size=(50, 3))
    longer = [np.append(each, np.full(40, 5, each.dtype)) for each in (own, places)]
    with config.change_flags(device_atomics=True):
        in_any_order = emulated(inputs, y)
    assert_emulated(inputs, y, [longer[0], given, longer[1], bounds, 9])
    wanted = np.zeros((9, 3))
    np.add.at(wanted, places, own[:, None] * given[np.repeat(np.arange(50), np.diff(bounds))])
    result = in_any_order(longer[0], given, longer[1], bounds, 9)
    np.testing.assert_allclose(result, wanted, rtol=1e-10, atol=1e-10)


def test_threads_share_out_elements() -> None:
    """What was one thread, or one for each column, are many blocks."""
    for factor in (v, dense):
        y = columns_dot(data, factor, indices, starts, columns)
        program = cuda_program([data, factor, indices, starts, columns], y)
        found = counts(program)
        assert (found.long, found.serial) == ((), 0)
        assert "ColumnsDot: segments of rows" in {kernel.title for kernel in program.kernels}


def test_gradients_of_sparse_products() -> None:
    matrix, weights = sparse.csr_matrix("matrix", dtype="float64"), T.dmatrix("weights")
    gradient = grad(T.sqr(sparse.dot(matrix, weights)).sum(), weights)
    own, places, bounds = structure(30, 8, 5)
    given = scipy.sparse.csr_matrix((own, places, bounds), shape=(30, 8))
    assert_emulated([matrix, weights], gradient, [given, np.ones((8, 3))])


def test_other_loops_are_not() -> None:
    loop = For(Value("i", "int64"), Index.of(0), Index.symbol("n"), (), "serial")
    assert find_segment_elements(Kernel("kernel", "other", (loop,), (), ())) is None
