"""How much memory a map over a file needs that is larger than the memory.

    python benchmarks/larger_than_memory.py [gigabytes] [contender ...] [--limit GIGABYTES]

The file is a memory map of float32 numbers in rows of 64. It is sparse: it takes no room on the
disk, and reading it costs what reading from the system's memory of files costs. What is computed is
a row of losses and the sum of their gradient. Each contender runs in a process of its own, which
tells its seconds and its largest memory. To be compared is the *anonymous* memory (`RssAnon` of
`/proc/PID/status`, looked at every 20 ms), which the process can't give up, summed over the process
and its children. *Resident* (`ru_maxrss`) is the memory of the process with the pages of files,
which Linux takes back when it needs memory. The file is read once before, so that the first
contender is not alone in bringing its pages into memory.

With ``--limit 2``, all run in a control group with 2 GiB of memory, pages of files included, as in
a container. Making the group needs root.

Contenders: symtheano (threads), processes (symtheano's map with processes), dask (a delayed call of
NumPy for each chunk), jax (jitted calls for chunks, in a loop).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

HEAD = """
import os, resource, sys, threading, time
import numpy as np

COLUMNS = 64

def anonymous(pid):
    total, folder = 0.0, f"/proc/{pid}"
    try:
        with open(f"{folder}/status") as file:
            total = next(int(line.split()[1]) for line in file if line.startswith("RssAnon"))
        for task in os.listdir(f"{folder}/task"):
            with open(f"{folder}/task/{task}/children") as file:
                total += sum(anonymous(child) * 1024 for child in file.read().split())
    except (OSError, StopIteration):  # it has ended
        pass
    return total / 1024

most, done = [0.0], threading.Event()

def watch():
    while not done.wait(0.02):
        most[0] = max(most[0], anonymous(os.getpid()))

if __name__ == "__main__":
    threading.Thread(target=watch, daemon=True).start()
    data = np.memmap(sys.argv[1], np.float32, "r").reshape(-1, COLUMNS)
    losses = np.memmap(sys.argv[1] + ".losses", np.float32, "w+", shape=(len(data),))
    weights = np.linspace(-1, 1, COLUMNS, dtype=np.float32)
"""

TAIL = """
    done.set()
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert np.isfinite(np.asarray(total)).all() and losses[-1] > 0, total
    print(f"{seconds:8.1f} {most[0]:14.0f} {own:14.0f}")
"""

SYMTHEANO = """
    import symtheano.tensor as T
    from symtheano import function, grad, shared
    x, w = T.fmatrix("x"), shared(weights, "w")
    loss = T.nnet.softplus(T.dot(x, w))
    f = function([x], [loss, grad(loss.sum(), w)])
    begun = time.perf_counter()
    _, total = f.map(data, engine="{engine}", out=[losses, None], reduce=[None, "sum"])
    seconds = time.perf_counter() - begun
"""

CONTENDERS = {
    "symtheano": SYMTHEANO.replace("{engine}", "threads"),
    "processes": SYMTHEANO.replace("{engine}", "processes"),
    "dask": """
    import dask
    step = 1 << 17
    def part(start):
        x = data[start : start + step]
        z = x @ weights
        losses[start : start + step] = np.logaddexp(0, z)
        return x.T @ (1 / (1 + np.exp(-z)))
    begun = time.perf_counter()
    parts = [dask.delayed(part)(start) for start in range(0, len(data), step)]
    total = sum(dask.compute(*parts))
    seconds = time.perf_counter() - begun
""",
    "jax": """
    import jax, jax.numpy as jnp
    @jax.jit
    def f(x, w):
        z = x @ w
        return jax.nn.softplus(z), x.T @ jax.nn.sigmoid(z)
    begun = time.perf_counter()
    total, step = 0, 1 << 17
    for start in range(0, len(data), step):
        loss, slope = f(data[start : start + step], weights)
        losses[start : start + step] = loss
        total = total + slope
    total = np.asarray(total)
    seconds = time.perf_counter() - begun
""",
}


def _read(path: str) -> None:
    part = bytearray(1 << 24)
    with open(path, "rb", buffering=0) as file:
        while file.readinto(part):
            pass


@contextmanager
def group(limit: float) -> Iterator[None]:
    """Put this process and its children into a control group with a limit of memory."""
    root = Path("/sys/fs/cgroup")
    first = (root / "memory").is_dir()  # version 1 of control groups
    root = root / "memory" if first else root
    if not first:
        with suppress(OSError):  # it may be so already
            (root / "cgroup.subtree_control").write_text("+memory")
    place = root / f"larger_than_memory.{os.getpid()}"
    place.mkdir()
    try:
        most = place / ("memory.limit_in_bytes" if first else "memory.max")
        most.write_text(str(int(limit * (1 << 30))))
        (place / "cgroup.procs").write_text(str(os.getpid()))
        yield
    finally:
        (root / "cgroup.procs").write_text(str(os.getpid()))
        place.rmdir()


def main(gigabytes: float, names: list[str]) -> None:
    """Run the contenders one after the other, and print what they tell."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data")
        with open(path, "wb") as file:
            file.truncate(int(gigabytes * (1 << 30)) // 256 * 256)
        _read(path)
        print(f"{gigabytes:g} GiB    seconds  anonymous MiB   resident MiB", flush=True)
        for name in names:
            script = os.path.join(folder, "contender.py")
            with open(script, "w") as file:
                file.write(HEAD + CONTENDERS[name] + TAIL)
            done = subprocess.run(
                [sys.executable, script, path], capture_output=True, text=True, check=False
            )
            print(f"{name:<10}{done.stdout.rstrip() or done.stderr[-500:]}", flush=True)
            os.remove(path + ".losses")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("gigabytes", nargs="?", type=float, default=20)
    parser.add_argument("contenders", nargs="*", choices=[*CONTENDERS, []], default=[])
    parser.add_argument("--limit", type=float, metavar="GIGABYTES")
    options = parser.parse_args()
    with nullcontext() if options.limit is None else group(options.limit):
        main(options.gigabytes, options.contenders or [*CONTENDERS])
