"""Both forms of a case in this process: compiled, compared, and timed by turns."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cffi
import numpy as np

import symtheano
import symtheano.tensor as T
from benchmarks.byhand.case import Array, Case
from symtheano.codegen.native.toolchain import compile_shared, find_toolchain
from symtheano.codegen.runtime.blas import find_blas

SECONDS = 0.002
"""Calls of one form are repeated for so long before it is the other one's turn."""

# The C library declares vector forms of these functions only for -ffast-math.
_VECTORIZED = "exp sin cos tanh log"
_PRELUDE = """\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <complex.h>
{functions}
#include <math.h>
typedef {integer} size;
#define GEMM_ARGUMENTS(T) \\
    int, int, int, size, size, size, T, const T *, size, const T *, size, T, T *, size
#define cblas_dgemm ((void (*)(GEMM_ARGUMENTS(double))){dgemm})
#define cblas_sgemm ((void (*)(GEMM_ARGUMENTS(float))){sgemm})
enum {{ ROWS = 101, PLAIN = 111, TRANSPOSED = 112 }};

__attribute__((visibility("default")))
"""


def prelude() -> str:
    """Return what stands before each function: headers, and the products of the BLAS library."""
    functions = "\n".join(
        f"#pragma omp declare simd notinbranch\n{kind} {name}{suffix}({kind});"
        for name in _VECTORIZED.split()
        for kind, suffix in (("double", ""), ("float", "f"))
    )
    blas = find_blas()
    return _PRELUDE.format(
        functions=functions,
        integer="int64_t" if blas.ilp64 else "int32_t",
        dgemm=blas.pointers["cblas_dgemm"],
        sgemm=blas.pointers["cblas_sgemm"],
    )


def by_hand(
    case: Case, inputs: Sequence[Array], results: Sequence[Array], folder: Path
) -> Callable[[], Any]:
    """Compile the C text and bind it to arrays."""
    target = folder / f"{case.name}.so"
    compile_shared(prelude() + case.c, target, find_toolchain())
    ffi = cffi.FFI()
    arrays = [*inputs, *results]
    words = ["void *"] * len(arrays) + ["int64_t"] * len(case.lengths)
    ffi.cdef(f"void f({', '.join(words)});")
    function = ffi.dlopen(str(target)).f
    arguments = [ffi.cast("void *", array.ctypes.data) for array in arrays]
    return lambda: function(*arguments, *case.lengths)


def ours(case: Case, inputs: dict[str, Array]) -> tuple[Callable[[], Any], list[Any]]:
    """Compile the expression; return a call, and the shared variables that it updates."""
    names = list(inputs)
    variables = [
        symtheano.shared(value.copy(), name, shape=case.static.get(name))
        if number < case.updates
        else T.TensorType(value.dtype, case.static.get(name, (None,) * value.ndim))(name)
        for number, (name, value) in enumerate(inputs.items())
    ]
    made = case.expression(*variables)
    made = list(made) if isinstance(made, list | tuple) else [made]
    shared = variables[: case.updates]
    function = symtheano.function(
        variables[case.updates :],
        made[case.updates :],
        updates=list(zip(shared, made, strict=False)),
    )
    arguments = [inputs[name] for name in names[case.updates :]]
    return lambda: function(*arguments), shared


def measure(case: Case, seconds: float, folder: Path) -> tuple[float, float, float | None]:
    """Return the seconds of a call: ours, by hand, and NumPy's.

    Raises
    ------
    ValueError
        If the values differ.
    """
    data = case.inputs(np.random.default_rng(1))
    call, shared = ours(case, data)
    results = [np.asarray(value) for value in call()]
    buffers = [np.zeros_like(value) for value in results]
    # Both read the same arrays, because times depend on where an array begins.
    own = [value.copy() if i < case.updates else value for i, value in enumerate(data.values())]
    hand = by_hand(case, own, buffers, folder)
    hand()
    updated = [variable.get_value(borrow=True) for variable in shared]
    compare(case, "by hand", [*updated, *results], [*own[: case.updates], *buffers])
    calls = [call, hand]
    if case.numpy is not None:
        numpy = case.numpy
        arrays = list(data.values())
        calls.append(lambda: numpy(*arrays))
        made = calls[-1]()
        compare(case, "NumPy", [*updated, *results], made if isinstance(made, list) else [made])
    del results, updated
    times = [*by_turns(calls, seconds), None]
    return times[0], times[1], times[2]  # type: ignore[return-value]


def compare(case: Case, what: str, values: Sequence[Array], others: Sequence[Array]) -> None:
    """Compare results."""
    for number, (value, other) in enumerate(zip(values, others, strict=True)):
        if np.shape(value) != np.shape(other):
            raise ValueError(
                f"{case.name}: result {number} has shape {np.shape(value)}, "
                f"{what} {np.shape(other)}"
            )
        if not np.size(other):
            continue
        wide = np.complex128 if np.iscomplexobj(other) else np.float64
        difference = np.abs(np.asarray(value, wide) - np.asarray(other, wide)).max()
        scale = max(float(np.abs(np.asarray(other, wide)).max()), 1e-300)
        if not difference <= case.tolerance * scale:
            raise ValueError(
                f"{case.name}: result {number} differs from that {what} by "
                f"{difference / scale:.1e} of its largest value"
            )


def by_turns(calls: Sequence[Callable[[], Any]], seconds: float) -> list[float]:
    """Time calls by turns for at least ``seconds`` in all; return the minimum of each."""
    counts = [1] * len(calls)
    for number, call in enumerate(calls):
        # The first calls are longer: caches are cold, and functions are not yet bound for good.
        seconds_of_call = min(once(call, 1) for _ in range(5))
        counts[number] = max(1, round(SECONDS / max(seconds_of_call, 1e-9)))
    best = [float("inf")] * len(calls)
    end = time.perf_counter() + seconds
    gc.disable()
    try:
        while time.perf_counter() < end:
            for number, call in enumerate(calls):
                best[number] = min(best[number], once(call, counts[number]))
    finally:
        gc.enable()
    return best


def once(call: Callable[[], Any], count: int) -> float:
    """Return the seconds of one of ``count`` calls."""
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count
