"""The check that tests of derivatives make: finite differences, interpreter, compiled code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano import Lop, Rop, dtypes, grad
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.type import TensorType
from tests.support.compare import Array, compare_call, compiled, count, oracle

Case = tuple[Callable[..., Any], Sequence[Array]]


def verify_derivatives(fun: Callable[..., Any], points: Sequence[Array]) -> None:
    """Verify a function's derivatives as the interpreter computes them.

    Parameters
    ----------
    fun
        Makes one symbolic array from as many as there are points.
    points
        Where its gradient is compared with finite differences; for real ones Rop with Lop, too.
    """
    verify_grad(fun, points, n_tests=1, mode="INTERPRET")
    if all(dtypes.is_float(point.dtype.name) for point in points):
        verify_rop(fun, points, mode="INTERPRET")
    count("gradients", sum(point.size for point in points))


STEP, TOLERANCE = 5e-6, 1e-5
DIRECTIONS = 2


def verify_slopes(
    fun: Callable[..., Any], points: Sequence[Array], random: np.random.Generator
) -> None:
    """Compare gradients with differences along random directions, as the interpreter computes them.

    ``verify_grad`` moves each element alone, for which it computes the function twice for each, and
    tells which one is wrong. An error in any element changes the slope along a direction, too.

    Parameters
    ----------
    fun
        Makes one symbolic array in double precision from as many as there are points.
    points
        Where its gradient is compared: arrays in double precision.
    random
        Draws the weights of the sum of the results, and directions.
    """
    operands = [TensorType("float64", [1 if n == 1 else None for n in p.shape])() for p in points]
    y = as_tensor_variable(fun(*operands))
    weight = y.type()
    total = (weight * y).sum()
    value = oracle([*operands, weight], total)
    gradients = oracle([*operands, weight], grad(total, operands, disconnected_inputs="ignore"))
    weights = random.uniform(0.5, 1.5, np.shape(oracle(operands, y)(*points)))
    for k, gradient in enumerate(gradients(*points, weights)):
        for _ in range(DIRECTIONS):
            shape = points[k].shape
            direction = random.uniform(0.5, 1.5, shape) * random.choice([-1.0, 1.0], shape)
            ends = []
            for sign in (1, -1):
                moved = [*points[:k], points[k] + sign * STEP * direction, *points[k + 1 :]]
                ends.append(float(value(*moved, weights)))
            slope, expected = (gradient * direction).sum(), (ends[0] - ends[1]) / (2 * STEP)
            allowed = TOLERANCE * max(1.0, abs(slope) + abs(expected))
            assert abs(slope - expected) <= allowed, f"argument {k}: {slope}, not {expected}"


def compare_derivatives(
    cases: Sequence[Case], *, forward: bool = True, tolerance: float | None = 1e-11
) -> None:
    """Compile the derivatives of several functions together, and compare with the interpreter's.

    Parameters
    ----------
    cases
        Functions, each with the points to compare at.
    forward
        Whether derivatives by Rop are compared as well, where all points are real.
    tolerance
        Maximum error of a result, relative to the largest number in it; by dtype if None.
    """
    random = np.random.default_rng(3)
    inputs: list[Any] = []
    outputs: list[Any] = []
    values: list[Array] = []
    for fun, points in cases:
        operands = [
            TensorType(point.dtype.name, [1 if n == 1 else None for n in point.shape])()
            for point in points
        ]
        y = as_tensor_variable(fun(*operands))
        shape = np.shape(oracle(operands, y)(*points))
        weight, directions = y.type(), [item.type() for item in operands]
        outputs += Lop(y, operands, weight, disconnected_inputs="ignore")
        inputs += [*operands, weight]
        values += [*points, np.asarray(random.uniform(0.5, 1.5, shape), y.dtype)]
        if forward and all(dtypes.is_float(point.dtype.name) for point in points):
            outputs.append(Rop(y, operands, directions))
            inputs += directions
            values += [np.asarray(random.uniform(-1, 1, p.shape), p.dtype) for p in points]
    f, g = compiled(inputs, outputs), oracle(inputs, outputs)
    compare_call(f, g, values, kind="gradients", tolerance=tolerance)


def check_derivatives(cases: Sequence[Case]) -> None:
    """Verify the derivatives of several functions, and compare them as compiled together."""
    for fun, points in cases:
        verify_derivatives(fun, points)
    compare_derivatives(cases)
