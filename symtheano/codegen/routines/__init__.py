"""C functions for what loops over elements don't say well: sorting, transforms, factorizations.

Each file ``NAME.c`` here is one routine. LoopIR calls it by that name (``Call.routine``), the dtype
of the first array says which version; a generated file gets those it calls. In the text stand

    TYPE, SUFFIX    C type of the elements, and what its dtype is called in names
    REAL            the same, or of the parts of complex elements
    LESS(a, b)      whether a comes before b in sorted order, NaN last
    BITS, ORDERED   of real numbers: unsigned type of their size, and bits in sorted order
    UNORDERED       the number's own bits from those
    #if IS_REAL     lines for real numbers only, and with IS_COMPLEX for complex ones only
    #include        of a file that lies here: what several routines need, printed once

A routine is ``static int32_t st_NAME_SUFFIX(const st_runtime *runtime, ...)``, or returns nothing;
a result other than 0 says that it failed.
"""

from __future__ import annotations

import os
import re
from functools import cache

import numpy as np

from symtheano import dtypes
from symtheano.scalar.render import c_type, short_name

_ONLY = re.compile(r"^#if IS_(REAL|COMPLEX)\n(.*?)^#endif\n", re.MULTILINE | re.DOTALL)
_INCLUDED = re.compile(r'^#include "(\w+\.inc)"\n', re.MULTILINE)
_WORD = re.compile(r"\b(TYPE|REAL|BITS)\b|SUFFIX|\b(LESS|ORDERED|UNORDERED)\(")

_PARTS = {"complex64": "float32", "complex128": "float64"}

_DECLARED = """\
void *malloc(size_t);
void free(void *);
double cos(double);
double sin(double);
"""


@cache
def names() -> frozenset[str]:
    """Return the routines' names.

    Examples
    --------
    >>> "sort" in names()
    True
    """
    here = os.path.dirname(__file__)
    return frozenset(file[:-2] for file in os.listdir(here) if file.endswith(".c"))


def routine_name(name: str, dtype: str) -> str:
    """Return the C function of a routine for arrays of a dtype.

    Examples
    --------
    >>> routine_name("sort", "float32")
    'st_sort_f32'
    """
    return f"st_{name}_{short_name(dtype)}"


def routine_text(name: str, dtype: str) -> str:
    """Return the C text of a routine for arrays of a dtype.

    Raises
    ------
    KeyError
        When there is no such routine.
    """
    if name not in names():
        raise KeyError(f"no routine is called {name}")
    real = not dtypes.is_complex(dtype)
    text = _INCLUDED.sub(lambda match: _file(match.group(1)) + "\n\f", _file(f"{name}.c"))
    kind = "REAL" if real else "COMPLEX"
    text = _ONLY.sub(lambda match: match.group(2) if match.group(1) == kind else "", text)
    bits = f"uint{8 * np.dtype(dtype).itemsize}_t"
    meanings = {
        "TYPE": c_type(dtype),
        "REAL": c_type(_PARTS.get(dtype, dtype)),
        "SUFFIX": short_name(dtype),
        "BITS": bits,
        "LESS(": f"{_less(dtype)}(",
        "ORDERED(": f"st_order_{short_name(dtype)}(",
        "UNORDERED(": f"st_unorder_{short_name(dtype)}(",
    }
    return _order_text(dtype, bits) + _WORD.sub(lambda match: meanings[match.group()], text)


def routine_texts(calls: frozenset[tuple[str, str]]) -> str:
    """Return the C text of all routines that are called, given by name and dtype."""
    if not calls:
        return ""
    seen: dict[str, None] = {_DECLARED: None}
    for name, dtype in sorted(calls):
        seen.update(dict.fromkeys(routine_text(name, dtype).split("\f")))
    return "\n".join(seen)


@cache
def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def _less(dtype: str) -> str:
    return f"st_less_{short_name(dtype)}"


def _order_text(dtype: str, bits: str) -> str:
    """Return the functions that say how elements are ordered, ended by a form feed."""
    kind, suffix = c_type(dtype), short_name(dtype)
    head = f"static inline int st_less_{suffix}({kind} a, {kind} b) {{"
    if dtypes.is_complex(dtype):
        parts = ("__real__ a", "__imag__ a", "__real__ b", "__imag__ b")
        ar, ai, br, bi = parts
        return (
            f"{head}\n"
            f"    if ({ar} < {br}) return {ai} == {ai} || {bi} != {bi};\n"
            f"    if ({ar} > {br}) return {ai} == {ai} && {bi} != {bi};\n"
            f"    if ({ar} == {br} || ({ar} != {ar} && {br} != {br}))\n"
            f"        return {ai} < {bi} || ({ai} == {ai} && {bi} != {bi});\n"
            f"    return {br} != {br};\n}}\n\f"
        )
    if not dtypes.is_float(dtype):
        changed = f"bits ^ ({bits})1 << (8 * sizeof bits - 1)" if dtype in dtypes.SIGNED else "bits"
        back, less = changed, "a < b"
    else:
        sign = f"({bits})1 << (8 * sizeof bits - 1)"
        changed = f"x != x ? ({bits})-1 : bits & {sign} ? ({bits})~bits : bits | {sign}"
        back = f"bits & {sign} ? bits ^ {sign} : ({bits})~bits"
        less = "a < b || (a == a && b != b)"
    return (
        f"{head} return {less}; }}\n\n"
        f"static inline {bits} st_order_{suffix}({kind} x, {bits} bits) {{\n"
        f"    (void)x;\n    return ({bits})({changed});\n}}\n\n"
        f"static inline {bits} st_unorder_{suffix}({bits} bits) {{ return ({bits})({back}); }}\n\f"
    )
