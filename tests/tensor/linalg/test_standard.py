"""``T.linalg`` has NumPy's functions: values on edge cases, and gradients."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import symtheano
import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor.linalg import standard

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)


def computed(f: Callable[..., Any], *arrays: Array, mode: str = "INTERPRET") -> Any:
    """Return the values of a function of variables of the arrays' types."""
    variables = [T.TensorType(a.dtype.name, (None,) * a.ndim)() for a in arrays]
    made = f(*variables)
    values = function(variables, list(made) if isinstance(made, tuple) else made, mode=mode)
    return values(*arrays)


def agree(got: Any, want: Any) -> None:
    """Compare arrays, or several."""
    if isinstance(want, tuple):
        for one, other in zip(got, want, strict=True):
            agree(one, other)
        return
    want = np.asarray(want)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_allclose(got, want, rtol=1e-5 if want.dtype == "float32" else 1e-10)


def regular(*shape: int) -> Array:
    return RNG.normal(size=shape) + 4 * np.eye(shape[-1])


A, B, M = regular(3, 3), regular(2, 3, 3), RNG.normal(size=(4, 3))
SYMMETRIC = A @ A.T
CASES: list[tuple[str, tuple[Array, ...]]] = [
    ("solve(x, y)", (A, M[0])),
    ("solve(x, y)", (A, M[:3, :2])),
    ("solve(x, y)", (B, RNG.normal(size=(2, 3, 1)))),
    ("solve(x, y)", (A.astype("float32"), M[0].astype("float32"))),
    ("solve(x, y)", (np.zeros((0, 0)), np.zeros(0))),
    ("solve(x, y)", (A[::-1, ::-1], M[0])),
    ("inv(x)", (B,)),
    ("inv(x)", (A[:1, :1],)),
    ("pinv(x)", (M,)),
    ("det(x)", (B,)),
    ("det(x)", (np.zeros((0, 0)),)),
    ("slogdet(x)", (B,)),
    ("cholesky(x)", (SYMMETRIC,)),
    ("eigh(x)[0]", (SYMMETRIC,)),
    ("eigvalsh(x)", (SYMMETRIC,)),
    ("eigvalsh(x, 'U')", (A,)),
    ("eigvalsh(x, UPLO='L')", (A,)),
    ("eigvalsh(x)", (A + 1j * A.T,)),
    ("svd(x, full_matrices=False)[1]", (M,)),
    ("svd(x, compute_uv=False)", (M.T,)),
    ("svdvals(x)", (M,)),
    ("svdvals(x)", (B[:, ::2],)),
    ("qr(x, mode='r')", (M,)),
    ("lstsq(x, y)[0]", (M, M[:, 0])),
    ("matrix_rank(x)", (M,)),
    ("matrix_power(x, 3)", (A,)),
    ("multi_dot([x, y, x])", (M.T, M)),
    ("cond(x)", (A,)),
    ("norm(x)", (M,)),
    ("norm(x, 1, 0)", (M,)),
    ("norm(x, 'nuc')", (M,)),
    ("trace(x)", (B,)),
    ("trace(x, offset=1)", (M,)),
    ("diagonal(x)", (B,)),
    ("diagonal(x, offset=-1)", (M[::-1],)),
    ("diagonal(x, offset=5)", (M,)),
    ("outer(x, y)", (M[0], M[1])),
    ("matmul(x, y)", (B, A)),
    ("tensordot(x, y, axes=1)", (B, A)),
    ("tensorinv(x, ind=1)", (RNG.normal(size=(6, 2, 3)),)),
    ("tensorsolve(x, y)", (RNG.normal(size=(2, 3, 6)), RNG.normal(size=(2, 3)))),
    ("matrix_transpose(x)", (B[:, :2],)),
    ("matrix_transpose(x)", (np.zeros((0, 3), "int8"),)),
    ("vecdot(x, y)", (M, M[0])),
    ("vecdot(x, y, axis=0)", (M, M[::-1])),
    ("vecdot(x, y)", (M + 1j, M)),
    ("vecdot(x, y)", (np.zeros((3, 0)), np.zeros((3, 0)))),
    ("vecdot(x, y)", (np.array([1, 2]), np.array([3, 4]))),
    ("vector_norm(x)", (M,)),
    ("vector_norm(x, keepdims=True)", (M,)),
    ("vector_norm(x, axis=0, ord=1)", (M,)),
    ("vector_norm(x, axis=-1, ord=np.inf, keepdims=True)", (M,)),
    ("vector_norm(x)", (np.zeros(0),)),
    ("matrix_norm(x)", (B,)),
    ("matrix_norm(x, ord=2, keepdims=True)", (B,)),
    ("matrix_norm(x, ord=1)", (M,)),
    ("cross(x, y)", (M, M[0])),
    ("cross(x, y, axis=0)", (M.T, M.T[:, ::-1])),
    ("cross(x, y)", (np.arange(3), np.arange(3)[::-1])),
    ("cross(x, y)", (np.zeros((0, 3)), np.zeros((0, 3)))),
]


