"""The text of typical programs for CUDA, and their results when they are emulated."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from symtheano import config
from symtheano.codegen.cuda.program import print_cuda
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.function import Function
from symtheano.loopir.verify import verify
from tests.codegen.models import MODELS
from tests.codegen.test_models import arguments
from tests.support.cubins import assert_compiles
from tests.support.devices import DEVICE

Model = Callable[[], Function]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_text(model: Model, golden: Callable[[str, str], None]) -> None:
    with config.change_flags(mode="INTERPRET"):
        f = model()
    program = lower(f.stages.final, f.stages.request.donors, str(f.name), target=CUDA).program
    verify(program, CUDA.dialect)
    source = print_cuda(program, frozenset(), "default", CUDA)
    text = source.host.text
    first = re.search(r"^ST_(KERNEL|STRAIGHT|EXPORT) \w+ \w+\(", text, re.MULTILINE)
    assert first is not None
    host = text[text.rindex("\n\n", 0, first.start()) + 2 :]
    golden(f"{source.kernels}\n/* The host. */\n\n{host}", f"codegen/cuda/{f.name}.cu")
    assert_compiles(source, model.__name__)


@pytest.mark.needs_cxx
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_results(model: Model) -> None:
    with config.change_flags(device=DEVICE):
        f = model()
    with config.change_flags(mode="INTERPRET"):
        oracle = model()
    for seed in range(2):
        values = arguments(f, seed)
        results, wanted = f(*values), oracle(*values)
        if not isinstance(wanted, list):
            results, wanted = [results], [wanted]
        for mine, its in zip(results, wanted, strict=True):
            np.testing.assert_allclose(mine, its, rtol=2e-5, atol=2e-6)
    for mine, its in zip(f.shared, oracle.shared, strict=True):
        np.testing.assert_allclose(mine.get_value(), its.get_value(), rtol=2e-5, atol=2e-6)
