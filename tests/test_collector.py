"""The collector of cycles is paused, and runs again afterwards."""

import gc
from contextlib import suppress

from symtheano.collector import collector_paused


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
