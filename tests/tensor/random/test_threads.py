"""Numbers and states are the same for any number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.tensor.random import MRG_RandomStreams, PhiloxStreams, RandomStreams


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", [RandomStreams, MRG_RandomStreams, PhiloxStreams])
def test_numbers_are_the_same_for_any_number_of_threads(kind: Any, dtype: str) -> None:
    found = []
    for threads in (1, 2, 3, 8):
        srng = kind(seed=11)
        made = [srng.uniform((300_001,), dtype=dtype), srng.normal((400, 501), dtype=dtype)]
        with config.change_flags(threads=threads):
            f = function([], [*made, T.exp(made[1]).sum(1)])
            found.append([f(), f(), [state.get_value(return_internal_type=True).tolist()
                                     for state, _ in srng.updates()]])  # fmt: skip
    for other in found[1:]:
        assert all(map(np.array_equal, found[0][0], other[0]))
        assert all(map(np.array_equal, found[0][1], other[1]))
        assert found[0][2] == other[2]
