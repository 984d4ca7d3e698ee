"""Rows that decompose and construct complex numbers.

The gradient of a real cost C with respect to z = a + ib is ∂C/∂a + i ∂C/∂b.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import row
from symtheano.scalar.calculus import is_complex, number
from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp, Signature


def _same(operands: tuple[str, ...]) -> Signature:
    return Signature(operands, operands[0])


def _parts(operands: tuple[str, ...]) -> Signature:
    """Real operands of at least single precision, the result complex."""
    common = row.floating_real(operands).result
    common = "float32" if common == "float16" else common
    return Signature((common, common), dtypes.complex_of(common))


conj = ScalarOp(
    name="conj",
    nin=1,
    numpy=lambda x: np.conjugate(x) if np.iscomplexobj(x) else np.array(x),
    signature=_same,
    c={"biuf": "{0}", "c": "__builtin_complex(__builtin_creal{f}({0}), -__builtin_cimag{f}({0}))"},
    pullback=lambda g, y, x: (conjugate(g),),
    aliases=("conjugate",),
    doc="The complex conjugate; real operands are unchanged.",
)


def conjugate(x: Any) -> Any:
    """Return the conjugate of a complex variable, and a real one as it is."""
    return conj(x) if is_complex(x) else x


real = ScalarOp(
    name="real",
    nin=1,
    numpy=lambda x: np.array(np.real(x)),
    signature=row.magnitude,
    c={"biuf": "{0}", "c": "__builtin_creal{f}({0})"},
    pullback=lambda g, y, x: (complex_(g, number(g, 0)) if is_complex(x) else g,),
    doc="The real part.",
)

imag = ScalarOp(
    name="imag",
    nin=1,
    numpy=lambda x: np.array(np.imag(x)),
    signature=row.magnitude,
    c={"biuf": "0", "c": "__builtin_cimag{f}({0})"},
    pullback=lambda g, y, x: (complex_(number(g, 0), g) if is_complex(x) else None,),
    doc="The imaginary part; zero for real operands.",
)

complex_: ScalarOp = ScalarOp(
    name="complex",
    nin=2,
    numpy=lambda a, b: from_parts(a, b),
    signature=_parts,
    c={"f": "__builtin_complex({0}, {1})"},
    pullback=lambda g, y, a, b: (real(g), imag(g)),
    doc="The complex number with these real and imaginary parts.",
)


def from_parts(a: Any, b: Any) -> Any:
    """Return a + ib without arithmetic, which would lose infinities and signs of zero."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    result = np.empty(shape, dtypes.complex_of(a.dtype.name))
    result.real, result.imag = a, b
    return result


def _of_polar(g: Any, y: Any, radius: Any, angle: Any) -> tuple[Any, Any]:
    direction = complex_from_polar(number(angle, 1), angle)
    return real(conj(g) * direction), -imag(conj(g) * y)


complex_from_polar = ScalarOp(
    name="complex_from_polar",
    nin=2,
    numpy=silently(
        lambda radius, angle: from_parts(radius * np.cos(angle), radius * np.sin(angle))
    ),
    signature=_parts,
    c={"f": "__builtin_complex({0} * cos{f}({1}), {0} * sin{f}({1}))"},
    libm=("cos", "sin"),
    pullback=_of_polar,
    cost=25,
    domain=((0.0, 10.0), (-3.0, 3.0)),
    doc="The complex number with this absolute value and angle.",
)


def _angle_signature(operands: tuple[str, ...]) -> Signature:
    common = row.floating(operands).result
    return Signature((common,), dtypes.real_of(common))


def _of_angle(g: Any, y: Any, z: Any) -> tuple[Any]:
    if not is_complex(z):
        return (None,)
    a, b = real(z), imag(z)
    factor = g / (a * a + b * b)
    return (complex_(-b * factor, a * factor),)


angle = ScalarOp(
    name="angle",
    nin=1,
    numpy=silently(lambda z: np.arctan2(np.imag(z), np.real(z))),
    signature=_angle_signature,
    c={
        "f": "{0} != {0} ? {0} : __builtin_copysign{f}(1, {0}) < 0 ? ({t})3.141592653589793 : 0",
        "c": "atan2{f}(__builtin_cimag{f}({0}), __builtin_creal{f}({0}))",
    },
    libm=("atan2",),
    pullback=_of_angle,
    cost=20,
    doc="The angle of a complex number, between -π and π.",
)

ROWS = (conj, real, imag, complex_, complex_from_polar, angle)
