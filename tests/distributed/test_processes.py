"""Processes of other ranks: which have ended, also those that no one has waited for."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from symtheano.distributed.processes import Process, Processes, this_process

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="os.pidfd_open is of Linux")


def until_ended(processes: Processes, limit: float = 30.0) -> set[int]:
    begin = time.monotonic()
    while not (ended := processes.ended()) and time.monotonic() < begin + limit:
        time.sleep(0.01)
    return ended


def test_an_end_is_seen_before_the_parent_has_waited_for_it() -> None:
    own = this_process()
    child = subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE)
    elsewhere = Process("another machine", child.pid)
    processes = Processes([own, own._replace(number=child.pid), elsewhere], 0)
    try:
        assert processes.numbers == {0: os.getpid(), 1: child.pid, 2: child.pid}
        assert processes.ended() == set()
        child.kill()
        assert until_ended(processes) == {1}
        assert processes.ended() == {1}, "it remains so"
    finally:
        processes.close()
        child.communicate()
    assert processes.ended() == {1}
    processes.close()


def test_a_process_that_ended_before_it_was_watched() -> None:
    own = this_process()
    child = subprocess.Popen([sys.executable, "-S", "-c", ""])
    child.wait()
    processes = Processes([own._replace(number=child.pid), own], 1)
    assert processes.ended() == {0}
    processes.close()


def test_nothing_is_watched_where_processes_are_not_known() -> None:
    child = subprocess.Popen([sys.executable, "-S", "-c", ""])
    child.wait()
    processes = Processes([Process("", os.getpid()), Process("", child.pid)], 0)
    assert processes.ended() == set()


def test_nothing_is_watched_where_the_system_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(number: int) -> int:
        raise PermissionError(number)

    monkeypatch.setattr(os, "pidfd_open", forbidden)
    own = this_process()
    assert Processes([own, own._replace(number=os.getppid())], 0).ended() == set()
