"""Steps: what is measured of a program for a device, and what each step is called."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.codegen.devices import CUDA
from symtheano.codegen.frame import Lowered
from symtheano.codegen.lower import lower
from symtheano.codegen.passes.cuda.steps import host_steps
from symtheano.dataclass import replace
from symtheano.loopir import Launch, ReadBack, Tick, Transfer
from symtheano.loopir.names import bodies, walk
from symtheano.loopir.verify import verify
from symtheano.tensor.shared_randomstreams import RandomStreams

x, v = T.fmatrix("x"), T.fvector("v")


def lowered(inputs: list[Any], outputs: Any, target: Any = CUDA, **options: Any) -> Lowered:
    f = function(inputs, outputs, mode="INTERPRET", on_unused_input="ignore")
    result = lower(f.stages.final, measured=True, target=target, **options)
    verify(result.program, target.dialect)
    return result


def test_every_launch_and_copy_is_a_step() -> None:
    found = lowered([x], [T.nnet.softmax(x), x.sum(axis=0), x / x.sum()])
    program = found.program
    lists = [program.body, *(function.body for function in program.functions)]
    lists += [body for s in program.statements() for body in bodies(s)]
    for statements in lists:
        for before, s in zip([None, *statements], statements, strict=False):
            if isinstance(s, Launch | ReadBack | Transfer):
                assert isinstance(before, Tick)
                assert before.step >= 0
    ticks = [s.step for s in program.statements() if isinstance(s, Tick)]
    assert ticks.count(-1) == len(ticks) / 2
    assert {*ticks} == {-1, *range(len(found.steps))}
    assert {kernel.name for kernel in program.kernels} < {label for label, _ in found.steps}


def test_lines_and_names() -> None:
    labels = dict(lowered([x], T.linalg.inv(T.exp(x))).steps)
    assert labels["copy of x to the device"] is None
    (place,) = (place for label, place in labels.items() if label.endswith(", on the host"))
    assert place is not None
    assert place.startswith("test_steps.py:")
    kernels = [place for label, place in labels.items() if "exp" in label and "copy" not in label]
    assert kernels
    assert all(place is not None and place.startswith("test_steps.py:") for place in kernels)


def test_products_of_a_library() -> None:
    there = replace(CUDA, device=replace(CUDA.device, libraries=frozenset(["cublas"])))
    found = lowered([x], T.dot(x, x.T), there).steps
    assert [label for label, _ in found if label.endswith(", by a library")]


def test_launches_in_loops_are_one_step() -> None:
    rows, _ = scan(lambda h: T.tanh(T.dot(x, h)), outputs_info=v, n_steps=7)
    found = lowered([x, v], rows[-1])
    assert len(found.steps) == len(set(found.steps))
    assert any(isinstance(s, Tick) for s in walk(found.program.body))


def test_other_programs_have_no_steps() -> None:
    f = function([x], T.exp(x), mode="INTERPRET")
    plain = lower(f.stages.final, target=CUDA)
    assert plain.steps == []
    assert not [s for s in plain.program.statements() if isinstance(s, Tick)]
    nothing = lowered([x], x.shape[0] * np.int64(2))
    assert not [s for s in nothing.program.statements() if isinstance(s, Tick)]


def test_what_the_host_computes_is_told() -> None:
    """Routines, random streams that are not Philox's, and loops with functions that CUDA lacks."""
    m, draws = T.dmatrix("m"), RandomStreams(1)
    outputs = [
        T.hyp2f1(1.0, 0.5, 2.5, m) * 2,
        T.linalg.inv(m),
        draws.normal((3,)),
        m + 1,
        T.fft.fft(m),
    ]
    program = lowered([m], outputs).program
    names = [name for name, _ in host_steps(program)]
    assert sorted(names) == sorted(set(names))
    for part in ("hyp2f1", "matrixinverse", "standard_normal", "fftop"):
        assert sum(part in name.lower() for name in names) == 1, (part, names)
    assert all(place and "test_steps.py" in place for _, place in host_steps(program))
    assert host_steps(lowered([x], [T.nnet.softmax(x), x.sum()]).program) == []
