"""Decompositions of matrices: C helpers for batches of row-major matrices, which call LAPACK.

A helper is ``static int32_t st_NAME_SUFFIX(const st_runtime *runtime, const st_NAME *args, ...)``,
whose ``args`` are its integers (``st_squares`` if these are ``batch`` and ``n``): a section of one
of the files here, for one dtype; ``head.c`` and ``common.c`` are shared by all. LAPACK's functions
are in a table, one of the host's functions (``table.py``). A helper returns 0 for success; the
index of the first matrix without a result, plus 2; or a negative number that is explained in its
comment. Those that cannot fail return nothing. ``st_NAME_bytes_SUFFIX`` returns the size of its
workspace, as LAPACK asks for it.
"""

from __future__ import annotations

from functools import partial

from symtheano.codegen.record import BLAS, LAPACK
from symtheano.codegen.routines.blas import product_sections
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, signature, struct_of
from symtheano.scalar.render import c_type

LETTERS = {"float32": "s", "float64": "d", "complex64": "c", "complex128": "z"}
"""First letters of LAPACK's names, by dtype."""

LAPACK_FUNCTIONS = (
    *("potrf", "getrf", "getri", "getrs", "trtrs", "sysv", "gesdd", "geqrf", "orgqr", "syevd"),
    *("geev", "gelsd", "geqp3", "gees", "gges"),
)
"""LAPACK's functions that the helpers call, by their names for real numbers."""

# The helpers that other helpers call.
_CALLED = {
    "pinv": (("eigen", "eigh"), ("singular", "svd")),
    "inverse": (("solves", "eliminate"),),
    "solve": (("solves", "eliminate"),),
    "solve_triangular": (("solves", "substitute"),),
    "cofactors": (
        ("solves", "eliminate"),
        ("solves", "inverse"),
        ("determinants", "det"),
        ("singular", "svd"),
        ("determinants", "near"),
    ),
    "cofactors_tangent": (
        ("solves", "eliminate"),
        ("solves", "inverse"),
        ("solves", "solve"),
        ("determinants", "det"),
        ("singular", "svd"),
        ("determinants", "near"),
    ),
}
# The helpers that multiply matrices.
_MULTIPLIES = ("solve_triangular",)
_COMPLEX_NAMES = {"orgqr": "ungqr", "syevd": "heevd"}
_PARTS = {"complex64": "float32", "complex128": "float64"}


def symbols() -> tuple[str, ...]:
    """Return the names of all functions, in their order in the table.

    Examples
    --------
    >>> symbols()[0], symbols()[-1]
    ('spotrf', 'zgges')
    """
    return tuple(
        letter + (_COMPLEX_NAMES.get(routine, routine) if letter in "cz" else routine)
        for letter in LETTERS.values()
        for routine in LAPACK_FUNCTIONS
    )


def _sections(file: str, name: str, dtype: str) -> tuple[str, ...]:
    """Return the text of a helper, after those that it calls."""
    sections = (*_CALLED.get(name, ()), (file, name))
    structs = {helper.name: helper.struct for helper in DECOMPOSITIONS}
    used = (structs.get(each) for _, each in sections)
    declared = dict.fromkeys(struct.declaration for struct in used if struct is not None)
    own = [_typed(_section(*item), dtype) for item in sections]
    products = product_sections(dtype) if name in _MULTIPLIES else ()
    common = _typed(file_text(__file__, "common.c"), dtype)
    return (SIZES, *products, _head(), *declared, common, *own)


def _head() -> str:
    count = len(LETTERS) * len(LAPACK_FUNCTIONS)
    numbers = "\n    ".join(f"ST_{name} = {k}," for k, name in enumerate(LAPACK_FUNCTIONS))
    return fill(file_text(__file__, "head.c"), {"COUNT": str(count), "NUMBERS": numbers})


def _section(file: str, helper: str) -> str:
    """Return the text of a helper, which is a section of its file."""
    _, _, text = file_text(__file__, f"{file}.c").partition(f"/* section {helper} */\n")
    return text.partition("\n/* section ")[0]


