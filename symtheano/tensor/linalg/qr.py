"""QR decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.indexing.positions import take_along_axis
from symtheano.tensor.linalg.matrices import (
    LinalgOp,
    adjoint,
    diagonal_of,
    hide_nonfinite,
    is_zero,
    lower_part,
    mm,
    real_as,
    rows,
    smaller,
    with_diagonal,
)
from symtheano.tensor.linalg.solve import solve_triangular
from symtheano.tensor.messages import build_message
from symtheano.tensor.routine import count_rows
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays, View

MODES = ("reduced", "complete", "r", "raw")


class QR(LinalgOp):
    """``A = Q R`` with orthonormal columns of Q and upper triangular R.

    Attributes
    ----------
    mode
        One of :data:`MODES`: Q and R, only R, or LAPACK's reflectors and their factors.
    """

    __props__ = ("mode",)
    called = "qr"
    square = False

    def __init__(self, mode: str = "reduced") -> None:
        if mode not in MODES:
            raise ValueError(build_message(f"qr: mode={mode!r} is not one of {', '.join(MODES)}"))
        self.mode = mode

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """All results have the dtype of the matrix."""
        (a,) = inputs
        m, n = a.type.shape[-2:]
        k = None if None in (m, n) else min(m, n)
        return [TensorType(a.dtype, (*a.type.shape[:-2], *item)) for item in self._shapes(m, n, k)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Q has the rows of the matrix, R its columns."""
        *batch, m, n = shapes[0]
        return [(*batch, *item) for item in self._shapes(m, n, smaller(m, n))]

    def _shapes(self, m: Any, n: Any, k: Any) -> list[tuple[Any, ...]]:
        return {
            "reduced": [(m, k), (k, n)],
            "complete": [(m, m), (m, n)],
            "r": [(k, n)],
            "raw": [(n, m), (k,)],
        }[self.mode]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        (a,) = inputs
        numpy_qr: Any = np.linalg.qr
        with np.errstate(all="ignore"):
            results = numpy_qr(a, self.mode)
        for cell, result in zip(
            output_storage, [results] if self.mode == "r" else results, strict=True
        ):
            cell[0] = np.array(result)
            hide_nonfinite(a, cell[0])

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's geqrf."""
        (a,), *_, r = arrays.inputs, *arrays.outputs
        if self.mode == "raw":
            _call_reflectors(b, arrays, arrays.outputs, 0)
            return
        m, n = a.shape[-2:]
        q = 0 if self.mode == "r" else arrays.outputs[0].address
        arguments = (count_rows(a, 2), m, n, r.shape[-2], a.address, q, r.address)
        b.call("qr", *arguments)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Roberts and Roberts 2020, "QR and LQ decomposition matrix backpropagation algorithms".

        The first ``min(m, n)`` columns must be linearly independent.
        """
        (a,) = inputs
        if self.mode == "raw":
            raise NotImplementedError("qr has no gradient in mode raw; take mode reduced")
        if self.mode == "complete" and not _is_wide(a) and not is_zero(output_grads[0]):
            raise NotImplementedError(
                "qr in mode complete has a gradient only for matrices that have no more rows than "
                "columns by their static shape: further columns of Q are arbitrary; take mode "
                "reduced"
            )
        k = smaller(*shape_of(a)[-2:])
        if self.mode == "reduced" or (self.mode == "complete" and _is_wide(a)):
            (q, r), (gq, gr) = outputs, output_grads
        else:
            q, r = QR("reduced")(a)
            gq, gr = q.zeros_like(), output_grads[-1][..., :k, :]
        return [_pull(a, q, r, gq, gr, k)]


class PivotedQR(LinalgOp):
    """The numbers ``p`` of columns in ``A[:, p] = Q R``, chosen so that R's diagonal decreases.

    Attributes
    ----------
    raw
        Whether LAPACK's reflectors, transposed, and their factors are results, too, before ``p``.
    """

    __props__ = ("raw",)
    called = "qr"
    square = False

    def __init__(self, raw: bool = False) -> None:
        self.raw = raw
        if not raw:
            self.differentiable_inputs = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """The last result has the numbers of columns."""
        (a,) = inputs
        *batch, m, n = a.type.shape
        k = None if None in (m, n) else min(m, n)
        kinds = [TensorType(a.dtype, (*batch, *item)) for item in ((n, m), (k,))]
        return [*(kinds if self.raw else []), TensorType("int64", (*batch, n))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        *batch, m, n = shapes[0]
        lengths = [(n, m), (smaller(m, n),)] if self.raw else []
        return [(*batch, *item) for item in (*lengths, (n,))]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Decompose with SciPy, one matrix after the other."""
        from scipy.linalg import qr as scipy_qr

        (a,) = inputs
        *batch, m, n = a.shape
        h = np.full((*batch, n, m), np.nan, a.dtype)
        tau = np.full((*batch, min(m, n)), np.nan, a.dtype)
        p = np.broadcast_to(np.arange(n), (*batch, n)).astype("int64")
        for index in np.ndindex(*batch) if m and n else ():
            if np.isfinite(a[index]).all():
                (reflectors, tau[index]), _, p[index] = scipy_qr(
                    a[index], mode="raw", pivoting=True
                )
                h[index] = reflectors.T
        for cell, result in zip(output_storage, (h, tau, p) if self.raw else (p,), strict=True):
            cell[0] = result

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's geqp3."""
        _call_reflectors(b, arrays, arrays.outputs[:-1], arrays.outputs[-1].address)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        raise NotImplementedError("qr has no gradient in mode raw; take mode reduced")


