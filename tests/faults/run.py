"""Inject faults into the cache and count how the runs ended: ``python tests/faults/run.py``.

Each fault is injected in a cache of its own, while or before a process compiles a model and
compares its results with NumPy's; then another process does the same, undisturbed. A run ends
right, with a clear error, killed (where that is the fault), or wrong: a wrong number, a foreign
exception, an unclear warning, a hang.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.faults import failing_calls  # noqa: F401, registers its faults
from tests.faults.calls import ERRORS, preloaded
from tests.faults.faults import FAULTS, hindrance
from tests.faults.harness import (
    CLEAR,
    FOREIGN,
    KILLED,
    RIGHT,
    WRONG,
    Call,
    Lab,
    Trial,
    make_warm,
)

UNREACHED = "not reached"
COLUMNS = ("injected", RIGHT, CLEAR, KILLED, FOREIGN, WRONG, "next right", UNREACHED)


@dataclass
class Tally:
    """How the trials of one fault went, and of which kinds the calls were that failed."""

    name: str
    trials: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    errors: Counter[str] = field(default_factory=Counter)
    details: list[str] = field(default_factory=list)

    def add(self, trial: Trial, call: Call | None) -> None:
        """Count a trial."""
        met, then = trial.worst, trial.then
        kind = met.kind if met.reached or met.kind == WRONG else UNREACHED
        self.counts.update((kind,), injected=kind != UNREACHED)
        self.counts["next right"] += then.kind == RIGHT
        if call is not None:
            self.kinds[call.kind][kind] += 1
        self.errors.update([_without_paths(met.detail)] * (kind in (CLEAR, FOREIGN)))
        self.details += [
            f"{self.name} {self.trials}, {when}: {outcome.detail}"
            for when, outcome in (("met", met), ("next", then))
            if outcome.kind == WRONG
        ]
        self.trials += 1

    def row(self) -> dict[str, Any]:
        """Return all of it."""
        numbers = {column: self.counts[column] for column in COLUMNS}
        return {**vars(self), **numbers}


def inject(name: str, count: int | None, lab: Callable[..., Lab]) -> Tally:
    """Inject one fault so many times, or let each call fail in turn; count how that went."""
    tally = Tally(name)

    def trial(call: Call | None = None) -> bool:
        made = lab(f"{name}-{tally.trials}", tally.trials, call)
        made.place.mkdir(mode=0o700)
        found = FAULTS[name](made)
        shutil.rmtree(made.place)
        tally.add(found, call)
        return found.worst.reached

    if count is not None:
        for _ in range(count):
            trial()
        return tally
    for kind, errors in ERRORS.items():
        for error in errors:
            nth = missed = 0
            # What other threads do differs from run to run: one call that is not made is no end.
            while missed < 3:
                nth += 1
                missed = 0 if trial(Call(kind, nth, error)) else missed + 1
    return tally


def _without_paths(text: str) -> str:
    return re.sub(r"/[-\w./]+", "PATH", text.replace("\n", "; "))


def main(arguments: list[str] | None = None) -> int:
    """Run the faults that are asked for; return 0 if all went well."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--count", type=int, default=100, help="injections of each fault")
    parser.add_argument(
        "--every", action="store_true", help="let each call fail in turn, where calls fail"
    )
    parser.add_argument("--only", action="append", choices=sorted(FAULTS), metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print one object per fault")
    chosen = parser.parse_args(arguments)
    for name in ("SYMTHEANO_CACHE_DIR", "SYMTHEANO_FLAGS"):
        os.environ.pop(name, None)
    if "LD_PRELOAD" not in os.environ:
        with tempfile.TemporaryDirectory(prefix="symtheano-faults-") as library:
            found = preloaded(Path(library))
            if found is not None:
                command = [sys.executable, *sys.argv]
                return subprocess.call(command, env={**os.environ, "LD_PRELOAD": found})
    place = Path(tempfile.mkdtemp(prefix="symtheano-faults-"))
    failed = False
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # Clean up first.
    try:
        place.chmod(0o755)  # Some trials go on as another user.
        warm, seconds = make_warm(place)
        if not chosen.json:
            print(f"{'fault':34}" + "".join(f"{column:>13}" for column in COLUMNS), "    seconds")

        def lab(folder: str, number: int, call: Call | None) -> Lab:
            numbers = random.Random(f"{name} {number}")
            return Lab(number, chosen.count, place / folder, warm, seconds, numbers, call=call)

        for name in chosen.only or FAULTS:
            why_not = hindrance(name)
            if why_not is not None:
                print(f"{name:28}   left out: {why_not}", file=sys.stderr)
                continue
            started = time.perf_counter()
            every = chosen.every and name.startswith("calls_fail")
            tally = inject(name, None if every else chosen.count, lab)
            row = tally.row()
            failed |= bool(tally.details) or row["next right"] != tally.trials
            if chosen.json:
                print(json.dumps(row))
                continue
            numbers = "".join(f"{row[column]:13}" for column in COLUMNS)
            print(f"{name:34}{numbers}{time.perf_counter() - started:12.0f}", flush=True)
            for kind, times in tally.kinds.items():
                print(f"    {kind}: " + ", ".join(f"{n} {how}" for how, n in times.items()))
            for error, times in sorted(tally.errors.items()):
                print(f"    {times} x {error}")
            for detail in tally.details:
                print(detail, file=sys.stderr, flush=True)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
