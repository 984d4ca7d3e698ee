"""Functions of stored elements: functions that map zero to zero, and structured functions.

Structured functions do not change elements that are not stored, even if the function does not map
zero to zero. Duplicate entries are changed separately. Inputs of compiled functions have no
duplicates, and ``sum_duplicates`` removes them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.sparse.csm import open_sparse, pack
from symtheano.sparse.linear import cast
from symtheano.sparse.parts import Parts
from symtheano.sparse.segments import filled
from symtheano.sparse.type import SparseType
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.messages import build_message


def structured_monoid(tensor_op: Callable[..., Any]) -> Callable[..., Any]:
    """Return a decorator that makes a function of stored elements from a function of dense arrays.

    Only the name and the docstring of the decorated function are used. Arguments after the matrix
    are scalars.

    Examples
    --------
    >>> @structured_monoid(T.cosh)
    ... def structured_cosh(x):
    ...     "The hyperbolic cosine of stored elements."
    >>> structured_cosh(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csr)
    """

    def decorate(f: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(f)
        def apply(x: Any, *args: Any) -> Any:
            scalars = [as_tensor_variable(item) for item in args]
            for item in scalars:
                if item.ndim:
                    raise TypeError(
                        build_message(f"{f.__name__} takes scalars, not {item.ndim} dims", item)
                    )
            parts = open_sparse(x)
            return pack(parts.with_data(tensor_op(parts.data, *scalars)))

        return apply

    return decorate


def _of_elements(
    row: Any, name: str, what: str, element: str = "0.5", *, gives: str
) -> Callable[[Any], Any]:
    """Return a function of stored elements, with an example for one element."""

    def apply(x: Any) -> Any:
        parts = open_sparse(x)
        return pack(parts.with_data(row(parts.data)))

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"""Return {what} each stored element, in the dtype of the dense function.

    Examples
    --------
    >>> import scipy.sparse
    >>> x = scipy.sparse.csr_matrix([[0, {element}]])
    >>> {name}(x).eval().toarray().round(3)
    {gives}
    """
    return apply


# fmt: off
sin = _of_elements(
    scalar.sin, "sin", "the sine of", gives="array([[0.   , 0.479]])")
arcsin = _of_elements(
    scalar.arcsin, "arcsin", "the inverse sine of", gives="array([[0.   , 0.524]])")
tan = _of_elements(
    scalar.tan, "tan", "the tangent of", gives="array([[0.   , 0.546]])")
arctan = _of_elements(
    scalar.arctan, "arctan", "the inverse tangent of", gives="array([[0.   , 0.464]])")
sinh = _of_elements(
    scalar.sinh, "sinh", "the hyperbolic sine of", gives="array([[0.   , 0.521]])")
arcsinh = _of_elements(
    scalar.arcsinh, "arcsinh", "the inverse hyperbolic sine of", gives="array([[0.   , 0.481]])")
tanh = _of_elements(
    scalar.tanh, "tanh", "the hyperbolic tangent of", gives="array([[0.   , 0.462]])")
arctanh = _of_elements(
    scalar.arctanh, "arctanh", "the inverse hyperbolic tangent of", gives="array([[0.   , 0.549]])")
rint = _of_elements(
    scalar.round_half_to_even, "rint", "the nearest integer to", "2.5", gives="array([[0., 2.]])")
sgn = _of_elements(
    scalar.sgn, "sgn", "the sign of", "-0.5", gives="array([[ 0., -1.]])")
ceil = _of_elements(
    scalar.ceil, "ceil", "the least integer not below", gives="array([[0., 1.]])")
floor = _of_elements(
    scalar.floor, "floor", "the largest integer not above", "-0.5", gives="array([[ 0., -1.]])")
trunc = _of_elements(
    scalar.trunc, "trunc", "the integer part of", "-1.5", gives="array([[ 0., -1.]])")
log1p = _of_elements(
    scalar.log1p, "log1p", "the logarithm of one plus", gives="array([[0.   , 0.405]])")
expm1 = _of_elements(
    scalar.expm1, "expm1", "the exponential minus one of", gives="array([[0.   , 0.649]])")
deg2rad = _of_elements(
    scalar.deg2rad, "deg2rad", "the angle in radians for the angle in degrees that is", "90.0",
    gives="array([[0.   , 1.571]])")
rad2deg = _of_elements(
    scalar.rad2deg, "rad2deg", "the angle in degrees for the angle in radians that is",
    gives="array([[ 0.   , 28.648]])")
sqr = _of_elements(
    scalar.sqr, "sqr", "the square of", "3", gives="array([[0, 9]])")
sqrt = _of_elements(
    scalar.sqrt, "sqrt", "the square root of", "9.0", gives="array([[0., 3.]])")
conj = _of_elements(
    scalar.conj, "conj", "the complex conjugate of", "1 + 2j", gives="array([[0.+0.j, 1.-2.j]])")
structured_abs = _of_elements(
    scalar.abs, "structured_abs", "the absolute value of", "-3", gives="array([[0, 3]])")
structured_sigmoid = _of_elements(
    scalar.sigmoid, "structured_sigmoid", "the logistic function of",
    gives="array([[0.   , 0.622]])")
structured_exp = _of_elements(
    scalar.exp, "structured_exp", "the exponential of", gives="array([[0.   , 1.649]])")
structured_log = _of_elements(
    scalar.log, "structured_log", "the logarithm of", gives="array([[ 0.   , -0.693]])")
# fmt: on


@structured_monoid(scalar.pow)
def structured_pow(x: Any, y: Any) -> Any:
    """Return each stored element to the power of the scalar ``y``.

    Examples
    --------
    >>> import scipy.sparse
    >>> structured_pow(scipy.sparse.csr_matrix([[0.0, 3.0]]), 2).eval().toarray()
    array([[0., 9.]])
    """


@structured_monoid(scalar.minimum)
def structured_minimum(x: Any, y: Any) -> Any:
    """Return the minimum of each stored element and the scalar ``y``.

    Examples
    --------
    >>> import scipy.sparse
    >>> structured_minimum(scipy.sparse.csr_matrix([[0.0, 3.0]]), -1).eval().toarray()
    array([[ 0., -1.]])
    """


@structured_monoid(scalar.maximum)
def structured_maximum(x: Any, y: Any) -> Any:
    """Return the maximum of each stored element and the scalar ``y``.

    Examples
    --------
    >>> import scipy.sparse
    >>> structured_maximum(scipy.sparse.csr_matrix([[0.0, 3.0]]), 5).eval().toarray()
    array([[0., 5.]])
    """


@structured_monoid(scalar.add)
def structured_add(x: Any, y: Any) -> Any:
    """Return the sum of each stored element and the scalar ``y``.

    Examples
    --------
    >>> import scipy.sparse
    >>> structured_add(scipy.sparse.csr_matrix([[0.0, 3.0]]), 1).eval().toarray()
    array([[0., 4.]])
    """


# -- dtypes and models ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Cast:
    """Theano's form of :func:`cast`: constructed with the dtype, called with the matrix."""

    out_type: str

    def __call__(self, x: Any) -> Any:
        return cast(x, self.out_type)


bcast, wcast, icast, lcast = (Cast(name) for name in ("int8", "int16", "int32", "int64"))
fcast, dcast, ccast, zcast = (Cast(n) for n in ("float32", "float64", "complex64", "complex128"))


def sp_ones_like(x: Any) -> Any:
    """Return a sparse matrix of ones where ``x`` stores elements.

    Examples
    --------
    >>> sp_ones_like(symtheano.sparse.csr_matrix("x", "int8")).type
    SparseType(int8, csr)
    """
    parts = open_sparse(x)
    return pack(parts.with_data(filled(1, parts.count, parts.data.dtype)))


def sp_zeros_like(x: Any, dtype: Any = None) -> Any:
    """Return a sparse matrix with the shape of ``x`` and no stored elements.

    Examples
    --------
    >>> sp_zeros_like(symtheano.sparse.csr_matrix("x")).type
    SparseType(float64, csr)
    """
    parts = open_sparse(x)
    kind = SparseType(parts.format, dtype or parts.data.dtype)
    return pack(
        Parts(
            parts.format,
            zeros((0,), kind.dtype),
            zeros((0,), "int32"),
            parts.indptr.zeros_like(),
            parts.minor,
        )
    )
