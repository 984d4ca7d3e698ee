"""QR decomposition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from symtheano.graph.lazy import lazy
from symtheano.graph.lowering import Lowering, Python
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.matrices import (
    LinalgOp,
    adjoint,
    diagonal_of,
    hide_nonfinite,
    is_zero,
    lower_part,
    mm,
    real_as,
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
    from symtheano.loopir import Builder, NodeArrays

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

    @lazy
    def lowering(self) -> Lowering:
        """LAPACK's routine; in Python if its own results are asked for."""
        if self.mode == "raw":
            return Python()
        return Statements(QR.write, contiguous, workspace=True)

    def write(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Decompose one matrix after the other with LAPACK's geqrf."""
        (a,), *_, r = arrays.inputs, *arrays.outputs
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
def qr(a: Any, mode: Literal["r"]) -> Tensor: ...
@overload
def qr(a: Any, mode: str = "reduced") -> tuple[Tensor, Tensor]: ...
def qr(a: Any, mode: str = "reduced") -> Any:
    """Return the QR decomposition ``a = Q R``.

    Parameters
    ----------
    a
        Matrices of any shape (m, n); k is the smaller dimension.
    mode
        ``reduced`` (or ``economic``): Q is (m, k), R is (k, n). ``complete`` (or ``full``): Q is
        (m, m), R is (m, n). ``r``: only R. ``raw``: LAPACK's reflectors, transposed, and their
        factors.

    Notes
    -----
    The gradient requires that the first k columns of ``a`` are linearly independent. It raises
    ``numpy.linalg.LinAlgError`` if R has a zero on its diagonal. Mode ``complete`` has a gradient
    only if Q has no additional columns. Mode ``raw`` has no gradient.

    Examples
    --------
    >>> q, r = qr(T.matrix("a", dtype="float64"))
    >>> abs(r).eval({"a": [[3.0], [4.0]]}).round(12)
    array([[5.]])
    """
    mode = {"full": "complete", "economic": "reduced"}.get(mode, mode)
    result = QR(mode)(a)
    return result if mode == "r" else tuple(result)
