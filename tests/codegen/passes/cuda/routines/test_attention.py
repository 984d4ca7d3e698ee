"""Attention on a device, against its definition in NumPy and the routines of the processor."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.dataclass import replace
from symtheano.loopir import Call, For, Measure, Product
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.support.cubins import assert_compiles
from tests.tensor.nnet.test_attention import attention, defined, drawn, spoiled

pytestmark = pytest.mark.needs_cxx


# Others have large arrays, which take long where they are emulated.
@pytest.mark.parametrize("seed", [1, 2, 3, 5, 9, 10, 13, 20])
def test_random_arrays(seed: int) -> None:
    given, choice = drawn(seed)
    inputs, values, outputs = attention(given, choice)
    f = emulated(inputs, outputs)
    tolerance = 3e-4 if given["q"].dtype == "float32" else 1e-9
    strided = [np.repeat(x, 2, axis=-2)[..., ::2, :] if x.ndim > 1 and seed % 4 == 0 else x
               for x in values]  # fmt: skip
    for one, other in zip(f(*strided), defined(given, choice), strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
    source = f.stages.built.device
    assert source is not None
    if seed % 3 == 0:
        assert_compiles(source, f"attention {seed}")


def written(q: Any, k: Any, v: Any, axes: tuple[int, ...]) -> Any:
    """Return attention in plain operations."""
    scores = T.matmul(q, k.transpose(*axes)) * T.constant(0.5, dtype=q.dtype)
    return T.matmul(T.nnet.softmax(scores, axis=-1), v)


def test_nothing_is_the_hosts() -> None:
    q, k, v = (T.ftensor4(name) for name in "qkv")
    result = written(q, k, v, (0, 1, 3, 2))
    outputs = [result, *grad(T.sqr(result).sum(), [q, k, v])]
    statements = [*walk(cuda_program([q, k, v], outputs).body)]
    assert not any(isinstance(s, Call | Measure) for s in statements)
    assert not any(isinstance(s, For) and s.kind != "grid" for s in statements)


def test_products_are_calls_of_the_library() -> None:
    """Axes of items are one, or the host goes through the outer one."""
    q, k, v = (T.ftensor4(name) for name in "qkv")
    device = replace(CUDA.device, libraries=frozenset(["cublas"]))
    heads = [item.transpose(0, 2, 1, 3) for item in (q, k, v)]
    for arrays, loops in (([q, k, v], 0), (heads, 2)):
        result = written(*arrays, (0, 1, 3, 2))
        with config.change_flags(mode="INTERPRET"):
            stages = function([q, k, v], result).stages
        target = replace(CUDA, device=device)
        program = lower(stages.final, stages.request.donors, target=target).program
        verify(program, CUDA.dialect)
        statements = [*walk(program.body)]
        assert sum(isinstance(s, Product) for s in statements) == 2
        assert sum(isinstance(s, For) for s in statements) == loops


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_infinities_and_nan(dtype: str) -> None:
    q, k, v = (T.tensor3(name, dtype=dtype) for name in "qkv")
    result = written(q, k, v, (0, 2, 1))
    outputs = [result, *grad(result.sum(), [q, k, v])]
    mine, its = emulated([q, k, v], outputs), function([q, k, v], outputs)
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    for seed in range(6):
        *arrays, _ = spoiled(seed, dtype)
        for one, other in zip(mine(*arrays), its(*arrays), strict=True):
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
