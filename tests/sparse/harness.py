"""Functions with sparse ends, and the comparison with SciPy that all sparse tests make."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy.sparse

from symtheano import function
from symtheano.sparse.type import is_sparse
from tests.support.compare import ORACLE, assert_same, count

FORMATS = ("csr", "csc")
CLASSES = {"csr": scipy.sparse.csr_matrix, "csc": scipy.sparse.csc_matrix}


def compiled(inputs: Sequence[Any], outputs: Any, **options: Any) -> Any:
    """Return a function in C, none of whose ops runs as Python."""
    made = function(inputs, outputs, on_unused_input="ignore", **options)
    assert made.c_source is not None, "no C was made"
    assert made.lowered.python == []
    return made


def interpreted(inputs: Sequence[Any], outputs: Any, **options: Any) -> Any:
    """Return the same on the interpreter, without rewriting."""
    return function(inputs, outputs, mode=ORACLE, on_unused_input="ignore", **options)


def check(
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    calls: Sequence[Sequence[Any]],
    reference: Callable[..., Sequence[Any]] | None = None,
    *,
    c: bool = True,
) -> None:
    """Compare the interpreter's results with SciPy's, and those of C, made dense, with them."""
    outputs = list(outputs)
    f = interpreted(inputs, outputs)
    dense = [item.toarray() if is_sparse(item) else item for item in outputs]
    g = compiled(inputs, dense) if c else None
    for args in calls:
        want = f(*args)
        if reference is not None:
            for number, (mine, its) in enumerate(zip(want, reference(*args), strict=True)):
                same(mine, its, f"output {number} against SciPy")
        for number, (mine, its) in enumerate(zip(g(*args) if g else [], want, strict=bool(g))):
            its = its.toarray() if scipy.sparse.issparse(its) else its
            same(mine, its, f"output {number} of C against the interpreter")
        count("sparse", len(want))


def check_sparse(inputs: Sequence[Any], output: Any, calls: Sequence[Sequence[Any]]) -> None:
    """Compare one sparse result of C with the interpreter's, component by component."""
    f, g = interpreted(inputs, output), compiled(inputs, output)
    for args in calls:
        want, got = f(*args), g(*args)
        same(got, want)
        for name in ("indices", "indptr"):
            np.testing.assert_array_equal(getattr(got, name), getattr(want, name))
        count("sparse", 1)


def same(got: Any, want: Any, what: str = "") -> None:
    """Fail unless two matrices or arrays are of one kind, dtype and shape and about equal."""
    assert scipy.sparse.issparse(got) == scipy.sparse.issparse(want), what
    if scipy.sparse.issparse(want):
        assert got.format == want.format, what
        valid(got)
        got, want = got.toarray(), want.toarray()
    want = np.asarray(want)
    assert_same(got, want, 1e-5 if want.dtype in ("float32", "complex64") else 1e-12, what)


def valid(matrix: Any) -> None:
    """Fail unless a SciPy matrix is in order: bounds of indices, starts that rise, int32."""
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
    matrix.check_format(full_check=True)


def random_sparse(
    seed: int,
    shape: tuple[int, int] = (5, 4),
    format: str = "csr",
    dtype: str = "float64",
    density: float = 0.4,
) -> Any:
    """Return moderate random numbers at random places; some rows and columns are empty."""
    random = np.random.default_rng(seed)
    values = random.uniform(0.5, 4, shape) * random.choice([-1, 1], shape)
    if dtype.startswith("complex"):
        values = values + 1j * random.uniform(-4, 4, shape)
    if dtype[0] == "u" or dtype == "bool":
        values = np.abs(values) + 1
    values = np.where(random.uniform(size=shape) < density, values, 0)
    if shape[0] > 2:
        values[1] = 0
    dense = values.astype(dtype)
    return CLASSES[format](dense)


def shuffled(matrix: Any, seed: int = 0) -> Any:
    """Return a matrix with the elements of each row or column stored in random order."""
    random = np.random.default_rng(seed)
    data, indices = matrix.data.copy(), matrix.indices.copy()
    for first, last in zip(matrix.indptr[:-1], matrix.indptr[1:], strict=True):
        order = first + random.permutation(last - first)
        data[first:last], indices[first:last] = matrix.data[order], matrix.indices[order]
    made = type(matrix)((data, indices, matrix.indptr.copy()), shape=matrix.shape)
    made.has_sorted_indices = False
    return made


def doubled(matrix: Any) -> Any:
    """Return a matrix that stores each element twice, in two halves, out of order."""
    data = np.repeat(matrix.data / 2, 2)
    made = type(matrix)((data, np.repeat(matrix.indices, 2), matrix.indptr * 2), shape=matrix.shape)
    return shuffled(made)


def samples(format: str, dtype: str = "float64") -> list[tuple[Any, Any]]:
    """Return pairs of matrices of one shape: ordinary, out of order, doubled, empty, of size 0."""
    ordinary = random_sparse(1, format=format, dtype=dtype)
    other = random_sparse(2, format=format, dtype=dtype)
    pairs = [
        (ordinary, other),
        (shuffled(ordinary), shuffled(other, 3)),
        (other, (other * 0).astype(dtype)),
    ]
    shapes = [(0, 4), (5, 0), (0, 0), (1, 1), (3, 3)]
    pairs += [(CLASSES[format](shape, dtype=dtype),) * 2 for shape in shapes]
    return [*pairs, (doubled(ordinary), shuffled(other))] if dtype == "float64" else pairs
