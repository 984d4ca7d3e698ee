"""Flash attention: values and races on the interpreter, what is in memory, and where it is used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.codegen.passes.context import ProgramContext
from symtheano.codegen.passes.cuda.routines.attention import attention as attention_pass
from symtheano.codegen.passes.cuda.routines.flash_attention import flash_attention
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import Buffer, Builder, Index, Literal, Program
from symtheano.loopir.operands import Address
from symtheano.loopir.verify import verify_statements
from tests.codegen.passes.change import TINY
from tests.codegen.passes.cuda.programs import emulated
from tests.support.races import Device
from tests.tensor.nnet.test_attention import defined

pytestmark = pytest.mark.needs_cxx

SMALL = replace(TINY, device=replace(TINY.device, threads=16))
ROWS, KEYS, DEPTH, WIDTH = 10, 11, 5, 9


def steps(rows: int, columns: int) -> tuple[Index, ...]:
    return tuple(map(Index.of, (0, 0, rows * columns, columns, 1)))


def test_races_and_bounds() -> None:
    """Two tiles of rows, and of keys, whose scores are causal."""
    rng = np.random.default_rng(2)
    shapes = {"q": (ROWS, DEPTH), "k": (KEYS, DEPTH), "v": (KEYS, WIDTH), "g": (ROWS, WIDTH),
              "result": (ROWS, WIDTH), "dq": (ROWS, DEPTH), "dk": (KEYS, DEPTH),
              "dv": (KEYS, WIDTH), "tops": (ROWS, 1), "sums": (ROWS, 1)}  # fmt: skip
    arrays = {name: rng.normal(size=(1, *shape)) for name, shape in shapes.items()}
    b = Builder(routines=CPU.routines)
    buffers = {
        name: Buffer(b.names.fresh(name), "float64", "arena", Index.of(x.size))
        for name, x in arrays.items()
    }
    none, scale = Index.of(0), Literal(0.5, "float64")
    at = {name: Address(buffer, none) for name, buffer in buffers.items()}
    head = [*map(Index.of, (1, ROWS, KEYS, DEPTH, WIDTH, 1, 0)), tuple(map(Index.of, (1, 1, 1)))]
    of = [*(steps(*shapes[name]) for name in "qkv"), *[(none,) * 5] * 2]
    given = [*(at[name] for name in "qkv"), scale, none, none, Literal(-np.inf, "float64")]
    results = [at[name] for name in ("result", "tops", "sums")]
    b.call("attention", *head, *of, *given, *results, none)
    slopes = [*results, at["q"], at["g"], scale, scale, at["dq"], at["dk"], at["dv"]]
    b.call("attention_gradient", *head, *of, steps(*shapes["g"]), *given, *slopes)
    program = Program("f", (), (), (), b.statements())
    context = ProgramContext(b.names)
    assert attention_pass(program, SMALL, context).body == program.body
    after = flash_attention(program, SMALL, context)
    inner = [buffer for slot in after.arena for buffer in slot.buffers]
    verify_statements(after.body, buffers=[*buffers.values(), *inner])
    machine = Device({}, {name: x.ravel() for name, x in arrays.items()}, SMALL.device.warp)
    machine.run(after.body)
    assert machine.launched == 3
    its = defined({**arrays, "scale": np.asarray(0.5), "fill": np.asarray(-np.inf)}, "causal")
    for name, wanted in zip(("result", "dq", "dk", "dv"), its, strict=True):
        found = machine.arrays[name].reshape(wanted.shape)
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_rows_of_any_length() -> None:
    """Short rows have kernels of their own; longer ones are products of whole matrices."""
    q, k, v, mask = (*(T.dtensor3(name) for name in "qkv"), T.dmatrix("mask"))
    scores = T.matmul(q, k.transpose(0, 2, 1)) * 0.25 + mask
    result = T.matmul(T.nnet.softmax(scores, axis=-1), v)
    outputs = [result, *grad(T.sqr(result).sum(), [q, k, v])]
    mine, its = emulated([q, k, v, mask], outputs), function([q, k, v, mask], outputs)
    rng = np.random.default_rng(4)
    for rows, keys, depth, width in ((35, 70, 3, 40), (3, 2, 130, 1), (2, 3, 1, 129), (2, 0, 2, 2),
                                     (0, 2, 2, 2), (2, 2, 0, 0)):  # fmt: skip
        arrays = [rng.normal(size=(2, *shape))
                  for shape in ((rows, depth), (keys, depth), (keys, width))]  # fmt: skip
        bias = np.where(rng.random((rows, keys)) < 0.3, -np.inf, rng.normal(size=(rows, keys)))
        values = mine(*arrays, bias)
        for one, other in zip(values, its(*arrays, bias), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
        for one, other in zip(mine(*arrays, bias), values, strict=True):
            np.testing.assert_array_equal(one, other)


def test_scores_are_not_in_memory() -> None:
    q, k, v = (T.tensor(name, "float32", (None, None, None, 64)) for name in "qkv")
    scores = T.matmul(q, k.transpose(0, 1, 3, 2)) * np.float32(0.125)
    result = T.matmul(T.nnet.softmax(scores, axis=-1), v)
    f = emulated([q, k, v], [result, *grad(T.sqr(result).sum(), [q, k, v])])
    x: Any = np.zeros((1, 2, 1000, 64), "float32")
    assert f.memory.device_peak(x, x, x) < 12 * x.nbytes < 2 * 1000 * 1000 * 4
