"""C functions for sorting and transforms, which loops over elements do not express well.

Each file ``NAME.c`` here is one routine of :data:`OWN`; the dtype of the first array selects the
version. In their text, these names are filled in (``template.py``):

    @TYPE@, @SUFFIX@  C type of the elements, and the short name of their dtype
    @REAL@            C type of real elements, or of the parts of complex ones
    @PART@, @WIDTH@   short name of the dtype of @REAL@, and its size in bytes
    @LARGEST@         largest prime factor of transforms (``codegen/fourier``)
    @LESS@            function: whether a comes before b in sorted order, NaN last
    @BITS@, @INTS@    unsigned and signed type with the size of the elements
    @KEYS@            short name of this size
    @UNITS@           unsigned type with the size of @REAL@
    @ORDERED@         function: the bits of a number of type @REAL@, mapped to an integer in the
                      same order
    @UNORDERED@       the inverse
    #if IS_REAL       lines for real numbers only; with IS_COMPLEX, for complex ones only
    #include          a file of this directory, or of the transforms (``codegen/fourier``), that
                      several routines use, printed once; a type in the comment that follows
                      replaces @BITS@ in it

A routine is ``static void st_NAME_SUFFIX(const st_runtime *runtime, ...)``; those that sort take
their integers in a struct. Transforms return 1 if there is no memory for a table of roots, which is
kept for later calls, and else 0. The size of the workspace, their last argument, is told by
``st_NAME_bytes_SUFFIX``.
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np

from symtheano import dtypes
from symtheano.codegen.fourier import REALS, fourier_words
from symtheano.codegen.registers import REGISTERS
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, signature, struct_of
from symtheano.scalar.render import stored_type

_ONLY = re.compile(r"^#if IS_(REAL|COMPLEX)\n(.*?)^#endif\n", re.MULTILINE | re.DOTALL)
_INCLUDED = re.compile(r'^#include "([\w./]+\.inc)"(?: /\* uint(\d+)_t \*/)?\n', re.MULTILINE)

_PARTS = {"complex64": "float32", "complex128": "float64"}

_DECLARED = """\
void *aligned_alloc(size_t, size_t);
void free(void *);
"""


def routine_name(name: str, dtype: str) -> str:
    """Return the C function of a routine for arrays of a dtype.

    Examples
    --------
    >>> routine_name("sort", "float32")
    'st_sort_f32'
    """
    return f"st_{name}_{short_name(dtype)}"


def routine_text(name: str, dtype: str) -> str:
    """Return the C text of a routine for arrays of a dtype."""
    kind = "COMPLEX" if dtypes.is_complex(dtype) else "REAL"
    width = 8 * np.dtype(dtype).itemsize
    part = _PARTS.get(dtype, dtype)
    words = {
        **_key_words(width),
        **(fourier_words(part, short_name(part)) if part in REALS else {}),
        "REAL": stored_type(part),
        "PART": short_name(part),
        "TYPE": stored_type(dtype),
        "UNITS": f"uint{8 * np.dtype(part).itemsize}_t",
        "SUFFIX": short_name(dtype),
        "LESS": f"st_less_{short_name(dtype)}",
        "ORDERED": f"st_order_{short_name(part)}",
        "UNORDERED": f"st_unorder_{short_name(part)}",
    }

    def included(match: re.Match[str]) -> str:
        keys = _key_words(int(match.group(2) or width))
        return "\f" + fill(file_text(__file__, match.group(1)), {}, {**words, **keys}) + "\f"

    text = _INCLUDED.sub(included, fill(file_text(__file__, f"{name}.c"), {}, words))
    text = _ONLY.sub(lambda match: match.group(2) if match.group(1) == kind else "", text)
    return _bits_text(part) + _less_text(dtype) + text


def _key_words(width: int) -> dict[str, str]:
    kinds = ("unsigned __int128", "__int128") if width > 64 else (f"uint{width}_t", f"int{width}_t")
    return {"BITS": kinds[0], "INTS": kinds[1], "KEYS": f"k{width}"}


def _sections(name: str, declares: bool, dtype: str) -> tuple[str, ...]:
    return (*[_DECLARED, REGISTERS] * declares, SIZES, *routine_text(name, dtype).split("\f"))


def _less_text(dtype: str) -> str:
    """Return the function that compares elements, ended by a form feed."""
    kind, suffix = stored_type(dtype), short_name(dtype)
    head = f"static inline int st_less_{suffix}({kind} a, {kind} b) {{"
    if not dtypes.is_complex(dtype):
        less = "a < b || (a == a && b != b)" if dtypes.is_float(dtype) else "a < b"
        return f"{head} return {less}; }}\n\f"
    ar, ai, br, bi = ("__real__ a", "__imag__ a", "__real__ b", "__imag__ b")
    return (
        f"{head}\n"
        f"    if ({ar} < {br}) return {ai} == {ai} || {bi} != {bi};\n"
        f"    if ({ar} > {br}) return {ai} == {ai} && {bi} != {bi};\n"
        f"    if ({ar} == {br} || ({ar} != {ar} && {br} != {br}))\n"
        f"        return {ai} < {bi} || ({ai} == {ai} && {bi} != {bi});\n"
        f"    return {br} != {br};\n}}\n\f"
    )


def _bits_text(dtype: str) -> str:
    """Return the functions that put a real number's bits in order and back, and a form feed."""
    suffix, width = short_name(dtype), 8 * np.dtype(dtype).itemsize
    bits = f"uint{width}_t"
    sign = f"(({bits})1 << {width - 1})"
    there = back = "bits"
    if dtypes.is_float(dtype):
        infinity = np.array(np.inf, dtype).view(bits[:-2])
        not_nan = f"({bits})(bits << 1) <= ({bits})({int(infinity)}ull << 1)"
        there = (
            f"{not_nan} ? bits ^ ({bits})(({bits[1:]})bits >> {width - 1} | {sign}) : ({bits})-1"
        )
        back = f"bits & {sign} ? bits ^ {sign} : ~bits"
    elif dtype in dtypes.SIGNED:
        there = back = f"bits ^ {sign}"
    return (
        f"static inline {bits} st_order_{suffix}({bits} bits) {{\n"
        f"    return ({bits})({there});\n}}\n\n"
        f"static inline {bits} st_unorder_{suffix}({bits} bits) {{ return ({bits})({back}); }}\n\f"
    )


