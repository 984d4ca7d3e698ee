"""The schedule of each family of the language, in golden files one can read; nothing is Python."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from symtheano.function import Function
from tests.codegen.families import FAMILIES

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_schedule_of_family(
    family: Callable[[], Function], golden: Callable[[str, str], None]
) -> None:
    made = family()
    assert made.lowered.python == []
    golden(str(made.lowered.program), f"loopir/families/{made.name}.txt")
