"""What jedi completes, as in IPython and Jupyter: names, and methods of results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import jedi
import pytest

ROOT = Path(__file__).parent.parent
PROGRAM = """
import numpy as np
import symtheano
import symtheano.tensor as T
from symtheano import nn
"""

ARRAY = {"sum", "dot", "reshape", "T", "exp"}
SHARED = {"get_value", "set_value", *ARRAY}

# Expressions and some of what is offered after their dots.
OFFERED = [
    ("T", {"dvector", "tanh", "sum", "linalg", "random", "special", "fft", "sort"}),
    ("T.linalg", {"solve", "inv", "det", "svd", "eigvalsh", "cholesky"}),
    ("T.random", {"normal", "default_rng", "RandomStreams", "permutation"}),
    ("T.special", {"expit", "gammaln", "erf", "softmax", "round"}),
    ("T.nnet", {"relu", "sigmoid", "conv2d", "dropout"}),
    ("T.signal", {"pool", "conv"}),
    ("nn", {"Dense", "Sequential", "relu", "reduce_sum", "losses"}),
    ("nn.activations", {"sigmoid", "relu", "tanh", "gelu", "softmax", "swish"}),
    ("nn.losses", {"mean_squared_error", "huber"}),
    ("symtheano", {"function", "grad", "shared", "scan", "nn", "sparse"}),
    ("T.dvector('x')", ARRAY),
    ("T.tanh(1.0)", ARRAY),
    ("T.linalg.solve(T.eye(3), T.eye(3))", ARRAY),
    ("T.special.expit(1.0)", ARRAY),
    ("T.sort(T.dvector('x'))", ARRAY),
    ("symtheano.shared(0.0)", SHARED),
    ("symtheano.shared(np.zeros(3), 'w')", SHARED),
    ("T.random.default_rng(0)", {"normal", "uniform", "integers"}),
    ("T.random.default_rng(0).normal(size=3)", ARRAY),
    ("T.random.normal(size=3)", ARRAY),
    ("nn.relu(nn.Input((3,)))", ARRAY),
    ("nn.reduce_sum(nn.Input((3,)), axis=1)", ARRAY),
    ("nn.placeholder('float32')", ARRAY),
    ("nn.Variable(0.0)", SHARED),
    ("nn.Dense(3)", {"units", "activation", "get_weights"}),
    ("nn.Dense(3)(nn.Input((2,)))", {"train", "parameters", "mean", "reshape", "T"}),
    ("nn.Sequential().dense(3)", {"dense", "conv2d", "fit", "predict", "summary"}),
    ("nn.Model()", {"fit", "predict", "save"}),
    ("symtheano.function([], 1)", {"c_source", "profile"}),
]


@pytest.fixture(scope="module")
def offered() -> Iterator[Callable[[str], set[str]]]:
    """Return the function that completes after an expression and a dot."""
    cache, jedi.settings.cache_directory = (
        jedi.settings.cache_directory,
        ROOT / ".pytest_cache" / "jedi",
    )

    def complete(text: str) -> set[str]:
        script = jedi.Script(f"{PROGRAM}{text}.", project=jedi.Project(ROOT))
        return {item.name for item in script.complete()}

    yield complete
    jedi.settings.cache_directory = cache


@pytest.mark.slow
@pytest.mark.parametrize(("text", "names"), OFFERED)
def test_completion(text: str, names: set[str], offered: Callable[[str], set[str]]) -> None:
    assert names - offered(text) == set()


OVERLOADED = """symtheano.grad symtheano.Rop symtheano.scan symtheano.shared T.where T.linalg.lstsq
    T.linalg.svd""".split()


@pytest.mark.slow
@pytest.mark.parametrize("name", OVERLOADED)
def test_help_for_functions_with_several_signatures(name: str) -> None:
    program = f"{PROGRAM}{name}"
    last = program.count("\n") + 1
    (described,) = jedi.Script(program, project=jedi.Project(ROOT)).help(last, len(name))
    assert "Examples" in described.docstring(raw=True)
