"""Matrices and comparisons that tests of linear algebra use."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import assert_same, count, oracle

LinAlgError = np.linalg.LinAlgError


KIND = "linear algebra"


DTYPES = ["float32", "float64", "complex64", "complex128"]


LOOSE = {"float32": 3e-4, "complex64": 3e-4, "float64": 1e-10, "complex128": 1e-10}


def arrays(dtype: str, *shapes: tuple[int, ...]) -> list[Any]:
    random = np.random.default_rng(3)
    return [random_array(random, dtype, shape) for shape in shapes]


def definite(dtype: str, *shape: int) -> Any:
    (a,) = arrays(dtype, shape)
    eye = np.eye(shape[-1]) * 2
    return np.asarray(a @ a.conj().swapaxes(-1, -2) + eye, dtype)


def variables(*values: Any) -> list[Any]:
    return [TensorType(value.dtype.name, (None,) * value.ndim).make_variable() for value in values]


def same(outputs: Any, inputs: list[Any], values: list[Any], wanted: Any, **options: Any) -> None:
    """Compare outputs of the interpreter with arrays."""
    outputs = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
    wanted = list(wanted) if isinstance(wanted, list | tuple) else [wanted]
    got = oracle(inputs, outputs)(*values)
    assert len(got) == len(wanted)
    for mine, its in zip(got, wanted, strict=True):
        assert_same(mine, np.asarray(its), **options)
        count(KIND, mine.size)


def tolerance(dtype: str) -> float | None:
    """Return how far a product may be off, relative to its largest element."""
    return {"float32": 1e-5, "complex64": 1e-5, "float16": 4e-3}.get(dtype, 1e-12)


Array = np.ndarray[Any, Any]


random = np.random.default_rng(0)


def real(*shape: int) -> Array:
    return random.normal(size=shape)
