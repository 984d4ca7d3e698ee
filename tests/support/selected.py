"""Which cases of a test the run has: fixtures that compute all at once leave out the others."""

from __future__ import annotations

from typing import Any

import pytest


def selected(request: pytest.FixtureRequest, argument: str) -> list[Any]:
    """Return the values of a parameter in the tests of the fixture's module, in their order."""
    items = (item for item in request.session.items if item.path == request.path)
    return [item.callspec.params[argument] for item in items if hasattr(item, "callspec")]
