"""Random programs over the whole language: compiled, interpreted, and as NumPy runs them.

``SYMTHEANO_LONG_RUN=N`` runs N times as many programs, at random.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import symtheano.tensor as T
from symtheano import Mode, function, grad
from symtheano.gradient import Rop
from tests.support.compare import Array, assert_fresh, compiled, count, oracle
from tests.support.programs import Program, start

LONG = int(os.environ.get("SYMTHEANO_LONG_RUN", "0"))
REWRITTEN = Mode("interpret", "fast_run")
FLOAT, COMPLEX, INTEGER, NUMBER = "f", "c", "iu", "fciu"

# Lines by the kinds of dtype of {x}; where a line jumps or bends stands beside it.
UNARY: dict[str, list[tuple[str, str, str]]] = {
    "f": [
        ("T.tanh({x})", "", ""),
        ("T.sin({x}) + T.cos({x})", "", ""),
        ("T.exp(-T.sqr({x}))", "", ""),
        ("T.sqrt(T.sqr({x}) + 1)", "", ""),
        ("T.log1p(T.sqr({x}))", "", ""),
        ("T.nnet.sigmoid({x})", "", ""),
        ("T.nnet.softplus({x})", "", ""),
        ("T.erf({x})", "", ""),
        ("T.arctan({x}) * 0.5", "", ""),
        ("T.gammaln(T.sqr({x}) + 0.5)", "", ""),
        ("T.arctan2({x}, 2 + T.cos({x}))", "", ""),
        ("1 / (1 + {x} ** 2)", "", ""),
        ("-{x}", "", ""),
        ("{x} ** 3 - {x}", "", ""),
        ("abs({x})", "", "{x}"),
        ("T.nnet.relu({x})", "", "{x}"),
        ("T.maximum(T.minimum({x}, 0.75), -0.625)", "", "({x} - 0.75) * ({x} + 0.625)"),
        ("T.floor({x} * 3)", "T.sin(np.pi * 3 * {x})", ""),
        ("T.sgn({x})", "{x}", ""),
        ("T.cast(T.floor({x} * 4), 'int64')", "T.sin(np.pi * 4 * {x})", ""),
        ("{x} > 0.125", "{x} - 0.125", ""),
        ("T.cast({x}, 'float32')", "", ""),
        ("T.cast({x}, 'complex128')", "", ""),
        ("T.isnan({x} / ({x} + 100))", "", ""),
    ],
    "c": [
        ("T.real({x})", "", ""),
        ("T.imag({x})", "", ""),
        ("abs({x})", "", "abs({x})"),
        ("T.conj({x})", "", ""),
        ("-{x}", "", ""),
        ("{x} * {x}", "", ""),
        ("T.exp({x} * 0.3)", "", ""),
        ("{x} / (4 + T.cos(T.real({x})))", "", ""),
    ],
    "i": [
        ("{x} + {x}", "", ""),
        ("{x} * {x}", "", ""),
        ("T.invert({x})", "", ""),
        ("{x} > {x} + {x}", "", ""),
        ("T.tanh(T.cast({x}, 'float64') * 0.0078125)", "", ""),
        ("T.cast({x}, 'int8')", "", ""),
        ("T.cast({x}, 'uint8')", "", ""),
        ("T.cast({x}, 'int64') % 7 - 3", "", ""),
        ("T.cast({x}, 'int64') // 3", "", ""),
        ("T.cast({x}, 'int16') << 3", "", ""),
        ("T.cast({x}, 'int32') >> 1", "", ""),
        ("T.cast({x}, 'int64') & 5", "", ""),
    ],
    "b": [
        ("~{x}", "", ""),
        ("T.cast({x}, 'int64')", "", ""),
        ("T.cast({x}, 'float64') - 0.5", "", ""),
        ("T.where({x}, s, -0.25)", "", ""),
    ],
}

BINARY: list[tuple[str, str, str, str]] = [
    ("f", "{x} + {y}", "", ""),
    ("f", "{x} - {y}", "", ""),
    ("f", "{x} * {y}", "", ""),
    ("f", "{x} / (2 + T.cos({y}))", "", ""),
    ("f", "T.maximum({x}, {y})", "", "{x} - {y}"),
    ("f", "T.minimum({x}, {y})", "", "{x} - {y}"),
    ("f", "T.switch({x} < {y}, {x}, {y} * 0.5)", "{x} - {y}", ""),
    ("f", "T.logaddexp({x}, {y})", "", ""),
    ("f", "T.hypot({x}, T.sqr({y}) + 1)", "", ""),
    ("f", "{x} <= {y}", "{x} - {y}", ""),
    ("f", "(1.5 + T.tanh({x})) ** {y}", "", ""),
    ("c", "{x} + {y}", "", ""),
    ("c", "{x} * {y}", "", ""),
    ("c", "{x} * T.conj({y}) - {x}", "", ""),
    ("i", "{x} + {y}", "", ""),
    ("i", "{x} - {y}", "", ""),
    ("i", "{x} * {y}", "", ""),
    ("i", "{x} // (abs({y}) + 1)", "", ""),
    ("i", "{x} % (abs({y}) + 1)", "", ""),
    ("i", "T.maximum({x}, {y})", "", ""),
    ("i", "T.eq({x}, {y})", "", ""),
    ("i", "T.xor({x}, {y})", "", ""),
    ("u", "{x} * {y}", "", ""),
    ("b", "{x} & {y}", "", ""),
    ("b", "{x} | {y}", "", ""),
    ("b", "T.xor({x}, {y})", "", ""),
    ("b", "T.neq({x}, {y})", "", ""),
]


def unary(p: Program) -> None:
    x = p.pick()
    if x:
        text, jump, kink = p.one_of(*UNARY[p.values[x].dtype.kind.replace("u", "i")])
        p.add(*(part.format(x=x) for part in (text, jump, kink)))


def binary(p: Program) -> None:
    kind, text, jump, kink = p.one_of(*BINARY)
    x = p.pick_of(kind)
    y = p.beside(x, kind) if x else None
    if x and y:
        p.add(*(part.format(x=x, y=y) for part in (text, jump, kink)))


def mixed(p: Program) -> None:
    """Two dtypes meet, or a condition chooses."""
    x = p.pick_of("fc")
    y = p.beside(x, "bic") if x else None
    if x and y:
        if p.values[y].dtype.kind == "b":
            p.add(f"T.where({y}, {x}, {x} * 0.5)")
        elif np.abs(p.values[y]).max(initial=0) < 1000:
            p.add(f"{x} * {y} * 0.125")


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


def count_or_search(p: Program) -> None:
    """Counts and places; weights of float64, as counts have their dtype and NumPy's float64."""
    x, k = p.pick_of("f", 1), p.pick_of("i", 1, 1)
    v = p.pick(lambda value: value.dtype == "float64" and value.ndim == 1)
    kind = p.one_of("bincount", "searchsorted", "weights", "nonzero", "unique_counts")
    if kind == "searchsorted" and x and v:
        p.add(f"T.searchsorted(T.sort({v}), {x} * 0.875, side={p.one_of('left', 'right')!r})",
              f"np.subtract.outer({v}, {x} * 0.875)")  # fmt: skip
    elif kind == "bincount" and k:
        p.add(f"T.bincount({k} % 5, minlength={p.one_of(0, 3, 8)})")
    elif kind == "weights" and k and v and 0 < p.values[k].size == p.values[v].size:
        p.add(f"T.bincount({k} % 4, weights={v})")
    elif kind == "unique_counts" and k:
        p.add(f"T.unique({k}, return_counts=True)[1]")
    elif kind == "nonzero" and k:
        p.add(f"T.flatnonzero({k} > 0)")


