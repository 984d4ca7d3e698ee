"""One picture of all ratios."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.perf.libraries import OURS
from benchmarks.perf.results import TIE, Row

COLOURS = {"win": "tab:green", "tie": "tab:gray", "loss": "tab:red"}


def draw(rows: Sequence[Row], path: Path) -> bool:
    """Draw our time over the best peer's for each workload; return False without Matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    shown = [row for row in rows if row.ratio is not None]
    if not shown:
        return False
    figure = Figure(figsize=(9, 1.2 + 0.22 * len(shown)), layout="constrained")
    axes = figure.subplots()
    places = range(len(shown), 0, -1)
    axes.barh(
        places,
        [row.ratio - 1 for row in shown],
        left=1,
        color=[COLOURS[row.verdict] for row in shown],
    )
    axes.axvspan(1 / TIE, TIE, color="0.9", zorder=0)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_ylim(0.4, len(shown) + 0.6)
    labels = [f"{row.key.replace('|', ' ')} T={row.threads} ({row.best})" for row in shown]
    axes.set_yticks(list(places), labels, fontsize=7)
    axes.set_xlabel(f"time of {OURS} over that of the best peer (left of 1 is faster)")
    FigureCanvasAgg(figure).print_png(path)
    return True
