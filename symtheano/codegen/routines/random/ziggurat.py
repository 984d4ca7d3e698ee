"""The tables of the ziggurats for normal and exponential numbers, with NumPy's roundings.

A ziggurat (Marsaglia and Tsang 2000, "The ziggurat method for generating random variables") covers
the area under a decreasing density with 255 layers of equal area and a base with the tail. Layer
``i`` reaches to ``x[i]``, where the density is ``f[i]``. A table consists of

- ``w``: the factor from an integer of ``bits`` bits to a position in the layer;
- ``k``: the integers below it are in the layer above too, so they need no further check;
- ``f``: the densities.

NumPy draws the same numbers only if all bits of ``w`` and ``f`` agree. Its exponential tables are
those of exact arithmetic, rounded; those of single precision are rounded to nine digits before. Its
normal ones are those of double precision, in which each layer follows from the one before, with an
exponential that is rounded up at layer 38. Its ``k`` for exponential numbers is smaller by up to 2:
one of 2**52 numbers is checked by it, and not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from functools import cache
from math import sqrt
from typing import NamedTuple

import numpy as np

LAYERS = 256

NORMAL_START = 3.6541528853610088
EXPONENTIAL_START = 7.69711747013104972
_NORMAL_AREA = 0.004928673233974652
_EXPONENTIAL_START = Decimal("7.6971174701310497140446280480154")
_ROUNDED_UP = 38
_UNIT = 2.0**-53
_DIGITS = 24


class Ziggurat(NamedTuple):
    """The positions and densities of layers; item 0 of the positions is the width of the base."""

    positions: Sequence[float | Decimal]
    densities: Sequence[float | Decimal]

    def factors(self, bits: int) -> list[float]:
        """Return ``w`` for integers of some bits."""
        return [float(x / 2**bits) for x in self.positions]

    def bounds(self, bits: int) -> list[int]:
        """Return ``k`` for integers of some bits."""
        x = self.positions
        first = round(x[255] / x[0] * 2**bits)  # type: ignore[operator]
        ratios = [x[i - 1] / x[i] for i in range(2, LAYERS)]  # type: ignore[operator]
        return [first, 0, *(round(ratio * 2**bits) for ratio in ratios)]

    def heights(self) -> list[float]:
        """Return ``f``."""
        return [float(f) for f in self.densities]


def _exp(x: float) -> float:
    return float(Decimal(x).exp())


@cache
def normal_ziggurat() -> Ziggurat:
    """Return the layers for normal numbers.

    Examples
    --------
    >>> normal_ziggurat().positions[255], normal_ziggurat().heights()[0]
    (3.654152885361009, 1.0)
    """
    with localcontext() as context:
        context.prec = _DIGITS
        x = NORMAL_START
        positions, densities = [x], [_exp(-0.5 * x * x)]
        for i in range(LAYERS - 2, 0, -1):
            height = Decimal(_NORMAL_AREA / x + densities[-1])
            x = sqrt(-2.0 * float(height.ln()))
            positions.append(x)
            densities.append(_exp(-0.5 * x * x) + (_UNIT if i == _ROUNDED_UP else 0.0))
    positions.append(_NORMAL_AREA / densities[0])
    densities.append(1.0)
    return Ziggurat(positions[::-1], densities[::-1])


@cache
def exponential_ziggurat() -> Ziggurat:
    """Return the layers for exponential numbers.

    Examples
    --------
    >>> round(exponential_ziggurat().positions[255], 15)
    Decimal('7.697117470131050')
    """
    with localcontext() as context:
        context.prec = _DIGITS
        x = _EXPONENTIAL_START
        positions, densities = [x], [(-x).exp()]
        area = (x + 1) * densities[0]
        for _ in range(LAYERS - 2):
            x = -(area / x + densities[-1]).ln()
            positions.append(x)
            densities.append((-x).exp())
        positions.append(area / densities[0])
        densities.append(Decimal(1))
        return Ziggurat(positions[::-1], densities[::-1])


@cache
def table_text(kind: str, dtype: str) -> str:
    """Return the C text of the tables of a kind (``normal``, ``exponential``) for a dtype.

    The names are ``st_normal_w_f64``, ``st_normal_k_f64`` and ``st_normal_f_f64``. Those of normal
    numbers are twice as long, but for the densities: negative numbers are in the second half.
    """
    double = dtype == "float64"
    normal = kind == "normal"
    bits = (52 if normal else 53) if double else 23
    real, whole, suffix = ("double", "uint64_t", "f64") if double else ("float", "uint32_t", "f32")
    ziggurat = normal_ziggurat() if normal else exponential_ziggurat()
    with localcontext() as context:
        context.prec = _DIGITS
        bounds, factors, heights = ziggurat.bounds(bits), ziggurat.factors(bits), ziggurat.heights()
    if not double:
        factors, heights = ([_single(x, normal) for x in item] for item in (factors, heights))
    if normal:
        bounds, factors = [*bounds, *bounds], [*factors, *(-w for w in factors)]
    unit = "" if double else "f"
    tables: list[tuple[str, str, list[str]]] = [
        (whole, "k", [f"{k:#x}" for k in bounds]),
        (real, "w", [f"{w.hex()}{unit}" for w in factors]),
        (real, "f", [f"{f.hex()}{unit}" for f in heights]),
    ]
    return "\n".join(
        f"static const {ctype} st_{kind}_{name}_{suffix}[{len(items)}] = {{\n{_lines(items)}\n}};\n"
        for ctype, name, items in tables
    )


def _single(x: float, normal: bool) -> float:
    """Return a number in single precision, an exponential one after rounding to nine digits."""
    return float(np.float32(x if normal else float(f"{x:.8e}")))


def _lines(items: Sequence[str]) -> str:
    return "\n".join("    " + ", ".join(items[i : i + 4]) + "," for i in range(0, len(items), 4))
