"""C text of scalar ops: the templates of rows with names and types substituted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from symtheano.dtypes import short_name
from symtheano.scalar.row import ScalarOp, Signature, kind_of

_PLACEHOLDER = re.compile(r"\{([0-9]|[fdtprx])\}")
_WORD = re.compile(r"[A-Za-z_]\w*")

_PART = {"complex64": "float32", "complex128": "float64"}
_SPECIAL_TYPES = {
    "bool": "bool",
    "float16": "_Float16",
    "float32": "float",
    "float64": "double",
    "complex64": "float _Complex",
    "complex128": "double _Complex",
}

# Prototypes of C library functions, result first: r is a real number, c complex, i an int.
_PROTOTYPES = {
    **dict.fromkeys(("atan2", "copysign", "fmod", "hypot", "nextafter", "pow"), "rrr"),
    **dict.fromkeys(("cabs", "carg", "cimag", "creal"), "rc"),
    **dict.fromkeys(("cacos", "cacosh", "casin", "casinh", "catan", "catanh"), "cc"),
    **dict.fromkeys(("ccos", "ccosh", "csin", "csinh", "ctan", "ctanh"), "cc"),
    **dict.fromkeys(("cexp", "clog", "csqrt", "conj"), "cc"),
    "cpow": "ccc",
    "jn": "rir",
    "ldexp": "rri",
}


def c_type(dtype: str) -> str:
    """Return the C type of single values of ``dtype``.

    Examples
    --------
    >>> c_type("int8"), c_type("float16"), c_type("complex64")
    ('int8_t', '_Float16', 'float _Complex')
    """
    return _SPECIAL_TYPES.get(dtype) or f"{dtype}_t"


def stored_type(dtype: str) -> str:
    """Return the C type of the elements of arrays of ``dtype``.

    That of bool is a byte, and any but zero is true: compilers vectorize no loads of C's bool.

    Examples
    --------
    >>> stored_type("bool"), stored_type("float32")
    ('uint8_t', 'float')
    """
    return "uint8_t" if dtype == "bool" else c_type(dtype)


def loaded(element: str, dtype: str) -> str:
    """Return the C expression of the value that an element of an array has.

    Examples
    --------
    >>> loaded("x[i]", "bool"), loaded("x[i]", "float32")
    ('x[i] != 0', 'x[i]')
    """
    return f"{element} != 0" if dtype == "bool" else element


def computed(dtype: str) -> str:
    """Return the dtype in which C computes: float32 for float16, else ``dtype`` itself."""
    return "float32" if dtype == "float16" else dtype


def render_expression(
    row: ScalarOp,
    signature: Signature,
    operands: Sequence[str],
    external: str = "",
    type_name: Callable[[str], str] = c_type,
) -> str:
    """Return the C expression of ``row`` applied to ``operands``.

    Parameters
    ----------
    row
        The scalar op.
    signature
        The dtypes it computes in, as ``row.signature`` gives them.
    operands
        Names or literals of the compute dtypes; for float16 they are floats.
    external
        The C expression for the row's external function.
    type_name
        Function that returns the type of a dtype.

    Examples
    --------
    >>> from symtheano.scalar.table import scalar_op
    >>> row = scalar_op("exp")
    >>> render_expression(row, row.signature(("float32",)), ["x"])
    'expf(x)'
    """
    template = row.c_expression(kind_of(signature.compute[0]))
    return _fill(template, signature, operands, external, type_name)


def render_helpers(
    row: ScalarOp, signature: Signature, type_name: Callable[[str], str] = c_type
) -> list[str]:
    """Return the C texts of the functions that the expression calls, in order."""
    templates = row.c_helpers(kind_of(signature.compute[0]))
    return [_fill(template, signature, (), "", type_name) for template in templates]


def render_prototypes(row: ScalarOp, signature: Signature) -> dict[str, str]:
    """Return the C library functions called by the row's text, and their prototypes.

    Examples
    --------
    >>> from symtheano.scalar.table import scalar_op
    >>> row = scalar_op("arctan2")
    >>> render_prototypes(row, row.signature(("float32", "float32")))
    {'atan2f': 'float atan2f(float, float)'}
    """
    operands = "abcdefghi"[: row.nin]
    texts = [render_expression(row, signature, operands), *render_helpers(row, signature)]
    words = {word for text in texts for word in _WORD.findall(text)}
    called = [name + suffix for name in row.libm for suffix in ("", "f") if name + suffix in words]
    return {name: prototype(name) for name in called}


def prototype(function: str) -> str:
    """Return the prototype of a C library function.

    Examples
    --------
    >>> prototype("ldexpf"), prototype("clog")
    ('float ldexpf(float, int)', 'double _Complex clog(double _Complex)')
    """
    single = function.endswith("f") and function != "erf"
    kinds = _PROTOTYPES.get(function[:-1] if single else function, "rr")
    real = "float" if single else "double"
    types = [{"r": real, "c": f"{real} _Complex", "i": "int"}[kind] for kind in kinds]
    return f"{types[0]} {function}({', '.join(types[1:])})"


def external_type(row: ScalarOp, name: str = "") -> str:
    """Return the C type of a pointer to the row's external function, or its declaration.

    Examples
    --------
    >>> from symtheano.scalar.table import scalar_op
    >>> external_type(scalar_op("erfinv"), "erfinv")
    'double (*erfinv)(double, int)'
    """
    return f"double (*{name})({', '.join(['double'] * (row.external_nin or row.nin))}, int)"


def _fill(
    template: str,
    signature: Signature,
    operands: Sequence[str],
    external: str,
    type_name: Callable[[str], str],
) -> str:
    first = computed(signature.compute[0])
    part = _PART.get(first, first)
    words = {
        "f": "f" if part == "float32" else "",
        "t": type_name(first),
        "d": short_name(first),
        "p": type_name(part),
        "r": type_name(computed(signature.result)),
        "x": external,
    }

    def replacement(match: re.Match[str]) -> str:
        key = match.group(1)
        if not key.isdigit():
            return words[key]
        operand = operands[int(key)]
        return f"({operand})" if operand.startswith("-") else operand

    return _PLACEHOLDER.sub(replacement, template)
