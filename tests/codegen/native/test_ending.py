"""The end of a process, and forks, while compilers run in the background."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

# Compiles as gcc does until the file ``slow`` is there. It then starts a process of its own that
# takes ten minutes, as drivers of compilers do.
COMPILER = f"""#!{sys.executable}
import os, subprocess, sys
here = os.path.dirname(os.path.abspath(__file__))
if os.path.exists(os.path.join(here, "slow")) and "--version" not in sys.argv:
    with open(os.path.join(here, "started"), "a") as file:
        for number in os.getpid(), subprocess.Popen(["sleep", "600"]).pid:
            print(number, file=file, flush=True)
    import time
    time.sleep(600)
os.execvp("gcc", ["gcc", *sys.argv[1:]])
"""

BEGIN = """
import os, sys, time
import symtheano.tensor as T
from symtheano import config, function
place = sys.argv[1]

def started():
    for _ in range(6000):
        try:
            with open(place + "/started") as file:
                found = file.read().split()
        except OSError:
            found = []
        if len(found) >= 2:
            return found
        time.sleep(0.01)
    raise AssertionError("no compiler was started")

x = T.dvector("x")
function([x], x + 1).wait()
open(place + "/slow", "w").close()
config.first_tier = "interpreter"
f = function([x], T.exp(x) * 3)
assert f([0.0]) == [3.0]
first = started()
"""


def is_running(number: str) -> bool:
    """Return whether a process exists and has not ended."""
    try:
        state = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def run(program: str, place: Path) -> tuple[int, str, list[str]]:
    """Run a program with a slow compiler: its status and output, and the compilers it started."""
    cc = place / "slowcc"
    cc.write_text(COMPILER)
    cc.chmod(0o755)
    environment = {
        **os.environ,
        "SYMTHEANO_CC": str(cc),
        "SYMTHEANO_CACHE_DIR": str(place / "cache"),
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BEGIN + program, str(place)],
        capture_output=True, text=True, timeout=300, env=environment,
    )  # fmt: skip
    assert done.stderr == "", done.stderr
    return done.returncode, done.stdout, (place / "started").read_text().split()


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("end", "status"), [("", 0), ("sys.exit(3)", 3), ("raise SystemExit(4)", 4)]
)
def test_a_process_ends_with_its_compilers(end: str, status: int, tmp_path: Path) -> None:
    found = run(end, tmp_path)
    assert found[:2] == (status, "")
    assert len(found[2]) >= 2
    assert not any(map(is_running, found[2])), "nor what they have started"
    assert list((tmp_path / "cache").rglob(".build-*")) == []


def test_what_runs_at_the_end_may_still_compile(tmp_path: Path) -> None:
    program = """
import atexit
from symtheano.codegen.native import later
later.PATIENCE = 0.1

def last():
    os.unlink(place + "/slow")
    print(f([0.0]), function([x], x * 7)([2.0]), f.c_source is not None)

atexit.unregister(later._end)
atexit.register(last)
atexit.register(later._end)  # it runs first
"""
    status, output, _ = run(program, tmp_path)
    assert (status, output) == (0, "[3.] [14.] True\n")


@pytest.mark.parametrize("end", ["os._exit(0)", "sys.exit(0)"])
def test_a_forked_child_leaves_its_parents_compilers(end: str, tmp_path: Path) -> None:
    program = f"""
from symtheano.codegen.native import later
later.PATIENCE = 0.1
child = os.fork()
if child == 0:
    assert f([0.0]) == [3.0]
    {end}
assert os.waitpid(child, 0)[1] == 0
for number in first:
    with open(f"/proc/{{number}}/stat") as file:
        print(file.read().rpartition(")")[2].split()[0] in "RSD")
"""
    status, output, compilers = run(program, tmp_path)
    # The child compiles the function itself. `os._exit` leaves that compiler to end by itself.
    ended = compilers[:2] if end == "os._exit(0)" else compilers
    left = [number for number in compilers if number not in ended]
    for number in left:
        with suppress(ProcessLookupError):
            os.kill(int(number), signal.SIGKILL)
    assert (status, output) == (0, "True\nTrue\n")
    assert not any(map(is_running, ended))


def test_a_compiler_that_is_interrupted_ends_with_what_it_started(tmp_path: Path) -> None:
    program = """
import signal, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # not ignored, as in background jobs
config.first_tier = "none"
os.unlink(place + "/started")
main = threading.main_thread().ident
threading.Thread(target=lambda: (started(), signal.pthread_kill(main, signal.SIGINT))).start()
try:
    function([x], T.exp(x) * 5)
except KeyboardInterrupt:
    print("interrupted")
from symtheano.codegen.native import later
later.PATIENCE = 0.1
"""
    status, output, compilers = run(program, tmp_path)
    assert (status, output) == (0, "interrupted\n")
    assert not any(map(is_running, compilers))
