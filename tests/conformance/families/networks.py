"""Parts of networks: hierarchical and sampled softmax, blocks, alignments of labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.special

from tests.conformance.draws import Array, position, within
from tests.conformance.row import Arg, Row

FLOATS: Any = {"edges": False, "slack": 10}


def wide(*values: Array) -> list[Array]:
    """Return floats in double precision, and everything else as it is."""
    return [v.astype("float64") if v.dtype.kind == "f" else v for v in values]


def hierarchical() -> Iterator[Row]:
    """Yield rows of softmaxes of which a part is computed."""
    args = {"x": Arg("n m"), "u": Arg("m 2"), "a": Arg("2"), "v": Arg("2 m 3"), "b": Arg("2 3")}

    def both(*values: Array) -> Array:
        x, u, a, v, b = wide(*values)
        groups = scipy.special.softmax(x @ u + a, -1)
        inner = scipy.special.softmax(np.einsum("nm,gmo->ngo", x, v) + b, -1)
        return np.asarray((groups[:, :, None] * inner).reshape(len(x), 6))

    text = "T.nnet.h_softmax(x, x.shape[0], 5, 2, 3, u, a, v, b)"
    yield Row(text, args, "F", plain=lambda *v: both(*v)[:, :5].astype(v[0].dtype), **FLOATS)
    targets = {**args, "t": Arg("n", "int64", within(0, 6))}
    text = "T.nnet.h_softmax(x, x.shape[0], 5, 2, 3, u, a, v, b, t)"

    def chosen(*values: Array) -> Array:
        whole = both(*values[:-1])
        return whole[np.arange(len(whole)), values[-1]].astype(values[0].dtype)

    yield Row(text, targets, "F", plain=chosen, **FLOATS)
    args = {"x": Arg("n m"), "w": Arg("k m"), "b": Arg("k"), "t": Arg("n", "int64", position("k")),
            "s": Arg("j", "int64", position("k", negative=False))}  # fmt: skip

    def sampled(*values: Array) -> Array:
        x, w, b, t, s = wide(*values)
        right = (x * w[t]).sum(1) + b[t]
        others = np.where(t[:, None] % len(b) == s, -np.inf, x @ w[s].T + b[s])
        together = np.concatenate([right[:, None], others], 1)
        return (scipy.special.logsumexp(together, 1) - right).astype(values[0].dtype)

    args["t"] = Arg("n", "int64", position("k", negative=False))
    yield Row("T.nnet.sampled_softmax(x, w, b, t, s)", args, "D", plain=sampled, **FLOATS,
              least={"k": 1})  # fmt: skip


def blocks() -> Iterator[Row]:
    """Yield rows of products with some blocks."""
    rows, columns = Arg("n k", "int64", within(0, 3)), Arg("n j", "int32", within(0, 2))
    w, h, o = Arg("3 2 i o"), Arg("n k i"), Arg("n j o")
    module = "T.nnet.blocksparse"

    def product(o: Array, w: Array, h: Array, rows: Array, columns: Array) -> Array:
        given = w[rows[:, :, None], columns[:, None, :]]
        return np.asarray(o + np.einsum("nki,nkjio->njo", h, given)).astype(o.dtype)

    args = {"o": o, "w": w, "h": h, "r": rows, "c": columns}
    for name in ("sparse_block_gemv", "SparseBlockGemv()"):
        text = f"{module}.{name}(o, w, h, r, c)"
        yield Row(text, args, "D", plain=lambda *v: product(*wide(*v)), **FLOATS)
    args = {"w": w, "h": h, "r": rows, "b": Arg("2 o"), "c": columns}
    yield Row(f"{module}.sparse_block_dot(w, h, r, b, c)", args, "F", **FLOATS,
              plain=lambda w, h, r, b, c: product(b[c], w, h, r, c))  # fmt: skip

    def outer(o: Array, x: Array, y: Array, rows: Array, columns: Array) -> Array:
        found = o.copy()
        given = 0.5 * np.einsum("nki,njo->nkjio", x, y)
        np.add.at(found, (rows[:, :, None], columns[:, None, :]), given)
        return found

    args = {"o": w, "x": h, "y": o, "r": rows, "c": columns}
    for name in ("sparse_block_outer", "SparseBlockOuter()"):
        text = f"{module}.{name}(o, x, y, r, c, 0.5)"
        yield Row(text, args, "D", plain=lambda *v: outer(*wide(*v)), **FLOATS)


def alignments(x: Array, labels: Array, lengths: Array) -> Array:
    """Return the cost of labels by sums of the probabilities of alignments."""
    p, costs = scipy.special.softmax(x.astype("float64"), -1), []
    for item, length in enumerate(lengths):
        path = [0]
        for label in labels[item][labels[item] >= 0]:
            path += [label, 0]
        at = np.zeros(len(path) + 2)
        at[1] = 1  # before the first step, so that it leads to the first two places
        for t in range(length):
            skips = np.array(
                [s > 1 and path[s] and path[s] != path[s - 2] for s in range(len(path))]
            )
            stay = at[2:] if t else np.eye(len(path))[0]
            one = at[1:-1] if t else np.eye(len(path), k=-1)[:, 0]
            at[2:] = (stay + one + np.where(skips, at[:-2], 0) * bool(t)) * p[t, item, path]
            at[:2] = 0
        reached = at[2:][-2:].sum() if length else float(len(path) == 1)
        with np.errstate(divide="ignore"):
            costs.append(0.0 - np.log(reached))
    return np.array(costs, x.dtype)


def labels() -> Iterator[Row]:
    """Yield rows of labels without alignment."""
    args = {
        "x": Arg("t n c"), "y": Arg("n m", "int32", position("c")),
        "l": Arg("n", "int8", position("t", negative=False)),
    }  # fmt: skip
    yield Row("T.nnet.ctc.ctc(x, y, l)", args, "F", plain=alignments, slope=False, **FLOATS,
              least={"c": 1, "t": 1})  # fmt: skip


ROWS: list[Row] = [*hierarchical(), *blocks(), *labels()]
