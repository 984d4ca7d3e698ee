"""Announce: the host learns of long loops that threads do not share."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import Mode, function

v, m = T.dvector("v"), T.dmatrix("m")
few = T.TensorType("float64", (9,))("few")

CASES = {
    "an op's own loop": (T.cumsum(v), 1),
    "positions of a row": (T.argmax(v), 2),
    "loops that threads share": (T.exp(v), 0),
    "rows that threads share": (T.argmax(m, axis=1), 0),
    "a short loop": (T.cumsum(few), 0),
}


@pytest.mark.parametrize("name", CASES)
def test_loops_of_one_thread(name: str) -> None:
    result, count = CASES[name]
    inputs: list[Any] = [v, m, few]
    text = function(inputs, result, mode=Mode("c"), on_unused_input="ignore").c_source
    assert text.count("    st_announce(runtime, (double)(") == count


def test_the_pass_can_be_left_out() -> None:
    text = function([v], T.argmax(v), mode=Mode("c").excluding("announce")).c_source
    assert "    st_announce(runtime, (double)(" not in text
