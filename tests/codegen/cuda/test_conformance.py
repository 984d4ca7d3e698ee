"""Rows of the conformance table that are loops, on the emulated device."""

from __future__ import annotations

import pytest

from tests.conformance.on_device import check, numbers


@pytest.mark.needs_cxx
@pytest.mark.one_in(8, most=1)
@pytest.mark.parametrize("number", numbers(routines=False))
def test_rows(number: int) -> None:
    check(number)
