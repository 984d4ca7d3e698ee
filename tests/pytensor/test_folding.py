"""Constants that are computed while PyTensor rewrites."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest

from symtheano_pytensor import folding


@pytest.mark.parametrize("name", ["gammaln", "gamma", "erf", "erfc"])
@pytest.mark.parametrize("value", [np.array([1, 4, 7]), np.array(2.5), np.float32([[0.5, 3.0]])])
def test_values_and_types_are_those_of_pytensor(name: str, value: Any) -> None:
    node = getattr(pt, name)(pt.constant(value)).owner
    ours = folding.computed_in_c(node)
    (theirs,) = folding.constant_folding.transform(None, node)
    assert ours.type == theirs.type
    np.testing.assert_allclose(ours.data, theirs.data, rtol=1e-14 if value.itemsize == 8 else 1e-6)


@pytest.mark.parametrize(
    "output",
    [pt.psi(pt.constant(2.0)), pt.exp(pt.constant(2.0)), pt.gammaln(pt.dscalar()),
     pt.gammaln(pt.constant(np.ones(folding.AT_MOST + 1)))],
)  # fmt: skip
def test_other_nodes_are_left_to_pytensor(output: Any) -> None:
    assert folding.computed_in_c(output.owner) is None


def test_no_node_of_constants_remains() -> None:
    x = pt.dscalar("x")
    function = pytensor.function(
        [x], x + pt.gammaln(pt.constant(np.array(5.0))) * 2, mode="SYMTHEANO"
    )
    np.testing.assert_allclose(function(1.0), 1.0 + 2 * np.log(24.0), rtol=1e-14)
    assert [len(node.inputs) for node in function.maker.fgraph.apply_nodes] == [2]
