"""Descriptions of PyTensor's graphs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.builders import OpFromGraph
from pytensor.graph.fg import FunctionGraph

from symtheano.graph.digest import digest
from symtheano_pytensor.digest import NoDigestError, described_graph


def described(make: Callable[..., Any], *kinds: Any) -> str:
    inputs = [kind() for kind in kinds or (pt.dvector,)]
    return described_graph(FunctionGraph(inputs, [make(*inputs)], clone=False))


def looped(x: Any, lag: int = -1, factor: float = 0.5) -> Any:
    return pytensor.scan(
        lambda before: factor * before + 1, outputs_info=[{"initial": x, "taps": [lag]}],
        n_steps=5, return_updates=False,
    )  # fmt: skip


def in_graph(x: Any, factor: float) -> Any:
    y = pt.dvector()
    return OpFromGraph([y], [pt.exp(y) * factor])(x)


# Graphs of which no two are equal.
GRAPHS: list[Callable[[Any], Any]] = [
    lambda x: x + 1.0,
    lambda x: x + 1,
    lambda x: x - 1.0,
    lambda x: x + np.float64(1 / 3),
    lambda x: x + np.float32(1 / 3),
    lambda x: x + np.array([1.0, 2.0]),
    lambda x: x + np.array([1.0, 3.0]),
    lambda x: x + np.arange(100.0),
    lambda x: x + np.arange(1.0, 101.0),
    lambda x: x * np.nan,
    lambda x: x * 0.0,
    lambda x: x * -0.0,
    lambda x: x[0],
    lambda x: x[1:],
    lambda x: x[::-1],
    lambda x: x[[0, 1]],
    lambda x: x.sum(),
    lambda x: x.max(),
    lambda x: pt.cumsum(x),
    lambda x: pt.cumprod(x),
    lambda x: pt.cast(x, "float32"),
    lambda x: pt.cast(x, "int64"),
    lambda x: pt.specify_shape(x, (3,)),
    lambda x: pt.specify_shape(x, (4,)),
    lambda x: looped(x, -1),
    lambda x: looped(x, -2),
    lambda x: looped(x, -1, 0.25),
    lambda x: in_graph(x, 2.0),
    lambda x: in_graph(x, 3.0),
    lambda x: pt.linalg.cholesky(pt.outer(x, x)),
    lambda x: pt.linalg.cholesky(pt.outer(x, x), lower=False),
    lambda x: pytensor.grad(pt.sum(pt.gammaln(x)), x),
]


def test_equal_graphs_have_equal_descriptions_and_others_have_not() -> None:
    texts = [described(make) for make in GRAPHS]
    assert texts == [described(make) for make in GRAPHS]
    assert len(set(texts)) == len(GRAPHS)


def test_types_and_names_of_inputs_are_described() -> None:
    def double(x: Any) -> Any:
        return x * 2

    kinds = [pt.dvector, pt.fvector, pt.dmatrix, lambda: pt.dvector("x"),
             lambda: pt.tensor(shape=(3,), dtype="float64")]  # fmt: skip
    assert len({described(double, kind) for kind in kinds}) == len(kinds)
    both = [lambda x, y: x - y, lambda x, y: y - x]
    assert len({described(make, pt.dvector, pt.dvector) for make in both}) == 2


def test_outputs_are_in_order() -> None:
    x = pt.dvector()
    y, z = pt.exp(x), pt.log(x)
    texts = {described_graph(FunctionGraph([x], outputs, clone=False))
             for outputs in ([y, z], [z, y], [y], [y, y])}  # fmt: skip
    assert len(texts) == 4


def test_another_process_gives_the_same_digest() -> None:
    code = (
        "from tests.pytensor.test_digest import GRAPHS, described\n"
        "from symtheano.graph.digest import digest\n"
        "print(digest(''.join(described(make) for make in GRAPHS).encode()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": "123"}, cwd=Path(__file__).parent.parent.parent,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    here = digest("".join(described(make) for make in GRAPHS).encode())
    assert done.stdout.split() == [here]


class Unknown(pytensor.graph.op.Op):
    """An op whose code may change."""

    __props__ = ()

    def make_node(self, x: Any) -> Any:
        return pytensor.graph.basic.Apply(self, [x], [x.type()])

    def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
        raise NotImplementedError


def test_what_is_not_pytensors_has_no_description() -> None:
    with pytest.raises(NoDigestError, match="Unknown"):
        described(lambda x: Unknown()(x))
