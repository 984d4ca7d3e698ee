"""With which interpreter and which environment each library runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
OURS = "symtheano"
_THREADS = (
    "GOTO_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NPROC",
    "NUMBA_NUM_THREADS",
    "NUMEXPR_MAX_THREADS",
    "NUMEXPR_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
)


class Library(NamedTuple):
    """One column of the table: a library, or a variant of one."""

    adapter: str
    needs: str
    environment: Callable[[int, str], dict[str, str]]


def _symtheano(threads: int, cache: str) -> dict[str, str]:
    return {"SYMTHEANO_CACHE_DIR": cache}


def _jax(threads: int, cache: str) -> dict[str, str]:
    several = "true" if threads > 1 else "false"
    flags = f"--xla_cpu_multi_thread_eigen={several} intra_op_parallelism_threads={threads}"
    return {"JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}


def _torch(threads: int, cache: str) -> dict[str, str]:
    return {"TORCHINDUCTOR_CACHE_DIR": cache, "TORCHINDUCTOR_COMPILE_THREADS": "1"}


def _pytensor(threads: int, cache: str) -> dict[str, str]:
    return {"PYTENSOR_FLAGS": f"base_compiledir={cache},floatX=float32"}


def _numba(threads: int, cache: str) -> dict[str, str]:
    return {"NUMBA_CACHE_DIR": cache}


def _nothing(threads: int, cache: str) -> dict[str, str]:
    return {}


LIBRARIES = {
    OURS: Library("symtheano_lib", "symtheano", _symtheano),
    "numpy": Library("numpy_lib", "numpy", _nothing),
    "jax": Library("jax_lib", "jax", _jax),
    "torch": Library("torch_lib", "torch", _torch),
    "torch_compile": Library("torch_compile_lib", "torch", _torch),
    "pytensor": Library("pytensor_lib", "pytensor", _pytensor),
    "pytensor_c": Library("pytensor_c_lib", "pytensor", _pytensor),
    "numba": Library("numba_lib", "numba", _numba),
    "numexpr": Library("numexpr_lib", "numexpr", _nothing),
}


def interpreter(library: str, peers: str) -> str:
    """Return the interpreter that runs the library: this one for ours, ``peers`` for the others."""
    return sys.executable if library == OURS else peers


def installed(peers: str) -> list[str]:
    """Return the libraries that the two interpreters can find."""
    found = []
    for python in dict.fromkeys((sys.executable, peers)):
        mine = [name for name in LIBRARIES if interpreter(name, peers) == python]
        needs = sorted({LIBRARIES[name].needs for name in mine})
        program = f"import importlib.util as u; print(*[n for n in {needs} if u.find_spec(n)])"
        answer = subprocess.run(
            [python, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
        )
        found += [name for name in mine if LIBRARIES[name].needs in answer.stdout.split()]
    return [name for name in LIBRARIES if name in found]


def command(library: str, peers: str) -> Sequence[str]:
    """Return the command line of a worker."""
    adapter = LIBRARIES[library].adapter
    return [interpreter(library, peers), "-m", "benchmarks.perf.worker", adapter]


def environment(library: str, threads: int, caches: Path) -> dict[str, str]:
    """Return the environment of a worker; its compiled code is stored below ``caches``."""
    cache = caches / f"{library}_{threads}"
    cache.mkdir(parents=True, exist_ok=True)
    return {
        **os.environ,
        **dict.fromkeys(_THREADS, str(threads)),
        "PYTHONWARNINGS": "ignore",
        **LIBRARIES[library].environment(threads, str(cache)),
    }
