"""Random scans that read rows by the number of the iteration agree with the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan
from tests.loops.test_random_scans import RandomScan
from tests.support.seeds import seeds


class RandomRows(RandomScan):
    """A random scan over numbers, which reads ``x[i]`` and its neighbours."""

    def scanned(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the outputs of scan."""
        count = len(self.sequences)
        arrays, starts = list(inputs[:count]), iter(inputs[count:])
        infos = [
            None if not taps else next(starts) if taps == (-1,)
            else {"initial": next(starts), "taps": list(taps)}
            for _, taps in self.outputs
        ]  # fmt: skip
        rows = arrays[0].shape[0] - (len(self.sequences[0][1]) - 1)

        def step(number: Any, *read: Any) -> Any:
            first = rows - 1 - number if self.backwards else number
            found = [
                x[first + tap - min(0, *taps)]
                for x, (_, taps) in zip(read[len(read) - count :], self.sequences, strict=True)
                for tap in taps
            ]
            return self.step(*found, *read[: len(read) - count])

        others = [*inputs[-len(self.fixed) :], *arrays]
        outputs, _ = scan(step, T.arange(rows), infos, others, return_list=True)
        return outputs


SEEDS = [seed for seed in range(40) if RandomRows(seed).sequences][:8]


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", [seed for seed in seeds(SEEDS) if RandomRows(seed).sequences])
def test_random_rows(seed: int) -> None:
    assert check(seed) or seed not in SEEDS


def check(seed: int) -> bool:
    """Compare values and gradients with those of the interpreter without any rewriting.

    Return whether they were: loops whose states have lengths that only the loop knows are refused.
    """
    made = RandomRows(seed)
    inputs = made.inputs()
    outputs = made.scanned(inputs)
    cost = made.cost(outputs)
    wanted = [*outputs, cost, *grad(cost, inputs, disconnected_inputs="ignore")]
    try:
        compiled = function(inputs, wanted, on_unused_input="ignore")
    except NotImplementedError as error:
        if "lengths are only known in the loop" not in str(error):
            raise
        return False
    plain = function(inputs, wanted, mode=Mode("interpret", "none"), on_unused_input="ignore")
    values = made.values(np.random.default_rng(seed))
    for found, expected in zip(compiled(*values), plain(*values), strict=True):
        np.testing.assert_allclose(found, expected, 1e-9, 1e-10)
    return True