def _call_reflectors(b: Builder, arrays: NodeArrays, results: Sequence[View], columns: Any) -> None:
    """Write a call that stores reflectors and their factors, unless there are no results."""
    (a,) = arrays.inputs
    options = (int(columns != 0), int(len(results) > 0))
    h, tau = [item.address for item in results] if results else (0, 0)
    b.call("reflectors", count_rows(a, 2), *a.shape[-2:], *options, a.address, h, tau, columns)


def _is_wide(a: Any) -> bool:
    m, n = a.type.shape[-2:]
    return m is not None and n is not None and m <= n


def _pull(a: Any, q: Any, r: Any, gq: Any, gr: Any, k: Any) -> Any:
    """Return the gradient of ``a = [x | y] = q [u | v]``, where ``x = q u`` is square or tall.

    From ``y = q v`` comes ``v = q^H y``, a function of ``q`` and ``y``.
    """
    wide = a.type.shape[-1] is None or not (
        a.type.shape[-2] is not None and a.type.shape[-1] <= a.type.shape[-2]
    )
    y, u = a[..., k:], r[..., :k]
    gu, gv = gr[..., :k], gr[..., k:]
    if wide:
        gq = gq + mm(y, adjoint(gv))
    inside = mm(u, adjoint(gu)) - mm(adjoint(gq), q)
    strict = lower_part(inside, -1)
    both = strict + adjoint(strict) + with_diagonal(real_as(diagonal_of(inside)))
    # gx = (gq + q both) u^-H
    turned = solve_triangular(u, adjoint(gq + mm(q, both)), lower=False)
    gx = adjoint(turned)
    return join(a.ndim - 1, gx, mm(q, gv)) if wide else gx


@overload
def qr(a: Any, mode: Literal["r"], pivoting: Literal[False] = False) -> Tensor: ...
@overload
def qr(
    a: Any, mode: str = "reduced", pivoting: Literal[False] = False
) -> tuple[Tensor, Tensor]: ...
@overload
def qr(a: Any, mode: str = "reduced", *, pivoting: Literal[True]) -> tuple[Tensor, ...]: ...
def qr(a: Any, mode: str = "reduced", pivoting: bool = False) -> Any:
    """Return the QR decomposition ``a = Q R``.

    Parameters
    ----------
    a
        Matrices of any shape (m, n); k is the smaller dimension.
    mode
        ``reduced`` (or ``economic``): Q is (m, k), R is (k, n). ``complete`` (or ``full``): Q is
        (m, m), R is (m, n). ``r``: only R. ``raw``: LAPACK's reflectors, transposed, and their
        factors.
    pivoting
        Whether columns are exchanged so that the diagonal of R does not increase. Then the last
        result is p, numbers of columns as int64: ``a[:, p] = Q R``.

    Notes
    -----
    The gradient requires that the first k columns of ``a`` are linearly independent, or of
    ``a[:, p]``. It raises ``numpy.linalg.LinAlgError`` if R has a zero on its diagonal. Mode
    ``complete`` has a gradient only if Q has no additional columns. Mode ``raw`` has no gradient.

    Examples
    --------
    >>> q, r = qr(T.matrix("a", dtype="float64"))
    >>> abs(r).eval({"a": [[3.0], [4.0]]}).round(12)
    array([[5.]])
    """
    mode = {"full": "complete", "economic": "reduced"}.get(mode, mode)
    if not pivoting:
        result = QR(mode)(a)
        return result if mode == "r" else tuple(result)
    if mode == "raw":
        return tuple(PivotedQR(raw=True)(a))
    # Q and R of the chosen columns are computed by an op that has a gradient.
    a = as_tensor_variable(a)
    p = PivotedQR()(a)
    result = QR(mode)(take_along_axis(a, rows(p), -1))
    return (result, p) if mode == "r" else (*result, p)