def arrange(p: Program) -> None:
    x = p.pick_of("fciub", 1, 3)
    if not x:
        return
    value = p.values[x]
    number = value.dtype.kind in "fi" and value.dtype.itemsize == 8
    texts = ["T.tile({x}, (2, 1))", "T.tile({x}, 2)", "T.roll({x}, 1)", "T.expand_dims({x}, 0)",
             "T.flatten({x}, 1)", "{x}.T", "{x}.reshape((-1,))", "{x}.reshape((-1, 1))",
             "T.stack([{x}, {x}[::-1]], axis={axis})",
             "T.concatenate([{x}, {x}[:1]], axis=0)",
             "T.pad({x}, 1, mode='constant')" if number else "T.flip({x})",
             "{x}.reshape((1, *[{x}.shape[i] for i in range({ndim})]))",
             "T.dimshuffle({x}, *{order})", "T.broadcast_to({x}, (2, *{shape}))",
             "T.take({x}, np.array([0, -1]), axis=0)" if value.shape[0] else "{x}.T"]  # fmt: skip
    if value.ndim >= 2:
        texts += ["T.moveaxis({x}, 0, -1)", "T.swapaxes({x}, 0, 1)", "T.flatten({x}, 2)",
                  "{x}.reshape(({x}.shape[0], -1))" if value.shape[0] else "{x}.T",
                  "{x}.reshape(({x}.shape[1], {x}.shape[0], -1))" if value.size else "{x}.T",
                  "T.stack([{x}[0], {x}[-1]])" if value.shape[0] else "{x}.T"]  # fmt: skip
    if value.ndim == 2:
        texts += ["T.tril({x}, {k})", "T.triu({x}, {k})", "T.rot90({x}, {k})", "T.diag({x}, {k})",
                  "T.diagonal({x}, {k})", "T.trace({x}, {k})"]  # fmt: skip
    if value.ndim == 1:
        texts += ["T.diag({x}, {k})", "T.diag({x})"]
    if number and value.shape[0]:
        texts += ["T.pad({x}, 1, mode='edge')" if value.size else "{x}.T",
                  "T.split({x}, [1, {rest}], 2, axis=0)[{which}]"]  # fmt: skip
    order = list(p.draw(st.permutations(range(value.ndim))))
    text = p.one_of(*texts)
    if ("trace" in text or "diag" in text) and value.dtype.kind == "b":
        return
    shape = "".join(f"{x}.shape[{i}], " for i in range(value.ndim))
    p.add(text.format(
        x=x, axis=p.axis(x), ndim=value.ndim, order=[*order, "x"], shape=f"({shape})",
        k=p.one_of(0, 1, -1), rest=(value.shape[0] - 1), which=p.one_of(0, 1),
    ))  # fmt: skip


