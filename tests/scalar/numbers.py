"""Values of rows, by their NumPy functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.scalar.row import ScalarOp


def value_of(row: ScalarOp, *operands: Any, dtype: str = "float64") -> Any:
    """Return the value of a row for operands of one dtype, as a Python number."""
    return row.evaluate(operands, (dtype,) * row.nin).item()


def slope_of(row: ScalarOp, *operands: float, wanted: int = 0) -> float:
    """Return the slope by one operand, from differences of fourth order."""
    step = 1e-3

    def at(distance: float) -> float:
        moved = np.array(operands, "float64")
        moved[wanted] += distance
        return float(value_of(row, *moved))

    return (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step)
