"""Random numbers on a device: the bits of the host's routines."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan
from symtheano.loopir import Call
from symtheano.loopir.names import walk
from symtheano.scalar.philox import BY_KIND
from symtheano.tensor.random.mrg import MRG_RandomStreams
from symtheano.tensor.random.mrg_op import MRGUniform
from symtheano.tensor.random.philox import PhiloxStreams
from symtheano.tensor.random.philox_op import FirstPhiloxNumbers, PhiloxNumbers
from tests.codegen.passes.cuda.programs import cuda_program, emulated
from tests.support.cubins import assert_compiles
from tests.support.devices import DEVICE

pytestmark = pytest.mark.needs_cxx

key, stream = (T.tensor(name, "uint64", ()) for name in ("key", "stream"))
states, n = T.imatrix("states"), T.lscalar("n")


def assert_same_bits(inputs: Any, outputs: Any, calls: Any) -> None:
    program = cuda_program(inputs, outputs)
    assert not any(isinstance(s, Call) for s in walk(program.body))
    mine, its = emulated(inputs, outputs), function(inputs, outputs)
    for arguments in calls:
        for one, other in zip(mine(*arguments), its(*arguments), strict=True):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            assert one.tobytes() == other.tobytes()
    source = mine.stages.built.device
    assert source is not None
    assert_compiles(source, str(outputs[0]))


def test_numbers_of_philox() -> None:
    outputs = [PhiloxNumbers(*kind)(key, stream, n) for kind in BY_KIND]
    starts = ((1, 2), (2**64 - 1, 2**64 - 3), (5, 0))
    calls = [(*map(np.uint64, start), m) for start in starts for m in (0, 1, 200)]
    assert_same_bits([key, stream, n], outputs, calls)


def test_first_numbers_of_streams_of_philox() -> None:
    distances = (0, 1, 2**40, 2**63 - 1)
    outputs = [FirstPhiloxNumbers(*kind, distances[k % 4])(key, stream, n)
               for k, kind in enumerate(BY_KIND)]  # fmt: skip
    calls = [(np.uint64(3), np.uint64(2**64 - 5), m) for m in (0, 1, 700)]
    assert_same_bits([key, stream, n], outputs, calls)


@pytest.mark.parametrize(("streams", "numbers"), [(1, 1), (3, 10), (10, 3), (300, 1000), (7, 0)])
def test_numbers_of_mrg(streams: int, numbers: int) -> None:
    outputs = [item for dtype in ("float64", "float32") for item in MRGUniform(dtype)(states, n)]
    bits = np.random.default_rng(0).integers(-(2**31), 2**31, (streams, 6))  # also those of none
    assert_same_bits([states, n], outputs, [(bits.astype("int32"), numbers)])


@pytest.mark.parametrize("streams", [PhiloxStreams, MRG_RandomStreams])
def test_random_variables_and_their_updates(streams: Any) -> None:
    def drawn() -> Any:
        srng = streams(seed=7)
        dtypes = {"dtype": "float32"}
        outputs = [srng.normal((5, 4), **dtypes), srng.uniform((3,), **dtypes),
                   srng.binomial((70,), p=0.3, dtype="int8")]  # fmt: skip
        if streams is PhiloxStreams:
            outputs.append(srng.random_integers((6,), low=-3, high=9))
        return outputs

    mine, its = emulated([], drawn()), function([], drawn())
    for _ in range(3):
        (normal, *others), (wanted, *rest) = mine(), its()
        # Theano's normal numbers are functions of others, which a device rounds in its own way.
        np.testing.assert_array_max_ulp(normal, wanted, 2)
        for one, other in zip(others, rest, strict=True):
            np.testing.assert_array_equal(one, other)


def test_numbers_of_a_loop() -> None:
    """One thread computes the stream of each iteration; it is in memory that another one reads."""

    def results(device: str) -> Any:
        srng, start = PhiloxStreams(seed=3), np.float64(0.1)
        state, updates = scan(
            lambda h: h * 0.5 + T.sqr(srng.normal((3,))).sum() * srng.exponential(()),
            outputs_info=start,
            n_steps=n,
        )
        f = function([n], state, updates=updates, device=device)
        return [f(count) for count in (4, 0, 3)]

    for mine, its in zip(results(DEVICE), results("cpu"), strict=True):
        np.testing.assert_allclose(mine, its, rtol=1e-12)