def join(p: Program) -> None:
    x = p.pick_of("fi", 1)
    if not x:
        return
    shape, dtype = p.values[x].shape, p.values[x].dtype
    y = p.pick(lambda value: value.shape == shape and value.dtype == dtype)
    if y:
        name, axis = p.one_of(("concatenate", p.axis(x)), ("stack", p.axis(x)), ("stack", 0))
        p.add(f"T.{name}([{x}, {y}, {x}], axis={axis})")


def slice_text(p: Program) -> str:
    bound = st.sampled_from(["", "", "1", "-1", "2", "-3", "j"])
    start_, stop = p.draw(bound), p.draw(bound)
    return f"{start_}:{stop}:{p.one_of(1, 1, 2, -1, -2)}"


def key_text(p: Program, x: str, advanced: bool, distinct: bool = False) -> str:
    """Return what may stand in the brackets after a variable."""
    shape = p.values[x].shape
    mask = p.pick(lambda value: value.dtype == "bool" and value.ndim > 0
                  and value.shape == shape[: value.ndim])  # fmt: skip
    if advanced and mask and p.draw(st.booleans()):
        rest = [slice_text(p) for _ in shape[p.values[mask].ndim :] if p.draw(st.booleans())]
        return ", ".join([mask, *rest])
    parts = []
    length = p.one_of(1, 2, 3)
    for n in shape:
        kind = p.one_of("slice", "slice", "number", "whole", "list", "array")
        vector = p.pick(lambda value: value.dtype == "int64" and value.ndim == 1
                        and len(value) == length)  # fmt: skip
        if kind == "number" and n:
            parts.append(p.one_of(str(p.draw(st.integers(-n, n - 1))), f"j % {n}"))
        elif kind == "list" and advanced and n and (n >= length or not distinct):
            index = p.draw(st.lists(st.integers(0, n - 1), min_size=length, max_size=length,
                                    unique=distinct))  # fmt: skip
            parts.append(f"np.array({[i - n if i % 2 else i for i in index]})")
        elif kind == "array" and advanced and n and vector and not distinct:
            parts.append(f"{vector} % {n}")
        else:
            parts.append(":" if kind == "whole" else slice_text(p))
    if p.draw(st.booleans()) and p.draw(st.booleans()):
        return ", ".join(["...", *parts[max(0, len(parts) - 1) :]])
    if not distinct and len(shape) < 3 and p.draw(st.booleans()) and p.draw(st.booleans()):
        parts.insert(p.draw(st.integers(0, len(parts))), "None")
    return ", ".join(parts)


