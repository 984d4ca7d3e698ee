"""The benchmark for devices: its values are right on the emulated one."""

from __future__ import annotations

import pytest

from benchmarks.cuda import main
from tests.support.devices import DEVICE

pytestmark = pytest.mark.needs_cxx


def test_values(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--device", DEVICE, "--small", "--seconds", "0.001"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    rows = [line.split("|")[1].strip() for line in output.out.splitlines()[2:]]
    assert {"copy", "softmax", "cross-entropy gradient", "MLP training step"} <= set(rows)
    assert all(line.split("|")[2].strip() != "-" for line in output.out.splitlines()[2:])