@pytest.mark.parametrize(("text", "arrays"), CASES, ids=[text for text, _ in CASES])
def test_values_are_those_of_numpy(text: str, arrays: tuple[Array, ...]) -> None:
    def of(library: Any) -> Callable[..., Any]:
        names = {name: getattr(library, name) for name in dir(library)}
        found: Callable[..., Any] = eval(f"lambda x, y=None: {text}", {**names, "np": np})
        return found

    agree(computed(of(T.linalg), *arrays), of(np.linalg)(*arrays))


@pytest.mark.needs_cc
def test_compiled_values_are_the_same() -> None:
    def everything(x: Any, y: Any) -> tuple[Any, ...]:
        return (
            standard.diagonal(x, offset=1), standard.eigvalsh(x @ x.T), standard.svdvals(y),
            standard.vecdot(y, y[0]), standard.vector_norm(y), standard.matrix_norm(x),
            standard.cross(y, y[0]), standard.block_diag(x, y), standard.matrix_transpose(y),
        )  # fmt: skip

    agree(computed(everything, A, M, mode="FAST_RUN"), tuple(computed(everything, A, M)))


def test_the_block_diagonal_is_that_of_scipy() -> None:
    for blocks in ([A, M], [A], [M[0], M], [np.zeros((0, 2)), A], [np.float64(2.0), A]):
        arrays = [np.asarray(block) for block in blocks]
        agree(computed(standard.block_diag, *arrays), scipy.linalg.block_diag(*arrays))
    with pytest.raises(TypeError, match="block_diag takes one or more matrices"):
        standard.block_diag()
    with pytest.raises(TypeError, match="block_diag takes one or more matrices"):
        standard.block_diag(B)


SMOOTH: list[tuple[Callable[..., Any], tuple[Array, ...]]] = [
    (T.linalg.solve, (A, M[0])),
    (lambda x: standard.diagonal(x, offset=1), (B,)),
    (standard.eigvalsh, (SYMMETRIC,)),
    (standard.svdvals, (M,)),
    (standard.vecdot, (M, M[0])),
    (standard.vector_norm, (M,)),
    (standard.matrix_norm, (B,)),
    (standard.cross, (M, M[0])),
    (standard.block_diag, (A, M)),
    (standard.matrix_transpose, (B,)),
]


@pytest.mark.parametrize("case", range(len(SMOOTH)))
def test_gradients_are_those_of_differences(case: int) -> None:
    f, arrays = SMOOTH[case]
    verify_grad(f, list(arrays), n_tests=1, mode="INTERPRET")


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(TypeError, match="diagonal takes matrices"):
        T.linalg.diagonal(T.vector())
    with pytest.raises(ValueError, match="UPLO='X' is neither"):
        T.linalg.eigvalsh(T.matrix(), "X")
    with pytest.raises(ShapeError):
        computed(T.linalg.cross, M[:, :2], M[:, :2])
    with pytest.raises(T.linalg.LinAlgError):
        computed(T.linalg.solve, np.zeros((2, 2)), np.ones(2))


def test_every_function_of_numpy_is_there() -> None:
    assert set(np.linalg.__all__) - set(T.linalg.__all__) == set()


@pytest.mark.parametrize(
    "line",
    [
        "import symtheano.tensor.linalg.solve",
        "from symtheano.tensor.linalg.solve import Solve",
        "T.linalg.solve(T.matrix(), T.vector()); import symtheano.tensor.linalg.solve",
        "import importlib; importlib.import_module('symtheano.tensor.linalg.solve')",
        "from symtheano.tensor.linalg import solve",
    ],
)
def test_a_submodule_does_not_hide_a_function(line: str) -> None:
    text = f"import symtheano.tensor as T\n{line}\nprint(type(T.linalg.solve).__name__)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "function\n"


def test_submodules_without_a_function_are_attributes() -> None:
    assert isinstance(symtheano.tensor.linalg.products, ModuleType)