def _typed(text: str, dtype: str) -> str:
    words = {
        "TYPE": c_type(dtype),
        "REAL": c_type(_PARTS.get(dtype, dtype)),
        "SUFFIX": short_name(dtype),
        "IS_REAL": str(int(dtype not in _PARTS)),
        "FIRST": str(list(LETTERS).index(dtype) * len(LAPACK_FUNCTIONS)),
    }
    return fill(text, {}, words)


def _helper(
    file: str, name: str, parameters: str, status: bool = True, workspace: bool = True
) -> Routine:
    taken = signature(parameters)
    integers = [each.name for each in taken if each.kind == "integer"]
    shared = integers == ["batch", "n"]
    return Routine(
        name,
        taken,
        partial(_sections, file, name),
        tuple(LETTERS),
        status,
        workspace,
        links=(LAPACK, BLAS) if name in _MULTIPLIES else (LAPACK,),
        symbols=("memcpy", "memset"),
        struct=struct_of("st_squares" if shared else f"st_{name}", integers),
    )


DECOMPOSITIONS = (
    _helper("factors", "cholesky", "batch, n, lower, nan, a: in T, factor: out T", workspace=False),
    _helper("factors", "qr", "batch, m, n, width, a: in T, q: out T?, r: out T", status=False),
    _helper("factors", "lu", "batch, m, n, a: in T, p: out R, l: out T, u: out T", status=False),
    _helper(
        "factors",
        "reflectors",
        "batch, m, n, pivoting, stored, a: in T, h: out T?, tau: out T?, p: out int64?",
        status=False,
    ),
    _helper("solves", "inverse", "batch, n, a: in T, inverse: out T"),
    _helper("solves", "solve", "batch, n, k, transposed, a: in T, b: in T, x: out T"),
    _helper(
        "solves",
        "solve_triangular",
        "batch, n, k, lower, unit, transposed, a: in T, b: in T, x: out T",
    ),
    _helper("solves", "solve_symmetric", "batch, n, k, lower, a: in T, b: in T, x: out T"),
    _helper(
        "determinants", "slogdet", "batch, n, a: in T, sign: out T, logarithm: out R", status=False
    ),
    _helper("determinants", "det", "batch, n, a: in T, det: out T", status=False),
    _helper("determinants", "cofactors", "batch, n, a: in T, cofactors: out T"),
    _helper("determinants", "cofactors_tangent", "batch, n, a: in T, d: in T, tangent: out T"),
    _helper("eigen", "eigh", "batch, n, lower, vectors, a: in T, w: out R, v: out T?"),
    _helper("eigen", "eig", "batch, n, vectors, a: in T, w: out T, v: out T?"),
    _helper("singular", "svd", "batch, m, n, job, a: in T, u: out T?, s: out R, vh: out T?"),
    _helper(
        "singular",
        "lstsq",
        "m, n, k, rcond: R, a: in T, b: in T, x: out T, rank: out int64, s: out R",
    ),
    _helper("schur", "schur", "batch, n, sort, nan, a: in T, t: out T, z: out T"),
    _helper(
        "schur",
        "qz",
        "batch, n, sort, nan, a: in T, b: in T, s: out T, t: out T, alpha: out T, beta: out T, "
        "q: out T, z: out T",
    ),
    _helper(
        "tridiagonal",
        "tridiagonal_lu",
        "batch, n, below: in T, d: in T, above: in T, factors: out T, pivots: out T, first: out T, "
        "second: out T, p: out int64",
        status=False,
        workspace=False,
    ),
    _helper(
        "tridiagonal",
        "tridiagonal_solve",
        "batch, n, k, transposed, factors: in T, pivots: in T, first: in T, second: in T, "
        "p: in int64, b: in T, x: out T",
        status=False,
        workspace=False,
    ),
    _helper("singular", "pinv", "batch, m, n, hermitian, rcond: R, a: in T, inverse: out T"),
)
"""The helpers: the file that each is in, its name, and its signature after ``runtime``."""
