"""What another thread makes."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from symtheano.codegen.native.later import Later


def test_value_is_made_in_another_thread() -> None:
    gate = threading.Event()

    def make() -> int:
        gate.wait(30)
        return threading.get_ident()

    later = Later(make)
    ready = [later.ready]
    gate.set()
    assert later.result() != threading.get_ident()
    assert [*ready, later.ready, later.failed] == [False, True, False]


def test_what_is_there_already_needs_no_thread() -> None:
    before = threading.active_count()
    later = Later.of(3)
    assert (later.ready, later.result(), threading.active_count()) == (True, 3, before)


def test_exceptions_come_with_the_result() -> None:
    def make() -> None:
        raise KeyError("lost")

    later = Later(make)
    for _ in range(2):
        with pytest.raises(KeyError, match="lost"):
            later.result()
    assert later.ready
    assert later.failed


def test_process_does_not_end_before_it_is_made() -> None:
    program = (
        "import time; from symtheano.codegen.native.later import Later\n"
        "Later(lambda: (time.sleep(0.2), print('made')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout == "made\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_forked_child_makes_it_itself() -> None:
    program = """
import os, threading
from symtheano.codegen.native.later import Later
from symtheano.graph.forks import forks_allowed
gate = threading.Event()
def make():
    with forks_allowed():
        gate.wait(30)
    return os.getpid()

later = Later(make)
child = os.fork()
if child == 0:
    gate = threading.Event()
    gate.set()
    os._exit(0 if later.result() == os.getpid() else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), later.ready)
gate.set()
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "0 False\n"
