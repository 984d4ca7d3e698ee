"""Prepare a workload in every library, and then time the libraries alternately."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.perf.pool import Worker
from benchmarks.perf.timing import undisturbed
from benchmarks.perf.workload import Case, Workload, key

Record = dict[str, Any]


@dataclass(frozen=True)
class Settings:
    """How long and how often.

    ``foreign`` is how many processors the rest of the machine may use during a block of several
    threads; a block that was disturbed is repeated up to ``attempts`` times.
    """

    rounds: int = 3
    block: float = 0.12
    attempts: int = 3
    foreign: float = 0.15
    prepare: float = 240.0


def measure(
    todo: Sequence[tuple[Workload, Case]],
    workers: Sequence[Worker],
    settings: Settings,
) -> Iterator[tuple[str, Record]]:
    """Yield the key and the record of each workload."""
    with tempfile.TemporaryDirectory(prefix="benchmarks") as folder:
        for one, case in todo:
            yield key(one.name, case), _measure_one(one, case, workers, settings, Path(folder))


def _measure_one(
    one: Workload, case: Case, workers: Sequence[Worker], settings: Settings, folder: Path
) -> Record:
    reference = folder / "reference.npz"
    np.savez(reference, *one.reference(case, one.data(case)))
    answers = _ask_all(
        workers,
        settings.prepare,
        do="prepare",
        name=one.name,
        case=dict(case),
        reference=str(reference),
    )
    ready = [worker for worker in workers if answers[worker.label]["ok"]]
    for _ in range(settings.rounds):
        for worker in ready:
            answer = answers[worker.label]
            answer.setdefault("blocks", []).extend(_one_block(worker, settings))
    _ask_all(ready, 30, do="drop")
    for worker in ready:
        answer = answers[worker.label]
        answer["clean_blocks"] = sum(block["clean"] for block in answer.get("blocks", ()))
        answer["seconds"] = _seconds(answer.get("blocks", ()), worker.threads)
    return {
        "name": one.name,
        "family": one.family,
        "case": dict(case),
        "bytes": one.bytes(case),
        "flops": one.flops(case),
        "functions": dict(one.functions(case)),
        "libraries": answers,
    }


def _ask_all(workers: Sequence[Worker], limit: float, **command: Any) -> dict[str, Any]:
    with ThreadPoolExecutor(2) as executor:
        answers = executor.map(lambda worker: worker.ask(limit, **command), workers)
        return {worker.label: answer for worker, answer in zip(workers, answers, strict=True)}


def _one_block(worker: Worker, settings: Settings) -> list[Record]:
    """Return a block, the first that nothing disturbed or else all attempts."""
    blocks: list[Record] = []
    for attempt in range(settings.attempts):
        if attempt:
            time.sleep(0.05)
        block = worker.ask(120, do="time", least=settings.block)
        if not block["ok"]:
            break
        block["clean"] = undisturbed(block, worker.threads, settings.foreign)
        if block["clean"]:
            return [block]
        blocks.append(block)
    return blocks


def _seconds(blocks: Sequence[Record], threads: int) -> float | None:
    """Return seconds per call in the least disturbed block.

    A pinned thread that lost its processor for a while still shows what it computed in its CPU
    time; with several threads the 20th percentile of the wall time has to do.
    """
    if not blocks:
        return None
    if threads > 1:
        return min(block["low"] for block in blocks)
    return min(max(block["minimum"], min(block["low"], block["cpu"])) for block in blocks)


def save(path: Path, content: object) -> None:
    """Write JSON so that a reader finds the old file or the new one."""
    new = path.with_suffix(".new")
    new.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(new, path)
