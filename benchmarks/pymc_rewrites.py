"""What each phase of PyTensor's rewrites costs and saves, over models of PyMC.

    python -m benchmarks.pymc_rewrites [--only PATTERNS] [--without NAMES]

Each model of ``tests/pytensor/models.py`` is compiled with all rewrites of the mode ``SYMTHEANO``,
and without each phase. For each phase that is left out, the table has, relative to all phases: the
processor seconds of this process (rewriting, conversion, and all of symtheano but the C compiler),
those of the C compiler, and the time of a call, as geometric means, and the model whose calls are
slowed the most. Results must agree with those with all phases.
"""

from __future__ import annotations

import argparse
import fnmatch
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
    calls_in_block,
    density_of,
    difference,
    from_python,
    seeded,
)

PHASES = (
    "inline_ofg_expansion", "scan_eqopt1", "ShapeOpt", "useless", "canonicalize", "stabilize",
    "local_second_to_alloc", "local_elemwise_alloc", "scan_eqopt2", "specialize", "uncanonicalize",
    "ofg_inner_graph", "scan_inner_graph", "canonicalize+stabilize+specialize+uncanonicalize",
)  # fmt: skip


def compiled(model: Any, excluded: tuple[str, ...]) -> dict[str, Any]:
    """Compile a model without some phases, and return the times and the function."""
    import pytensor
    from pytensor.compile.mode import get_mode

    vector, outputs, values = density_of(model)
    mode = get_mode("SYMTHEANO").excluding(*excluded)
    own, gcc = time.process_time(), _of_children()
    function = pytensor.function([vector], outputs, mode=mode, trust_input=True)
    own, gcc = time.process_time() - own, _of_children() - gcc
    results = [np.array(item) for item in function(values)]
    timer = from_python(function, values)
    return {"own": own, "gcc": gcc, "results": results, "timer": timer,
            "count": calls_in_block(timer)}  # fmt: skip


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
    variants = {"none": (), **{text: tuple(text.split("+")) for text in wanted.without.split(",")}}
    factors: dict[str, dict[str, dict[str, float]]] = {text: {} for text in variants}
    agree = True
    seeds = tempfile.TemporaryDirectory(prefix="benchmarks")
    seeded(Path(seeds.name))
    for name in names:
        made = {}
        for text, excluded in variants.items():
            # What one variant has compiled must not help the next one.
            with tempfile.TemporaryDirectory(prefix="benchmarks") as place:
                shutil.copytree(seeds.name, place, dirs_exist_ok=True)
                config.cache_dir = place
                made[text] = compiled(MODELS[name](), excluded)
        for one in made.values():
            one["call"] = np.inf
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
