"""Lines that reduce, scan or sort, and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.language.program import Program

GAPS = "np.diff(np.sort({x}, axis=None))"


def reduce(p: Program) -> None:
    x = p.pick_of("fiubc", 1)
    if not x:
        return
    value = p.values[x]
    kind, shape = value.dtype.kind, value.shape
    axes = tuple(a for a in range(value.ndim) if p.draw(st.booleans()))
    axis: Any = p.one_of(None, axes, p.axis(x))
    empty = not np.prod(
        [
            shape[a]
            for a in (
                [axis] if isinstance(axis, int) else range(len(shape)) if axis is None else axis
            )
        ]
    )
    names = {
        "f": ["sum", "prod", "mean", "var", "std", "max", "min", "logsumexp"],
        "i": ["sum", "prod", "max", "min", "any", "all", "mean"],
        "u": ["sum", "max", "min"],
        "b": ["sum", "any", "all"],
        "c": ["sum", "mean"],
    }[kind]
    if axis is None or isinstance(axis, int):
        names += ["argmax", "argmin", "ptp"] if kind in "fi" else []
    if empty or axis == ():
        names = ["sum"] if kind in "fc" or axis == () else ["sum", "any"]
    name = p.one_of(*names)
    keep = "" if name == "ptp" else f", keepdims={p.draw(st.booleans())}"
    gaps = GAPS.format(x=x) if kind == "f" else ""
    text = f"T.{name}({x}, axis={axis}{keep})"
    bends = {"max": gaps, "min": gaps, "ptp": gaps, "std": text}
    p.add(text, gaps if name.startswith("arg") else "", bends.get(name, ""))


def along(p: Program) -> None:
    """Scans, sorting and the like along an axis."""
    x = p.pick_of("fi", 1)
    if not x:
        return
    axis = p.axis(x)
    n = p.values[x].shape[axis]
    is_float = p.values[x].dtype.kind == "f"
    text = p.one_of("T.cumsum({x}, axis={axis})", "T.cumprod({x}, axis={axis})",
                    "T.diff({x}, axis={axis})", "T.sort({x}, axis={axis})",
                    "T.argsort({x}, axis={axis}, kind='stable')", "T.flip({x}, axis={axis})",
                    "T.roll({x}, {shift}, axis={axis})", "T.repeat({x}, {times}, axis={axis})",
                    "T.nnet.softmax({x}, axis={positive})",
                    "T.nnet.logsoftmax({x}, axis={positive})", "T.diff({x}, n=2, axis={axis})",
                    "T.unique({x})", "T.cumsum({x})")  # fmt: skip
    if "nnet" in text and not (is_float and p.values[x].size):
        return
    if ("diff" in text and n < 3) or ("cumprod" in text and is_float and n > 6):
        return
    text = text.format(x=x, axis=axis, positive=axis % p.values[x].ndim,
                       shift=p.one_of(1, -2, 7), times=p.one_of(2, 1, 3))  # fmt: skip
    gaps = GAPS.format(x=x) if is_float else ""
    rough = "argsort" in text or "unique" in text
    p.add(text, gaps if rough else "", gaps if "sort" in text else "")


def statistics(p: Program) -> None:
    """Averages and the like; not ``cov`` of one row, which NumPy squeezes to a number."""
    x = p.pick(lambda value: value.dtype == "float64" and value.ndim in (1, 2) and value.size > 1)
    if x:
        jump = GAPS.format(x=x)
        text = p.one_of(
            "T.median({x}, axis=0)",
            "T.percentile({x}, 30, axis=-1)",
            "T.average({x}, axis=0, weights=T.sqr({x}) + 1)",
            "T.interp({x}, np.array([-1.0, 0.25, 1.0]), np.array([0.5, -0.5, 1.0]))",
            "T.nan_to_num({x} / T.maximum({x}, 2.5))",
            "T.linspace(s, 1.5, {x}.shape[0])",
            "T.digitize({x}, np.array([-0.375, 0.125, 0.625]))",
            "T.cov({x}, bias=True)" if len(p.values[x]) > 1 < p.values[x].ndim else "T.var({x})",
        ).format(x=x)
        bends = "interp" in text or "digitize" in text
        places = f"np.subtract.outer({x}, [-1.0, -0.375, 0.125, 0.25, 0.625, 1.0])"
        if "median" in text or "percentile" in text:
            p.add(text, "", jump)
        else:
            p.add(text, places if bends else "")
