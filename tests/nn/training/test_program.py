"""The compiled functions of a model."""

from __future__ import annotations

from symtheano import nn
from symtheano.nn.training import program


def test_what_waits_for_kernels() -> None:
    assert program.convolves(nn.Conv1D(2, 3))
    assert program.convolves(nn.TimeDistributed(nn.Conv1D(2, 3)))
    assert not program.convolves(nn.TimeDistributed(nn.Dense(2)))