def index(p: Program) -> None:
    x = p.pick_of("fciub", 1, 3)
    if x:
        p.add(f"{x}[{key_text(p, x, p.draw(st.booleans()))}]")


def put(p: Program) -> None:
    x = p.pick(lambda value: 1 <= value.ndim <= 3
               and value.dtype in ("float64", "int64", "complex128"))  # fmt: skip
    if x:
        more = p.draw(st.booleans())
        key = key_text(p, x, p.draw(st.booleans()), distinct=not more)
        single = "j" if p.values[x].dtype == "int64" else "s"
        wide = p.one_of("2", f"{x}[{key}] * 2", single)
        name = "put_more" if more else "put"
        p.add(f"{name}({x}, np.s_[{key}], {wide})")


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


def product(p: Program) -> None:
    x = p.pick_of("fc", 1, 3)
    if not x:
        return
    a = p.values[x]
    y = p.pick(lambda b: b.dtype == a.dtype and b.ndim in (1, 2)
               and b.shape[0] == a.shape[-1])  # fmt: skip
    if y and a.ndim < 3:
        letters = {(2, 2): "ij,jk->ki", (1, 1): "i,i->", (2, 1): "ij,j->i", (1, 2): "i,ij->j"}
        ndim = p.values[y].ndim
        p.add(p.one_of(f"T.dot({x}, {y})", f"T.matmul({x}, {y})",
                       f"T.tensordot({x}, {y}, axes=1)",
                       f"T.einsum({letters[a.ndim, ndim]!r}, {x}, {y})"))  # fmt: skip
    elif y:
        p.add(f"T.matmul({x}, {y})" if p.values[y].ndim == 2 else f"T.tensordot({x}, {y}, axes=1)")


def more_products(p: Program) -> None:
    x = p.pick_of("fc", 1, 3)
    if not x:
        return
    same = p.pick(lambda b: b.dtype == p.values[x].dtype and b.shape == p.values[x].shape)
    texts = {
        1: ["T.outer({x}, {y})", "T.inner({x}, {y})", "T.einsum('i,j->ij', {x}, {y})"],
        2: ["T.kron({x}, {y})", "T.dot({x}, {y}.T)", "T.einsum('ij,ij->j', {x}, {y})",
            "T.einsum('ij,kj->ik', {x}, {y})"],
        3: ["T.matmul({x}, T.swapaxes({y}, 1, 2))", "T.einsum('bij,bij->bi', {x}, {y})",
            "T.einsum('bij,bkj->bik', {x}, {y})", "T.tensordot({x}, {y}, axes=[[0, 2], [0, 2]])",
            "T.batched_dot({x}, T.swapaxes({y}, 1, 2))"],
    }  # fmt: skip
    p.add(p.one_of(*texts[p.values[x].ndim]).format(x=x, y=same))


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


