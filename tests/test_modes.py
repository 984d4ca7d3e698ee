"""Modes: by name, by parts, and rules excluded by the name that is printed."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.modes import get_mode

x = T.dvector("x")


@pytest.mark.parametrize("mode", ["FAST_RUN", "FAST_COMPILE", "INTERPRET"])
def test_modes_agree(mode: str) -> None:
    y = T.log(1 + T.exp(x)).sum() * 2 + T.tanh(x)
    a = np.linspace(-3, 3, 11)
    got = function([x], y, mode=mode)(a)
    np.testing.assert_allclose(got, np.logaddexp(0, a).sum() * 2 + np.tanh(a))


def test_names_are_checked() -> None:
    with pytest.raises(ValueError, match="no mode 'FAST_WALK'"):
        get_mode("FAST_WALK")
    with pytest.raises(ValueError, match="linker"):
        Mode("jit")
    with pytest.raises(ValueError, match="optimizer"):
        Mode(optimizer="fastest")


def test_a_rule_is_excluded_by_its_printed_name() -> None:
    y = T.log(1 + T.exp(x))
    f = function([x], y, mode="INTERPRET")
    fired = set(f.trace.counts())
    assert "log_of_one_plus" in fired
    g = function([x], y, mode=Mode("interpret").excluding("log_of_one_plus"))
    assert "log_of_one_plus" not in g.trace.counts()
    np.testing.assert_array_equal(f([1000.0]), [1000.0])
    assert np.isinf(g([1000.0])).all()


def test_interpreter_has_no_c() -> None:
    f = function([x], x + 1, mode="INTERPRET")
    assert f.c_source is None
    assert "kernel" in str(function([x], x + 1).c_source)
