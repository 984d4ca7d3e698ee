"""Products of many matrices."""

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.rewrites import batched
from symtheano.rewrites.rule import Rule
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.linalg.dot import BatchedDot

FIRES = {
    "transposed_batched_product": lambda cube, box: T.batched_dot(cube, box).transpose(0, 2, 1),
    "product_of_each_matrix": lambda cube, x: T.tensordot(cube, x, [[1], [0]]),
}

RESTS = {
    "transposed_batched_product": lambda cube, box: T.batched_dot(cube, box).transpose(1, 0, 2),
    "product_of_each_matrix": lambda cube, x: T.tensordot(cube, x, [[2], [0]]),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires(name, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests(name, RESTS[name])


def test_every_rule_has_both_examples():
    names = {value.name for value in vars(batched).values() if isinstance(value, Rule)}
    assert set(FIRES) == names
    assert set(RESTS) == names


def test_a_copy_that_is_used_elsewhere_is_multiplied(rests):
    rests("product_of_each_matrix",
          lambda cube, x: T.dot(c := cube.transpose(0, 2, 1).reshape((-1, cube.shape[1])), x)
          + c.sum())  # fmt: skip


@pytest.mark.parametrize("subscripts", ["bct,oc->bot", "oc,bct->bot"])
def test_images_times_a_matrix_are_not_copied(subscripts):
    """Also where there are no images, no channels, or no pixels."""
    x, w = T.dtensor3("x"), T.dmatrix("w")
    operands = [x, w] if subscripts.startswith("b") else [w, x]
    f = function([x, w], T.einsum(subscripts, *operands))
    ops = [type(node.op) for node in f.fgraph.nodes]
    assert BatchedDot in ops
    assert DimShuffle not in ops
    random = np.random.default_rng(1)
    for b, c, t, o in [(4, 3, 5, 2), (1, 3, 1, 2), (0, 3, 5, 2), (4, 0, 5, 2), (4, 3, 0, 2)]:
        images, matrix = random.normal(size=(b, c, t)), random.normal(size=(o, c))
        expected = np.einsum("bct,oc->bot", images, matrix)
        np.testing.assert_allclose(f(images, matrix), expected, rtol=1e-13, atol=1e-14)
    with pytest.raises(ValueError, match="length"):
        f(np.zeros((2, 3, 4)), np.zeros((5, 4)))
