"""Times of old programs: with Theano and its C++ compiler, and with symtheano under its name.

::

    git clone https://github.com/lisa-lab/DeepLearningTutorials
    python benchmarks/old_programs.py DeepLearningTutorials/code --theano PYTHON_WITH_THEANO

Each program runs in a process of its own, by turns with one and the other, on made data in the
format that it reads, with one processor and as many epochs. The table has the seconds that the
calls of compiled functions took, without the first call of each, the least of the rounds; and the
seconds from the start of the program to its end, with compilation: those of the first round have
empty caches. The other interpreter reads this file, too, which is written for Python 3.7.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "logistic_sgd": ("sgd_optimization_mnist", {"n_epochs": 4}),
    "logistic_cg": ("cg_optimization_mnist", {"n_epochs": 4}),
    "mlp": ("test_mlp", {"n_epochs": 2}),
    "convolutional_mlp": ("evaluate_lenet5", {"n_epochs": 1, "nkerns": [5, 5]}),
    "dA": ("test_dA", {"training_epochs": 1, "output_folder": "dA"}),
    "cA": ("test_cA", {"training_epochs": 1, "output_folder": "cA"}),
    "SdA": ("test_SdA", {"pretraining_epochs": 1, "training_epochs": 1, "batch_size": 300}),
    "DBN": ("test_DBN", {"pretraining_epochs": 1, "training_epochs": 1, "batch_size": 300}),
    "rbm": (
        "test_rbm",
        {"training_epochs": 1, "batch_size": 300, "n_chains": 1, "n_samples": 1},
    ),
    "lstm": ("train_lstm", {"max_epochs": 1, "test_size": 200, "saveto": "lstm.npz"}),
}
"""Programs: the function to call, and its arguments."""
ROWS = 6000, 1000, 1000


def make_data(folder: Path) -> None:
    """Write digits and reviews of random numbers, in the formats of MNIST's and IMDB's files."""
    numbers = np.random.RandomState(1)
    sets = [
        (numbers.uniform(size=(n, 784)).astype("float32"), numbers.randint(0, 10, n)) for n in ROWS
    ]
    with gzip.open(str(folder / "mnist.pkl.gz"), "wb", compresslevel=1) as file:
        pickle.dump(sets, file, 2)

    def reviews(count: int) -> Any:
        texts = [numbers.randint(2, 9000, numbers.randint(20, 90)).tolist() for _ in range(count)]
        return texts, numbers.randint(0, 2, count).tolist()

    with (folder / "imdb.pkl").open("wb") as file:
        pickle.dump(reviews(1000), file, 2)
        pickle.dump(reviews(200), file, 2)


def run_program(code: Path, program: str) -> None:
    """Run a program in this process; print the time of its calls, and how many there were."""
    try:
        import theano
    except ImportError:
        sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
        from symtheano import compat

        compat.install()
        import theano
    spent, calls, plain = [0.0], [0], theano.function

    def function(*args: Any, **kwargs: Any) -> Any:
        made, called = plain(*args, **kwargs), [False]

        def call(*values: Any, **named: Any) -> Any:
            start = time.perf_counter()
            result = made(*values, **named)
            if called[0]:
                spent[0] += time.perf_counter() - start
                calls[0] += 1
            called[0] = True
            return result

        return call

    theano.function = function
    sys.path.insert(0, str(code))
    name, options = PROGRAMS[program]
    getattr(importlib.import_module(program), name)(**options)
    print(json.dumps([spent[0], calls[0]]))


def timed(python: str, code: Path, program: str, data: Path, env: dict[str, str]) -> Any:
    """Return seconds of calls, their number, and seconds of all; or why there are none."""
    command = [python, __file__, str(code), "--run", program]
    start = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=str(data),
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        return done.stderr.strip().split("\n")[-1]
    spent, calls = json.loads(done.stdout.strip().split("\n")[-1])
    return spent, calls, time.perf_counter() - start


def compare(code: Path, theano: str, programs: list[str], rounds: int, dtype: str) -> None:
    """Run programs with one and the other, and print a table."""
    flags = f"floatX={dtype},gcc.cxxflags=-O3 -march=native"
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        make_data(data)
        one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "SYMTHEANO_THREADS"), "1")
        ways = {
            "theano": (theano, {"THEANO_FLAGS": f"{flags},base_compiledir={data}/theano"}),
            "symtheano": (sys.executable, {"THEANO_FLAGS": f"floatX={dtype}",
                                           "SYMTHEANO_CACHE_DIR": f"{data}/symtheano"}),
        }  # fmt: skip
        print("program, calls | s of calls: theano, symtheano, ratio | s of all, first round")
        for program in programs:
            runs: dict[str, list[Any]] = {name: [] for name in ways}
            for _ in range(rounds):
                for name, (python, environment) in ways.items():
                    runs[name].append(timed(python, code, program, data, {**one, **environment}))
            failed = {name: runs[name][0] for name in ways if isinstance(runs[name][0], str)}
            if failed:
                print(program, failed, flush=True)
                continue
            least = {name: min(spent for spent, _, _ in runs[name]) for name in ways}
            whole = [round(runs[name][0][2], 1) for name in ways]
            ratio = least["symtheano"] / least["theano"]
            print(f"{program}, {runs['theano'][0][1]} | {least['theano']:.2f}, "
                  f"{least['symtheano']:.2f}, {ratio:.2f} | {whole}", flush=True)  # fmt: skip


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("code", type=Path, help="the folder of the programs")
    parser.add_argument("--theano", help="an interpreter of Python that has Theano")
    parser.add_argument("--only", default=",".join(PROGRAMS), help="programs, with commas")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--floatX", default="float64")
    parser.add_argument("--run", help=argparse.SUPPRESS)
    options = parser.parse_args()
    code = options.code.resolve()
    if options.run:
        run_program(code, options.run)
    else:
        compare(code, options.theano, options.only.split(","), options.rounds, options.floatX)


if __name__ == "__main__":
    main()
