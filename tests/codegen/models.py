"""Functions whose C is kept in golden files. Lines here stand in those files: edit with care."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import function, grad, scan, scan_module, shared
from symtheano.function import Function


def network_step() -> Function:
    """One step of gradient descent of a two-layer network with softmax."""
    x, y, rate = T.fmatrix("x"), T.ivector("y"), T.fscalar("rate")
    W1, b1 = shared(np.zeros((64, 128), "float32"), "W1"), shared(np.zeros(128, "float32"), "b1")
    W2, b2 = shared(np.zeros((128, 10), "float32"), "W2"), shared(np.zeros(10, "float32"), "b2")
    h = T.tanh(T.dot(x, W1) + b1)
    p = T.nnet.softmax(T.dot(h, W2) + b2)
    loss = -T.mean(T.log(p)[T.arange(y.shape[0]), y])
    params = [W1, b1, W2, b2]
    updates = [(q, q - rate * g) for q, g in zip(params, grad(loss, params), strict=True)]
    return function([x, y, rate], loss, updates=updates, name="network_step")


def softmax_rows() -> Function:
    """Softmax along the rows of a matrix."""
    x = T.fmatrix("x")
    return function([x], T.nnet.softmax(x), name="softmax_rows")


def layer_norm_grad() -> Function:
    """Layer normalization of rows, and its gradient."""
    x, g, b, c = T.fmatrix("x"), T.fvector("g"), T.fvector("b"), T.fmatrix("c")
    centred = x - x.mean(axis=1, keepdims=True)
    variance = T.sqr(centred).mean(axis=1, keepdims=True)
    y = centred / T.sqrt(variance + np.float32(1e-5)) * g + b
    cost = (y * c).sum()
    return function([x, g, b, c], [y, *grad(cost, [x, g, b])], name="layer_norm_grad")


def likelihood() -> Function:
    """A Gaussian log-likelihood and its gradient in mean and log-scale: one pass over the data."""
    x, mu, s = T.dvector("x"), T.dscalar("mu"), T.dscalar("s")
    z = (x - mu) * T.exp(-s)
    cost = (-0.5 * T.sqr(z) - s).sum()
    return function([x, mu, s], [cost, *grad(cost, [mu, s])], name="likelihood")


def polynomial() -> Function:
    """An elementwise expression of two vectors."""
    a, b = T.fvector("a"), T.fvector("b")
    return function([a, b], a * a + b * b + 2 * a * b, name="polynomial")


def add_bias() -> Function:
    """A row vector repeated along a matrix: two loops."""
    x, b = T.fmatrix("x"), T.fvector("b")
    return function([x, b], T.nnet.relu(x + b), name="add_bias")


def total() -> Function:
    """The sum of a matrix."""
    x = T.fmatrix("x")
    return function([x], x.sum(), name="total")


def columns() -> Function:
    """Sums of columns, and the largest of each row."""
    x = T.fmatrix("x")
    return function([x], [x.sum(axis=0), x.max(axis=1)], name="columns")


def embedding() -> Function:
    """Rows of a table, and the dense gradient of the table."""
    table, ids = T.fmatrix("table"), T.lvector("ids")
    cost = T.tanh(table[ids]).sum()
    return function([table, ids], [cost, grad(cost, table)], name="embedding")


def momentum() -> Function:
    """An update of a parameter and its velocity, both in place."""
    w, v = shared(np.zeros(4, "float32"), "w"), shared(np.zeros(4, "float32"), "v")
    g = T.fvector("g")
    new = np.float32(0.9) * v - np.float32(0.1) * g
    return function([g], [], updates=[(v, new), (w, w + new)], name="momentum")


def sorted_columns() -> Function:
    """The columns of a matrix in order, and its middle numbers."""
    x = T.fmatrix("x")
    return function(
        [x], [T.sort(x, axis=0), T.sort(x.flatten())[x.size // 2]], name="sorted_columns"
    )


def spectrum() -> Function:
    """The power at each frequency of several signals."""
    x = T.fmatrix("x")
    parts = T.fft.theano_rfft(x, norm="ortho")
    return function([x], (parts**2).sum(axis=2), name="spectrum")


def ridge() -> Function:
    """Regression by the Cholesky factor of the normal equations."""
    x, y = T.fmatrix("x"), T.fvector("y")
    normal = T.dot(x.T, x) + T.eye(x.shape[1], dtype="float32")
    factor = T.slinalg.cholesky(normal)
    weights = T.slinalg.cho_solve((factor, True), T.dot(x.T, y))
    return function([x, y], weights, name="ridge")


def convolution_step() -> Function:
    """One step of gradient descent of two convolutions, with bias, activation and pooling."""
    x, t = T.ftensor4("x"), T.ftensor4("t")
    v = shared(np.zeros((4, 3, 3, 3), "float32"), "v")
    w = shared(np.zeros((2, 4, 3, 3), "float32"), "w")
    b = shared(np.zeros(4, "float32"), "b")
    y = T.nnet.conv2d(x, v, border_mode="half", filter_shape=(4, 3, 3, 3))
    h = T.signal.pool.pool_2d(T.nnet.relu(y + b.dimshuffle("x", 0, "x", "x")), (2, 2), True)
    z = T.nnet.conv2d(h, w, border_mode="half", filter_shape=(2, 4, 3, 3))
    cost = T.sqr(z - t).mean()
    rate = np.float32(0.1)
    updates = [(p, p - rate * g) for p, g in zip((v, w, b), grad(cost, [v, w, b]), strict=True)]
    return function([x, t], cost, updates=updates, name="convolution_step")


def convolution_layer() -> Function:
    """A convolution with bias, batch normalization at inference, and activation: one call."""
    x, w = T.ftensor4("x"), T.ftensor4("w")
    shift, scale, mean, var = (T.fvector(name) for name in ("shift", "scale", "mean", "var"))
    y = T.nnet.conv2d(x, w, border_mode="half", filter_shape=(4, 3, 3, 3))
    y = T.nnet.bn.batch_normalization_test(y, scale, shift, mean, var, axes="spatial")
    return function([x, w, scale, shift, mean, var], T.nnet.relu(y), name="convolution_layer")


def pooling() -> Function:
    """The largest elements and the averages of windows, and gradients of both."""
    x, g = T.ftensor4("x"), T.ftensor4("g")
    y = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1))
    z = T.signal.pool.pool_2d(x, (3, 3), True, (2, 2), (1, 1), "average_exc_pad")
    grads = [grad((made * g).sum(), x) for made in (y, z)]
    return function([x, g], [y, z, *grads], name="pooling")


def halvings() -> Function:
    """All values of a loop that ends by a condition, whose memory grows."""
    x, n = T.dvector("x"), T.lscalar("n")
    rows, _ = scan(
        lambda a: (a * 0.5, scan_module.until(a.max() < 1e-3)), outputs_info=x, n_steps=n
    )
    return function([x, n], rows, name="halvings")


MODELS: list[Callable[[], Function]] = [
    network_step,
    softmax_rows,
    layer_norm_grad,
    likelihood,
    polynomial,
    add_bias,
    total,
    columns,
    embedding,
    momentum,
    sorted_columns,
    spectrum,
    ridge,
    convolution_step,
    convolution_layer,
    pooling,
    halvings,
]
SHAPES: dict[str, list[Any]] = {
    "network_step": [(9, 64), "labels:10:9", ()],
    "softmax_rows": [(7, 13)],
    "layer_norm_grad": [(6, 11), (11,), (11,), (6, 11)],
    "likelihood": [(100,), (), ()],
    "polynomial": [(1000,), (1000,)],
    "add_bias": [(5, 8), (8,)],
    "total": [(37, 19)],
    "columns": [(31, 17)],
    "embedding": [(12, 5), "labels:12:30"],
    "momentum": [(4,)],
    "sorted_columns": [(9, 6)],
    "spectrum": [(3, 20)],
    "ridge": [(20, 4), (20,)],
    "convolution_step": [(3, 3, 8, 10), (3, 2, 4, 5)],
    "convolution_layer": [(2, 3, 7, 6), (4, 3, 3, 3), (4,), (4,), (4,), (4,)],
    "pooling": [(2, 3, 9, 12), (2, 3, 5, 6)],
    "halvings": [(40,), "n"],
}
