"""Routines that draw random numbers.

The routines of ``pcg64*.c`` draw what ``numpy.random.Generator`` draws with PCG64: the same bits in
the same order. They are called with the number of results, the results, the words of the state,
and the parameters, each with its step: 1, or 0 for one parameter of all results.

``mrg_uniform`` draws uniform numbers from streams of MRG31k3p. The largest one in single precision
is below 1, since the factor is a unit smaller than 2**-31.
"""

from __future__ import annotations

import os
import re
from functools import cache, partial

from symtheano.codegen.routines.random.ziggurat import (
    EXPONENTIAL_START,
    NORMAL_START,
    table_text,
)
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.render import c_type, short_name

_WORD = re.compile(r"\b(TYPE|WORK|NORM)\b|NAME|SUFFIX")
_FLOATS = ("float64", "float32")
_MATH = {
    "exp": "double exp(double);",
    "expf": "float expf(float);",
    "log1p": "double log1p(double);",
    "log1pf": "float log1pf(float);",
}


@cache
def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _filled(file: str, dtype: str, **words: str) -> str:
    """Return a text for a dtype, with the given words."""
    words = {"SUFFIX": short_name(dtype), "TYPE": c_type(dtype), **words}
    return _WORD.sub(lambda match: words[match.group()], _file(file))


def _fill(name: str, dtype: str, work: int) -> str:
    """Return the text of the function that fills an array with numbers drawn one by one."""
    return _filled("fill.c", dtype, NAME=name, WORK=str(work))


def _mrg(dtype: str) -> tuple[str, ...]:
    norm = {"float64": "0x1p-31", "float32": "0x1.fffffep-32f"}[dtype]
    return _file("mrg.c"), _filled("mrg_uniform.c", dtype, NORM=norm)


def _declared(symbols: tuple[str, ...]) -> tuple[str, ...]:
    return ("\n".join(_MATH[name] for name in symbols) + "\n",) if symbols else ()


def _uniform(dtype: str) -> tuple[str, ...]:
    if dtype == "float64":
        return _file("pcg64.c"), _file("pcg64_random.c")
    one = "#define st_pcg64_one_random_f32 st_pcg64_float\n"
    return _file("pcg64.c"), one, _fill("random", dtype, 4)


def _layers(kind: str, constants: str, symbols: tuple[str, ...], dtype: str) -> tuple[str, ...]:
    """Return the text for numbers drawn by a ziggurat."""
    return (
        _file("pcg64.c"), *_declared(symbols), constants, table_text(kind, dtype),
        _file(f"pcg64_{kind}_{short_name(dtype)}.inc"), _fill(f"standard_{kind}", dtype, 10),
    )  # fmt: skip


def _ziggurat(kind: str, constants: str, symbols: tuple[str, ...]) -> Routine:
    return Routine(
        f"pcg64_standard_{kind}",
        signature("n, y: out T, words: inout uint64"),
        partial(_layers, kind, constants, symbols),
        _FLOATS,
        symbols=symbols,
    )


_NORMAL = f"""\
#define ST_NORMAL_START {NORMAL_START!r}
#define ST_NORMAL_INVERSE {1 / NORMAL_START!r}
"""
_EXPONENTIAL = f"#define ST_EXPONENTIAL_START {EXPONENTIAL_START!r}\n"

RANDOM = (
    Routine(
        "pcg64_random", signature("n, y: out T, words: inout uint64"), _uniform, _FLOATS,
    ),
    _ziggurat("normal", _NORMAL, ("exp", "log1p", "log1pf")),
    _ziggurat("exponential", _EXPONENTIAL, ("exp", "expf", "log1p", "log1pf")),
    Routine(
        "pcg64_integers",
        signature(
            "n, y: out T, words: inout uint64, low: in int64, low_step, high: in int64, high_step"
        ),
        lambda _: (_file("pcg64.c"), _file("pcg64_integers.c")),
        ("int64",),
    ),
    Routine(
        "pcg64_permutation", signature("rows, n, y: out T, words: inout uint64"),
        lambda _: (_file("pcg64.c"), _file("pcg64_permutation.c")),
        ("int64",),
    ),
    Routine(
        "mrg_uniform", signature("n, streams, y: out T, states: inout int32"), _mrg, _FLOATS,
        prelude=("parallel",),
    ),
)  # fmt: skip
"""The routines; ``standard_normal`` and ``standard_exponential`` are drawn by ziggurats."""
