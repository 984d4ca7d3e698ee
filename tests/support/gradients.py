"""The check that tests of derivatives make: finite differences, interpreter, compiled code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano import Lop, Rop, dtypes, function
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.type import TensorType
from tests.support.compare import ORACLE, Array, compare_call, compiled, count, oracle

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
    if all(point.dtype == "float64" for point in points):
        verify_slopes(fun, points, np.random.default_rng(0), "INTERPRET")
    else:
        verify_grad(fun, points, n_tests=1, mode="INTERPRET")
        if all(dtypes.is_float(point.dtype.name) for point in points):
            verify_rop(fun, points, mode="INTERPRET")
    count("gradients", sum(point.size for point in points))


STEP, TOLERANCE, ROUNDING = 5e-6, 1e-5, 1e-9


def verify_slopes(
    fun: Callable[..., Any],
    points: Sequence[Array],
    random: np.random.Generator,
    mode: Any = ORACLE,
) -> None:
    """Compare gradients with differences along random directions, and Rop with Lop.

    ``verify_grad`` moves each element alone, so that it can tell which one is wrong. An error in
    any element changes the slope along a direction, too. The interpreter computes the function, and
    no rule changes it.

    Parameters
    ----------
    fun
        Makes one symbolic array in double precision from as many as there are points.
    points
        Where its derivatives are compared: arrays in double precision.
    random
        Draws the weights of the sum of the results, and directions.
    mode
        How the derivatives are computed.
    """
    operands = [TensorType("float64", [1 if n == 1 else None for n in p.shape])() for p in points]
    y = as_tensor_variable(fun(*operands))
    weight, along = y.type(), [item.type() for item in operands]
    backward = Lop(y, operands, weight, disconnected_inputs="ignore")
    value = oracle(operands, y)
    every = [*operands, weight, *along]
    outputs = [*backward, Rop(y, operands, along)]
    derivatives = function(every, outputs, mode=mode, on_unused_input="ignore")
    weights = random.uniform(0.5, 1.5, np.shape(value(*points)))

    def direction(point: Array) -> Array:
        signs = random.choice([-1.0, 1.0], point.shape)
        return np.asarray(signs * random.uniform(0.5, 1.5, point.shape))

    ways = [direction(point) for point in points]
    *gradients, forward = derivatives(*points, weights, *ways)
    dual = sum(float((g * way).sum()) for g, way in zip(gradients, ways, strict=True))
    slope = float((weights * forward).sum())
    assert abs(slope - dual) <= ROUNDING * max(1.0, abs(dual)), f"Rop {slope}, and Lop {dual}"
    for k, (point, gradient) in enumerate(zip(points, gradients, strict=True)):
        for way in (ways[k], direction(point)):
            high, low = (
                float((weights * value(*points[:k], moved, *points[k + 1 :])).sum())
                for moved in (point + STEP * way, point - STEP * way)
            )
            slope, expected = float((gradient * way).sum()), (high - low) / (2 * STEP)
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
