"""A number that ranks compare: its value in C and in the interpreter."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.distributed.agreed import SameNumber

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_the_number_of_one_rank(mode: str | None) -> None:
    n = T.lscalar("n")
    f = function([n], SameNumber()(n), mode=mode)
    assert [int(f(value)) for value in (0, -3, 2**62)] == [0, -3, 2**62]
