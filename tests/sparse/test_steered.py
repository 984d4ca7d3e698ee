"""Ops that pass a sparse matrix on and change its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Rop, grad, sparse as S
from symtheano.errors import DisconnectedInputError, NullTypeGradError
from symtheano.gradient import (
    DisconnectedGrad,
    GradClip,
    GradScale,
    PassThrough,
    UndefinedGrad,
    ZeroGrad,
    consider_constant,
    consider_constant_,
    disconnected_grad,
    grad_clip,
    grad_scale,
    undefined_grad,
    zero_grad,
)
from symtheano.sparse.steered import Steered
from symtheano.sparse.type import is_sparse
from tests.sparse.harness import FORMATS, compiled, interpreted, random_sparse, same

pytestmark = pytest.mark.needs_cc


def structured(x: Any, d: Any) -> Any:
    """Return a cost whose gradient has the matrix' structure."""
    return (S.structured_dot(x, d) * 3).sum()


def regular(x: Any, d: Any) -> Any:
    """Return a cost whose gradient is that of the dense function."""
    return (S.dot(x, d) * 3).sum()


@pytest.mark.parametrize("format", FORMATS)
def test_gradients_are_changed_as_those_of_arrays(format: str) -> None:
    x, d = S.matrix(format, "x"), T.matrix("d")
    a, b = random_sparse(1, format=format), np.random.default_rng(0).uniform(size=(4, 2))
    ops = {GradClip(-2.0, 2.0): lambda g: np.clip(g, -2, 2), GradScale(-2.0): lambda g: -2 * g,
           ZeroGrad(): np.zeros_like}  # fmt: skip
    outputs, wanted = [], []
    slope = np.tile(3 * b.sum(1), (5, 1))
    for op, change in ops.items():
        for cost, inner in ((structured, np.where(a.toarray() != 0, slope, 0)), (regular, slope)):
            passed = Steered(op)(x)
            gradient = grad(cost(passed, d), x)
            outputs += [passed.toarray(), gradient.toarray() if is_sparse(gradient) else gradient]
            wanted += [a.toarray(), change(inner)]
    for make in (interpreted, compiled):
        for mine, its in zip(make([x, d], outputs)(a, b), wanted, strict=True):
            np.testing.assert_allclose(mine, its)


def test_what_is_passed_on_is_the_matrix() -> None:
    x = S.csc_matrix("x")
    a = random_sparse(1, format="csc")
    for op in (DisconnectedGrad(), UndefinedGrad()):
        passed = Steered(op)(x)
        assert passed.type == x.type
        for make in (interpreted, compiled):
            same(make([x], passed)(a), a)
            same(make([x], S.csm_data(passed * 2.0))(a), a.data * 2)
    assert str(Steered(GradClip(0, 1))) == str(GradClip(0, 1))
    assert Steered(GradScale(2)) == Steered(GradScale(2)) != Steered(GradScale(3))


def test_paths_that_are_cut() -> None:
    x = S.csr_matrix("x")
    cut = Steered(DisconnectedGrad())(x)
    with pytest.raises(DisconnectedInputError):
        grad(cut.sum(), x)
    gradient = grad((cut * x).sum(sparse_grad=True), x)
    a = random_sparse(1)
    same(interpreted([x], gradient)(a), a)
    with pytest.raises(NullTypeGradError, match="UndefinedGrad"):
        grad(Steered(UndefinedGrad())(x).sum(), x)
    with pytest.raises(TypeError, match="is not a sparse matrix"):
        Steered(ZeroGrad())(T.matrix("d"))


@pytest.mark.parametrize(
    ("op", "factor"), [(GradScale(3.0), 3), (GradClip(0, 1), 1), (ZeroGrad(), 0)]
)
def test_directions(op: PassThrough, factor: int) -> None:
    x, v = S.csr_matrix("x"), S.csr_matrix("v")
    total = (Steered(op)(x) * 2.0).sum()
    along = Rop(total, x, v, disconnected_outputs="ignore")
    a, b = random_sparse(1), random_sparse(1) * 0.5
    np.testing.assert_allclose(interpreted([x, v], along)(a, b), 2 * factor * b.sum())


def test_the_functions_take_sparse_matrices() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    made = {
        grad_clip(x, -1, 1): GradClip(-1, 1), grad_scale(x, 2): GradScale(2),
        zero_grad(x): ZeroGrad(), consider_constant(x): ZeroGrad(),
        consider_constant_(x): ZeroGrad(),
        disconnected_grad(x): DisconnectedGrad(), undefined_grad(x): UndefinedGrad(),
    }  # fmt: skip
    for variable, op in made.items():
        assert (variable.type, variable.owner.op) == (x.type, Steered(op))
    a, b = random_sparse(1), np.random.default_rng(0).uniform(1, 2, (4, 2))
    gradient = grad(structured(grad_clip(x, -1, 1), d) + structured(zero_grad(x), d), x)
    same(compiled([x, d], gradient)(a, b), abs(a).sign().astype("float64"))
