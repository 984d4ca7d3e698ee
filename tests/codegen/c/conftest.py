"""Programs are printed, compiled and called."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from symtheano.codegen.c.program import print_c
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import OutputSpec
from symtheano.codegen.runtime import blas
from symtheano.codegen.runtime.load import CompiledEntry
from symtheano.codegen.runtime.python_ops import PythonOp
from tests.codegen.c.programs import (
    Array,
    Case,
    Run,
)


@pytest.fixture
def run(cache: Cache, toolchain: Toolchain) -> Run:
    """Return a function that prints, compiles and calls a program."""

    def call(
        case: Case,
        *inputs: Array,
        threads: int = 1,
        python_ops: Sequence[PythonOp] = (),
        functions: Sequence[int] = (),
        use: Toolchain = toolchain,
    ) -> list[Array]:
        source = print_c(case.program, use.vector_functions)
        outputs = [
            OutputSpec(
                np.dtype(view.dtype),
                view.ndim,
                view.buffer.position if view.buffer.space == "input" else None,
            )
            for view in case.outputs
        ]
        table = blas.table(blas.find_blas(toolchain=use, cache=cache))
        entry = CompiledEntry(cache.obtain(source.text, use), source.entry, table, functions)
        return entry(inputs, outputs, python_ops, threads)

    return call
