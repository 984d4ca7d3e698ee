"""One picture of all ratios."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.perf.libraries import OURS
from benchmarks.perf.results import TIE, Row, summaries

# Blue and orange are told apart by people who do not see red and green.
COLOURS = {"win": "tab:blue", "tie": "tab:gray", "loss": "#c44e00"}
MARKERS = "o^sDvP"


def draw(rows: Sequence[Row], path: Path) -> bool:
    """Draw our time over the best peer's, a dot a workload; return False without Matplotlib.

    Families are rows, with their geometric means at the left, and the names of losses at the right.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return False
    shown = [row for row in rows if row.ratio is not None]
    if not shown:
        return False
    threads = sorted({row.threads for row in shown}, key=int)
    means = {
        (name, one.family): one.mean or 1.0
        for name in threads
        for one in summaries([row for row in shown if row.threads == name])
    }
    known = {row.family for row in shown}
    families = sorted(known, key=lambda family: means.get((threads[0], family), 9))
    figure = Figure(figsize=(9, 1.0 + 0.45 * len(families)), layout="constrained")
    axes = figure.subplots()
    for number, name in enumerate(threads):
        lane = 0.15 * (number - (len(threads) - 1) / 2)
        part = [row for row in shown if row.threads == name]
        places = [families.index(row.family) + lane for row in part]
        colours = [COLOURS[row.verdict] for row in part]
        marker = MARKERS[number % len(MARKERS)]
        ratios = [row.ratio for row in part]
        axes.scatter(ratios, places, s=26, c=colours, marker=marker, alpha=0.7, linewidths=0)
        axes.scatter([], [], c="0.4", marker=marker, label=f"{name} thread{'s' * (name != '1')}")
    for family, names in _losses(shown).items():
        # Beside the dots, where no other dots are: one line for each family.
        axes.annotate(
            ", ".join(names),
            (1, families.index(family)),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=COLOURS["loss"],
        )
    axes.axvspan(1 / TIE, TIE, color="0.9", zorder=0)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xticks([0.03, 0.1, 0.3, 1, 3], ["0.03", "0.1", "0.3", "1", "3"])
    axes.set_xticks([], minor=True)
    labels = []
    for family in families:
        shares = [f"{means[name, family]:.2f}" for name in threads if (name, family) in means]
        labels.append(f"{family} ({', '.join(shares)})")
    axes.set_yticks(range(len(families)), labels)
    axes.set_ylim(len(families) - 0.4, -0.6)
    axes.set_xlabel(
        f"time of {OURS} divided by that of the best other library (in brackets: geometric means)"
    )
    axes.legend(loc="lower left", fontsize=8)
    FigureCanvasAgg(figure).print_png(path)
    return True


def _losses(rows: Sequence[Row]) -> dict[str, list[str]]:
    """Return, for each family, the names of the workloads on which another library was faster."""
    names: dict[str, list[str]] = {}
    for row in rows:
        name = row.key.split("|")[0]
        if row.verdict == "loss" and name not in names.setdefault(row.family, []):
            names[row.family].append(name)
    return names
