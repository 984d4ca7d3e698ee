"""The processes that run the libraries, seen from the process that measures."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.perf import libraries


class Worker:
    """One library with one number of threads, in a process that is started when needed."""

    def __init__(self, library: str, threads: int, peers: str, out: Path) -> None:
        self.library, self.threads, self.peers, self.out = library, threads, peers, out
        self.version = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    @property
    def label(self) -> str:
        """The key of this worker's results."""
        return f"{self.library}:{self.threads}"

    def ask(self, limit: float, **command: Any) -> dict[str, Any]:
        """Send a command and return the answer; stop the process after ``limit`` s."""
        started = self._start()
        if not started["ok"]:
            return started
        with contextlib.suppress(BrokenPipeError):
            self._stream("stdin").write((json.dumps(command) + "\n").encode())
            self._stream("stdin").flush()
        return self._answer(limit)

    def close(self) -> None:
        """End the process and the compilers that it started."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
            self._rest = b""

    def _start(self) -> dict[str, Any]:
        if self._process is not None and self._process.poll() is None:
            return {"ok": True}
        self.close()
        logs = self.out / "logs"
        logs.mkdir(parents=True, exist_ok=True)
        with open(logs / f"{self.library}_{self.threads}.log", "ab") as log:
            self._process = subprocess.Popen(
                libraries.command(self.library, self.peers),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=libraries.environment(self.library, self.threads, self.out / "caches"),
                cwd=libraries.ROOT,
                start_new_session=True,
            )
        if self.threads == 1:
            pin(self._process.pid)
        answer = self._answer(120)
        self.version = answer.get("version", "")
        return answer

    def _stream(self, name: str) -> Any:
        return getattr(self._process, name)

    def _answer(self, limit: float) -> dict[str, Any]:
        stdout = self._stream("stdout")
        end = time.monotonic() + limit
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while b"\n" not in self._rest:
                left = end - time.monotonic()
                if left <= 0 or not selector.select(left):
                    self.close()
                    return {"ok": False, "why": f"no answer within {limit:.0f} s"}
                chunk = os.read(stdout.fileno(), 65536)
                if not chunk:
                    self.close()
                    return {"ok": False, "why": "the process ended; see its log"}
                self._rest += chunk
        line, self._rest = self._rest.split(b"\n", 1)
        answer: dict[str, Any] = json.loads(line)
        return answer


def pin(process: int) -> None:
    """Keep a process on one processor, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, {min(os.sched_getaffinity(0))})
