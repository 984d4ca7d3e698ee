"""Sampling of five models of PyMC: seconds, and effective samples per second, of samplers.

    python -m benchmarks.pymc_samplers [--only PATTERNS] [--samplers NAMES] [--draws 1000]

The models are from ``tests/pytensor/models.py``. Each sampler runs in a process of its own with
empty caches, after PyMC has been imported; compiled code that is the same for all programs is
there, as after any other function. There are two chains, one after the other or at the same time,
as each sampler does it by default.

``seconds`` contains compilation and sampling. The number of effective samples is the smallest of
all parameters. ``apart`` is the largest difference of a posterior mean from that of our nutpie, in
standard errors of the difference: above 4, samplers do not agree.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
MODELS = ("radon", "item_response", "garch", "hidden_markov", "correlated_effects")
FIRST = "ours, nutpie"


def by_nutpie(compile_model: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return a sampler: nutpie with compiled models."""

    def run(model: Any, draws: int) -> tuple[Any, float]:
        import nutpie

        start = time.perf_counter()
        compiled = compile_model(model)
        seconds = time.perf_counter() - start
        trace = nutpie.sample(
            compiled, draws=draws, tune=draws, chains=2, seed=11, progress_bar=False
        )
        return trace, seconds

    return run


def _ours(model: Any) -> Any:
    from symtheano_pytensor.nutpie import compile_pymc_model

    return compile_pymc_model(model)


def _numba(model: Any) -> Any:
    import nutpie

    return nutpie.compile_pymc_model(model, backend="numba")


def by_pymc(sampler: str, **compile_kwargs: Any) -> Callable[..., Any]:
    """Return a sampler of PyMC, which tells how long it has sampled."""

    def run(model: Any, draws: int) -> tuple[Any, float]:
        import pymc

        start = time.perf_counter()
        with model:
            options = {"compile_kwargs": compile_kwargs} if compile_kwargs else {}
            trace = pymc.sample(
                draws=draws, tune=draws, chains=2, random_seed=11, progressbar=False,
                nuts_sampler=sampler, compute_convergence_checks=False, **options,
            )  # fmt: skip
        seconds = time.perf_counter() - start
        return trace, max(seconds - float(trace.posterior.attrs.get("sampling_time", seconds)), 0.0)

    return run


SAMPLERS: dict[str, Callable[..., Any]] = {
    FIRST: by_nutpie(_ours),
    "numba, nutpie": by_nutpie(_numba),
    "ours, PyMC": by_pymc("pymc", mode="SYMTHEANO"),
    "numba, PyMC": by_pymc("pymc", mode="NUMBA"),
    "JAX, numpyro": by_pymc("numpyro"),
}


def sampled(sampler: str, name: str, draws: int) -> dict[str, Any]:
    """Sample in this process, and return times and the posterior."""
    warnings.simplefilter("ignore")
    import arviz
    import pymc  # noqa: F401

    import symtheano_pytensor  # noqa: F401
    from tests.pytensor import models

    model = models.MODELS[name]()
    names = [item.name for item in model.free_RVs]
    start = time.perf_counter()
    trace, compiling = SAMPLERS[sampler](model, draws)
    seconds = time.perf_counter() - start
    posterior = trace.posterior
    known = [item for item in names if item in posterior]
    summary = arviz.summary(trace, var_names=known, round_to="none")
    errors = summary["mcse_mean"].to_numpy(float)
    return {
        "seconds": seconds, "compiling": compiling,
        "effective": float(np.nanmin(summary["ess_bulk"].to_numpy(float))),
        "names": list(summary.index), "means": summary["mean"].to_numpy(float).tolist(),
        "errors": errors.tolist(),
    }  # fmt: skip


def in_fresh_process(sampler: str, name: str, draws: int, seed: Path) -> dict[str, Any]:
    """Return what :func:`sampled` tells in a new process; {"error": ...} if it fails."""
    with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
        subprocess.run(["cp", "-r", f"{seed}/.", f"{place}/ours"], check=True)
        environment = {
            **os.environ, "SYMTHEANO_CACHE_DIR": f"{place}/ours",
            "PYTENSOR_FLAGS": f"base_compiledir={place}/pytensor",
        }  # fmt: skip
        command = [sys.executable, "-m", "benchmarks.pymc_samplers", "--draws", str(draws)]
        done = subprocess.run(
            [*command, "--one", sampler, name],
            capture_output=True, text=True, env=environment, cwd=ROOT, check=False,
        )  # fmt: skip
    if done.returncode:
        return {"error": (done.stderr.splitlines() or ["no message"])[-1]}
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return report


def apart(report: dict[str, Any], other: dict[str, Any]) -> float:
    """Return the largest difference of means, in standard errors."""
    numbers = {name: k for k, name in enumerate(other["names"])}
    pairs = [(k, numbers[name]) for k, name in enumerate(report["names"]) if name in numbers]
    assert pairs, "no parameter in common"
    mine, theirs = (list(part) for part in zip(*pairs, strict=True))
    errors = np.hypot(np.array(report["errors"])[mine], np.array(other["errors"])[theirs])
    differences = np.abs(np.array(report["means"])[mine] - np.array(other["means"])[theirs])
    return float(np.nanmax(differences / np.maximum(errors, 1e-300)))


def main() -> None:
    """Read the command line; sample and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(MODELS), help="names or shell patterns")
    parser.add_argument("--samplers", default=";".join(SAMPLERS), help="with semicolons")
    parser.add_argument("--draws", type=int, default=1000, help="and as many steps before them")
    parser.add_argument("--one", nargs=2, metavar=("SAMPLER", "MODEL"), help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.one:
        print(json.dumps(sampled(*wanted.one, wanted.draws)))
        return
    from benchmarks.pymc_models import seeded
    from tests.pytensor.models import MODELS as ALL

    names = [m for m in ALL if any(fnmatch.fnmatch(m, p) for p in wanted.only.split(","))]
    agree = True
    print("| model | sampler | seconds | compiling | effective samples | per second | apart |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
        seeded(Path(place))
        for name in names:
            reports: dict[str, Any] = {}
            for sampler in wanted.samplers.split(";"):
                report = in_fresh_process(sampler, name, wanted.draws, Path(place))
                if "error" in report:
                    print(f"| {name} | {sampler} | {report['error'][:80]} | | | | |", flush=True)
                    continue
                reports[sampler] = report
                distance = apart(report, reports.get(FIRST, report))
                agree = agree and distance < 4.5
                numbers = (report["seconds"], report["compiling"], report["effective"],
                           report["effective"] / report["seconds"], distance)  # fmt: skip
                cells = " | ".join(f"{number:.3g}" for number in numbers)
                print(f"| {name} | {sampler} | {cells} |", flush=True)
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
