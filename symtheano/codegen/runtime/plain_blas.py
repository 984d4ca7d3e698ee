"""A fallback BLAS: a few routines in simple C, compiled if no library is found.

They follow the CBLAS interface with 64-bit integers, for both storage orders and all
transpositions. Matrices are described by two strides each, so that order and transposition are
exchanges of strides. The C text is in ``plain/``.
"""

from __future__ import annotations

from symtheano.codegen.template import file_text, fill

# Letter of the routines, type, passing of scalars, lanes of a tile (two AVX registers of reals).
_KINDS = (
    ("s", "float", False, 16),
    ("d", "double", False, 8),
    ("c", "float _Complex", True, 4),
    ("z", "double _Complex", True, 4),
)


def plain_blas_source() -> str:
    """Return the C text of all routines.

    Examples
    --------
    >>> "cblas_zgemv(" in plain_blas_source()
    True
    """
    return _file("head") + "".join(_routines(*kind) for kind in _KINDS)


def _routines(letter: str, scalar_type: str, is_complex: bool, lanes: int) -> str:
    """Write the routines of one letter by filling in the names of the templates."""
    words = {
        "TYPE": scalar_type,
        "LETTER": letter,
        "LANES": str(lanes),
        "SUFFIX": "u" if is_complex else "",
        "SCALAR": f"const {scalar_type} *" if is_complex else f"const {scalar_type}",
        "VALUE": "*" if is_complex else "",
        "SIMD_SUM": "" if is_complex else '_Pragma("omp simd reduction(+ : sum)")',
        "CONJ": "" if not is_complex else f"__builtin_conj{'f' if letter == 'c' else ''}",
    }
    kind = "complex" if is_complex else "real"
    tile = fill(_file(f"{kind}_tile"), {}, words)
    return fill(_file("routines") + _file(f"{kind}_dot"), {"TILE": tile}, words)


def _file(name: str) -> str:
    return file_text(__file__, f"plain/{name}.c")
