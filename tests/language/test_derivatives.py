"""Derivatives of random programs: backward, forward, twice, and as whole matrices.

They are compared with finite differences of what NumPy computes, and with each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given

import symtheano.tensor as T
from symtheano import grad
from symtheano.gradient import Lop, Rop, hessian, jacobian
from tests.language.check import agree, rewritten, variables_of
from tests.language.program import Array, Program
from tests.language.strategies import budget, mixed_programs
from tests.support.compare import compiled, count, oracle


def cost_of(program: Program, names: Sequence[str]) -> Any:
    """Return a number that all elements of some lines have a part in."""
    parts = [T.sin(part).sum() for name in names for part in real_parts(program, name)]
    return sum(parts, T.constant(0.0))


def real_parts(program: Program, name: str) -> list[Any]:
    """Return the real and the imaginary part of a line, or the line if it is real."""
    variable = program.variables[name]
    return [variable] if variable.dtype == "float64" else [T.real(variable), T.imag(variable)]


def along(slopes: Sequence[Array], direction: Mapping[str, Array], inputs: Sequence[str]) -> float:
    """Return how much a number changes along a direction."""
    return sum(float(np.real(np.conj(slope) * direction[name]).sum())
               for name, slope in zip(inputs, slopes, strict=True))  # fmt: skip


def check_gradient(program: Program, make: Callable[..., Any]) -> None:
    """Compare gradients with the interpreter's, and with finite differences of NumPy's cost."""
    inputs, names = program.differentiable(4)
    if not (inputs and names):
        return
    variables, args = variables_of(program, program.used()), program.arguments()
    cost = cost_of(program, names)
    slopes = grad(cost, variables_of(program, inputs), disconnected_inputs="ignore")
    mine, its = make(variables, [cost, *slopes])(*args), oracle(variables, [cost, *slopes])(*args)
    scale = max(float(np.abs(part).max(initial=1)) for part in its)
    for number, (got, want) in enumerate(zip(mine, its, strict=True)):
        agree(got, want, 1e-9, scale, f"{number} of cost and gradient of {names} in{program!r}")
    direction, changes = program.changes(inputs, names, 1e-6)
    want = 0.0
    for name, change in zip(names, changes, strict=True):
        value = program.values[name]
        want += float((np.cos(value.real) * change.real).sum())
        want += float((np.cos(value.imag) * change.imag).sum()) * (value.dtype.kind == "c")
    np.testing.assert_allclose(along(mine[1:], direction, inputs), want, rtol=1e-4,
                               atol=1e-4 * scale,
                               err_msg=f"gradient of {names} in{program!r}")  # fmt: skip
    count("gradients of programs of the whole language", sum(part.size for part in mine))


@pytest.mark.needs_cc
@budget(8)
@given(mixed_programs(smooth=True))
def test_gradients_in_c(program: Program) -> None:
    check_gradient(program, compiled)


@budget(32)
@given(mixed_programs(smooth=True))
def test_gradients_rewritten(program: Program) -> None:
    check_gradient(program, rewritten)


def real(program: Program, most: int) -> tuple[list[str], list[str]]:
    """Return the used inputs and the last lines that are real and of double precision."""
    inputs, names = program.differentiable(most)
    return ([name for name in inputs if program.values[name].dtype == "float64"],
            [name for name in names if program.values[name].dtype == "float64"])  # fmt: skip


def check_forward(program: Program) -> None:
    """Compare derivatives along a direction with finite differences."""
    inputs, names = real(program, 4)
    if not (inputs and names):
        return
    direction, changes = program.changes(inputs, names, 1e-6)
    slopes = Rop(variables_of(program, names), variables_of(program, inputs),
                 [T.constant(direction[name]) for name in inputs],
                 disconnected_outputs="ignore")  # fmt: skip
    mine = oracle(variables_of(program, program.used()), slopes)(*program.arguments())
    for name, got, want in zip(names, mine, changes, strict=True):
        scale = float(np.abs(want).max(initial=1))
        agree(got, want, 1e-4, scale, f"{name} along a direction in{program!r}")
    count("forward derivatives of programs", sum(part.size for part in mine))


@budget(24)
@given(mixed_programs(smooth=True))
def test_forward_derivatives(program: Program) -> None:
    check_forward(program)


def product_with_hessian(slopes: Sequence[Any], wrt: Sequence[Any], vectors: Any) -> Any:
    """Return the gradient of the gradient's component along a vector.

    ``hessian_times_vector`` returns it, but rejects costs that are linear in an input.
    """
    component = sum(((g * v).sum() for g, v in zip(slopes, vectors, strict=True)), T.constant(0.0))
    return grad(component, wrt, disconnected_inputs="ignore")


def check_second(program: Program, make: Callable[..., Any]) -> None:
    """Compare Hessians times a direction with finite differences of the gradient."""
    inputs, names = real(program, 2)
    if not (inputs and names):
        return
    used, args = program.used(), program.arguments()
    variables, wrt = variables_of(program, used), variables_of(program, inputs)
    slopes = grad(cost_of(program, names), wrt, disconnected_inputs="ignore")
    random = np.random.default_rng(1)
    direction = {name: np.asarray(random.uniform(-1, 1, program.values[name].shape))
                 for name in inputs}  # fmt: skip
    vectors = [T.constant(direction[name]) for name in inputs]
    backward = product_with_hessian(slopes, wrt, vectors)
    forward = Rop(slopes, wrt, vectors, disconnected_outputs="ignore")
    mine = make(variables, [*slopes, *backward, *forward])(*args)
    at = oracle(variables, slopes)
    ahead, behind = (
        at(*(arg + step * direction[name] if name in direction else arg
             for name, arg in zip(used, args, strict=True)))
        for step in (1e-5, -1e-5)
    )  # fmt: skip
    scale = max(float(np.abs(part).max(initial=1)) for part in mine)
    n = len(inputs)
    for number, name in enumerate(inputs):
        want = (ahead[number] - behind[number]) / 2e-5
        what = f"second derivative of {names} with respect to {name} in{program!r}"
        agree(mine[n + number], want, 1e-4, scale, f"backward {what}")
        agree(mine[2 * n + number], mine[n + number], 1e-8, scale, f"forward {what}")
    count("second derivatives of programs", sum(part.size for part in mine))


@pytest.mark.needs_cc
@budget(3)
@given(mixed_programs(smooth=True))
def test_second_derivatives_in_c(program: Program) -> None:
    check_second(program, compiled)


@budget(16)
@given(mixed_programs(smooth=True))
def test_second_derivatives_rewritten(program: Program) -> None:
    check_second(program, rewritten)


def check_jacobian(program: Program, make: Callable[..., Any]) -> None:
    """Compare a Jacobian with finite differences and with a product from the left."""
    inputs, names = real(program, 1)
    if not (inputs and names) or program.values[names[0]].size > 40:
        return
    (name,), random = names, np.random.default_rng(2)
    variables, wrt = variables_of(program, program.used()), variables_of(program, inputs)
    weights = np.asarray(random.uniform(-1, 1, program.values[name].shape))
    output = program.variables[name]
    try:
        whole = jacobian(output, wrt, disconnected_inputs="ignore")
    except NotImplementedError:
        event("a Jacobian that says it is not implemented")
        return
    rows = Lop(output, wrt, T.constant(weights), disconnected_inputs="ignore")
    mine = make(variables, [*whole, *rows])(*program.arguments())
    direction, (change,) = program.changes(inputs, names, 1e-6)
    got: Any = np.zeros(weights.shape)
    scale = max(float(np.abs(part).max(initial=1)) for part in mine)
    for number, item in enumerate(inputs):
        matrix, what = mine[number], f"Jacobian of {name} with respect to {item} in{program!r}"
        assert matrix.shape == weights.shape + direction[item].shape, what
        product = np.tensordot(weights, matrix, weights.ndim)
        agree(product, mine[len(inputs) + number], 1e-8, scale, what)
        got = got + np.tensordot(matrix, direction[item], direction[item].ndim)
    agree(np.asarray(got), change, 1e-4, scale, f"Jacobian of {name} in{program!r}")
    count("Jacobians of programs", sum(part.size for part in mine))


@budget(16)
@given(mixed_programs(smooth=True))
def test_jacobians(program: Program) -> None:
    check_jacobian(program, rewritten)


def check_hessian(program: Program, make: Callable[..., Any]) -> None:
    """Compare a Hessian with its product with a direction."""
    inputs, names = real(program, 2)
    inputs = [name for name in inputs if program.values[name].ndim == 1][:1]
    if not (inputs and names):
        return
    variables, wrt = variables_of(program, program.used()), variables_of(program, inputs)
    cost = cost_of(program, names)
    vector = np.random.default_rng(3).uniform(-1, 1, program.values[inputs[0]].shape)
    slopes = grad(cost, wrt, disconnected_inputs="ignore")
    try:
        matrix = hessian(cost, wrt[0], disconnected_inputs="ignore")
    except NotImplementedError:
        event("a Hessian that says it is not implemented")
        return
    product = product_with_hessian(slopes, wrt, [T.constant(vector)])
    got, want = make(variables, [matrix, *product])(*program.arguments())
    scale = float(np.abs(got).max(initial=1))
    agree(got, got.T.copy(), 1e-7, scale, f"Hessian for {inputs}, transposed, in{program!r}")
    agree(got @ vector, want, 1e-7, scale, f"Hessian for {inputs} in{program!r}")
    count("Hessians of programs", got.size)


@budget(12)
@given(mixed_programs(smooth=True))
def test_hessians(program: Program) -> None:
    check_hessian(program, rewritten)