def solve(p: Program) -> None:
    """Linear algebra on a matrix that is well conditioned."""
    x = p.pick(lambda value: value.dtype == "float64" and value.ndim == 2 and value.shape[0] < 7)
    if not x:
        return
    matrix = f"(T.dot({x}, {x}.T) + 3 * T.eye({x}.shape[0]))"
    n = p.values[x].shape[0]
    b = p.pick(lambda v: v.dtype == "float64" and v.ndim in (1, 2) and v.shape[0] == n) or x
    p.add(p.one_of(f"T.slinalg.cholesky({matrix})", f"T.nlinalg.det({matrix} * 0.25)",
                   f"T.nlinalg.inv({matrix})", f"T.slinalg.solve({matrix}, {b})",
                   f"T.nlinalg.slogdet({matrix})[1]",
                   f"T.nlinalg.matrix_power({matrix} * 0.2, 3)"))  # fmt: skip


def transform(p: Program) -> None:
    x = p.pick(lambda value: value.dtype == "float64" and value.ndim == 2 and value.shape[1] > 1)
    if x:
        norm = p.one_of(None, "ortho")
        text = f"T.fft.rfft({x}, norm={norm!r})"
        if p.draw(st.booleans()):
            odd = bool(p.values[x].shape[1] % 2)
            text = f"T.fft.irfft({text} * 0.5, norm={norm!r}, is_odd={odd})"
        p.add(text)


def lengths(p: Program) -> None:
    """Lengths are numbers like any other."""
    x = p.pick_of("fi", 1, 2)
    y = p.pick(lambda value: value.dtype == "float64" and value.ndim in (1, 2))
    if x and y:
        p.add(p.one_of(
            f"T.arange({x}.shape[0])", f"T.arange({x}.shape[0] + {y}.shape[-1], 0, -2)",
            f"{y}[:{x}.shape[0]]", f"{y}[{x}.shape[0] // 2:]", f"{y} * {x}.shape[0] * 0.125",
            f"T.eye({x}.shape[0], {y}.shape[0])", f"T.alloc(s, {x}.shape[0], {y}.shape[-1])",
            f"T.ones_like({x})", f"T.zeros_like({y}) + {y}.shape[0]",
            f"T.arange({x}.shape[0] * {y}.shape[0]).reshape(({x}.shape[0], {y}.shape[0]))",
            f"{y}[T.arange({y}.shape[0]) % 2]" if len(p.values[y]) > 1 else f"{y}[::-1]",
            f"T.stack([{x}.shape[0], {y}.shape[0]])",
            f"{y}[({x}.shape[0] - 3):]",
        ))  # fmt: skip


FAMILIES: Sequence[Callable[[Program], None]] = (
    unary, unary, binary, binary, mixed, reduce, reduce, along, along, count_or_search, arrange,
    arrange, join, index, index, put, put, positions, product, more_products, solve, statistics,
    transform, lengths, lengths,
)  # fmt: skip


@st.composite
def programs(draw: Any, smooth: bool = False) -> Program:
    """Return a program of at most eight steps."""
    program = start(draw, smooth)
    for _ in range(draw(st.integers(4, 10))):
        draw(st.sampled_from(FAMILIES))(program)
    return program


def agree(got: Array, want: Array, small: float, scale: float, what: str) -> None:
    """Fail unless dtype, shape and numbers are the same, floats up to rounding."""
    assert (got.dtype, got.shape) == (want.dtype, want.shape), what
    if want.dtype.kind in "fc":
        np.testing.assert_allclose(got, want, rtol=small, atol=small * scale, err_msg=what)
    else:
        np.testing.assert_array_equal(got, want, what)


