"""A failure of a test tells what repeats it."""

from __future__ import annotations

import pytest

from symtheano import config
from tests.conftest import repetition


def test_the_command_has_what_numbers_depend_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("SEED", "5026"), ("LONG_RUN", "50")):
        monkeypatch.setenv(f"SYMTHEANO_{name}", value)
    with config.change_flags(mode="INTERPRET"):
        command, settings = repetition("tests/test_x.py::test_y[a b]").splitlines()
    assert command.startswith("env SYMTHEANO_LONG_RUN=50 SYMTHEANO_SEED=5026 ")
    assert command.endswith("pytest 'tests/test_x.py::test_y[a b]'")
    assert settings.startswith("mode INTERPRET, compiler ")
