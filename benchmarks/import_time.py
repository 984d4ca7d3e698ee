"""How long ``import symtheano`` takes, as a multiple of ``import numpy``.

    python benchmarks/import_time.py [rounds]

Each import is timed inside a fresh process, in CPU seconds, the two by turns, so that a busy
machine slows both alike. The ratio is of the medians; 1.0 would mean that symtheano costs nothing
beyond the NumPy it needs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

PROGRAM = "import time; start = time.process_time(); import {}; print(time.process_time() - start)"


def seconds(module: str) -> float:
    """Return the CPU seconds of one import in a fresh process."""
    command = [sys.executable, "-c", PROGRAM.format(module)]
    # Users have byte code from the second run on.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def main(rounds: int) -> None:
    """Measure and print."""
    modules = ("numpy", "symtheano")
    for module in modules:
        seconds(module)  # byte code and file cache
    times: dict[str, list[float]] = {module: [] for module in modules}
    for _ in range(rounds):
        for module in modules:
            times[module].append(seconds(module))
    medians = {module: statistics.median(taken) for module, taken in times.items()}
    for module, taken in times.items():
        print(
            f"import {module:<10} {1e3 * medians[module]:6.1f} ms median, "
            f"{1e3 * min(taken):6.1f} to {1e3 * max(taken):6.1f} ms over {rounds} rounds"
        )
    print(f"ratio {medians['symtheano'] / medians['numpy']:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 15)