def _transform(name: str, parameters: str, kinds: tuple[str, ...]) -> Routine:
    sections = partial(_sections, name, True)
    return Routine(name, signature(parameters), sections, kinds, True, True, symbols=_TABLES)


def _sorting(name: str, struct: str, integers: str, arrays: str) -> Routine:
    taken = struct_of(struct, integers.split(", "))

    def sections(dtype: str) -> tuple[str, ...]:
        return (taken.declaration, *_sections(name, False, dtype))

    parameters = signature(f"{integers}, {arrays}")
    return Routine(name, parameters, sections, workspace=True, struct=taken)


_WIDE = ("float32", "float64", "complex64", "complex128")
_LOGARITHMS = """\
double exp(double);
double log(double);
double log1p(double);
"""

KERNELS = file_text(__file__, "kernels.inc")
"""C text of a table of the host's: addresses of kernels."""

_TABLES = ("aligned_alloc", "free")

OWN = (
    _sorting("sort", "st_rows", "rows, n", "x: inout T"),
    _sorting("argsort", "st_rows", "rows, n", "x: in T, order: out int64"),
    _sorting("argtop", "st_argtop", "rows, n, number", "x: in T, order: out int64"),
    _sorting("roworder", "st_rows", "rows, n", "x: in T, order: out int64"),
    Routine(
        "ctc",
        signature(
            "steps, items, classes, most, scores: in T, labels: in int64, lengths: in int64, "
            "costs: out T, slopes: out T"
        ),
        lambda dtype: (_LOGARITHMS, SIZES, *routine_text("ctc", dtype).split("\f")),
        _WIDE[:2],
        workspace=True,
        symbols=("exp", "log", "log1p"),
    ),
    _transform("fft", "outer, n, inner, inverse, norm, x: in T, y: out any", _WIDE),
    _transform("rfft", "outer, n, inner, norm, x: in T, y: out any", _WIDE[:2]),
    _transform("irfft", "outer, n, inner, norm, x: in T, y: out any", _WIDE),
)
"""The routines; what they compute stands in their files. Transforms allocate tables."""
