"""Processes that compile a small model, and what came of each.

The parent imports everything once and forks, so that a process costs milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import re
import select
import shutil
import signal
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.codegen.runtime import dispatch
from symtheano.codegen.runtime.load import foreign
from symtheano.errors import CompileError

RIGHT, CLEAR, KILLED, FOREIGN, WRONG = "right", "clear error", "killed", "foreign", "wrong"
"""How a run can end, the best first; a trial is as good as the worst of its runs.

Foreign is what another library makes of a request for memory that fails.
"""

_TIMEOUT = 120.0
_CLEAR_ERROR = re.compile(r"no space|No space|too large|no room|no place|can't be written")
_CLEAR_WARNING = re.compile(r"compiled code (will not|can't) be kept")
_X = np.linspace(-1.0, 1.0, 50)
_W = np.linspace(0.5, 2.0, 50)


@dataclass(frozen=True)
class Outcome:
    """How one run ended, how often it warned, the digest of its C, and what was not right.

    It has not reached the call that was to fail if it makes fewer of them.
    """

    kind: str
    warned: int = 0
    source: str = ""
    detail: str = ""
    reached: bool = True


@dataclass(frozen=True)
class Call:
    """A call of the system that fails: its kind, its number among those, and its ``errno``."""

    kind: str
    nth: int
    error: int


@dataclass
class Trial:
    """One injection: the runs that met the fault, and the run after it."""

    met: list[Outcome]
    then: Outcome

    @property
    def worst(self) -> Outcome:
        """The run that ended worst."""
        return max(
            self.met, key=lambda outcome: [RIGHT, CLEAR, KILLED, FOREIGN, WRONG].index(outcome.kind)
        )


def compile_and_check() -> Outcome:
    """Compile the model, run it, and compare with NumPy; runs in a child."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            x, w = T.dvector("x"), T.dvector("w")
            function = symtheano.function([x, w], [T.exp(x * w).sum(), T.tanh(x) - w])
            results = function(_X, _W)
            source = function.c_source
        except CompileError as error:
            if _CLEAR_ERROR.search(str(error)):
                return Outcome(CLEAR, detail=str(error))
            raise
    # Python's module subprocess warns of a compiler that it lost.
    told = [str(w.message) for w in caught if w.category is not ResourceWarning]
    unclear = [text for text in told if not _CLEAR_WARNING.search(text)]
    wanted = (np.exp(_X * _W).sum(), np.tanh(_X) - _W)
    agree = all(np.allclose(a, b, rtol=1e-12) for a, b in zip(results, wanted, strict=True))
    whole = source is not None and source.rstrip().endswith("}")
    if unclear or not agree or not whole:
        return Outcome(WRONG, detail=f"{unclear} {results} {str(source)[-200:]}")
    return Outcome(RIGHT, len(caught), str(source))


class Child:
    """A forked process that does a task and tells how it went."""

    def __init__(self, task: Callable[[], Outcome], gate: int | None = None) -> None:
        answer, question = os.pipe()
        self._answer = answer
        self.pid = os.fork()
        if self.pid:
            os.close(question)
            return
        try:
            os.setsid()
            if gate is not None:
                os.read(gate, 1)
            outcome = task()
        except BaseException:
            outcome = Outcome(WRONG, detail=traceback.format_exc())
        with os.fdopen(question, "w") as file:
            json.dump(vars(outcome), file)
        os._exit(0)

    def kill(self, group: bool) -> None:
        """Kill it by ``kill -9``: alone, or with the compilers it has started."""
        try:
            (os.killpg if group else os.kill)(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(self.pid, signal.SIGKILL)  # It has not made its group yet.

    def outcome(self) -> Outcome:
        """Wait for its end."""
        data = b""
        deadline = time.monotonic() + _TIMEOUT
        while select.select([self._answer], [], [], max(0.0, deadline - time.monotonic()))[0]:
            piece = os.read(self._answer, 1 << 16)
            data += piece
            if not piece:
                break
        else:
            self.kill(group=True)
        os.close(self._answer)
        _, status = os.waitpid(self.pid, 0)
        if os.WIFEXITED(status) and not data:
            return Outcome(WRONG, detail=f"exit status {os.WEXITSTATUS(status)}")
        if os.WIFSIGNALED(status):
            kind = KILLED if time.monotonic() < deadline else WRONG
            return Outcome(kind, detail=f"signal {os.WTERMSIG(status)}")
        return Outcome(**json.loads(data))


@dataclass
class Lab:
    """Where one trial takes place.

    Attributes
    ----------
    number, count
        Which trial it is, of how many.
    place
        A directory of its own.
    warm
        A cache in which the model is compiled already. Do not change it: copy it.
    seconds
        How long compiling the model takes, with and without the dispatcher.
    random
        Random numbers that are the same each time.
    light
        Whether functions are called through cffi: then no dispatcher is compiled, which takes ten
        times as long as the model.
    call
        Which call of the system fails; None for a sample.
    """

    number: int
    count: int
    place: Path
    warm: Path
    seconds: dict[bool, float]
    random: random.Random
    light: bool = False
    call: Call | None = None
    runs: int = field(default=0)

    @property
    def cache(self) -> Path:
        """The cache of this trial."""
        return self.place / "cache"

    def mostly_light(self) -> None:
        """Leave the dispatcher out of six trials in seven."""
        self.light = self.number % 7 > 0

    def copy_warm(self) -> list[Path]:
        """Make the cache a copy of the warm one, and return its files."""
        shutil.copytree(self.warm, self.cache)
        return sorted(path for path in self.cache.rglob("*") if path.is_file())

    def start(
        self,
        cache: Path | None = None,
        before: Callable[[], Any] | None = None,
        gate: int | None = None,
        named: bool = True,
    ) -> Child:
        """Start a process that compiles the model.

        Parameters
        ----------
        cache
            The cache's directory; by default that of the trial.
        before
            What the process does first.
        gate
            A pipe: it begins once the other end is closed.
        named
            Whether it is told of the directory, or finds one by itself.
        """
        self.runs += 1
        temporary = self.place / f"temporary{self.runs}"
        temporary.mkdir()
        temporary.chmod(0o1777)

        def task() -> Outcome:
            tempfile.tempdir = str(temporary)
            symtheano.config.cache_dir = str(cache or self.cache) if named else ""
            if before is not None:
                before()
            if self.light:
                do_without_dispatcher()
            return compile_and_check()

        return Child(task, gate)

    def run(self, *args: Any, **options: Any) -> Outcome:
        """Compile the model in a process, and return how that went."""
        return self.start(*args, **options).outcome()


def do_without_dispatcher() -> None:
    """Have this process call functions through cffi."""

    def refuse() -> None:
        raise dispatch.NoDispatcherError("left out")

    dispatch.python_headers = refuse


def make_warm(place: Path) -> tuple[Path, dict[bool, float]]:
    """Compile the model here and in processes; return its cache, and how long that takes."""
    symtheano.config.threads = 1

    def light() -> Outcome:
        do_without_dispatcher()
        return compile_and_check()

    def timed(name: str, run: Callable[[], Outcome]) -> float:
        symtheano.config.cache_dir = str(place / name)
        started = time.perf_counter()
        outcome = run()
        if outcome.kind != RIGHT or outcome.warned:
            raise RuntimeError(f"without any fault: {outcome}")
        return time.perf_counter() - started

    # What is imported late is imported now: a trial may not be able to read it.
    timed("here", compile_and_check)
    foreign()
    seconds = {
        False: timed("warm", lambda: Child(compile_and_check).outcome()),
        True: timed("light", lambda: Child(light).outcome()),
    }
    return place / "warm", seconds
