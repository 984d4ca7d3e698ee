"""The C of typical functions: golden files one can read, checked against the interpreter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from symtheano import Mode, function, grad
from symtheano.codegen.c.program import print_c
from symtheano.codegen.lower import lower
from symtheano.codegen.processors import CPU
from symtheano.function import Function
from symtheano.loopir.verify import verify
from tests.codegen.models import (
    MODELS,
    SHAPES,
    convolution_layer,
    convolution_step,
    embedding,
    layer_norm_grad,
    network_step,
    pooling,
)  # fmt: skip
from tests.support.caches import new_cache

pytestmark = pytest.mark.needs_cc


def arguments(made: Function, seed: int) -> list[Any]:
    """Return values for a model's inputs."""
    rng = np.random.default_rng(seed)
    values: list[Any] = []
    for variable, shape in zip(made.inputs, SHAPES[str(made.name)], strict=True):
        if shape == "n":
            values.append(2**40)
        elif isinstance(shape, str):
            _, classes, count = shape.split(":")
            values.append(rng.integers(0, int(classes), int(count)).astype(variable.dtype))
        else:
            values.append(rng.normal(size=shape).astype(variable.dtype))
    return values


def own_part(text: str) -> str:
    """Return the text after the prelude, which other golden files hold."""
    start = min(text.index(word) for word in ("ST_KERNEL ", "ST_EXPORT int32_t") if word in text)
    return text[text.rindex("\n\n", 0, start) + 2 :]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_c_of_model(model: Callable[[], Function], golden: Callable[[str, str], None]) -> None:
    made = model()
    verify(made.lowered.program, CPU.dialect)
    golden(own_part(str(made.c_source)), f"codegen/models/{made.name}.c")


@pytest.mark.parametrize(
    "model", [convolution_step, convolution_layer, pooling], ids=lambda model: model.__name__
)
def test_loops_of_model(model: Callable[[], Function], golden: Callable[[str, str], None]) -> None:
    made = model()
    golden(str(made.lowered.program), f"codegen/models/{made.name}.txt")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_model_agrees_with_interpreter(model: Callable[[], Function]) -> None:
    made, seed = model(), 3
    rng = np.random.default_rng(seed)
    for variable in made.shared:
        variable.set_value(rng.normal(size=variable.get_value().shape).astype(variable.dtype) / 8)
    request = made.stages.request
    oracle = function(request.inputs, request.all_outputs, mode=Mode("interpret", "none"))
    values = arguments(made, seed)
    expected = oracle(*values)
    results = made(*values)
    got = results if isinstance(results, list) else [results]
    got = [*got, *(variable.get_value() for variable, _ in request.updates)]
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=2e-6)


def test_network_step_is_products_and_a_handful_of_kernels() -> None:
    made = network_step()
    body = str(made.c_source)
    entry = body[body.index("ST_EXPORT int32_t network_step") :]
    assert entry.count("st_gemm_f32(") == 5
    assert entry.count("kernel_") <= 6
    assert made.lowered.donors == [None, 3, 4, 5, 6], "updates are written in place"


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_same_bits_with_any_number_of_threads(threads: int) -> None:
    from symtheano import config

    rng = np.random.default_rng(0)
    x = rng.normal(size=(3000, 700)).astype("float32")
    with config.change_flags(threads=1):
        alone = [m for m in MODELS if m.__name__ in ("total", "columns", "softmax_rows")]
        expected = [m()(x) for m in alone]
    with config.change_flags(threads=threads):
        got = [m()(x) for m in alone]
    for a, b in zip(expected, got, strict=True):
        for one, other in zip(listed(a), listed(b), strict=True):
            np.testing.assert_array_equal(one, other)


def listed(result: Any) -> list[Any]:
    """Return a function's outputs as a list."""
    return result if isinstance(result, list) else [result]


def test_text_is_the_same_in_every_process() -> None:
    import subprocess
    import sys

    program = (
        "from tests.codegen.models import MODELS\n"
        "import hashlib\n"
        "texts = ''.join(str(m().c_source) for m in MODELS)\n"
        "print(hashlib.sha256(texts.encode()).hexdigest())\n"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**__import__("os").environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(digests) == 1


def test_lowering_needs_no_compiler() -> None:
    made = network_step()
    again = lower(made.stages.final, made.stages.request.donors, "network_step")
    verify(again.program)
    assert [site.code for site in again.sites].count("shape") >= 3


def test_work_done_again_along_exchanged_axes() -> None:
    import symtheano.tensor as T

    s, w = T.dmatrix("s"), T.dvector("w")
    scaled = (s.T * w).T
    made = function([s, w], [scaled, s * 2 + ((scaled * 2).T * w).T])
    a, b = np.arange(12.0).reshape(3, 4), np.array([1.0, 3.0, 5.0])
    first, second = made(a, b)
    np.testing.assert_array_equal(first, a * b[:, None])
    np.testing.assert_array_equal(second, a * 2 + a * b[:, None] ** 2 * 2)


def test_calls_of_kernels_that_read_backwards_are_kept() -> None:
    """Compilers have dropped them: see the flags in ``compiler.py``."""
    import symtheano.tensor as T

    x, w = T.dvector("x"), T.dvector("w")
    y = x[::-2] * x[-1:0:-1][:2] + x[::3]
    got = function([x, w], grad((y * w).sum(), x))([1.0, 2.0, 3.0, 4.0], [1.0, 10.0])
    np.testing.assert_array_equal(got, [1.0, 30.0, 20.0, 18.0])


def test_text_does_not_depend_on_what_was_made_before(tmp_path: Any) -> None:
    import symtheano.tensor as T
    from symtheano import config

    models = [network_step, layer_norm_grad, embedding]
    place = new_cache(tmp_path / "cache", "product_f32", "product_f64")

    def texts() -> list[str]:
        with config.change_flags(cache_dir=str(place)):
            return [print_c(model().lowered.program).text for model in models]

    first = texts()
    x = T.matrix("x")
    z = x
    for _ in range(10):
        z = T.exp(z) + T.dot(z, x)
    function([x], z.sum())
    assert texts() == first  # the functions are found in the cache, and lowered here
