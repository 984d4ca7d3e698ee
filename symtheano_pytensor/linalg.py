"""Linear algebra, also of batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symtheano
import symtheano.tensor as T
from symtheano.tensor import linalg, slinalg
from symtheano_pytensor.graph import convert_node
from symtheano_pytensor.registry import converter_of, converts
from symtheano_pytensor.values import converted_constant, converted_type


@converts("Blockwise")
def _blockwise(op: Any, node: Any, *operands: Any) -> Any:
    """Convert the op of one item, and repeat it for the batch."""
    core = op._create_dummy_core_node(node.inputs)
    if converter_of(core.op) is None:
        raise NotImplementedError(f"batches of {core.op}")
    # Lengths are the same for all items.
    lengths = core.inputs[1:] if type(core.op).__name__ == "Alloc" else ()
    items = [
        operand.flatten()[0] if item in lengths else _item(operand, item)
        for operand, item in zip(operands, core.inputs, strict=True)
    ]
    results = convert_node(core, items)
    replaced = {
        item: operand
        for item, operand in zip(items, operands, strict=True)
        if item.owner is None and not isinstance(item, T.TensorConstant)
    }
    try:
        repeated = T.vectorize_graph(results, replaced) if replaced else results
    except NotImplementedError:
        return _one_by_one(core, node, items, operands)
    count = node.outputs[0].type.ndim - core.outputs[0].type.ndim
    lengths = _batch_lengths(count, operands)
    pairs = zip(repeated, core.outputs, strict=True)
    return [_for_all_items(result, one.type.ndim, lengths) for result, one in pairs]


def _batch_lengths(count: int, operands: Sequence[Any]) -> list[Any]:
    """Return the lengths of the axes of a batch, which all operands have; 1 where all have 1."""
    return [
        next((x.shape[axis] for x in operands if x.type.shape[axis] != 1), 1)
        for axis in range(count)
    ]


def _for_all_items(result: Any, ndim: int, lengths: list[Any]) -> Any:
    """Repeat a result along axes where only numbers that are the same for all items differ."""
    have = result.type.shape[: result.ndim - ndim]
    same = len(have) == len(lengths)
    if same and all(
        one != 1 or isinstance(length, int) for one, length in zip(have, lengths, strict=True)
    ):
        return result
    return T.alloc(result, *lengths, *list(result.shape)[result.ndim - ndim :])


def _one_by_one(core: Any, node: Any, items: Sequence[Any], operands: Sequence[Any]) -> list[Any]:
    """Return the results of a loop over the items of a batch."""
    count = node.outputs[0].type.ndim - core.outputs[0].type.ndim
    varying = [k for k, item in enumerate(items) if not isinstance(item, T.TensorConstant)]
    lengths = _batch_lengths(count, operands)
    rows = []
    for k in varying:
        inner = [operands[k].shape[axis] for axis in range(count, operands[k].ndim)]
        whole = T.alloc(operands[k], *lengths, *inner)
        rows.append(whole.reshape([-1, *inner], ndim=1 + len(inner)))

    def step(*values: Any) -> list[Any]:
        given = dict(zip(varying, values, strict=True))
        return convert_node(core, [given.get(k, item) for k, item in enumerate(items)])

    results, _ = symtheano.scan(step, rows, return_list=True)
    return [
        item.reshape([*lengths, *(item.shape[axis] for axis in range(1, item.ndim))],
                     ndim=count + item.ndim - 1)
        for item in results
    ]  # fmt: skip


def _item(operand: Any, item: Any) -> Any:
    """Return a variable for an item of a batch, or the number that all items are."""
    if not item.type.ndim:
        try:
            return T.constant(T.get_scalar_constant_value(operand), dtype=operand.dtype)
        except T.NotScalarConstantError:
            pass
    return converted_type(item.type)()


@converts("BlockwiseWithCoreShape", "OpWithCoreShape")
def _with_core_shape(op: Any, node: Any, *operands: Any) -> Any:
    """Ignore the lengths that numba needs: the operands after those of the op inside."""
    (inner,) = op.fgraph.apply_nodes
    outer = dict(zip(op.fgraph.inputs, zip(node.inputs, operands, strict=True), strict=True))
    pairs = [outer.get(item) or (item, converted_constant(item)) for item in inner.inputs]
    core = inner.op.make_node(*(item for item, _ in pairs))
    return convert_node(core, [operand for _, operand in pairs])


@converts("Cholesky")
def _cholesky(op: Any, node: Any, a: Any) -> Any:
    dtype = node.outputs[0].type.dtype
    on_error = getattr(op, "on_error", "nan")
    return linalg.cholesky(T.cast(a, dtype), lower=op.lower, on_error=on_error)


def _in_dtype(node: Any, *operands: Any, output: int = 0) -> list[Any]:
    dtype = node.outputs[output].type.dtype
    return [item if item.dtype == dtype else T.cast(item, dtype) for item in operands]


@converts("Solve")
def _solve(op: Any, node: Any, a: Any, b: Any) -> Any:
    a, b = _in_dtype(node, a, b)
    structure = op.assume_a
    if structure == "gen":
        return linalg.solve(a, b)
    if structure in ("sym", "her", "pos", "symmetric", "hermitian", "positive definite"):
        whole = _mirrored(a, op.lower, conjugates=structure[:3] in ("her", "pos"))
        if structure.startswith("pos"):
            return linalg.cho_solve((linalg.cholesky(whole, on_error="nan"), True), b)
        return linalg.solve(whole, b)
    if structure in ("diagonal",):
        diagonal = T.diagonal(a)
        return b / (diagonal if op.b_ndim == 1 else diagonal.dimshuffle(0, "x"))
    if structure == "tridiagonal":
        return linalg.tridiagonal_lu_solve(linalg.tridiagonal_lu_factor(*_diagonals(a)), b)
    raise NotImplementedError(f"systems of equations with assume_a={structure!r}")


def _mirrored(a: Any, lower: bool, conjugates: bool) -> Any:
    """Return the matrix of which one triangle is read."""
    other = T.conj(a.T) if conjugates and a.dtype.startswith("complex") else a.T
    return T.tril(a) + T.triu(other, 1) if lower else T.triu(a) + T.tril(other, -1)


def _diagonals(a: Any) -> list[Any]:
    return [linalg.diagonal(a, offset=offset) for offset in (-1, 0, 1)]


@converts("SolveTriangular")
def _solve_triangular(op: Any, node: Any, a: Any, b: Any) -> Any:
    a, b = _in_dtype(node, a, b)
    return linalg.solve_triangular(a, b, lower=op.lower, unit_diagonal=op.unit_diagonal)


@converts("CholeskySolve")
def _cholesky_solve(op: Any, node: Any, factor: Any, b: Any) -> Any:
    factor, b = _in_dtype(node, factor, b)
    return linalg.cho_solve((factor, op.lower), b)


@converts("MatrixInverse")
def _inverse(op: Any, node: Any, a: Any) -> Any:
    return linalg.inv(*_in_dtype(node, a))


@converts("MatrixPinv")
def _pseudoinverse(op: Any, node: Any, a: Any) -> Any:
    return linalg.pinv(T.cast(a, node.outputs[0].type.dtype), hermitian=op.hermitian)


@converts("Det")
def _determinant(op: Any, node: Any, a: Any) -> Any:
    return linalg.det(*_in_dtype(node, a))


@converts("SLogDet")
def _sign_and_logarithm(op: Any, node: Any, a: Any) -> Any:
    return linalg.slogdet(*_in_dtype(node, a))


@converts("Eigh")
def _eigh(op: Any, node: Any, a: Any, *operands: Any) -> Any:
    a, *others = _in_dtype(node, a, *(item for item in operands if item is not None), output=-1)
    return linalg.eigh(a, UPLO=_triangle(op), b=others[0] if others else None)


@converts("Eigvalsh")
def _eigvalsh(op: Any, node: Any, a: Any, *operands: Any) -> Any:
    if not operands or operands[0] is None:
        return linalg.eigvalsh(a, UPLO=_triangle(op))
    return slinalg.eigvalsh(a, operands[0], lower=_triangle(op) == "L")


def _triangle(op: Any) -> str:
    lower = getattr(op, "lower", None)
    return getattr(op, "UPLO", "L") if lower is None else "L" if lower else "U"


@converts("Eig")
def _eig(op: Any, node: Any, a: Any) -> Any:
    return linalg.eig(T.cast(a, node.outputs[0].type.dtype))


@converts("SVD")
def _svd(op: Any, node: Any, a: Any) -> Any:
    if not op.compute_uv:
        return linalg.svdvals(a)
    return linalg.svd(a, full_matrices=op.full_matrices)


@converts("QR")
def _qr(op: Any, node: Any, a: Any) -> Any:
    """Return R with the rows of the matrix in mode ``r``, and after LAPACK's results in ``raw``."""
    (a,) = _in_dtype(node, a)
    mode = {"full": "complete", "economic": "reduced"}.get(op.mode, op.mode)
    results = linalg.qr(a, mode=mode, pivoting=op.pivoting)
    results = list(results) if isinstance(results, list | tuple) else [results]
    rows, columns = a.shape[0], a.shape[1]
    if mode == "r":
        missing = T.zeros((T.maximum(rows - columns, 0), columns), dtype=a.dtype)
        results[0] = T.join(0, results[0], missing)
    elif mode == "raw":
        results[0] = results[0].T
        results.insert(2, T.triu(results[0][: T.minimum(rows, columns)]))
    return results


