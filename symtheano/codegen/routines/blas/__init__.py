"""C helpers through which generated code calls BLAS.

For each of ``f32``, ``f64``, ``c64`` and ``c128`` (``SUFFIX``, with the C type ``TYPE``)::

    st_gemm_SUFFIX(runtime, p, alpha, a, b, beta, c)
    st_batched_gemm_SUFFIX(runtime, p, alpha, a, b, beta, c)
    st_pack_SUFFIX(runtime, p, b, packed)
    st_packed_gemm_SUFFIX(runtime, p, a, b, packed, c)
    st_gemv_SUFFIX(runtime, p, alpha, a, x, beta, y)
    st_ger_SUFFIX(runtime, p, alpha, x, y, a)
    st_dot_SUFFIX(runtime, p, x, y)                     returns TYPE; conjugates nothing

``p`` points to a struct of the integers, such as ``st_gemm``: ``transa, transb, m, n, k, lda, ldb,
ldc``. Matrices are row-major, sizes are ``int64_t``, ``alpha`` and ``beta`` are passed by value,
and ``trans`` is one of ``ST_NO_TRANS``, ``ST_TRANS``, ``ST_CONJ_TRANS``. ``x`` and ``y`` point to
the first logical element, even if the stride is negative (BLAS uses the lowest address). A batch is
``count`` products whose matrices have strides of ``a_step``, ``b_step`` and ``c_step`` elements.
``packed`` has ``(n + 15) * k + 16`` elements, and ``pack`` prepares it for ``steps`` products of m
rows. ``m`` and ``n`` of gemv and ger are the rows and columns of ``a`` as it is stored.

The helpers also handle cases that BLAS does not support: sizes of zero, NaN in an output that is
overwritten, invalid leading dimensions and strides, a missing table or routine, and sizes that
exceed the library's 32-bit integers; these use plain loops, which are slow but correct. Small and
narrow products use our own kernels (``codegen/products/``); others with one row or column are
computed as matrix-vector products, which is several times as fast.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from symtheano.codegen.abi import BLAS_FUNCTIONS
from symtheano.codegen.products import FORMS, LIBRARY
from symtheano.codegen.record import BLAS
from symtheano.codegen.template import file_text, fill
from symtheano.dataclass import dataclass
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, signature, struct_of


@dataclass(frozen=True)
class _Kind:
    """One element type: its suffix, C type, letter in BLAS, and whether it is complex."""

    suffix: str
    type: str
    letter: str
    is_complex: bool


_KINDS = (
    _Kind("f32", "float", "s", False),
    _Kind("f64", "double", "d", False),
    _Kind("c64", "float _Complex", "c", True),
    _Kind("c128", "double _Complex", "z", True),
)

_FACTORS = "@SCALAR@, @ARRAY@, @INT@, @ARRAY@, @INT@"
# Parameter types and arguments of the library's routine that a family calls; @INT@ has the
# library's width.
_CALLS = {
    "gemv": (
        f"int, int, @INT@, @INT@, {_FACTORS}, @SCALAR@, @TYPE@ *, @INT@",
        "101, j->trans, m, n, @ALPHA@, a, j->lda, j->x, j->incx, @BETA@, y, j->incy",
    ),
    "gemm": (
        f"int, int, int, @INT@, @INT@, @INT@, {_FACTORS}, @SCALAR@, @TYPE@ *, @INT@",
        "101, j->transa, j->transb, m, n, j->k, @ALPHA@, a, j->lda, b, j->ldb, @BETA@, c, j->ldc",
    ),
    "ger": (
        f"int, @INT@, @INT@, {_FACTORS}, @TYPE@ *, @INT@",
        "101, m, n, @ALPHA@, x, incx, y, incy, a, lda",
    ),
    "dot": ("@INT@, @ARRAY@, @INT@, @ARRAY@, @INT@", "n, x, incx, y, incy"),
}

_GEMM = struct_of("st_gemm", "transa, transb, m, n, k, lda, ldb, ldc".split(", "))
_BATCHED = struct_of(
    "st_batched_gemm",
    "transa, transb, count, m, n, k, a_step, lda, b_step, ldb, c_step, ldc".split(", "),
)
# The structs of integers that the helpers of a family take: those for others, its own one.
_STRUCTS = {
    "gemv": (struct_of("st_gemv", "trans, m, n, lda, incx, incy".split(", ")),),
    "gemm": (_GEMM,),
    "batched_gemm": (_GEMM, _BATCHED),
    "pack": (struct_of("st_pack", "transb, steps, m, n, k, ldb".split(", ")),),
    "packed_gemm": (_GEMM,),
    "panels": (_GEMM,),
    "ger": (struct_of("st_ger", "m, n, incx, incy, lda".split(", ")),),
    "dot": (struct_of("st_dot", "n, incx, incy".split(", ")),),
}
_FORMS = {form.upper(): str(number) for number, form in enumerate(FORMS)}


def _routine(family: str, kind: _Kind) -> str:
    if kind.is_complex:
        family = {"ger": "geru", "dot": "dotu_sub"}.get(family, family)
    return f"cblas_{kind.letter}{family}"


def _call(family: str, kind: _Kind, words: Mapping[str, str]) -> str:
    """Write the call for both widths of integers."""
    types, arguments = _CALLS[family]
    result, prefix = "void", ""
    if family == "dot":
        # Complex numbers are not returned by value: compilers disagree on how.
        if kind.is_complex:
            types, arguments = f"{types}, @TYPE@ *", f"{arguments}, &sum"
        else:
            result, prefix = kind.type, "sum = "
    blas = "j->blas" if family in ("gemm", "gemv") else "blas"
    fn = "j->fn" if family in ("gemm", "gemv") else "fn"
    arguments = fill(arguments, {}, words)
    lines = (
        f"typedef {result} (*wide)({fill(types, {'INT': 'int64_t'}, words)});",
        f"typedef {result} (*narrow)({fill(types, {'INT': 'int32_t'}, words)});",
        f"if ({blas}->ilp64) {prefix}((wide){fn})({arguments});",
        f"else {prefix}((narrow){fn})({arguments});",
    )
    return "\n    ".join(lines)


def _helper(family: str, kind: _Kind) -> str:
    """Return the text of a family for one element type."""
    routine = _routine(family.rpartition("_")[2], kind)
    own = "own_gemv" if family == "gemv" else "own"
    conjugate = "__builtin_conjf" if kind.suffix == "c64" else "__builtin_conj"
    slots = list(LIBRARY.suffixes)
    words = {
        **_FORMS,
        "NUMBER": str(BLAS_FUNCTIONS.index(routine)) if routine in BLAS_FUNCTIONS else "",
        "ROUTINE": routine,
        "A_IS_PLAIN": "transa != ST_CONJ_TRANS" if kind.is_complex else "1",
        "B_IS_PLAIN": "transb != ST_CONJ_TRANS" if kind.is_complex else "1",
        "ARRAY": f"const {kind.type} *",
        "KERNEL_SLOT": str(slots.index(kind.suffix)) if kind.suffix in slots else "",
        "SCALAR": "const void *" if kind.is_complex else kind.type,
        "ALPHA": "&alpha" if kind.is_complex else "alpha",
        "BETA": "&beta" if kind.is_complex else "beta",
        "CONJ": conjugate if kind.is_complex else "",
        "SUFFIX": kind.suffix,
        "TYPE": kind.type,
    }
    words["OWN_FUNCTION"] = fill(_text("own_function").rstrip(), {}, words)
    if family in _CALLS:
        words["CALL"] = _call(family, kind, words)
    words["OWN"] = fill(_text(own), {}, words) if kind.suffix in slots else ""
    return fill(_text(family), {}, words)


def _text(name: str) -> str:
    """Return a file of C.

    It is a family's, ``common``, ``own`` and ``own_gemv`` (if our kernels have the product), or
    ``batches`` (among how many threads products are divided).
    """
    return file_text(__file__, f"{name}.c")


def _sections(family: str, dtype: str) -> tuple[str, ...]:
    """Return the text of a helper, after those that it calls."""
    common = fill(_text("common"), {"OWN_COUNT": str(len(LIBRARY.dtypes))})
    called = {
        "gemm": ("gemv",),
        "batched_gemm": ("gemv", "gemm"),
        "packed_gemm": ("gemv", "gemm"),
        "panels": ("gemv", "gemm"),
    }.get(family, ())
    batches = (_text("batches"),) if family in ("batched_gemm", "panels") else ()
    kind = next(kind for kind in _KINDS if kind.suffix == short_name(dtype))
    families = (*called, family)
    structs = dict.fromkeys(s.declaration for name in families for s in _STRUCTS[name])
    return (common, *structs, *batches, *(_helper(name, kind) for name in families))


def product_sections(dtype: str) -> tuple[str, ...]:
    """Return the text with which other routines multiply matrices: ``st_gemm_SUFFIX``."""
    return _sections("gemm", dtype)


def panel_sections(dtype: str) -> tuple[str, ...]:
    """Return the text with which other routines multiply by a factor many times.

    It has, for floats::

        st_panels_SUFFIX(runtime, transb, m, n, k, b, ldb, packed)
        st_panels_gemm_SUFFIX(
            runtime, transa, transb, m, n, k, alpha, a, lda, b, ldb, packed, beta, c, ldc
        )
    """
    return _sections("panels", dtype)


_ALL = ("float32", "float64", "complex64", "complex128")


def _product(family: str, parameters: str, dtypes: tuple[str, ...] = _ALL) -> Routine:
    return Routine(
        family,
        signature(parameters),
        partial(_sections, family),
        dtypes,
        links=(BLAS,),
        struct=_STRUCTS[family][-1],
    )


PRODUCTS = (
    _product(
        "gemm",
        "transa: transposed, transb: transposed, m, n, k, alpha: T, a: in T, lda, b: in T, ldb, "
        "beta: T, c: inout T, ldc",
    ),
    _product(
        "batched_gemm",
        "transa: transposed, transb: transposed, count, m, n, k, alpha: T, a: in T, a_step, lda, "
        "b: in T, b_step, ldb, beta: T, c: inout T, c_step, ldc",
    ),
    _product(
        "gemv",
        "trans: transposed, m, n, alpha: T, a: in T, lda, x: in T, incx, beta: T, y: inout T, incy",
    ),
    _product("ger", "m, n, alpha: T, x: in T, incx, y: in T, incy, a: inout T, lda"),
    _product(
        "pack",
        "transb: transposed, steps, m, n, k, b: in T, ldb, packed: out T",
        ("float32", "float64"),
    ),
    _product(
        "packed_gemm",
        "transa: transposed, transb: transposed, m, n, k, a: in T, lda, b: in T, ldb, "
        "packed: in T, c: out T, ldc",
        ("float32", "float64"),
    ),
    _product("dot", "n, x: in T, incx, y: in T, incy, sum: result T"),
)
"""The products, each with its signature after ``runtime``."""
