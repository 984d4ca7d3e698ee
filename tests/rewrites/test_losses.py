"""Normal forms of common losses, which are those that one would write by hand."""

import numpy as np

import symtheano.tensor as T
from symtheano.gradient import grad
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.walk import free_inputs
from symtheano.interpret import interpret
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.linalg.gemm import Gemm
from symtheano.tensor.nnet.labels import class_labels
from symtheano.tensor.shapes.same_shape import SameShape

CHECKED = {
    "x": (4, 3), "w": (3, 5), "b": (5,), "z": (4, 5), "t": (4, 5), "w1": (3, 6), "b1": (6,),
    "w2": (6, 5), "b2": (5,), "r": (),
}  # fmt: skip


LABELS = {"y": [0, 4, -1, 2], "classes": [0, 4, 3, 2]}
"""Values of labels: those of an index may be negative, classes may not."""


def normal(outputs):
    inputs = free_inputs(outputs)
    graph = FunctionGraph(inputs, outputs)
    after = Rewriter(default_rules()).rewrite(graph)
    random = np.random.default_rng(3)
    values = [
        np.array(LABELS[item.name], "int32") if item.name in LABELS
        else np.asarray(random.uniform(0.1, 0.9, CHECKED[item.name]))
        for item in inputs
    ]  # fmt: skip
    for expected, found in zip(interpret(graph, values), interpret(after, values), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9)
    return after


def rows(graph):
    return [
        getattr(getattr(n.op, "scalar_op", None), "name", type(n.op).__name__) for n in graph.nodes
    ]


def test_softmax_with_labels():
    z, y = T.dmatrix("z"), T.ivector("y")
    loss = -T.mean(T.log(T.nnet.softmax(z))[T.arange(y.shape[0]), y])
    graph = normal([loss, grad(loss, z)])
    assert not any(isinstance(node.op, AdvancedIncSubtensor) for node in graph.nodes)
    assert rows(graph).count("exp") == 1
    assert rows(graph).count("log") == 1
    gradient = graph.outputs[1].owner
    assert gradient.op.scalar_op.name == "mul"
    probabilities, one_hot = gradient.inputs[0].owner.inputs
    assert probabilities.owner.op.scalar_op.name == "mul"
    assert one_hot.owner.inputs[0].owner.op.scalar_op.name == "eq"


def test_categorical_crossentropy_gives_the_same_graph():
    z, y = T.dmatrix("z"), T.ivector("classes")
    p = T.nnet.softmax(z)
    one = T.nnet.categorical_crossentropy(p, y).mean()
    labels = class_labels("categorical_crossentropy", SameShape()(y, z.shape[0]), p)
    other = -T.mean(T.log(p)[T.arange(labels.shape[0]), labels])
    graph = normal([one, other, grad(one, z), grad(other, z)])
    assert graph.outputs[0] is graph.outputs[1]
    assert graph.outputs[2] is graph.outputs[3]


def test_softmax_with_distributions():
    z, t = T.dmatrix("z"), T.dmatrix("t")
    loss = T.nnet.categorical_crossentropy(T.nnet.softmax(z), t).mean()
    graph = normal([loss, grad(loss, z)])
    assert rows(graph).count("true_div") == 2  # the mean, and exp / sum
    assert rows(graph).count("exp") == 1


def test_binary_crossentropy():
    z, t = T.dmatrix("z"), T.dmatrix("t")
    loss = T.nnet.binary_crossentropy(T.nnet.sigmoid(z), t).mean()
    graph = normal([loss, grad(loss, z)])
    difference = graph.outputs[1].owner.inputs[0].owner
    assert difference.op.scalar_op.name == "sub"
    assert difference.inputs[0].owner.op.scalar_op.name == "sigmoid"
    assert difference.inputs[1] is t
    assert "log" not in rows(graph)


def test_layers_are_updated_by_blas():
    x, t, rate = T.dmatrix("x"), T.dmatrix("t"), T.dscalar("r")
    w1, b1, w2, b2 = T.dmatrix("w1"), T.dvector("b1"), T.dmatrix("w2"), T.dvector("b2")
    loss = T.sqr(T.dot(T.tanh(T.dot(x, w1) + b1), w2) + b2 - t).mean()
    updated = [p - rate * grad(loss, p) for p in (w1, b1, w2, b2)]
    graph = normal([loss, *updated])
    assert sum(isinstance(node.op, Gemm) for node in graph.nodes) == 2
    assert sum(isinstance(node.op, Dot) for node in graph.nodes) == 3
    assert rows(graph).count("tanh") == 1


def test_weight_decay_is_part_of_the_blas_call():
    x, w, t = T.dmatrix("x"), T.dmatrix("w"), T.dmatrix("t")
    loss = 0.5 * T.sqr(T.dot(x, w) - t).sum() + 0.01 * (w**2).sum()
    graph = normal([w - 0.1 * grad(loss, w)])
    step = graph.outputs[0].owner
    assert isinstance(step.op, Gemm)
    assert step.inputs[1].data == -0.1
    assert np.isclose(step.inputs[4].data, 1 - 0.1 * 0.02)


def test_gradient_of_softplus_is_sigmoid():
    z = T.dmatrix("z")
    graph = normal([grad(T.log(1 + T.exp(z)).sum(), z)])
    assert rows(graph) == ["sigmoid"]


def test_probabilities_of_zero_do_no_harm():
    z, y = T.dmatrix("z"), T.ivector("y")
    loss = -T.mean(T.log(T.nnet.softmax(z))[T.arange(y.shape[0]), y])
    graph = FunctionGraph([z, y], [loss, grad(loss, z)])
    after = Rewriter(default_rules()).rewrite(graph)
    value, gradient = interpret(after, [np.array([[1000.0, -1000.0]]), np.array([1], "int32")])
    assert value == 2000
    np.testing.assert_array_equal(gradient, [[1.0, -1.0]])


def test_labels_are_still_checked():
    z, y = T.dmatrix("z"), T.ivector("y")
    loss = -T.mean(T.log(T.nnet.softmax(z))[T.arange(y.shape[0]), y])
    graph = FunctionGraph([z, y], [grad(loss, z)])
    after = Rewriter(default_rules()).rewrite(graph)
    with np.testing.assert_raises_regex(IndexError, "outside its axis of length 2"):
        interpret(after, [np.zeros((1, 2)), np.array([2], "int32")])
    with np.testing.assert_raises_regex(ValueError, "holds 1 indices for 2 rows"):
        interpret(after, [np.zeros((2, 2)), np.array([1], "int32")])