@converts("Schur")
def _schur(op: Any, node: Any, a: Any) -> Any:
    (a,) = _in_dtype(node, a)
    return linalg.schur(a, sort=op.sort, on_error="nan")


@converts("QZ")
def _qz(op: Any, node: Any, a: Any, b: Any) -> Any:
    a, b = _in_dtype(node, a, b)
    s, t, alpha, beta, q, z = linalg.ordqz(a, b, sort=op.sort, on_error="nan")
    return [s, t, alpha, beta, q, z] if op.return_eigenvalues else [s, t, q, z]


@converts("LUFactorTridiagonal")
def _tridiagonal_factor(op: Any, node: Any, *diagonals: Any) -> Any:
    """LAPACK counts rows from one."""
    *results, rows = linalg.tridiagonal_lu_factor(*_in_dtype(node, *diagonals))
    return [*results, rows + 1]


@converts("SolveLUFactorTridiagonal")
def _tridiagonal_solve(op: Any, node: Any, *operands: Any) -> Any:
    *diagonals, rows, b = operands
    *diagonals, b = _in_dtype(node, *diagonals, b)
    trans = "T" if op.transposed else "N"
    return linalg.tridiagonal_lu_solve((*diagonals, T.cast(rows, "int64") - 1), b, trans=trans)


@converts("Expm")
def _expm(op: Any, node: Any, a: Any) -> Any:
    return linalg.expm(*_in_dtype(node, a))


@converts("BlockDiagonal")
def _block_diagonal(op: Any, node: Any, *blocks: Any) -> Any:
    return linalg.block_diag(*blocks)


@converts("Lstsq")
def _lstsq(op: Any, node: Any, a: Any, b: Any, cutoff: Any) -> Any:
    return linalg.lstsq(a, b, cutoff)
