"""A routine's workspace and epilogue, from the graph to a call, with a stand-in for convolution."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, shared
from symtheano.codegen.c.program import print_c
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.plan.epilogue import ELSEWHERE, LATER, LOOPS, PLACE, SEVERAL
from symtheano.codegen.processors import CPU
from symtheano.codegen.record import OutputSpec
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.runtime.load import CompiledEntry
from symtheano.gradient import grad
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from symtheano.loopir.run import Run
from symtheano.loopir.verify import verify
from tests.codegen.standin import CORRELATE, Correlate
from tests.support.compare import compiled, oracle
from tests.support.plans import planned

RNG = np.random.default_rng(5)
correlate = Correlate()


@pytest.fixture(autouse=True)
def _routines(monkeypatch: pytest.MonkeyPatch) -> None:
    routines = {**ROUTINES, "correlate": CORRELATE}
    monkeypatch.setitem(vars(CPU), "routines", routines)  # a target does not change


def calls(f: Any) -> list[Call]:
    """The calls of the stand-in, of a verified program."""
    program = f.lowered.program
    verify(program)
    found = [s for s in walk(program.body) if isinstance(s, Call)]
    return [call for call in found if call.routine is CORRELATE]


def inputs(dtype: str = "float64") -> list[Any]:
    x, b = T.matrix("x", dtype=dtype), T.vector("b", dtype=dtype)
    return [x, T.tensor3("w", dtype=dtype), b]


def values(dtype: str, channels: int, depth: int, width: int, length: int) -> list[Any]:
    shapes = (depth, length + width - 1), (channels, depth, width), (channels,)
    return [RNG.normal(size=shape).astype(dtype) for shape in shapes]


def compare(f: Any, ins: list[Any], outputs: Any, dtype: str = "float64") -> None:
    wanted = oracle(ins, outputs)
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    for sizes in ((3, 2, 3, 40), (1, 1, 1, 1), (5, 2, 2, 7), (0, 2, 3, 4), (2, 0, 1, 3)):
        given = values(dtype, *sizes)
        for got, right in zip(f(*given), wanted(*given), strict=True):
            np.testing.assert_allclose(got, right, rtol=tolerance, atol=tolerance)


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bias_and_activation_are_the_epilogue(dtype: str) -> None:
    ins = x, w, b = inputs(dtype)
    outputs = [T.tanh(correlate(x, w) + b.dimshuffle(0, "x"))]
    f = compiled(ins, outputs)
    (call,) = calls(f)
    assert isinstance(call.epilogue, Run)
    program = f.lowered.program
    (slot,) = program.arena
    assert slot.buffers == (call.workspace,)
    # The result of the routine has no memory of its own, and no kernel reads it again.
    assert call.arguments[-1].buffer == program.outputs[0]  # type: ignore[union-attr]
    assert not f.lowered.hidden
    assert "kernel" not in str(program)
    compare(f, ins, outputs, dtype)


@pytest.mark.needs_cc
def test_results_do_not_depend_on_the_number_of_threads() -> None:
    ins = x, w, b = inputs()
    outputs = [T.maximum(correlate(x, w) * 2 + b.dimshuffle(0, "x"), 0)]
    f, found = compiled(ins, outputs), []
    given = values("float64", 9, 3, 5, 301)
    for threads in (1, 2, 3):
        with config.change_flags(threads=threads):
            found.append(f(*given)[0])
    assert (found[0] == found[1]).all()
    assert (found[0] == found[2]).all()


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_epilogue_may_make_several_arrays(dtype: str) -> None:
    ins = x, w, b = inputs(dtype)
    y = correlate(x, w) + b.dimshuffle(0, "x")
    for outputs in (
        [T.gt(y, 0), T.maximum(y, 0)],
        [y, T.tanh(y)],
        [T.tanh(y), T.cast(y, "int32"), T.sqr(y) + 1, T.isnan(y)],
    ):
        f = compiled(ins, outputs)
        (call,) = calls(f)
        assert isinstance(call.epilogue, Run)
        assert call.arguments[-1].buffer in f.lowered.program.outputs  # type: ignore[union-attr]
        assert "kernel" not in str(f.lowered.program)
        compare(f, ins, outputs, dtype)
    # What a gradient of an activation needs is made with the activation.
    h = T.nnet.relu(y)
    cost = T.dot(h, h.T).sum()
    f = compiled(ins, [cost, grad(cost, b)])
    (call,) = calls(f)
    assert isinstance(call.epilogue, Run)
    compare(f, ins, [cost, grad(cost, b)], dtype)


@pytest.mark.needs_cc
def test_what_is_no_epilogue_stays_a_kernel() -> None:
    ins = x, w, b = inputs()
    y = correlate(x, w)
    later = T.dot(y, y.T).sum()
    for outputs in (
        [y, T.tanh(y)],  # the result is an output
        [T.tanh(y[:, ::-1]), b],  # read at another element
        [T.tanh(y) + y.sum(), b],  # read twice
        [T.tanh(y + correlate(x * 2, w)), b],  # the other operand is made later
        [T.tanh(y).sum(1), b],  # reduced
        [T.eq(y, 1), b],  # another dtype
        [T.tanh(y), later],
    ):
        f = compiled(ins, outputs)
        assert calls(f)
        assert sum(call.epilogue is not None for call in calls(f)) <= 1
        assert calls(f)[0].epilogue is None
        compare(f, ins, outputs)


@pytest.mark.needs_cc
def test_an_epilogue_may_be_written_into_a_shared_variable() -> None:
    x, w, b = inputs()
    state = shared(np.ones((3, 4)))
    made = T.tanh(correlate(x, w) + b.dimshuffle(0, "x"))
    f = function([x, w, b], [], updates=[(state, made)])
    given = values("float64", 3, 2, 3, 4)
    before = oracle([x, w, b], [made])(*given)[0]
    f(*given)
    np.testing.assert_allclose(state.get_value(), before, rtol=1e-12)
    step = function([x, w], [], updates=[(state, T.tanh(correlate(x, w) + state))])
    before = oracle([x, w], [T.tanh(correlate(x, w) + state)])(*given[:2])[0]
    step(*given[:2])
    np.testing.assert_allclose(state.get_value(), before, rtol=1e-12)


@pytest.mark.needs_cc
def test_a_call_allocates_its_arena_and_nothing_else(cache: Cache, toolchain: Toolchain) -> None:
    ins = x, w, b = inputs()
    f = compiled(ins, [T.tanh(correlate(x, w) + b.dimshuffle(0, "x")).sum()])
    source = print_c(f.lowered.program)
    text, count = re.subn(r"\baligned_alloc\(", "counted_alloc(", source.text)
    assert count == 2  # its declaration, and the arena's
    assert not re.search(r"\b[mc]alloc\(|\balloca\(", text)
    counter = """
