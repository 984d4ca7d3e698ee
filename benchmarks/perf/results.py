"""From seconds to wins and losses."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from benchmarks.perf.libraries import LIBRARIES, OURS
from benchmarks.perf.rooflines import Limits, least_seconds

TIE = 1.05


class Row(NamedTuple):
    """One workload with one number of threads.

    ``seconds`` holds the libraries that were timed, ``memory`` the bytes that those took which told
    them, ``notes`` why others were not timed. ``ratio`` is
    our time over that of the best peer, ``roof`` the least time over ours; either may be unknown.
    ``doubtful`` are the libraries of which every block was disturbed.
    """

    key: str
    family: str
    threads: str
    seconds: Mapping[str, float]
    memory: Mapping[str, float]
    notes: Mapping[str, str]
    doubtful: frozenset[str]
    best: str
    ratio: float | None
    roof: float | None

    @property
    def verdict(self) -> str:
        """``win``, ``tie`` or ``loss``; ``wrong``, ``failed``, ... without a time."""
        if self.ratio is not None:
            return "loss" if self.ratio > TIE else "win" if self.ratio < 1 / TIE else "tie"
        note = self.notes.get(OURS, "")
        if not note:
            return "alone" if OURS in self.seconds else "absent"
        return note.split(":")[0]


def rows(records: Mapping[str, Any], limits: Mapping[str, Limits]) -> list[Row]:
    """Return the rows, the worst losses first and what we could not run last."""
    made = [
        _row(key, record, threads, limits)
        for key, record in records.items()
        for threads in sorted({label.split(":")[1] for label in record["libraries"]}, key=int)
    ]
    return sorted(made, key=lambda row: -math.inf if row.ratio is None else row.ratio, reverse=True)


def medians(runs: Sequence[Sequence[Row]]) -> list[Row]:
    """Return the rows that all runs have, with the medians of their times, ratios and roofs."""
    found: dict[tuple[str, str], list[Row]] = {}
    for run in runs:
        for row in run:
            found.setdefault((row.key, row.threads), []).append(row)
    made = [_median(same) for same in found.values() if len(same) == len(runs)]
    return sorted(made, key=lambda row: -math.inf if row.ratio is None else row.ratio, reverse=True)


def _median(same: Sequence[Row]) -> Row:
    def middle(values: Iterable[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return median(known) if known else None

    names = dict.fromkeys(name for row in same for name in row.seconds)
    seconds = {name: middle(row.seconds.get(name) for row in same) or 0.0 for name in names}
    memory = {name: middle(row.memory.get(name) for row in same) or 0.0 for name in same[0].memory}
    peers = [name for name in seconds if name != OURS]
    return same[0]._replace(
        seconds=seconds,
        memory=memory,
        doubtful=frozenset.intersection(*(row.doubtful for row in same)),
        best=min(peers, key=lambda name: seconds[name]) if peers else "",
        ratio=middle(row.ratio for row in same),
        roof=middle(row.roof for row in same),
    )


def _row(key: str, record: Mapping[str, Any], threads: str, limits: Mapping[str, Limits]) -> Row:
    answers = {
        label.split(":")[0]: answer
        for label, answer in record["libraries"].items()
        if label.split(":")[1] == threads
    }
    seconds = {name: a["seconds"] for name, a in answers.items() if a.get("seconds")}
    notes = {name: _why(a) for name, a in answers.items() if name not in seconds}
    doubtful = frozenset(name for name in seconds if not answers[name]["clean_blocks"])
    peers = {name: taken for name, taken in seconds.items() if name != OURS}
    best = min(peers, key=lambda name: peers[name]) if peers else ""
    ours = seconds.get(OURS)
    least = least_seconds(record, limits[threads]) if threads in limits else None
    return Row(
        key=key,
        family=record["family"],
        threads=threads,
        seconds=seconds,
        memory={name: a["memory"] for name, a in answers.items() if a.get("memory") is not None},
        notes=notes,
        doubtful=doubtful,
        best=best,
        ratio=ours / peers[best] if ours and peers else None,
        roof=least / ours if ours and least else None,
    )


def _why(answer: Mapping[str, Any]) -> str:
    if answer["ok"]:
        return "checked"
    if answer.get("unsupported"):
        return f"unsupported: {answer['why']}"
    if answer["why"].startswith("wrong result"):
        return answer["why"].replace("wrong result", "wrong", 1)
    return f"failed: {answer['why']}"


def present(table: Sequence[Row]) -> list[str]:
    """Return the libraries that took part."""
    return [name for name in LIBRARIES if any(name in {**r.seconds, **r.notes} for r in table)]


class Summary(NamedTuple):
    """One family: the geometric mean of our time over the best peer's, and the verdicts."""

    family: str
    mean: float | None
    counts: Mapping[str, int]


def summaries(table: Sequence[Row]) -> list[Summary]:
    """Return a summary of each family, and of all rows together at the end."""
    families = dict.fromkeys(row.family for row in table)
    parts = [(name, [row for row in table if row.family == name]) for name in families]
    return [_summary(name, part) for name, part in [*sorted(parts), ("all", list(table))]]


def _summary(family: str, part: Sequence[Row]) -> Summary:
    counts: dict[str, int] = {}
    for row in part:
        counts[row.verdict] = counts.get(row.verdict, 0) + 1
    return Summary(
        family, geometric_mean(row.ratio for row in part if row.ratio is not None), counts
    )


def geometric_mean(ratios: Iterable[float]) -> float | None:
    """Return the geometric mean, or None of nothing."""
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else None
