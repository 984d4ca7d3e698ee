"""The collector of cycles is paused, and runs again afterwards."""

import gc
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import ModuleType

import pytest

from symtheano.collector import collector_paused


@pytest.fixture
def imported() -> Iterator[str]:
    name = "symtheano_imported_meanwhile"
    yield name
    sys.modules.pop(name, None)


def test_the_collector_runs_again_afterwards() -> None:
    assert gc.isenabled()
    with suppress(KeyError), collector_paused():
        assert not gc.isenabled()
        raise KeyError
    assert gc.isenabled()
    gc.disable()
    try:
        with collector_paused():
            pass
        assert not gc.isenabled()  # as it was
    finally:
        gc.enable()


def _young(item: object) -> bool:
    return any(item is other for other in gc.get_objects(generation=0))


def test_objects_made_during_imports_are_not_looked_at_again_soon(imported: str) -> None:
    with collector_paused():
        made: list[object] = []
        assert _young(made)
    assert _young(made)  # nothing was imported
    with collector_paused():
        made = []
        sys.modules[imported] = ModuleType(imported)
    assert not _young(made)
    assert gc.get_freeze_count() == 0


def test_what_the_user_has_frozen_remains_so(imported: str) -> None:
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        with collector_paused():
            sys.modules[imported] = ModuleType(imported)
        assert gc.get_freeze_count() >= count > 0
    finally:
        gc.unfreeze()
