"""Lines of elementwise functions: of one array, of two, of two dtypes."""

from __future__ import annotations

import numpy as np

from tests.language.program import Program

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
        ("T.expm1({x} * 0.5)", "", ""),
        ("T.erfc({x})", "", ""),
        ("T.psi(T.sqr({x}) + 1)", "", ""),
        ("T.arcsinh({x}) - T.sinh({x} * 0.25)", "", ""),
        ("T.log(T.sqr({x}) + 0.25)", "", ""),
        ("T.sqr({x}) * {x} * 2 / 4", "", ""),
        ("T.clip({x}, -0.5, 0.5)", "", "({x} - 0.5) * ({x} + 0.5)"),
        ("({x} + {x}) - {x}", "", ""),
        ("T.ceil({x} * 2) - T.trunc({x} * 2)", "T.sin(np.pi * 2 * {x})", ""),
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

# Lines that tell special numbers from ordinary ones.
SPECIAL = [
    "{x} - {x}",
    "{x} * 0",
    "{x} / {x}",
    "0 / {x}",
    "1 / {x}",
    "T.isnan({x})",
    "T.isinf({x})",
    "T.sqrt({x})",
    "T.log({x})",
    "T.log1p({x})",
    "T.exp({x})",
    "T.expm1(-{x})",
    "T.eq({x}, {x})",
    "T.neq({x}, {x})",
    "{x} < 0",
    "~({x} >= 0)",
    "T.maximum({x}, 0)",
    "T.minimum({x}, {x}[::-1])",
    "T.switch(T.isnan({x}), 0, {x})",
    "T.nan_to_num({x})",
    "{x} + 0",
    "0 - {x}",
    "-(-{x})",
    "{x} ** 0",
    "{x} ** 0.5",
    "{x} ** 2",
    "T.sgn({x})",
    "abs({x})",
    "T.signbit({x})",
    "T.floor({x})",
    "{x} % 2",
    "{x} // 2",
    "T.copysign(1, {x})",
    "T.hypot({x}, 1)",
    "T.arctan2({x}, {x})",
    "T.logaddexp({x}, {x})",
    "T.any({x})",
    "T.fmax({x}, 0.5)",
    "T.nansum({x}, axis=-1)",
    "T.nanmax(T.switch(T.isnan({x}), 1, {x}), axis=0)",
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


def special(p: Program) -> None:
    x = p.pick_of("f", 1)
    if x and p.values[x].size:
        text = p.one_of(*SPECIAL)
        tells_sign = any(name in text for name in ("signbit", "copysign", "arctan2", "1 / "))
        # Rules may change the sign of a zero that is a result.
        guard = f"({x} != 0) * 1.0" if tells_sign and x in p.lines else ""
        p.add(text.format(x=x), guard)
