"""The tables that are printed."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.perf.libraries import OURS
from benchmarks.perf.results import Row, present, summaries


def table(part: Sequence[Row]) -> str:
    """Return one line for each row: µs of each library, ours over the best peer, the roofline.

    ``~`` marks a time of which every block was disturbed; ``*`` the best peer.
    """
    names = present(part)
    head = ["workload", "T", *names, f"{OURS}/best", "of roof", ""]
    return aligned([head, *([*_cells(row, names)] for row in part)])


def _cells(row: Row, names: Sequence[str]) -> list[str]:
    cells = [row.key.replace("|", " "), row.threads]
    for name in names:
        if name in row.seconds:
            mark = ("~" if name in row.doubtful else "") + ("*" if name == row.best else "")
            cells.append(microseconds(row.seconds[name]) + mark)
        else:
            cells.append(row.notes.get(name, "").split(":")[0].replace("unsupported", "-"))
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    roof = "" if row.roof is None else f"{row.roof:.2f}"
    return [*cells, ratio, roof, row.verdict]


def memory(part: Sequence[Row]) -> str:
    """Return one line for each row: MB that each library took; ``*`` marks the least."""
    names = [name for name in present(part) if any(name in row.memory for row in part)]
    lines = [["workload", "T", *names]]
    for row in part:
        least = min(row.memory.values(), default=0.0)
        cells = [
            f"{row.memory[name] / 1e6:,.1f}{'*' if row.memory[name] == least else ''}"
            if name in row.memory
            else ""
            for name in names
        ]
        lines.append([row.key.replace("|", " "), row.threads, *cells])
    return aligned(lines)


def microseconds(seconds: float) -> str:
    """Return the time in µs with three digits."""
    value = 1e6 * seconds
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def summary(rows: Sequence[Row]) -> str:
    """Return the geometric means and the verdicts by family."""
    verdicts = ["win", "tie", "loss"]
    made = summaries(rows)
    others = sorted({verdict for one in made for verdict in one.counts} - set(verdicts))
    head = ["family", f"{OURS}/best", *verdicts, *others]
    lines = [
        [
            one.family,
            "" if one.mean is None else f"{one.mean:.2f}",
            *(str(one.counts.get(verdict, 0)) for verdict in [*verdicts, *others]),
        ]
        for one in made
    ]
    return aligned([head, *lines])


def troubles(rows: Sequence[Row]) -> str:
    """Return what gave wrong results or failed and why, and what our library does not have."""
    return "\n".join(
        f"{row.key} T={row.threads} {name}: {note}"
        for row in rows
        for name, note in row.notes.items()
        if note != "checked" and (name == OURS or not note.startswith("unsupported"))
    )


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with columns of even width, the first one to the left."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    first = widths[0]
    rule = ["-" * first, *("-" * (width - 1) + ":" if width else ":" for width in widths[1:])]
    text = []
    for line in [lines[0], rule, *lines[1:]]:
        cells = [line[0].ljust(first)]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)]
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text)
