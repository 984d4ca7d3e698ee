"""Naive kernels of small programs, and their values on the interpreter of LoopIR."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.lower import write
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.finish import finish
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Caches, Chunks, Costs, Pass, Rows, Target, Vectors
from symtheano.gradient import grad
from symtheano.loopir import Kernel
from symtheano.loopir.builder import Names
from symtheano.loopir.names import uses, walk
from symtheano.loopir.text import statements_text
from symtheano.loopir.verify import verify_statements
from tests.support.loops import Machine
from tests.support.races import Device

# A processor on which every pass finds something to do in small arrays.
SMALL = Target(
    caches=Caches(near=512, far=1, core=1, burst=32, ahead=2), chunks=Chunks(8, 3, 2),
    vectors=Vectors(width=16, registers=6, strip=2, settled=2), costs=Costs(alone=1),
    rows=Rows(lanes=3, short=4, block=4), routines=CPU.routines,
)  # fmt: skip
x, y, v, k = T.dmatrix("x"), T.dmatrix("y"), T.dvector("v"), T.lvector("k")
z = T.dtensor3("z")
_softmax = T.nnet.softmax(x)
_mixture = T.log(T.exp(T.tanh(x) * v).sum(1)).sum()
_deep = T.tanh(T.tanh(T.tanh(x * 2) + 1) + 2)

PROGRAMS: dict[str, Any] = {
    "elementwise": T.exp(x) * v,
    "transposed": x * 2 + y.T,
    "sum": (x * y).sum(),
    "transposed_sum": (x * y.T).sum(),
    "extremum": T.tanh(x).max(),
    "rows": (x * v).sum(1),
    "two_rows": [(x * v).sum(1), (x * v).max(1)],
    "columns": T.sqr(x - v).sum(0),
    "float32_columns": (T.cast(x, "float32") * 2).mean(0),
    "softmax": _softmax,
    "spilled": (_deep - _deep.max(1, keepdims=True)).sum(1),
    "entropy": T.log(T.exp(x).sum(1)).sum(),
    "labels": grad(T.nnet.categorical_crossentropy(_softmax, k).mean(), x),
    "mixture": [_mixture, grad(_mixture, v)],
    "positions": [T.tanh(x).argmax(1), x.argmin(1)],
    "gather": y[k] * 2 + v,
    "scatter": T.inc_subtensor(T.zeros_like(y)[k], T.exp(x)),
    "variance": [x.var(0), x.var(1)],
    "softmax_of_a_vector": T.nnet.softmax(v),
    "middle": T.exp(z).sum(1),
    "middle_float32": [T.cast(z, "float32").mean(1), z.max((0, 2))],
    "channels": [z.dimshuffle(2, 0, 1) * 2, z.dimshuffle(1, 2, 0) + 1],
    "norms": x / T.sqrt(T.sqr(x).sum(1, keepdims=True)),
    "scores": x * (T.tanh(x.sum(1)) * T.nnet.sigmoid(x.sum(1)))[:, None],
    "distances": T.sqrt((T.cast(x[:, None] - y[None], "float32") ** 2).sum(2) + 1),
}

r, u = (T.TensorType("float64", (None, length))(name) for name, length in (("r", 3), ("u", 5)))
f, g = (T.TensorType("float32", (None, length))(name) for name, length in (("f", 4), ("g", None)))
m = T.TensorType("float64", (None, 2, 3))("m")
PROGRAMS |= {
    "squares": T.sqr(f).sum(1) * 2,
    "points": [T.nnet.softmax(r).sum(0), T.nnet.softmax(r)],
    "shares": r / r.sum(1, keepdims=True),
    "positions_of_five": [u.argmax(1), u.min(1)],
    "matrices": [T.exp(m).sum((1, 2)), m.sum(1), m.max(2)],
    "float32_rows": g.sum(1),
    "float32_sums": g.sum(0),
    "wide_rows": g.sum(1, dtype="float64"),
    "chosen": T.switch(v[0] > 0, T.exp(x), x),
    "corrected": T.switch(T.and_(v[0] > 0, T.lt(k, 0)), k + 7, k),
}
_orbits = scan(
    lambda i, a, b, c: [a * a - b + x * c, 2 * a * b + x[0], c + v[0] * T.cast(i, "float64")],
    T.arange(3), [y, x * 2, v[0]],
)[0]  # fmt: skip
PROGRAMS["rolled"] = [T.roll(x, 1, 1) + T.roll(x, -1, 1), T.roll(v, 1) + T.roll(v, -2)]
PROGRAMS["shares_of_six"] = (x / 6).sum(1)
PROGRAMS["orbits"] = [_orbits[0][-1], _orbits[1][-1], _orbits[2][-1]]
PROGRAMS["positions_of_softmax"] = [_softmax, _softmax.argmax(1), x.argmin(1)]
PROGRAMS["first_of_all"] = T.exp(x).argmax()
PROGRAMS["running_sum"] = T.cumsum(v)
PROGRAMS["running_rows"] = [T.cumsum(x, axis=1), T.cumprod(x, axis=1)]


def naive_kernels(inputs: Sequence[Any], outputs: Any) -> tuple[tuple[Kernel, ...], Names]:
    """Return the kernels of a function as they were written, and the names in use."""
    stages = function(inputs, outputs, mode="INTERPRET", on_unused_input="ignore").stages
    surroundings, _, program = write(stages.final, wishes=stages.request.wishes)
    kernels = (s for s in walk(program.body) if isinstance(s, Kernel) and not s.region)
    return tuple(kernels), surroundings.b.names


@cache
def kernels_of(name: str) -> tuple[tuple[Kernel, ...], Names]:
    """Return the kernels of a program as they were written, and the names in use."""
    return naive_kernels([x, y, z, r, u, f, g, m, v, k], PROGRAMS[name])


def text_after_each(name: str, passes: Sequence[Pass] = CPU.passes, target: Target = CPU) -> str:
    """Return the last kernel of a program after each pass that changes it, with the reasons."""
    kernels, names = kernels_of.__wrapped__(name)  # with names that no other test has used
    trace = Trace()
    run_passes(kernels[-1], names, passes, target, trace)
    texts = []
    for step in trace.kernels[0]:
        if step.changed:
            reasons = "".join(f"# {reason}\n" for reason in step.reasons)
            texts.append(f"{step.name}\n{reasons}\n{statements_text([step.kernel])}")
    return "\n".join(texts)


def _outside(kernel: Kernel, lengths: tuple[int, ...]) -> dict[str, Any]:
    """Return values for the scalars that a kernel uses: lengths, by the axes in their names."""
    values: dict[str, Any] = {}
    found = uses(kernel.body)
    sizes = [name for buffer in found.buffers for name in buffer.size.names()]
    for name in (*(value.name for value in found.values), *sizes):
        axis = re.search(r"_d(\d)$", name)
        values[name] = lengths[int(axis.group(1))] if axis else 1
    return values


def values_of(
    kernel: Kernel, lengths: tuple[int, ...], make: Callable[..., Machine] = Machine
) -> dict[str, Any]:
    """Run a kernel on random arrays; return the arrays that it wrote, and its results."""
    found = uses(kernel.body)
    generator = np.random.default_rng(3)
    machine = make(_outside(kernel, lengths), {})
    for buffer in sorted(found.buffers, key=lambda buffer: buffer.name):
        if buffer.space in ("input", "output", "arena"):
            size = machine.index(buffer.size)
            whole = np.dtype(buffer.dtype).kind == "i"
            made = (
                generator.integers(0, min(lengths), size) if whole else generator.normal(size=size)
            )
            machine.arrays[buffer.name] = made.astype(buffer.dtype)
    outside = set(machine.arrays)
    machine.run(kernel.body)
    wrote = {name: machine.arrays[name] for name in outside & found.written}
    return wrote | {value.name: machine.values[value.name] for value in kernel.results}


@cache
def naive_values(name: str, number: int, lengths: tuple[int, ...]) -> dict[str, Any]:
    """Return the values of a program's kernel as it was written."""
    return values_of(kernels_of(name)[0][number], lengths)


def assert_same_values(
    name: str,
    passes: Sequence[Pass] = CPU.passes,
    lengths: Sequence[tuple[int, ...]] = ((7, 5, 3), (5, 3, 9), (1, 4, 2), (3, 2, 1)),
    finished: bool = False,
    target: Target = SMALL,
) -> None:
    """Fail unless the kernels of a program are valid and have the same values after passes."""
    kernels, names = kernels_of(name)
    for number, kernel in enumerate(kernels):
        after = run_passes(kernel, names, passes, target)
        make = Machine if target is SMALL else partial(Device, warp=target.device.warp)
        if finished:
            after = finish(after, names, lambda buffer: buffer)
        found = uses(after.body)
        outside = [buffer for buffer in found.buffers if buffer.space != "stack"]
        verify_statements(after.body, found.values, outside)
        for pair in lengths:
            want, got = naive_values(name, number, pair), values_of(after, pair, make)
            assert want.keys() == got.keys() != set()
            for key, value in want.items():
                # terms of sums in float32 may cancel
                least = 1e-6 if value.dtype == "float32" else 1e-9
                np.testing.assert_allclose(got[key], value, 1e-6, least, err_msg=f"{key} {pair}")
