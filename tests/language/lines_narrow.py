"""Lines of numbers of all widths, which wrap around and round as NumPy's do.

Python numbers become constants of Theano's dtypes and not of NumPy's, so these lines have none.
"""

from __future__ import annotations

import numpy as np

from tests.language.program import LARGEST, Program, largest

DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool",
          "float16", "float32", "float64", "complex64")  # fmt: skip

ONE = {
    "iu": ["-{x}", "abs({x})", "~{x}", "{x} * {x}", "T.sqr({x})", "T.sgn({x})", "{x} // {x}",
           "{x} % {x}", "{x} << ({x} & np.uint8(7))", "{x} >> np.uint8(2)",
           "T.tanh(T.cast({x}, 'float32'))", "T.sum({x}, axis=-1)", "T.prod({x}, axis=0)",
           "T.mean({x})",
           "T.cumsum({x}, axis=0)", "T.max({x}, axis=-1)", "T.min({x})", "T.argmax({x}, axis=0)",
           "T.sort({x}, axis=0)", "T.unique({x})", "T.any({x}, axis=0)", "T.all({x})",
           "T.dot({x}, {x}.T)", "{x} ** np.uint8(2)", "T.var({x})", "T.diff({x}, axis=0)",
           "T.clip({x}, {x}.min(), {x}.max())", "T.nnet.relu({x})"],
    "f": ["-{x}", "abs({x})", "{x} * {x}", "T.tanh({x})", "T.exp(-T.sqr({x}))",
          "T.sum({x}, axis=-1)",
          "T.mean({x}, axis=0)", "T.max({x})", "T.cumsum({x}, axis=-1)", "T.sort({x}, axis=-1)",
          "T.dot({x}, {x}.T)", "T.sqrt(abs({x}))", "T.minimum({x}, {x}[::-1])", "T.sin({x})",
          "T.nnet.sigmoid({x})", "T.isnan({x})", "T.var({x}, axis=0)", "T.nnet.relu({x})",
          "T.diff({x}, axis=0)"],
    "b": ["~{x}", "{x} + {x}", "{x} * {x}", "T.sum({x}, axis=0)", "T.all({x}, axis=-1)",
          "T.sort({x}, axis=0)", "T.cumsum({x}, axis=0)", "T.mean({x})",
          "T.prod({x}, axis=-1)", "T.dot({x}, {x}.T)", "T.max({x})", "abs({x})"],
    "c": ["T.real({x})", "T.conj({x}) * {x}", "T.imag({x} * {x})", "T.sum({x}, axis=0)"],
}  # fmt: skip

TWO = {
    "iufb": ["{x} + {y}", "{x} * {y}", "T.cast({x}, 'float64') / {y}", "T.maximum({x}, {y})",
             "T.minimum({x}, {y})", "T.arctan2(T.cast({x}, 'float64'), {y})",
             "T.concatenate([{x}.reshape((-1,)), {y}.reshape((-1,))])"],
    "iuf": ["{x} - {y}"],
    "iu": ["{x} // {y}", "{x} % {y}", "T.divmod({x}, {y})[1]", "T.gcd({x}, {y})"],
    "iub": ["{x} & {y}", "{x} | {y}", "T.xor({x}, {y})"],
}  # fmt: skip
"""By the kinds of the common dtype."""

COMPARED = ("{x} < {y}", "{x} >= {y}", "T.eq({x}, {y})", "T.neq({x}, {y})",
            "T.where({x} > {y}, {x}, {y})")  # fmt: skip


def narrow_one(p: Program) -> None:
    x = p.pick_of("iufbc", 1, 3)
    if not x:
        return
    value = p.values[x]
    kind = value.dtype.kind.replace("u", "i")
    text = p.one_of(*next(texts for kinds, texts in ONE.items() if kind in kinds)).format(x=x)
    reduces = any(f"T.{name}(" in text for name in ("max", "min", "argmax", "mean", "var", "clip"))
    if (reduces or "[::-1]" in text or "diff" in text) and not value.size:
        return
    if "dot" in text and value.ndim == 3:
        return
    rounds = any(word in text for word in ("tanh", "var", "mean"))
    if value.dtype.kind in "iub" and rounds and largest(value.astype("float64")) > 1e6:
        return
    p.add(text)


def narrow_two(p: Program) -> None:
    x = p.pick_of("iufb")
    y = p.beside(x, "iufb") if x else None
    if not (x and y):
        return
    common = np.promote_types(p.values[x].dtype, p.values[y].dtype).kind
    if p.one_of(True, False, False):
        jump = f"np.float64(1) * {x} - {y}" if common == "f" else ""
        p.add(p.one_of(*COMPARED).format(x=x, y=y), jump)
    else:
        texts = [text for kinds, row in TWO.items() if common in kinds for text in row]
        p.add(p.one_of(*texts).format(x=x, y=y))


def cast(p: Program) -> None:
    x = p.pick_of("iufbc")
    if not x:
        return
    value, dtype = p.values[x], p.one_of(*DTYPES)
    target = np.dtype(dtype)
    if value.dtype.kind == "c" and target.kind != "c":
        return
    jump = ""
    if value.dtype.kind == "f" and target.kind in "iub":
        if target.kind == "u" and (value < 0).any():
            return
        if x in p.lines:
            jump = x if target.kind == "b" else f"T.sin(np.pi * {x}.astype('float64'))"
    if value.dtype.kind in "iu" and target == "float16" and largest(value) > LARGEST:
        return
    p.add(f"T.cast({x}, {dtype!r})", jump)
