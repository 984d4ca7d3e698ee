"""Compare symtheano with other libraries: ``python -m benchmarks``; see benchmarks/README.md."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.perf import libraries, picture, report
from benchmarks.perf.measure import Settings, measure, save
from benchmarks.perf.pool import Worker
from benchmarks.perf.results import Row, medians, rows
from benchmarks.perf.rooflines import Limits, limits
from benchmarks.perf.workload import Case, Workload, key, select


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the workloads and the libraries")
    parser.add_argument(
        "--only",
        action="append",
        metavar="PATTERN",
        help="workloads: shell patterns, names or families, separated by commas",
    )
    parser.add_argument("--libs", help="libraries, separated by commas; default: all installed")
    parser.add_argument("--threads", default="1", help="numbers of threads, separated by commas")
    parser.add_argument("--rounds", type=int, default=Settings.rounds, help="blocks per library")
    parser.add_argument(
        "--out", type=Path, default=Path("build/benchmarks"), help="where results are written"
    )
    parser.add_argument(
        "--peers-python",
        default=os.environ.get("BENCH_PEERS_PYTHON", sys.executable),
        help="the interpreter that has the other libraries; default: $BENCH_PEERS_PYTHON, or this",
    )
    parser.add_argument(
        "--no-roof", action="store_true", help="do not measure the machine's limits"
    )
    parser.add_argument("--show", action="store_true", help="print the results that are in --out")
    parser.add_argument(
        "--also",
        action="append",
        type=Path,
        default=[],
        metavar="DIR",
        help="with --show: results of a further run; medians of all are printed",
    )
    return parser.parse_args(words)


def main() -> int:
    """Run the benchmarks; return 1 if a result of symtheano is wrong."""
    options = arguments()
    out = options.out.resolve()
    todo = select([p for words in options.only or ["*"] for p in words.split(",")])
    if options.list:
        return show_list(todo, options.peers_python)
    if options.show:
        files = [folder / "results.json" for folder in (out, *options.also)]
        runs = [rows(**json.loads(file.read_text())["measured"]) for file in files]
        return show(medians(runs), out)
    found = libraries.installed(options.peers_python)
    wanted = options.libs.split(",") if options.libs else found
    missing = [name for name in wanted if name not in found]
    if missing or not todo:
        what = f"not installed: {', '.join(missing)}" if missing else "no workload matches --only"
        print(f"{what}; see --list", file=sys.stderr)
        return 2
    threads = [int(count) for count in options.threads.split(",")]
    out.mkdir(parents=True, exist_ok=True)
    roof = {} if options.no_roof else machine_limits(threads, out)
    workers = [
        Worker(name, count, options.peers_python, out) for name in wanted for count in threads
    ]
    measured: dict[str, object] = {}
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))  # so that no worker is left behind
    try:
        for name, record in measure(todo, workers, Settings(rounds=options.rounds)):
            measured[name] = record
            versions = {worker.label: worker.version for worker in workers}
            content = {"versions": versions, "measured": {"records": measured, "limits": roof}}
            save(out / "results.json", content)
            print(report.table(rows({name: record}, roof)), flush=True)
    finally:
        for worker in workers:
            worker.close()
    return show(rows(measured, roof), out)


def machine_limits(threads: Sequence[int], out: Path) -> dict[str, Limits]:
    """Return the limits, or none where roof.c cannot be compiled or run."""
    try:
        return limits(threads, out / "limits.json")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"no rooflines: {error}", file=sys.stderr)
        return {}


def show_list(todo: Sequence[tuple[Workload, Case]], peers: str) -> int:
    """Print the workloads and the libraries."""
    for one, case in todo:
        print(f"{one.family:13} {key(one.name, case)}")
    print("libraries:", ", ".join(libraries.installed(peers)))
    return 0


def show(made: Sequence[Row], out: Path) -> int:
    """Print the tables, the losses first, and draw the picture."""
    for title, verdicts in (("Losses", ["loss"]), ("Ties", ["tie"]), ("Wins", ["win"])):
        part = [row for row in made if row.verdict in verdicts]
        if part:
            print(f"\n{title}\n\n{report.table(part)}")
    rest = [row for row in made if row.verdict not in ("loss", "tie", "win")]
    if rest:
        print(f"\nWithout a ratio\n\n{report.table(rest)}")
    if any(row.memory for row in made):
        print(f"\nMemory\n\n{report.memory(made)}")
    if report.troubles(made):
        print(f"\nTroubles\n\n{report.troubles(made)}")
    print("\nTimes in µs, ~ disturbed, * best peer; memory in MB, * least.")
    print(f"\n{report.summary(made)}")
    if picture.draw(made, out / "ratios.png"):
        print(f"\nPicture: {out / 'ratios.png'}")
    return int(any(row.verdict == "wrong" for row in made))


if __name__ == "__main__":
    sys.exit(main())
