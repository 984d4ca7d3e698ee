"""The process of one library: takes commands, one JSON object in a line, and answers each."""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.perf import footprint
from benchmarks.perf.timing import time_block
from benchmarks.perf.workload import Unsupported, compare, load


class Session:
    """One library and the workload that is prepared."""

    def __init__(self, adapter: str) -> None:
        self.adapter = importlib.import_module(f"benchmarks.perf.adapters.{adapter}").Adapter()
        self.workloads = load()
        self.call: Callable[[], Any] | None = None

    def drop(self) -> dict[str, Any]:
        """Free the workload and the memory that the library keeps."""
        self.call = None
        self.adapter.release()
        return {"ok": True}

    def prepare(self, name: str, case: dict[str, Any], reference: str) -> dict[str, Any]:
        """Build a workload, call it, and compare the results with the reference."""
        self.drop()
        one = self.workloads[name]
        build = one.builder(self.adapter.flavours)
        data = one.data(case)
        self.adapter.begin(case)
        before = footprint.resident()
        start = time.perf_counter()
        made = build(self.adapter, case, data)
        call, state = made if isinstance(made, tuple) else (made, None)
        built = time.perf_counter()
        results = call()
        called = time.perf_counter()
        for _ in range(one.check_calls - 1):
            results = call()
        if state is not None:
            results = state()
        if not isinstance(results, (list, tuple)):
            results = [results]
        with np.load(reference) as wanted:
            error, reason = compare(
                [self.adapter.to_numpy(result) for result in results],
                [wanted[f"arr_{number}"] for number in range(len(wanted.files))],
            )
        tolerance = one.tolerated(case)
        if not error < tolerance:
            reason = reason or f"error {error:.1e} is above {tolerance:.0e}"
            return {"ok": False, "why": f"wrong result: {reason}"}
        self.call = call
        return {
            "ok": True,
            "memory": footprint.added(before, call),
            "build": built - start,
            "first_call": called - built,
            "error": error,
            "note": self.adapter.take_note(),
        }

    def time(self, least: float) -> dict[str, Any]:
        """Time a block of calls of the prepared workload."""
        if self.call is None:
            return {"ok": False, "why": "nothing is prepared"}
        return {"ok": True, **time_block(self.call, least)}


def serve(adapter: str) -> None:
    """Answer commands until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print belongs into the log
    session = Session(adapter)
    _send(answers, {"ok": True, "version": session.adapter.version()})
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = getattr(session, command.pop("do"))(**command)
        except Unsupported as reason:
            answer = {"ok": False, "unsupported": True, "why": str(reason)}
        except Exception as error:
            traceback.print_exc()
            text = str(error).strip().split("\n")[0][:300]
            answer = {"ok": False, "why": f"{type(error).__name__}: {text}"}
        _send(answers, answer)


def _send(answers: Any, answer: dict[str, Any]) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    serve(sys.argv[1])
