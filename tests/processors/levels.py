"""Reductions and the programs of the golden files, by value, for the compiler's processor.

``.ci/processors`` runs these tests with compilers for x86-64-v2, v3 and v4; on the machine's own
processor, other tests do the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.function import Function
from symtheano.scalar.philox import BY_KIND
from symtheano.tensor.random.philox_op import FirstPhiloxNumbers, PhiloxNumbers
from tests.codegen import families, models
from tests.support.compare import compare_call, compiled, oracle

pytestmark = pytest.mark.needs_cc

LENGTHS = [0, 1, 7, 64, 1000]
TOLERANCE = {"float32": 2e-5, "float64": 1e-12, "complex128": 1e-12}


def of_any(x: Any, y: Any) -> list[Any]:
    """Return reductions of two vectors that have a value for no elements too."""
    counts = [x.sum(), T.neq(x, 0).sum(), T.any(x), T.all(x)]
    if x.dtype == "bool":
        return counts
    return [*counts, T.sqr(x - y).sum(), T.dot(x, y), T.cumsum(x), x.sum(dtype="complex128")]


def of_some(x: Any, y: Any) -> list[Any]:
    """Return reductions of two vectors that have no value for no elements."""
    if x.dtype == "complex128":
        return [x.mean(), abs(x).max(), T.argmax(T.real(x)), x[:5].prod()]
    found = [x.max(), x.min(), T.argmax(x), T.argmin(x)]
    if x.dtype == "bool":
        return [*found, T.mean(x)]
    found += [x.mean(), x.var(), T.maximum(x, y).max(), T.sort(x), abs(x - y).max()]
    if x.dtype.startswith("float"):
        rows = x.dimshuffle(0, "x") * y[:7].dimshuffle("x", 0)
        found += [T.nnet.softmax(x), T.logsumexp(x), T.norm(x), grad(T.logsumexp(x * y), x)]
        found += [rows.sum(0), rows.max(1), T.nnet.softmax(rows).sum(0), T.argmax(rows, axis=1)]
    return found


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_c_agrees_with_numpy_in_all_bits_of_random_numbers(dtype: str) -> None:
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    kinds, long = ("random", "exponential", "normal"), T.constant(np.int64(10_007))
    outputs = [PhiloxNumbers(kind, dtype)(key, stream, long) for kind in kinds]
    outputs += [FirstPhiloxNumbers(kind, dtype, 3)(key, stream, long) for kind in kinds]
    outputs += [BY_KIND[kind, dtype](key, stream, np.uint64(5)) for kind in kinds]
    f, g = (function([key, stream], outputs, mode=mode) for mode in (None, "INTERPRET"))
    for seed in range(20):
        values = np.random.default_rng(seed).integers(0, 2**64, 2, "uint64")
        for one, other in zip(f(*values), g(*values), strict=True):
            assert one.tobytes() == other.tobytes()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128", "bool"])
def test_reductions_of_every_length(dtype: str) -> None:
    x, y = (T.TensorType(dtype, (None,))(name) for name in "xy")
    random = np.random.default_rng(0)
    for make in (of_any, of_some):
        outputs = make(x, y)
        f, g = compiled([x, y], outputs), oracle([x, y], outputs)
        for length in LENGTHS[make is of_some :]:
            values = random.normal(size=(2, length)) * 3
            if dtype == "complex128":
                values = values + 1j * random.normal(size=(2, length))
            args = list(values.astype(dtype))
            compare_call(f, g, args, kind="levels", tolerance=TOLERANCE.get(dtype, 1e-12))


def test_reductions_of_special_numbers() -> None:
    x = T.fvector("x")
    outputs = [x.max(), x.min(), T.argmax(x), T.argmin(x), x.sum(), T.any(x)]
    f, g = compiled([x], outputs), oracle([x], outputs)
    for length in LENGTHS[1:]:
        for special in (np.nan, np.inf, -np.inf, -0.0):
            for place in {0, length // 2, length - 1}:
                values = np.zeros(length, "float32")
                values[place] = special
                compare_call(f, g, [values], kind="levels")


def rows(*shape: int) -> Any:
    """Return positive numbers that are all different."""
    values = np.linspace(0.1, 2, int(np.prod(shape)))
    return np.random.default_rng(1).permutation(values).reshape(shape)


PROGRAMS: list[tuple[Callable[[], Function], list[Any]]] = [
    (models.softmax_rows, [rows(7, 13)]),
    (models.layer_norm_grad, [rows(6, 11), rows(11), rows(11), rows(6, 11)]),
    (models.likelihood, [rows(100), 0.3, -0.2]),
    (models.columns, [rows(31, 17)]),
    (models.embedding, [rows(12, 5), np.arange(30) % 12]),
    (families.reductions, [rows(23, 9), rows(40)]),
    (families.complex_numbers, [rows(9, 6) * (1 - 2j)]),
]


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_golden_programs_compiled(number: int) -> None:
    make, args = PROGRAMS[number]
    f = make()
    assert f.c_source is not None, "no C was made"
    inputs = list(f.request.inputs)
    args = [np.asarray(arg, item.dtype) for arg, item in zip(args, inputs, strict=True)]
    outputs = f.request.outputs
    g = oracle(inputs, outputs[0] if f.request.keys == () else outputs)
    tolerance = 2e-5 if args[0].dtype == "float32" else 1e-11
    compare_call(f, g, args, kind="levels", tolerance=tolerance)
