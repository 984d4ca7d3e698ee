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
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.faults import failing_calls  # noqa: F401, registers its faults
from tests.faults.calls import preloaded
from tests.faults.faults import FAULTS, hindrance
from tests.faults.harness import CLEAR, FOREIGN, KILLED, RIGHT, WRONG, Lab, make_warm

COLUMNS = ("injected", RIGHT, CLEAR, KILLED, FOREIGN, WRONG, "next right")


def inject(
    name: str, count: int, place: Path, warm: Path, seconds: dict[bool, float]
) -> dict[str, Any]:
    """Inject one fault so many times, and count how that went."""
    counts: Counter[str] = Counter()
    details = []
    errors: Counter[str] = Counter()
    for number in range(count):
        own = place / f"{name}-{number}"
        own.mkdir(mode=0o700)
        trial = FAULTS[name](
            Lab(number, count, own, warm, seconds, random.Random(f"{name} {number}"))
        )
        shutil.rmtree(own)
        met, then = trial.worst, trial.then
        counts.update(("injected", met.kind), **{"next right": then.kind == RIGHT})
        errors.update([_without_paths(met.detail)] * (met.kind in (CLEAR, FOREIGN)))
        details += [
            f"{name} {number}, {when}: {outcome.detail}"
            for when, outcome in (("met", met), ("next", then))
            if outcome.kind == WRONG
        ]
    return {
        "name": name,
        "details": details,
        "errors": dict(errors),
        **{column: counts[column] for column in COLUMNS},
    }


def _without_paths(text: str) -> str:
    return re.sub(r"/[-\w./]+", "PATH", text.replace("\n", "; "))


def main(arguments: list[str] | None = None) -> int:
    """Run the faults that are asked for; return 0 if all went well."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--count", type=int, default=100, help="injections of each fault")
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
            print(f"{'fault':28}" + "".join(f"{column:>13}" for column in COLUMNS), "    seconds")
        for name in chosen.only or FAULTS:
            why_not = hindrance(name)
            if why_not is not None:
                print(f"{name:28}   left out: {why_not}", file=sys.stderr)
                continue
            started = time.perf_counter()
            row = inject(name, chosen.count, place, warm, seconds)
            failed |= bool(row["details"]) or row["next right"] != chosen.count
            if chosen.json:
                print(json.dumps(row))
                continue
            numbers = "".join(f"{row[column]:13}" for column in COLUMNS)
            print(f"{name:28}{numbers}{time.perf_counter() - started:12.0f}", flush=True)
            for error, times in sorted(row["errors"].items()):
                print(f"    {times} x {error}")
            for detail in row["details"]:
                print(detail, file=sys.stderr)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
