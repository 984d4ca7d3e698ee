"""Linear algebra of NumPy and SciPy under Theano's names, on batches, and matrices for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.linalg

from symtheano import dtypes
from tests.conformance.draws import Array, Draw, Sizes, number

LONG = 10
"""Lengths above it occur in one case of each row only."""

# -- matrices ------------------------------------------------------------------------------------


def regular(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return well-conditioned square matrices; of integers products of triangles."""
    n = shape[-1]
    if shape[-2] != n:
        return number(random, dtype, shape, sizes)
    if dtypes.is_discrete(dtype):
        ones = random.integers(0, 2, shape) * (random.uniform(size=shape) * n < 2)
        upper = np.triu(ones, 1) + np.eye(n, dtype=int)
        return upper[..., random.permutation(n), :].astype(dtype)
    return np.asarray(number(random, dtype, shape, sizes) / 8 + 2 * np.eye(n)).astype(dtype)


def symmetric(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return Hermitian matrices, not definite, with eigenvalues that keep their distance."""
    n = shape[-1]
    signs = (1 if dtype[0] in "bu" else -1) ** np.arange(n)
    return _around(np.diag((np.arange(n) * 2 + 1.0) * signs), random, dtype, shape, sizes)


def definite(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return Hermitian positive definite matrices with distinct eigenvalues."""
    return _around(np.diag(np.arange(shape[-1]) * 2 + 3.0), random, dtype, shape, sizes)


def _around(
    middle: Array, random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes
) -> Array:
    """Return a matrix with something small and Hermitian added, in whole numbers for integers."""
    values = number(random, dtype, shape, sizes).astype("complex128") / 16
    values = values if dtypes.is_complex(dtype) else values.real
    values = values + values.conj().swapaxes(-1, -2) + middle
    if dtype == "bool":
        return np.broadcast_to(middle > 0, shape).copy()
    return (np.round(values) if dtypes.is_discrete(dtype) else values).astype(dtype)


def spread(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return matrices of any shape with singular (or real eigen-) values that keep apart."""
    values = number(random, dtype, shape, sizes) / 16
    k = min(shape[-2:])
    whole = np.zeros(shape[-2:])
    whole[range(k), range(k)] = np.arange(k) + 1.0
    if dtypes.is_discrete(dtype):
        values = np.zeros(shape) if dtype == "bool" else np.round(values)
    return np.asarray(values + whole).astype(dtype)


def general(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return numbers, no items of which are repeated in any case."""
    return number(random, dtype, shape, sizes)


def failing(draw: Draw, spoil: Callable[[Array], Array]) -> Draw:
    """Return a draw that spoils the last matrix where it is a long one."""

    def drawn(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
        made = draw(random, dtype, shape, sizes)
        if shape[-1] > LONG:
            last = (-1,) * (made.ndim - 2)
            made[last] = spoil(made[last])
        return made

    return drawn


def _singular(a: Array) -> Array:
    return np.where(np.arange(len(a)) == 3, 0, a).T


singular_if_long = failing(regular, _singular)
nan_if_long = failing(regular, lambda a: np.where(np.eye(len(a)) == 1, np.nan, a).astype(a.dtype))
indefinite_if_long = failing(definite, lambda a: -a)

# -- what NumPy and SciPy do with them ---------------------------------------------------------


def _of_none(f: Callable[..., Any], batch: tuple[int, ...], arrays: Sequence[Array]) -> Any:
    """Return the results for zero matrices; dtypes and shapes are those for ones."""
    found = f(*(np.eye(*item.shape[-2:], dtype=item.dtype) for item in arrays))

    def empty(part: Any) -> Array:
        return np.zeros((*batch, *np.shape(part)), np.asarray(part).dtype)

    return tuple(map(empty, found)) if isinstance(found, tuple) else empty(found)


def each(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of batches of matrices from one of single matrices."""

    def apply(first: Array, *others: Array, **options: Any) -> Any:
        batch = first.shape[:-2]
        if not batch:
            return f(first, *others, **options)
        if 0 in batch:
            return _of_none(partial(f, **options), batch, (first, *others))
        others = tuple(np.broadcast_to(b, batch + b.shape[-2:]) for b in others)
        found = [f(first[at], *(b[at] for b in others), **options) for at in np.ndindex(*batch)]
        if isinstance(found[0], tuple):
            return tuple(
                np.reshape(part, (*batch, *np.shape(part[0]))) for part in zip(*found, strict=True)
            )
        return np.reshape(found, (*batch, *np.shape(found[0])))

    return apply


def floats(x: Array) -> Array:
    """Return integers as float64, as all functions of matrices take them."""
    return x if x.dtype.kind in "fc" else x.astype("float64")


def squares(x: Array) -> Array:
    """Return the same, and reject matrices that are not square."""
    if x.shape[-1] != x.shape[-2]:
        raise np.linalg.LinAlgError("not square")
    return floats(x)


def finite(a: Array) -> Array:
    """Return zeros in place of matrices that hold NaN or infinities."""
    return np.where(np.isfinite(a).all((-2, -1), keepdims=True), a, a.dtype.type(0))


def hidden(a: Array, *results: Array) -> Any:
    """Return results with NaN for each matrix that holds NaN or infinities."""
    bad = ~np.isfinite(a).all((-2, -1))
    made = tuple(np.where(bad.reshape(bad.shape + (1,) * (np.ndim(r) - bad.ndim)), np.nan, r)
                 .astype(np.asarray(r).dtype) for r in results)  # fmt: skip
    return made[0] if len(made) == 1 else made


def refusing(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that raises for NaN and infinities, as those that iterate do."""

    def apply(a: Array, *args: Any, **options: Any) -> Any:
        if not np.isfinite(a).all():
            raise np.linalg.LinAlgError("NaN or infinities")
        return f(a, *args, **options)

    return apply


def triangle(a: Array, lower: bool) -> Array:
    """Return the part of a symmetric or triangular matrix that is read."""
    return np.tril(a) if lower else np.triu(a)


def hermitian(a: Array, lower: bool) -> Array:
    """Return the Hermitian matrix of one triangle, the diagonal's imaginary part left out."""
    part = triangle(a, lower)
    strict = part - part * np.eye(a.shape[-1])
    diagonal = (part * np.eye(a.shape[-1])).real
    return np.asarray(strict + strict.conj().swapaxes(-1, -2) + diagonal, part.dtype)


def det(x: Array) -> Array:
    """A matrix that is not finite gives NaN, whatever the pivots are."""
    found = np.linalg.det(x)
    return np.where(~np.isfinite(x).all((-2, -1)), np.nan, found).astype(found.dtype)


def slogdet(x: Array) -> tuple[Array, Array]:
    """A matrix that is not finite gives NaN, whatever the pivots are."""
    sign, logarithm = np.linalg.slogdet(x)
    bad = ~np.isfinite(x).all((-2, -1))
    return (np.where(bad, np.nan, sign).astype(sign.dtype),
            np.where(bad, np.nan, logarithm).astype(logarithm.dtype))  # fmt: skip


def inverse(x: Array) -> Array:
    """Return NaN if the matrix is not finite."""
    return np.asarray(hidden(x, np.linalg.inv(x)))


def eigh(a: Array, UPLO: str = "L") -> Any:
    """Return NaN if the triangle that is read is not finite."""
    read = triangle(floats(a), UPLO == "L")
    return hidden(read, *np.linalg.eigh(finite(read), UPLO))


def eigvalsh(a: Array, b: Array | None = None, lower: bool = True) -> Any:
    """Of pairs as SciPy, for b with both triangles."""
    if b is None:
        read = triangle(floats(a), lower)
        return hidden(read, np.linalg.eigvalsh(finite(read), "L" if lower else "U"))
    whole, other = hermitian(floats(a), lower), hermitian(floats(b), lower)
    return hidden(whole, each(scipy.linalg.eigvalsh)(finite(whole), other))


def real_eig(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return eig, or eigvals, which is an error where a real matrix has complex eigenvalues."""

    def apply(a: Array) -> Any:
        found: Any = refusing(f)(a)
        results = tuple(found) if isinstance(found, tuple) else (found,)
        if a.dtype.kind == "c":
            return found
        if np.iscomplex(results[0]).any():
            raise np.linalg.LinAlgError("complex eigenvalues")
        return tuple(item.real for item in results) if len(results) > 1 else results[0].real

    return apply


def cholesky(a: Array, lower: bool = True, on_error: str = "raise") -> Array:
    """Return the factor; NaN is an error, since the matrix is not positive definite."""
    a = squares(a)

    def one(matrix: Array) -> Array:
        try:
            factor = np.linalg.cholesky(matrix, upper=not lower)
            if np.isfinite(factor).all():
                return factor
        except np.linalg.LinAlgError:
            pass
        if on_error == "raise":
            raise np.linalg.LinAlgError("not positive definite")
        return np.full_like(matrix, np.nan)

    return np.asarray(each(one)(a))


def qr(a: Array, mode: str = "reduced") -> Any:
    """Return NaN if the matrix is not finite."""
    found: Any = np.linalg.qr(a, mode)  # type: ignore[call-overload]
    return hidden(a, *(found if isinstance(found, tuple) else (found,)))


def lstsq(a: Array, b: Array, rcond: float | None = None) -> tuple[Any, ...]:
    """Return an int64 rank."""
    a, b = floats(a), floats(b)
    if not np.isfinite(b).all():
        raise np.linalg.LinAlgError("NaN or infinities")
    x, residuals, rank, s = refusing(np.linalg.lstsq)(a, b, rcond=rcond)
    return x, residuals, np.int64(rank), s


def solve(a: Array, b: Array, A_structure: str = "general", lower: bool = False) -> Array:
    """Return NaN for matrices that are not finite."""
    a, b = floats(a), floats(b)
    if A_structure.endswith("triangular"):
        return solve_triangular(a, b, lower=A_structure[0] == "l")
    if A_structure == "symmetric":
        part = triangle(a, lower)
        a = part + part.swapaxes(-1, -2) * (1 - np.eye(a.shape[-1], dtype=part.dtype))
    bad = ~np.isfinite(a).all((-2, -1))
    vector = b.ndim == 1
    right = b[:, None] if vector else b
    kept = np.where(bad[..., None, None], np.eye(a.shape[-1], dtype=a.dtype), a)
    x = np.linalg.solve(kept, right)
    x = np.where(bad[..., None, None], np.nan, x).astype(x.dtype)
    return x[..., 0] if vector else x


def solve_triangular(
    a: Array, b: Array, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False
) -> Array:
    """Return what SciPy returns, for each matrix."""
    a, b = floats(a), floats(b)
    right = b[:, None] if b.ndim == 1 else b

    def one(matrix: Array, side: Array) -> Array:
        return np.asarray(scipy.linalg.solve_triangular(
            matrix, side, trans, lower, unit_diagonal, check_finite=False))  # fmt: skip

    batch = np.broadcast_shapes(a.shape[:-2], right.shape[:-2])
    x = each(one)(np.broadcast_to(a, batch + a.shape[-2:]), right)
    return np.asarray(x[..., 0] if b.ndim == 1 else x)


def cho_solve(c_and_lower: tuple[Array, bool], b: Array) -> Array:
    """Solve twice."""
    factor, lower = c_and_lower
    first = solve_triangular(factor, b, 0 if lower else "C", lower)
    return solve_triangular(factor, first, "C" if lower else 0, lower)


def expm(a: Array) -> Array:
    """Return NaN if the matrix is not finite."""
    a = squares(a)
    return np.asarray(hidden(a, each(scipy.linalg.expm)(finite(a)) if a.size else a))


def lu(a: Array, permute_l: bool = False) -> Any:
    """Return NaN, and no permutation, if the matrix is not finite."""

    def one(matrix: Array) -> Any:
        if np.isfinite(matrix).all() and matrix.size:
            return tuple(scipy.linalg.lu(matrix))
        (m, n), k = matrix.shape, min(matrix.shape)
        made = (np.full((m, k), np.nan, matrix.dtype), np.full((k, n), np.nan, matrix.dtype))
        return np.eye(m, dtype=matrix.real.dtype), *made

    p, low, up = each(one)(floats(a))
    p = p.astype(low.real.dtype)
    return (p.astype(low.dtype) @ low, up) if permute_l else (p, low, up)


def matrix_power(M: Array, n: int) -> Array:
    """Take the inverse in float64, which is NaN if the matrix is not finite."""
    return np.linalg.matrix_power(M, n) if n >= 0 else matrix_power(inverse(floats(M)), -n)


def cond(x: Array, p: Any = None) -> Any:
    """Raise for NaN and infinities if there is an iteration, and for singular matrices."""
    x = floats(x)
    if p in (None, 2, -2):
        return refusing(np.linalg.cond)(x, p)
    return norm(x, p, (-2, -1)) * norm(inverse(x), p, (-2, -1))


def norm(x: Array, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """Raise for NaN and infinities if there is an iteration, and for extrema of empty arrays."""
    of_matrix = x.ndim == 2 if axis is None else np.ndim(axis) == 1
    iterates = of_matrix and ord in (2, -2, "nuc")
    if ord in ((1, -1, 2, -2, np.inf, -np.inf) if of_matrix else (np.inf, -np.inf)):
        reduced = range(x.ndim) if axis is None else np.atleast_1d(axis)
        # NumPy gives 0 since 2.3, and raises before.
        which = {1: reduced[-1:], -1: reduced[-1:], np.inf: reduced[:1], -np.inf: reduced[:1]}
        if 0 in [x.shape[int(at)] for at in which.get(ord, reduced)]:
            raise ValueError("no extremum of nothing")
    f = refusing(np.linalg.norm) if iterates else np.linalg.norm
    return f(floats(x), ord, axis, keepdims)


def alloc_diag(v: Array, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return zeros with the last axis on a diagonal of two new axes."""
    n = v.shape[-1] + abs(offset)
    made = np.zeros((*v.shape[:-1], n, n), v.dtype)
    place = np.arange(v.shape[-1])
    made[..., place + max(-offset, 0), place + max(offset, 0)] = v
    return np.moveaxis(made, (-2, -1), (axis1, axis2))


diagonals = {
    "alloc_diag": alloc_diag,
    "AllocDiag": lambda *args, **options: lambda v: alloc_diag(v, *args, **options),
    "extract_diag": np.diag,
    "ExtractDiag": lambda offset=0, axis1=0, axis2=1, view=False: (
        lambda x: np.diagonal(x, offset, axis1, axis2)
    ),
}


nlinalg = SimpleNamespace(
    cond=cond,
    det=lambda x: det(floats(x)),
    eig=lambda x: real_eig(lambda a: tuple(np.linalg.eig(a)))(floats(x)),
    eigh=eigh,
    eigvals=lambda x: real_eig(np.linalg.eigvals)(floats(x)),
    inv=lambda x: inverse(floats(x)),
    lstsq=lambda *args, **options: lstsq(*args, **options) if args else lstsq,
    matrix_dot=lambda *factors: reduce(np.dot, factors),
    matrix_inverse=lambda x: inverse(floats(x)),
    matrix_power=matrix_power,
    matrix_rank=lambda x, tol=None: np.int64(refusing(np.linalg.matrix_rank)(floats(x), tol)),
    multi_dot=np.linalg.multi_dot,
    norm=norm,
    pinv=lambda x, rcond=None, hermitian=False: refusing(np.linalg.pinv)(
        floats(x), **({} if rcond is None else {"rcond": rcond}), hermitian=hermitian),
    qr=lambda x, mode="reduced": qr(
        floats(x), {"full": "complete", "economic": "reduced"}.get(mode, mode)),
    slogdet=lambda x: slogdet(floats(x)),
    svd=lambda x, *args, **options: refusing(np.linalg.svd)(floats(x), *args, **options),
    tensorinv=np.linalg.tensorinv,
    tensorsolve=np.linalg.tensorsolve,
    trace=lambda x, offset=0: np.trace(x, offset, -2, -1),
)  # fmt: skip
slinalg = SimpleNamespace(
    Eigvalsh=lambda lower=True: lambda a, b=None: eigvalsh(a, b, lower),
    cho_solve=cho_solve,
    cholesky=cholesky,
    eigvalsh=eigvalsh,
    expm=expm,
    kron=np.kron,
    lu=lu,
    solve=solve,
    solve_lower_triangular=lambda a, b: solve_triangular(a, b, lower=True),
    solve_symmetric=lambda a, b: solve(a, b, "symmetric"),
    solve_triangular=solve_triangular,
    solve_upper_triangular=lambda a, b: solve_triangular(a, b),
)
