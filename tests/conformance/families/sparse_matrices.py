"""Sparse matrices, made of dense ones or of their stored elements, and made dense in the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from symtheano import dtypes
from tests.conformance.draws import Array, Draw, Sizes, number, position, within
from tests.conformance.row import Arg, Row

X = "sparse.csr_from_dense(x)", "sparse.csc_from_dense(x)"
Y = "sparse.csr_from_dense(y)", "sparse.csc_from_dense(y)"
STORED = {
    "csr": "sparse.CSR(v, [0, 2, 3, 1, 0], [0, 2, 2, 5], (3, 4))",
    "csc": "sparse.CSC(v, [0, 2, 1, 2, 0], [0, 2, 2, 5, 5], (3, 4))",
}
"""Matrices of five elements at different positions, some of them out of order."""
EXACT, INEXACT = "biuFc", "Fc"


def few(draw: Draw) -> Draw:
    """Return a draw with zeros in about half of the places."""

    def drawn(random: np.random.Generator, dtype: str, shape: list[int], sizes: Sizes) -> Array:
        made = draw(random, dtype, shape, sizes)
        return np.where(random.uniform(size=shape) < 0.5, made, np.zeros((), made.dtype))

    return drawn


def away(random: np.random.Generator, dtype: str, shape: list[int], sizes: Sizes) -> Array:
    """Return numbers of absolute value above 1/2."""
    made = number(random, dtype, shape, sizes)
    if dtypes.is_discrete(dtype):
        return np.where(made == 0, np.ones((), made.dtype), made)
    return np.asarray(made + np.sign(made.real) / 2, made.dtype)


SPARSE = Arg("n m", draw=few(number))
DENSE = Arg("n m")


def of(results: str, matrix: str) -> str:
    """Return the text of results of a matrix ``s``."""
    return f"(lambda s: [{results}])({matrix})"


def made(names: Iterable[str], more: str = "") -> str:
    """Return the text of functions of ``s``, made dense."""
    return ", ".join(f"sparse.{name}(s{more}).toarray()" for name in names)


def both(
    results: str,
    letters: str,
    draw: Draw = number,
    formats: tuple[int, ...] = (0, 1),
    slack: float = 1,
    slope: bool = True,
    edges: bool = True,
) -> Iterator[Row]:
    """Yield rows of results of a sparse matrix ``s``: of dense ones, and of stored elements.

    Finite differences are compared only where elements are stored whatever their values are.
    """
    for at in formats:
        args = {"x": Arg("n m", draw=few(draw))}
        yield Row(of(results, X[at]), args, letters, slope=False, slack=slack, edges=edges)
    args = {"v": Arg("5", draw=draw)}
    yield Row(of(results, STORED["csr"]), args, "D", slope=slope, slack=slack, edges=edges)
    yield Row(of(results, STORED["csc"]), args, "F", slope=slope, slack=slack, edges=edges)


ELEMENTWISE = [
    *both(made(["sin", "tan", "sinh", "tanh", "expm1"]), INEXACT, within(-1.4, 1.4), slack=10),
    *both(made(["arcsin", "arctanh", "log1p", "arcsinh", "arctan"]), INEXACT,
          within(-0.9, 0.9), slack=10),
    *both(made(["sqrt", "structured_log", "structured_exp"]), INEXACT, within(0.3, 4), slack=10),
    *both(made(["deg2rad", "rad2deg", "structured_sigmoid"]), "F", away),
    *both(made(["ceil", "floor", "trunc", "rint"]), "F", slope=False),
    *both(made(["sgn"]), "iF", slope=False), *both(made(["structured_abs"]), "iF", away),
    *both(made(["sqr", "conj", "neg"]) + ", (-s).toarray(), s.conj().toarray()", "iuFc"),
    *both(made(["sp_ones_like", "sp_zeros_like"]) + ", s.zeros_like().toarray()", "iuFc",
          slope=False),
    *both("sparse.structured_pow(s, 2).toarray(), sparse.structured_add(s, 1).toarray()", "iFc"),
    *both("sparse.structured_minimum(s, 1).toarray(), sparse.structured_maximum(s, 2).toarray()",
          "iF"),
    *both("sparse.structured_monoid(T.cosh)(lambda x: x)(s).toarray(), abs(s).toarray()", INEXACT,
          away, slack=10),
    *both("s.astype('complex128').toarray(), sparse.cast(s, 'float64').toarray(), "
          + ", ".join(f"sparse.{name}cast(s).toarray()" for name in "fdcz")
          + ", sparse.Cast('float32')(s).toarray()", "biuF", slope=False),
    *both(made(f"{name}cast" for name in "bwil"), "biu", slope=False),
]  # fmt: skip

SUMS = [
    *(Row(text, {"x": SPARSE, "y": SPARSE}, letters, slope=False) for text, letters in (
        (f"sparse.add({X[0]}, {Y[0]}).toarray()", EXACT),
        (f"sparse.add_s_s({X[1]}, {Y[0]}).toarray()", INEXACT),
        (f"({X[1]} + {Y[1]}).toarray()", INEXACT),
        (f"sparse.sub({X[0]}, {Y[1]}).toarray()", "iuFc"),
        (f"({X[1]} - {Y[1]}).toarray()", INEXACT),
        (f"sparse.mul({X[1]}, {Y[1]}).toarray()", EXACT),
        (f"sparse.mul_s_s({X[0]}, {Y[1]}).toarray()", INEXACT),
        (f"({X[0]} * {Y[0]}).toarray()", INEXACT),
        (f"(lambda s: sparse.add_s_s_data(s, sparse.sqr(s)).toarray())({X[0]}) + y", INEXACT),
    )),
    *(Row(text, {"x": SPARSE, "y": DENSE}, letters, slope=False) for text, letters in (
        (f"sparse.add({X[0]}, y)", EXACT), (f"sparse.add_s_d({X[1]}, y)", INEXACT),
        (f"y + {X[1]}", INEXACT), (f"sparse.sub({X[1]}, y)", "iuFc"), (f"y - {X[0]}", INEXACT),
        (f"sparse.mul({X[0]}, y).toarray()", EXACT),
        (f"sparse.mul_s_d({X[1]}, y).toarray()", INEXACT), (f"(y * {X[0]}).toarray()", INEXACT),
    )),
    *(Row(text, {"x": SPARSE, "w": Arg("m")}, letters, slope=False) for text, letters in (
        (f"sparse.mul_s_v({X[0]}, w).toarray()", INEXACT),
        (f"sparse.col_scale({X[1]}, w).toarray()", EXACT),
        (f"sparse.structured_add_s_v({X[0]}, w).toarray()", EXACT),
        (f"({X[1]} * w).toarray()", INEXACT),
    )),
    Row(f"sparse.row_scale({X[0]}, w).toarray()", {"x": SPARSE, "w": Arg("n")}, EXACT, slope=False),
    *(Row(of("sparse.row_scale(s, w[0]).toarray(), sparse.col_scale(s, w[1:][0]).toarray(), "
             "(s + w).toarray() if False else s + u, (s * u).toarray(), u - s", STORED[f])
          .replace("w[0]", "u[:, 0]").replace("w[1:][0]", "u[0]")
          .replace("(s + w).toarray() if False else ", ""),
          {"v": Arg("5"), "u": Arg("3 4")}, "D") for f in STORED),
]  # fmt: skip

NAMES = {"eq": "equal", "neq": "not_equal", "lt": "less_than", "gt": "greater_than",
         "le": "less_equal", "ge": "greater_equal"}  # fmt: skip
SIGNS = {"lt": "<", "gt": ">", "le": "<=", "ge": ">="}
COMPARISONS = [
    *(Row(f"sparse.{name}({X[at % 2]}, {Y[at // 2 % 2]}).toarray()", {"x": SPARSE, "y": SPARSE},
          "biuF", slope=False) for at, name in enumerate(NAMES)),
    *(Row(f"[sparse.{long}_s_s({X[at % 2]}, {Y[at // 2 % 2]}).toarray(), "
          f"sparse.{long}_s_d({X[0]}, y), sparse.{name}(y, {X[1]}), sparse.{name}({X[0]}, 1)]",
          {"x": SPARSE, "y": SPARSE}, "lF", slope=False)
      for at, (name, long) in enumerate(NAMES.items())),
    *(Row(f"[({X[0]} {sign} {Y[0]}).toarray(), {X[1]} {sign} y]", {"x": SPARSE, "y": SPARSE}, "F",
          slope=False) for sign in SIGNS.values()),
]  # fmt: skip

CONVERSIONS = [
    *both("sparse.dense_from_sparse(s), sparse.dense_from_sparse(s, structured=False), "
          "s.toarray()", EXACT),
    *both("sparse.transpose(s).toarray(), s.T.toarray(), s.transpose().toarray()", INEXACT),
    *both("sparse.to_format(s, 'csr').toarray(), sparse.to_format(s, 'csc').toarray()", EXACT),
    *both("sparse.clean(s).toarray(), sparse.remove0(s).toarray(), "
          "sparse.ensure_sorted_indices(s).toarray(), sparse.sum_duplicates(s).toarray()", INEXACT),
    *both("sparse.hstack([s, sparse.sqr(s)]).toarray(), sparse.vstack([s, s, s]).toarray(), "
          "sparse.hstack([s, s], format='csr').toarray(), "
          "sparse.vstack([s, s], 'csr', 'complex128').toarray()", "iuFc"),
    Row(f"sparse.vstack([{X[0]}, {Y[1]}]).toarray()",
        {"x": SPARSE, "y": Arg("k m", draw=few(number))}, EXACT, slope=False),
    Row(f"sparse.hstack([{X[1]}, {Y[0]}]).toarray()",
        {"x": SPARSE, "y": Arg("n k", draw=few(number))}, EXACT, slope=False),
    Row("sparse.SparseFromDense('csc')(x).toarray()", {"x": SPARSE}, EXACT, slope=False),
    *both("sparse.DenseFromSparse()(s), sparse.DenseFromSparse(structured=False)(s), "
          "sparse.EnsureSortedIndices(inplace=False)(s).toarray(), sparse.Remove0()(s).toarray(), "
          "sparse.HStack('csr')(s, s).toarray(), sparse.VStack('csc')(s, s).toarray()", INEXACT),
    *(Row(of("sparse.csm_data(s), sparse.csm_indices(s), sparse.csm_indptr(s), "
             "sparse.csm_shape(s), *sparse.csm_properties(s)", m), {"x": SPARSE}, EXACT,
          slope=False)
      for m in X),
    Row("sparse.CSM('csr')(v, i, [0, 1, 1, 4], (3, 5)).toarray()",
        {"v": Arg("4"), "i": Arg("4", "int32", within(0, 5))}, "D",
        plain=lambda v, i: _summed(v, i)),
    Row("[(sparse.as_sparse_variable(m) * x).toarray() for m in "
        "(scipy.sparse.csr_matrix(np.eye(3)), scipy.sparse.csc_matrix(np.tri(3)))]",
        {"x": Arg("3 3")}, "D"),
    Row("(sparse.constant(scipy.sparse.csr_matrix(np.tri(3))) * x).toarray()", {"x": Arg("3 3")},
        "D"),
    Row("(sparse.as_sparse(scipy.sparse.csc_matrix(np.tri(3))) * x).toarray()", {"x": Arg("3 3")},
        "D"),
    Row("(sparse.shared(scipy.sparse.csc_matrix(np.eye(3))) * x).toarray()", {"x": Arg("3 3")},
        "D"),
    Row("sparse.as_sparse_or_tensor_variable(x) * 2", {"x": DENSE}, INEXACT),
]  # fmt: skip


def _summed(v: Array, i: Array) -> Array:
    """Return the matrix whose elements stored twice count as their sum."""
    made = np.zeros((3, 5), v.dtype)
    np.add.at(made, ([0, 2, 2, 2], i), v)
    return made


RIGHT = {"x": SPARSE, "y": Arg("m k")}
LEFT = {"x": SPARSE, "y": Arg("k n")}
SUMS_OF_PRODUCTS = [
    *(Row(text, {"x": SPARSE, "y": Arg("m k", draw=few(number))}, letters, slope=False, slack=10)
      for text, letters in (
        (f"sparse.structured_dot({X[0]}, {Y[0]}).toarray()", "iuFc"),
        (f"sparse.structured_dot({X[1]}, {Y[0]}).toarray()", INEXACT),
        (f"sparse.dot({X[0]}, {Y[1]})", INEXACT),
        (f"sparse.true_dot({X[1]}, {Y[1]}).toarray()", INEXACT),
    )),
    *both("sparse.sp_sum(s), sparse.sp_sum(s, 0), sparse.sp_sum(s, axis=1), s.sum(-1), "
          "sparse.sp_sum(s, 1, sparse_grad=True), s.sum(), sparse.SpSum(axis=0)(s)", "biuFc",
          slack=10),
]  # fmt: skip
PRODUCTS = [
    *(Row(text, args, letters, slope=False, slack=10) for text, args, letters in (
        (f"sparse.structured_dot({X[0]}, y)", RIGHT, "iuFc"),
        (f"sparse.structured_dot(y, {X[1]})", LEFT, INEXACT),
        (f"{X[1]}.dot(y)", RIGHT, INEXACT), (f"sparse.dot({X[1]}, y)", RIGHT, "iuFc"),
        (f"{X[0]} @ y", RIGHT, INEXACT), (f"y @ {X[1]}", LEFT, INEXACT),
        (f"symtheano.dot({X[0]}, y)", RIGHT, INEXACT),
        (f"sparse.structured_dot({X[1]}, y)", {"x": SPARSE, "y": Arg("m")}, INEXACT),
        (f"sparse.true_dot({X[0]}, y).toarray()", RIGHT, INEXACT),
        (f"sparse.true_dot({X[1]}, y, grad_preserves_dense=False).toarray()", RIGHT, "F"),
        (f"sparse.TrueDot()({X[1]}, y).toarray()", RIGHT, "F"),
        (f"sparse.structured_dot_grad({X[0]}, y, z).toarray()", {**RIGHT, "z": Arg("n k")}, "Fc"),
        (f"sparse.usmm(2.0, {X[0]}, y, z)", {**RIGHT, "z": Arg("n k")}, INEXACT),
        (f"sparse.sampling_dot(y, z, {X[0]}).toarray()",
         {"x": SPARSE, "y": Arg("n k"), "z": Arg("m k")}, "lFc"),
        (f"sparse.sampling_dot(y, z, {X[1]}).toarray()",
         {"x": SPARSE, "y": Arg("n k"), "z": Arg("m k")}, INEXACT),
    )),
    *SUMS_OF_PRODUCTS,
    *(Row(of("sparse.structured_dot(s, u.T), sparse.dot(u.T, s), "
             "sparse.true_dot(s, u.T).toarray(), s @ u[0], "
             "sparse.usmm(u[0, 0], s, u.T, u[:, :3]), sparse.sampling_dot(u, u[:1].T @ u[:1], s)"
             ".toarray()", STORED[f]),
          {"v": Arg("5"), "u": Arg("3 4")}, "D", slack=10) for f in STORED),
]  # fmt: skip

PARTS = [
    *both("s[1:, ::2].toarray(), s[::-1].toarray(), s[0].toarray(), s[-1:, 1].toarray(), s[1, 2], "
          "s[[0, 1, 0]].toarray(), s[[0, 1], [1, 0]], sparse.diag(s[:, 1:])", "biuFc", formats=()),
    Row(of("sparse.get_item_2d(s, (slice(1, None), slice(None, None, -1))).toarray(), "
           "sparse.diag(s), s[:, 1:].toarray(), s[::-2, :2].toarray()", X[0]), {"x": SPARSE}, EXACT,
        slope=False),
    Row(of("sparse.get_item_2d(s, [slice(None, 2)]).toarray(), s[1:2].toarray(), sparse.diag(s)",
           X[1]), {"x": SPARSE}, INEXACT, slope=False),
    *(Row(of("sparse.get_item_list(s, i).toarray(), s[i].toarray()", m),
          {"x": SPARSE, "i": Arg("k", "int64", position("n"))}, INEXACT, slope=False) for m in X),
    *(Row(of("sparse.get_item_2lists(s, i, j), s[i, j]", m),
          {"x": SPARSE, "i": Arg("k", "int64", position("n")),
           "j": Arg("k", "int32", position("m"))}, INEXACT, slope=False) for m in X),
    *(Row(of("sparse.get_item_scalar(s, (i, j)), s[j, i]", m),
          {"x": Arg("n n", draw=few(number)), "i": Arg("", "int64", position("n")),
           "j": Arg("", "int32", position("n"))}, INEXACT, slope=False) for m in X),
    Row("sparse.square_diagonal(w).toarray()", {"w": Arg("n")}, EXACT),
    Row("sparse.construct_sparse_from_list(x, y, i).toarray()",
        {"x": DENSE, "y": Arg("k m"), "i": Arg("k", "int64", position("n", negative=False))},
        "iuFc", slope=False),
    Row("sparse.construct_sparse_from_list(x, y, [1, 1, 0]).toarray()",
        {"x": Arg("4 2"), "y": Arg("3 2")}, "D"),
    Row("sparse.sparse_grad(x[i])", {"x": DENSE, "i": Arg("k", "int64", position("n"))}, INEXACT,
        slope=False),
]  # fmt: skip

ROWS: list[Row] = [
    *ELEMENTWISE, *SUMS, *COMPARISONS, *CONVERSIONS, *PRODUCTS, *PARTS,
    *both("sparse.diag(s)", "D", formats=()),
]  # fmt: skip
