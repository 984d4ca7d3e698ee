"""A target of one file runs more than half of the golden programs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function
from symtheano.function import Function
from symtheano.tensor.as_op import as_op
from tests.codegen.models import MODELS
from tests.codegen.python_target import compile_python
from tests.codegen.test_models import arguments

# Those that call routines which the target lacks, and the first one of each.
REFUSED = {
    "network_step": "gemm",
    "sorted_columns": "sort",
    "spectrum": "rfft",
    "ridge": "gemm",
    "convolution_step": "convolution",
    "convolution_layer": "convolution",
    "pooling": "pool_max",
}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_golden_programs(model: Callable[[], Function]) -> None:
    with config.change_flags(mode="INTERPRET"):
        made = model()
    stages, request = made.stages, made.stages.request
    if made.name in REFUSED:
        with pytest.raises(NotImplementedError, match=f"^{REFUSED[made.name]} is not a routine of"):
            compile_python(stages.final, request.donors)
        return
    _, run = compile_python(stages.final, request.donors)
    rng = np.random.default_rng(3)
    for variable in made.shared:
        variable.set_value(rng.normal(size=variable.get_value().shape).astype(variable.dtype) / 8)
    shared = [np.array(variable.get_value()) for variable in made.shared]
    values = [np.asarray(value) for value in arguments(made, 3)]
    oracle = function(request.inputs, request.all_outputs, mode=Mode("interpret", "none"))
    expected = oracle(*values)
    found = run([np.array(value) for value in (*values, *shared)])
    assert len(found) == len(expected)
    for mine, its in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, np.ravel(its), rtol=2e-5, atol=2e-6)


def test_more_than_half_of_the_golden_programs_run() -> None:
    assert 2 * len(REFUSED) < len(MODELS)


def test_the_text_is_readable() -> None:
    with config.change_flags(mode="INTERPRET"):
        made = next(model for model in MODELS if model.__name__ == "polynomial")()
    text, _ = compile_python(made.stages.final, made.stages.request.donors)
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0].startswith("def kernel_0_")
    assert "a_i = load(a, i*1, 'float32')" in lines


@as_op(itypes=[T.dvector], otypes=[T.dvector])
def doubled(x: np.ndarray) -> np.ndarray:
    return 2 * x


def test_what_the_text_lacks_is_refused() -> None:
    with config.change_flags(mode="INTERPRET"):
        f = function([x := T.dvector("x")], doubled(x))
    with pytest.raises(NotImplementedError, match="no text for the statement PythonCall"):
        compile_python(f.stages.final, f.stages.request.donors)
