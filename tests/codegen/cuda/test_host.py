"""The host's part: calls of the driver, in long programs as well, and memory of the device."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad
from symtheano.codegen.cuda.program import print_cuda
from symtheano.codegen.devices import CUDA
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

pytestmark = pytest.mark.needs_cxx


def host(inputs: list[T.TensorVariable], outputs: object) -> str:
    """Return the C of a function's host, from its first function on."""
    text = print_cuda(cuda_program(inputs, outputs), frozenset(), "libm", CUDA).host.text
    return text[text.index("ST_KERNEL int32_t") :]


def test_a_launch_and_copies() -> None:
    x = T.fvector("x")
    lines = [line.strip() for line in host([x], x * 2).splitlines()]
    asked = "ST_ASK(launch, 0, !st_fits(st_extent(x_d0)*3 + 1540), st_block_count(x_d0, 1024), 256,"
    assert lines[lines.index(asked) + 1] == "st_arguments_1);"
    assert "ST_ASK(to_device, x_device, x, x_d0*4);" in lines
    assert "ST_ASK(to_host, out_host, out, x_d0*4);" in lines
    assert lines.count("st_call *const call = st_begin(runtime);") == 1
    assert lines.count("if (call->driver->end(call) != 0 && status == ST_OK)") == 1


def test_a_number_is_read_back() -> None:
    v = T.fvector("v")
    assert "ST_ASK(to_host, &sum_f64, &total[0], sizeof sum_f64);" in host([v], v - v.sum())


def test_a_long_program_in_pieces() -> None:
    x = T.matrix("x")
    y = x
    for k in range(220):  # transforms are the host's, on copies
        y = T.nnet.softmax(y + k * T.fft.fft(y).real) + y.sum() * 1e-9
    text = host([x], [y])
    assert "st_call *const call = frame->call;" in text or "st_call *call = frame->call;" in text
    assert_emulated([x], y, [np.random.default_rng(0).normal(size=(3, 4))])


def test_gradients_of_a_network() -> None:
    x, w, b = T.matrix("x"), T.matrix("w"), T.vector("b")
    hidden = T.tanh(T.dot(x, w) + b)
    cost = T.nnet.categorical_crossentropy(T.nnet.softmax(hidden), T.argmin(x, axis=1)).mean()
    rng = np.random.default_rng(1)
    values = [rng.normal(size=shape) for shape in ((5, 3), (3, 3), (3,))]
    assert_emulated([x, w, b], [cost, *grad(cost, [w, b])], values)