def compare(program: Program, make: Callable[..., Any]) -> None:
    """Compare a function with the interpreter that rewrites nothing and with NumPy."""
    names, inputs = program.results(8), program.used()
    if not names:
        return
    variables = [program.variables[name] for name in inputs]
    outputs = [program.variables[name] for name in names]
    values = [program.values[name] for name in inputs]
    small, scale = program.precision(), program.magnitude()
    mine, its = make(variables, outputs)(*values), oracle(variables, outputs)(*values)
    assert_fresh(mine, values)
    for name, got, plain in zip(names, mine, its, strict=True):
        agree(got, program.values[name], small, scale, f"{name} against NumPy in{program!r}")
        agree(got, plain, small, scale, f"{name} against the interpreter in{program!r}")
    count("programs of the whole language", sum(got.size for got in mine))


def rewritten(inputs: Sequence[Any], outputs: Any) -> Any:
    """Return a function that the interpreter runs after rewriting."""
    return function(list(inputs), outputs, mode=REWRITTEN, on_unused_input="ignore")


def budget(examples: int) -> settings:
    """Return settings for a number of programs."""
    return settings(
        max_examples=examples * LONG or examples,
        derandomize=not LONG,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )


@pytest.mark.needs_cc
@budget(60)
@given(programs())
def test_programs_in_c(program: Program) -> None:
    compare(program, compiled)


@budget(220)
@given(programs())
def test_programs_rewritten(program: Program) -> None:
    compare(program, rewritten)


def check_gradient(program: Program, make: Callable[..., Any]) -> None:
    """Compare gradients with the interpreter's, and with finite differences of NumPy's cost."""
    inputs, names = program.differentiable(4)
    if not (inputs and names):
        return
    variables = [program.variables[name] for name in program.used()]
    cost = sum((T.sin(program.variables[name]).sum() for name in names), T.constant(0.0))
    slopes = grad(cost, [program.variables[name] for name in inputs],
                  disconnected_inputs="ignore")  # fmt: skip
    args = [program.values[name] for name in program.used()]
    mine, its = make(variables, [cost, *slopes])(*args), oracle(variables, [cost, *slopes])(*args)
    scale = max(float(np.abs(part).max(initial=1)) for part in its)
    for number, (got, want) in enumerate(zip(mine, its, strict=True)):
        agree(got, want, 1e-9, scale, f"{number} of cost and gradient of {names} in{program!r}")
    direction, changes = program.changes(inputs, names, 1e-6)
    want = sum(float((np.cos(program.values[name]) * change).sum())
               for name, change in zip(names, changes, strict=True))  # fmt: skip
    got = sum(float((slope * direction[name]).sum())
              for name, slope in zip(inputs, mine[1:], strict=True))  # fmt: skip
    np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 * scale,
                               err_msg=f"gradient of {names} in{program!r}")  # fmt: skip
    count("gradients of programs of the whole language", sum(part.size for part in mine))


@pytest.mark.needs_cc
@budget(20)
@given(programs(smooth=True))
def test_gradients_in_c(program: Program) -> None:
    check_gradient(program, compiled)


@budget(40)
@given(programs(smooth=True))
def test_gradients_rewritten(program: Program) -> None:
    check_gradient(program, rewritten)


@budget(20)
@given(programs(smooth=True))
def test_forward_derivatives(program: Program) -> None:
    inputs, names = program.differentiable(4)
    if not (inputs and names):
        return
    direction, changes = program.changes(inputs, names, 1e-6)
    slopes = Rop([program.variables[name] for name in names],
                 [program.variables[name] for name in inputs],
                 [T.constant(direction[name]) for name in inputs],
                 disconnected_outputs="ignore")  # fmt: skip
    variables = [program.variables[name] for name in program.used()]
    mine = oracle(variables, slopes)(*(program.values[name] for name in program.used()))
    for name, got, want in zip(names, mine, changes, strict=True):
        scale = float(np.abs(want).max(initial=1))
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4 * scale,
                                   err_msg=f"{name} in{program!r}")  # fmt: skip
    count("forward derivatives of programs", sum(part.size for part in mine))
