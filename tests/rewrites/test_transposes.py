"""Elementwise operations and joins between a reordering of axes and its inverse."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano.rewrites import transposes
from symtheano.rewrites.rule import Rule
from symtheano.tensor.elemwise import DimShuffle

LAST, FIRST = (0, 2, 1), (1, 2, 0)


def there_and_back(x, function):
    return function(x.dimshuffle(*FIRST)).dimshuffle(*transposes.inverse(FIRST))


FIRES = {
    "alone": lambda cube: there_and_back(cube, T.exp),
    "several": lambda cube: there_and_back(cube, lambda x: T.exp(x) + T.sqr(x)),
    "vector": lambda cube, v: there_and_back(cube, lambda x: T.exp(x) * v),
    "two": lambda cube, box: there_and_back(
        cube, lambda x: T.exp(x) - T.cos(box.dimshuffle(*FIRST))
    ),
    "sum": lambda cube: T.sum(T.sqr(cube.dimshuffle(*FIRST)), axis=(0, 2)),
    "joined": lambda cube, box: there_and_back(
        cube, lambda x: T.join(1, T.exp(x), box.dimshuffle(*FIRST))
    ),
    "mask": lambda cube, box: there_and_back(cube, lambda x: T.switch(box > 0, T.exp(x), 0.0)),
    "used_otherwise": lambda cube: (
        there_and_back(cube, T.exp) * T.exp(cube.dimshuffle(*FIRST)).max(axis=(0, 1))
    ),
}

RESTS = {
    "not_back": lambda cube: T.exp(cube.dimshuffle(*FIRST)),
    "another_order": lambda cube: T.exp(cube.dimshuffle(*FIRST)).dimshuffle(*FIRST),
    "matrix": lambda x: T.exp(x.T),
    "two_orders": lambda cube, box: there_and_back(cube, lambda x: T.exp(x) * box),
    "part": lambda cube: cube[1:].T[:, :, ::-1].sum(1),
    "different_orders": lambda cube, box: (
        T.exp(cube.dimshuffle(*FIRST)) + T.exp(box.dimshuffle(*LAST))
    ).dimshuffle(*LAST),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name, fires):
    fires("operations_between_transposes", FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name, rests):
    rests("operations_between_transposes", RESTS[name])


def test_all_rules_have_examples():
    names = {item.name for item in vars(transposes).values() if isinstance(item, Rule)}
    assert names == {"operations_between_transposes"}


@pytest.mark.parametrize("name", [name for name in FIRES if name not in ("used_otherwise", "mask")])
def test_nothing_is_reordered(name):
    cube, box, v = T.tensor3("cube"), T.tensor3("box"), T.vector("v")
    given = {"cube": cube, "box": box, "v": v}
    code = FIRES[name].__code__
    inputs = [given[key] for key in code.co_varnames[: code.co_argcount]]
    f = symtheano.function(inputs, FIRES[name](*inputs), mode="INTERPRET")
    nodes = [n for n in f.maker.fgraph.toposort() if isinstance(n.op, DimShuffle)]
    moved = [n for n in nodes if "x" not in n.op.new_order and n.inputs[0] is not box]
    assert not moved


def test_reordered_twice():
    cube = T.tensor3("cube")
    back = T.tanh(cube.dimshuffle(*FIRST)).dimshuffle(*transposes.inverse(FIRST))
    y = T.tanh((back * back.mean(axis=0)).dimshuffle(*FIRST)).dimshuffle(*transposes.inverse(FIRST))
    f = symtheano.function([cube], y, mode="INTERPRET")
    nodes = f.maker.fgraph.toposort()
    assert not [n for n in nodes if isinstance(n.op, DimShuffle) and "x" not in n.op.new_order]


def test_other_readers_get_what_they_read():
    cube = T.tensor3("cube")
    middle = T.exp(cube.dimshuffle(*FIRST))
    f = symtheano.function([cube], [middle, middle.dimshuffle(*transposes.inverse(FIRST)) * 2])
    data = np.random.default_rng(0).normal(size=(2, 3, 4))
    there, back = f(data)
    assert_array_equal(there, back.transpose(FIRST) / 2)
    assert f(np.zeros((0, 3, 4)))[0].shape == (3, 4, 0)
