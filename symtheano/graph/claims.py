"""Which threads are writing shared values, and how others wait for them.

A *claim* says that a thread is computing new values for some containers, or is writing into their
arrays. Another thread must neither claim these containers nor take their values until it ends.
Compiled calls keep their claims in C, in a list that begins in :data:`CALLS`; the claims of Python
code are in :data:`CLAIMS`. Both lists are only changed while the GIL is held.

An interrupt can raise an exception after any call. Claims are therefore removed by the first
instruction of a ``finally`` clause, and the only lock is used in a ``with`` statement. Nobody waits
for readers: a value that anything else refers to is never written in place.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import RLock, get_ident
from typing import TypeAlias, TypeVar

from symtheano.graph.forks import after_fork

T = TypeVar("T")

Value: TypeAlias = object
"""A value in a call, such as an array: what it is depends on the variable's type."""
Storage = list[Value]
"""A list whose only item is a value in a call."""

CALLS = bytearray(64)
"""Memory of the dispatcher: the claims of compiled calls. Zero while there are none."""

CLAIMS: list[tuple[int, tuple[Storage, ...]]] = []
"""The claims of Python code: each a thread and the containers' ``storage``."""

# Python code claims values in one thread at a time.
_turn = RLock()
_PAUSE = 0.0001

#: Return whether a compiled call of another thread has claimed a storage; set by the dispatcher.
is_claimed_by_call: Callable[[Storage], bool] = lambda storage: False  # noqa: E731


def exclusively(storages: Sequence[Storage], work: Callable[[], T]) -> T:
    """Return ``work()``, during which no other thread sets or updates the values.

    Parameters
    ----------
    storages
        The ``storage`` of each container.
    work
        Function that computes and stores new values.
    """
    claim = (get_ident(), tuple(storages))
    with _turn:
        before = len(CLAIMS)
        try:
            CLAIMS.append(claim)
            while any(map(is_claimed_by_call, storages)):
                time.sleep(_PAUSE)
            return work()
        finally:
            del CLAIMS[before:]


def settled(read: Callable[[], Storage], storages: Sequence[Storage]) -> Storage:
    """Return the values of containers when no compiled call is writing into them.

    Parameters
    ----------
    read
        Function that returns the values of all containers at one time.
    storages
        The ``storage`` of each container.
    """
    while True:
        # A value is not written in place while this list refers to it.
        values = read()
        if not any(map(is_claimed_by_call, storages)):
            return values
        del values
        time.sleep(_PAUSE)


@after_fork
def _keep_own() -> None:
    """Forget the claims of threads that a forked child does not have."""
    global _turn
    _turn = RLock()
    CLAIMS[:] = [claim for claim in CLAIMS if claim[0] == get_ident()]
