"""Lines with positions and counts: along an axis, in sorted arrays, of flat elements."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.language.lines_reduce import GAPS
from tests.language.program import Program


def count_or_search(p: Program) -> None:
    """Counts and places; weights of float64, as counts have their dtype and NumPy's float64.

    The least lengths are those that batches require: no number is beyond.
    """
    x, k = p.pick_of("f", 1), p.pick_of("i", 1, 1)
    v = p.pick(lambda value: value.dtype == "float64" and value.ndim == 1)
    kind = p.one_of("bincount", "searchsorted", "weights", "nonzero", "unique_counts")
    if kind == "searchsorted" and x and v:
        p.add(f"T.searchsorted(T.sort({v}), {x} * 0.875, side={p.one_of('left', 'right')!r})",
              f"np.subtract.outer({v}, {x} * 0.875)")  # fmt: skip
    elif kind == "bincount" and k:
        p.add(f"T.bincount({k} % 5, minlength={p.one_of(0, 5, 8)})")
    elif kind == "weights" and k and v and 0 < p.values[k].size == p.values[v].size:
        p.add(f"T.bincount({k} % 4, weights={v})")
    elif kind == "unique_counts" and k:
        p.add(f"T.unique({k}, return_counts=True)[1]")
    elif kind == "nonzero" and k:
        p.add(f"T.flatnonzero({k} > 0)")


def positions(p: Program) -> None:
    """Elements chosen by positions along an axis."""
    x = p.pick_of("fi", 1, 3)
    if not x:
        return
    axis = p.axis(x)
    n, gaps = p.values[x].shape[axis], GAPS.format(x=x)
    gaps = gaps if p.values[x].dtype.kind == "f" else ""
    kind = p.one_of("take_along", "choose", "compress", "take")
    k = p.pick(lambda value: value.dtype == "int64" and value.ndim in (1, 2))
    if kind == "take_along":
        p.add(f"T.take_along_axis({x}, T.argsort({x}, axis={axis}, kind='stable'), {axis})", gaps)
    elif kind == "take" and k and n:
        p.add(f"T.take({x}, {k} % {n}, axis={axis})")
    elif kind == "compress":
        mask = [p.draw(st.booleans()) for _ in range(n)]
        p.add(f"T.compress(np.array({mask}, 'bool'), {x}, axis={axis})")
    elif kind == "choose" and k:
        p.add(f"T.choose({k} % 2, [{k} * 2, {k} - 1])")


def more_positions(p: Program) -> None:
    """Positions that are set, made of others, or chosen by size."""
    x = p.pick_of("fi", 1, 3)
    if not x:
        return
    value, axis = p.values[x], p.axis(x)
    n = value.shape[axis]
    gaps = GAPS.format(x=x) if value.dtype.kind == "f" else ""
    k = p.pick(lambda value: value.dtype == "int64" and value.ndim in (1, 2))
    single = "s" if value.dtype == "float64" else "j" if value.dtype == "int64" else None
    if p.draw(st.booleans()) and k:
        p.add(p.one_of(
            f"T.unravel_index({k} % 6, (2, 3))[{p.one_of(0, 1)}]",
            f"T.ravel_multi_index(({k} % 2, {k} % 3), (2, 3))",
            f"T.ravel_multi_index(({k}, {k} % 3), (2, 3), mode='wrap')",
            f"T.ravel_multi_index(({k}, {k}), (4, 3), mode='clip')",
            f"T.inverse_permutation(T.argsort({k}.reshape((-1,)), kind='stable'))",
            f"T.argwhere({k} > 0)", f"T.nonzero({k})[-1]", f"{k}.nonzero()[0] * 2",
            f"T.repeat({k}, T.maximum({k}.reshape((-1,)), 0)[:1] % 3 + 1, axis=None)"
            if p.values[k].size == 1 else f"T.repeat({k}.reshape((-1,)), {k}.reshape((-1,)) % 3)",
            f"T.searchsorted(T.sort({k}.reshape((-1,))), {k}, side='right')",
            f"T.bincount({k}.reshape((-1,)) % 4 + 1)", f"T.unique({k} * {k})",
            f"T.unique({k}, return_inverse=True)[1].reshape((-1,))",
            f"T.unique({k}, return_index=True)[1]", f"T.choose({k}, [{k}, {k} + 1], mode='wrap')",
            f"T.choose({k}, [{k}, {k} + 1, 5], mode='clip')",
        ))  # fmt: skip
    elif p.draw(st.booleans()) and n:
        many = p.one_of(1, n, -1, -n)
        p.add(f"T.topk({x}, {many}, axis={axis})", "", gaps)
    elif single and n:
        first = f"T.argsort({x}, axis={axis}, kind='stable')"
        p.add(p.one_of(
            f"T.put_along_axis({x}, {first}, {single}, {axis})",
            f"T.put_along_axis({x}, T.expand_dims(T.argmax({x}, axis={axis}), {axis}), "
            f"{single} * 2, {axis})",
            f"T.take_along_axis({x}, {first}[::-1], {axis})",
            f"T.take({x}, T.argmax({x}, axis={axis}) * 2 - 1, axis={axis}, mode='wrap')",
            f"T.take({x}, T.argmax({x}, axis={axis}) + 1, axis={axis}, mode='clip')",
            f"{x}[T.argsort({x}.reshape((-1,)), kind='stable') % {value.shape[0]}]",
        ), gaps)  # fmt: skip
    elif single and value.ndim == 2 and value.size:
        offset = p.one_of(0, 1, -1) if min(value.shape) > 1 else 0
        p.add(p.one_of(f"T.fill_diagonal({x}, {single})",
                       f"T.fill_diagonal_offset({x}, {single}, {offset})"))  # fmt: skip