void *aligned_alloc(size_t, size_t);
ST_EXPORT int64_t allocations;
void *counted_alloc(size_t alignment, size_t size) {
    allocations++;
    return aligned_alloc(alignment, size);
}
"""
    path = cache.obtain(text + counter, toolchain)
    entry = CompiledEntry(path, source.entry, None)
    given = values("float64", 4, 2, 3, 10)
    for k in range(3):
        entry(given, [OutputSpec(np.dtype("float64"), 0)], (), 1)
        assert ctypes.c_int64.in_dll(ctypes.CDLL(str(path)), "allocations").value == k + 1


def normalized(x: Any, w: Any, length: int, constant: bool) -> Any:
    """A convolution of 3 x 3 filters, a batch normalization at inference, and an activation."""
    rng = np.random.default_rng(length)
    found = [np.abs(rng.normal(size=length)) + 0.5 for _ in range(4)]
    given = [T.constant(v) if constant else shared(v) for v in found]
    y = T.nnet.conv2d(x, w, border_mode=1, filter_shape=(length, 3, 3, 3))
    return T.nnet.relu(T.nnet.bn.batch_normalization_test(y, *given, axes="spatial"))


@pytest.mark.parametrize("constant", [False, True])
def test_a_batch_normalization_at_inference_is_one_epilogue(constant: bool) -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    outputs = [normalized(x, w, 5, constant)]
    f = function([x, w], outputs)
    program = f.lowered.program
    verify(program)
    (call,) = (s for s in walk(program.body) if isinstance(s, Call))
    assert isinstance(call.epilogue, Run)
    assert call.arguments[-1].buffer == program.outputs[0]  # type: ignore[union-attr]
    # Memory is taken for the routine, and for one factor of each channel.
    held = [buffer for slot in program.arena for buffer in slot.buffers if buffer != call.workspace]
    assert [str(buffer.size) for buffer in held] == ([] if constant else ["5"])
    rng = np.random.default_rng(1)
    given = rng.normal(size=(2, 3, 6, 7)), rng.normal(size=(5, 3, 3, 3))
    np.testing.assert_allclose(f(*given)[0], oracle([x, w], outputs)(*given)[0], rtol=1e-12)


def test_factors_of_all_layers_come_before_the_first_convolution() -> None:
    x, v, w = T.dtensor4("x"), T.dtensor4("v"), T.dtensor4("w")
    outputs = [normalized(normalized(x, v, 3, False), w, 3, False) + x]
    f = function([x, v, w], outputs)
    found = [s for s in walk(f.lowered.program.body) if isinstance(s, Call)]
    assert [call.epilogue is not None for call in found] == [True, True]
    rng = np.random.default_rng(2)
    given = [rng.normal(size=shape) for shape in ((2, 3, 6, 5), (3, 3, 3, 3), (3, 3, 3, 3))]
    wanted = oracle([x, v, w], outputs)(*given)[0]
    np.testing.assert_allclose(f(*given)[0], wanted, rtol=1e-12)


@pytest.mark.parametrize(
    ("follows", "reason"),
    [
        (lambda y, z: [T.tanh(y)], None),
        (lambda y, z: [y], None),
        (lambda y, z: [y, T.tanh(y)], SEVERAL),
        (lambda y, z: [T.tanh(y), T.dot(y, z)], SEVERAL),
        (lambda y, z: [T.tanh(y).sum(1)], LOOPS),
        (lambda y, z: [T.cast(T.gt(y, 0), "int8")], PLACE),
        (lambda y, z: [T.sin(y + y[::-1])], ELSEWHERE),
        (lambda y, z: [y * T.dot(z, z)], LATER),
    ],
)
def test_why_a_nest_is_no_epilogue(follows: Any, reason: str | None) -> None:
    x, w, z = T.matrix("x"), T.tensor3("w"), T.matrix("z")
    schedule = planned([x, w, z], follows(correlate(x, w), z)).schedule
    assert [refused.reason for refused in schedule.refused.values()] == [reason] * bool(reason)
