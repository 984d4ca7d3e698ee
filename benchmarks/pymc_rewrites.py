"""What each phase of PyTensor's rewrites costs and saves, over models of PyMC.

    python -m benchmarks.pymc_rewrites [--only PATTERNS] [--without NAMES]

Each model of ``tests/pytensor/models.py`` is compiled in the mode ``SYMTHEANO``, without each phase
that the mode has, and with all phases that other back ends have. For each of these, the table has,
relative to the mode: the processor seconds of the process (rewriting, conversion, and all of
symtheano but the C compiler), those of the C compiler, and the time of a call, as geometric means,
and the model whose calls are slowed the most. Results must agree with those of the mode. Seconds
are those of a process of its own, in which a function has been compiled before: the first one with
an op imports modules.
"""

from __future__ import annotations

import argparse
import fnmatch
import multiprocessing
import resource
import shutil
import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.pymc_models import (
    BLOCK,
    OURS,
    calls_in_block,
    density_of,
    difference,
    from_python,
    prepare,
    seeded,
)

ALL = "nothing (all phases)"
PHASES = (
    ALL, "inline_ofg_expansion", "canonicalize", "specialize", "symtheano_folding",
    "ofg_inner_graph", "scan_inner_graph", "canonicalize+specialize", "fast_run",
)  # fmt: skip


def mode_without(text: str) -> Any:
    """Return the mode without phases, whose names are joined by ``+``."""
    from pytensor.compile.mode import Mode, get_mode
    from pytensor.graph.rewriting.db import RewriteDatabaseQuery

    from symtheano_pytensor import SymtheanoLinker

    if text == ALL:
        return Mode(SymtheanoLinker(), RewriteDatabaseQuery(include=["fast_run"]))
    return get_mode("SYMTHEANO").excluding(*text.split("+")) if text else get_mode("SYMTHEANO")


def compiled(model: Any, text: str) -> dict[str, Any]:
    """Compile a model without some phases, and return the times and the function."""
    import pytensor

    vector, outputs, values = density_of(model)
    own, gcc = time.process_time(), _of_children()
    function = pytensor.function([vector], outputs, mode=mode_without(text), trust_input=True)
    results = [np.array(item) for item in function(values)]
    own, gcc = time.process_time() - own, _of_children() - gcc
    return {"own": own, "gcc": gcc, "results": results, "call": from_python(function, values)}


def seconds_of(name: str, text: str, seeds: str, pipe: Any) -> None:
    """Compile in a process of its own, and send the times."""
    from tests.pytensor.models import MODELS

    with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
        shutil.copytree(seeds, place, dirs_exist_ok=True)
        prepare(OURS, Path(place))
        made = compiled(MODELS[name](), text)
    pipe.send({what: made[what] for what in ("own", "gcc")})


def seconds(name: str, text: str, seeds: str) -> dict[str, float]:
    """Return the times of a compilation in a process of its own."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=seconds_of, args=(name, text, seeds, there))
    process.start()
    there.close()
    times: dict[str, float] = here.recv()
    process.join()
    return times


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Read the command line; measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="*", help="names or shell patterns, with commas")
    parser.add_argument("--without", default=",".join(PHASES), help="phases, joined by +")
    parser.add_argument("--rounds", type=int, default=5)
    wanted = parser.parse_args()
    warnings.simplefilter("ignore")
    import symtheano_pytensor  # noqa: F401
    from symtheano import config
    from tests.pytensor.models import MODELS

    names = [m for m in MODELS if any(fnmatch.fnmatch(m, p) for p in wanted.only.split(","))]
    variants = {"none": "", **{text: text for text in wanted.without.split(",")}}
    factors: dict[str, dict[str, dict[str, float]]] = {text: {} for text in variants}
    agree = True
    seeds = tempfile.TemporaryDirectory(prefix="benchmarks")
    seed = multiprocessing.get_context("fork").Process(target=seeded, args=(Path(seeds.name),))
    seed.start()
    seed.join()
    # This process compiles later: what it has imported would be there in those that it starts.
    costs = {(name, text): seconds(name, excluded, seeds.name)
             for name in names for text, excluded in variants.items()}  # fmt: skip
    for name in names:
        made = {}
        for text, excluded in variants.items():
            # What one variant has compiled must not help the next one.
            with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
                shutil.copytree(seeds.name, place, dirs_exist_ok=True)
                config.cache_dir = place
                made[text] = {**compiled(MODELS[name](), excluded), **costs[name, text]}
        for one in made.values():
            one["timer"], one["call"] = one["call"], np.inf
            one["count"] = calls_in_block(one["timer"])
        for _ in range(wanted.rounds):
            for one in made.values():
                one["call"] = min(one["call"], one["timer"](one["count"]) / one["count"])
        for text, one in made.items():
            base = made["none"]
            factors[text][name] = {
                what: one[what] / base[what] for what in ("own", "gcc", "call") if base[what]
            }
            apart = difference(one["results"], base["results"])
            if apart > 1e-8:
                agree = False
                print(f"{name} without {text}: results differ by {apart:.0e}", file=sys.stderr)
        row = {text: {what: round(one[what] * 1e3, 4) for what in ("own", "gcc", "call")}
               for text, one in made.items()}  # fmt: skip
        print(name, row, file=sys.stderr, flush=True)
    print(f"{len(names)} models, blocks of {BLOCK} s\n")
    print("| without | own seconds | C compiler's | call | slowest call | model |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    for text, found in factors.items():
        means = [statistics.geometric_mean([row[what] for row in found.values() if what in row])
                 for what in ("own", "gcc", "call")]  # fmt: skip
        worst = max(found, key=lambda name: found[name]["call"])
        cells = " | ".join(f"{mean:.2f}" for mean in means)
        print(f"| {text} | {cells} | {found[worst]['call']:.2f} | {worst} |")
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
