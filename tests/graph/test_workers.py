"""Threads that do one thing: however they end, nobody waits for them for ever."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from symtheano.codegen.native.later import Later
from symtheano.graph import workers
from symtheano.graph.workers import Worker


def test_a_worker_is_alive_until_its_function_ends() -> None:
    gate = threading.Event()
    worker = Worker(gate.wait)
    assert (worker.was_started, worker.is_alive()) == (False, False)
    worker.join()
    worker.start()
    assert (worker.was_started, worker.is_alive()) == (True, True)
    worker.join(0.01)
    assert worker.is_alive()
    gate.set()
    worker.join()
    worker.join(1.0)
    assert (worker.was_started, worker.is_alive()) == (True, False)


def test_a_worker_that_can_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without memory for the first call of a thread, Python ends it and tells nobody."""

    def begin(*args: object) -> None:
        raise MemoryError

    monkeypatch.setattr(workers, "_run", begin)
    monkeypatch.setattr(sys, "unraisablehook", lambda told: None)
    worker = Worker(lambda: None)
    worker.start()
    worker.join()
    assert not worker.is_alive()
    assert Later(lambda: 42).result() == 42


def test_a_worker_that_can_not_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise MemoryError

    monkeypatch.setattr(workers, "start_new_thread", refuse)
    worker = Worker(lambda: None)
    with pytest.raises(MemoryError):
        worker.start()
    assert (worker.was_started, worker.is_alive()) == (False, False)
    assert Later(lambda: 42).result() == 42


def test_a_worker_without_memory_for_a_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise RuntimeError("can't allocate lock")

    monkeypatch.setattr(workers, "allocate_lock", refuse)
    with pytest.raises(MemoryError, match="not enough memory"):
        Later(lambda: 42)


def test_a_worker_ends_though_an_exception_is_kept() -> None:
    kept = []

    def work() -> None:
        try:
            raise KeyError("lost")
        except KeyError as error:
            kept.append(error)

    worker = Worker(work)
    worker.start()
    worker.join()
    assert (len(kept), worker.is_alive()) == (1, False)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_no_worker() -> None:
    gate = threading.Event()
    worker = Worker(gate.wait)
    worker.start()
    child = os.fork()
    if not child:
        worker.join()
        os._exit(int(worker.is_alive()))
    _, status = os.waitpid(child, 0)
    assert (status, worker.is_alive()) == (0, True)
    gate.set()
    worker.join()
