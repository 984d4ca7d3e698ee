"""A stand-in for convolution: an op and a routine with a workspace and an epilogue."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from symtheano.codegen.sizes import SIZES
from symtheano.dtypes import short_name
from symtheano.graph.variable import Apply, Op
from symtheano.loopir import Builder, NodeArrays, Routine
from symtheano.loopir.routine import signature
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.render import c_type
from symtheano.tensor.type import TensorType

# The windows of x are copied to the workspace as rows; each channel is a product with them.
_TEXT = """\
static int64_t st_correlate_bytes_SUFFIX(const st_runtime *runtime, int64_t channels,
                                         int64_t depth, int64_t width, int64_t length) {
    (void)runtime, (void)channels;
    return st_size_of(st_size_times(st_size_times(depth, width), length), sizeof(TYPE));
}

static void st_correlate_SUFFIX(const st_runtime *runtime, int64_t channels, int64_t depth,
                                int64_t width, int64_t length, const TYPE *x, const TYPE *w,
                                TYPE *y, void *memory, int64_t bytes,
                                void (*finish)(const void *, int64_t, int64_t),
                                const void *context) {
    TYPE *const windows = memory;
    (void)bytes;
    const int64_t terms = depth * width, n = length + width - 1;
    for (int64_t p = 0; p < terms; p++)
        for (int64_t t = 0; t < length; t++)
            windows[p * length + t] = x[p / width * n + p % width + t];
#pragma omp parallel for num_threads(runtime->threads)
    for (int64_t c = 0; c < channels; c++) {
        for (int64_t t = 0; t < length; t++) {
            TYPE sum = 0;
            for (int64_t p = 0; p < terms; p++) sum += w[c * terms + p] * windows[p * length + t];
            y[c * length + t] = sum;
        }
        if (finish) finish(context, c, c + 1);
    }
}
"""


def _sections(dtype: str) -> tuple[str, ...]:
    return SIZES, _TEXT.replace("TYPE", c_type(dtype)).replace("SUFFIX", short_name(dtype))


CORRELATE = Routine(
    "correlate",
    signature("channels, depth, width, length, x: in T, w: in T, y: out T"),
    _sections,
    ("float32", "float64"),
    workspace=True,
    epilogue=True,
)


class Correlate(Op):
    """``y[c, t]`` is the sum of ``w[c, d, j] * x[d, t + j]``."""

    __props__ = ()
    takes = "**..."

    def infer(self, *inputs: Any) -> Sequence[Any]:
        x, w = inputs
        return [TensorType(x.dtype, (w.type.shape[0], None))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        x, w = shapes
        return [(w[0], x[1] - w[2] + 1)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        x, w = inputs
        windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2], axis=1)
        output_storage[0][0] = np.einsum("dtj,cdj->ct", windows, w).astype(x.dtype)

    @partial(Statements, accepts=contiguous, workspace=True, epilogue=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (x, w), (y,) = arrays.inputs, arrays.outputs
        b.call("correlate", *w.shape, y.shape[1], x.address, w.address, y.address)
