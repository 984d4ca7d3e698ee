"""Lazy attributes: one value for all threads, and no lock that others could wait for."""

from __future__ import annotations

import threading

from symtheano.graph.forks import forks_allowed, no_forks
from symtheano.graph.lazy import lazy


def test_threads_that_compute_it_at_the_same_time_get_one_value() -> None:
    both = threading.Barrier(2)

    class Slow:
        @lazy
        def value(self) -> object:
            both.wait(20)
            return object()

    slow, found = Slow(), []
    threads = [threading.Thread(target=lambda: found.append(slow.value)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(found) == 2
    assert found[0] is found[1] is slow.value


def test_no_thread_waits_for_one_that_waits_to_go_on_compiling() -> None:
    """As if a compiler ran for one function while another one is begun."""
    compiling, begun = threading.Event(), threading.Event()

    class Slow:
        @lazy
        def value(self) -> int:
            with forks_allowed():
                compiling.set()
                begun.wait(20)
            return 1

    def first() -> None:
        with no_forks():
            found.append(Slow().value)

    def second() -> None:
        compiling.wait(20)
        with no_forks():
            begun.set()
            found.append(Slow().value)

    found: list[int] = []
    threads = [threading.Thread(target=work, daemon=True) for work in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert found == [1, 1]
