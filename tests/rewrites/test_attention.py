"""Attention in plain operations: which forms become one op, and which must not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, shared
from symtheano.errors import ShapeError
from symtheano.rewrites import attention, attention_scores
from symtheano.rewrites.rule import Rule
from symtheano.tensor.linalg.dot import BatchedDot, Dot
from symtheano.tensor.nnet.attention import Attends, Attention, AttentionGradient

NAME = "attention_by_blocks"
REWRITTEN = Mode("interpret")  # by all rules
PLAIN = REWRITTEN.excluding(NAME)
softmax = T.nnet.softmax

FIRES = {
    "plain": lambda x, y, w: T.dot(softmax(T.dot(x, y.T)), w),
    "batches": lambda cube, box: T.batched_dot(
        softmax(T.batched_dot(cube, exchanged(cube))), box
    ),
    "factors": lambda x, y, w, s: T.dot(softmax(-T.dot(x, y.T) * s / 3), w),
    "bias": lambda x, y, w, v: T.dot(softmax(v + T.dot(x, y.T) * 0.5), w),
    "transposed": lambda x, y, w: T.dot(w.T, softmax(T.dot(x, y.T)).T),
    "condition": lambda x, y, w, b: T.dot(softmax(T.switch(b, T.dot(x, y.T) - x, -1e9)), w),
}  # fmt: skip

KEYS = shared(np.ones((3, 3)), "keys")

RESTS = {
    "sum": lambda x, y, w: T.dot(p := softmax(T.dot(x, y.T)), w) + p.sum(),
    "scores": lambda x, y, w: T.dot(softmax(s := T.dot(x, y.T)), w) + s.sum(),
    "columns": lambda x, y, w: T.dot(softmax(T.dot(x, y.T), axis=0), w),
    "no product": lambda x, w: T.dot(softmax(x), w),
    "no values": lambda x, y: softmax(T.dot(x, y.T)),
    "two products": lambda x, y, w: T.dot(p := softmax(T.dot(x, y.T)), w) + T.dot(p, x),
    "not linear": lambda x, y, w: T.dot(softmax(T.tanh(T.dot(x, y.T))), w),
    "a matrix as fill": lambda x, y, w, b: T.dot(softmax(T.switch(b, T.dot(x, y.T), x)), w),
    "row sums": lambda x, y, w: T.dot(softmax(T.dot(x, y.T) * x), w),
    "square": lambda x, y: T.dot(p := softmax(T.dot(x, y.T)), p),
    "parameters": lambda x: T.dot(softmax(T.dot(x, KEYS)), KEYS.T),
    "a few known": lambda pair, x: T.dot(softmax(T.dot(pair, pair.T)), pair),
}


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str, fires: Callable[..., None]) -> None:
    fires(NAME, FIRES[name])


@pytest.mark.parametrize("name", RESTS)
def test_rests(name: str, rests: Callable[..., None]) -> None:
    rests(NAME, RESTS[name])


def test_every_rule_has_examples() -> None:
    modules = (attention, attention_scores)
    names = [v.name for m in modules for v in vars(m).values() if isinstance(v, Rule)]
    assert names == [NAME]


def ops_of(f: Any) -> list[Any]:
    """Return the classes of the products and attentions of a function."""
    kinds = (Attends, Dot, BatchedDot)
    return [type(node.op) for node in f.fgraph.nodes if isinstance(node.op, kinds)]


def compare(inputs: list[Any], outputs: list[Any], arrays: list[Any], wanted: list[Any]) -> None:
    """Compare the values of both forms, and look which operations there are."""
    fused, plain = function(inputs, outputs), function(inputs, outputs, mode=PLAIN)
    assert ops_of(fused) == wanted
    assert not any(issubclass(op, Attends) for op in ops_of(plain))
    for one, two in zip(fused(*arrays), plain(*arrays), strict=True):
        assert one.dtype == two.dtype
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-11)


def exchanged(x: Any) -> Any:
    return x.dimshuffle(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)


def masked(kind: str, scores: Any, q: Any, k: Any) -> Any:
    """Return masked scores."""
    rows, keys = T.arange(q.shape[-2])[:, None], T.arange(k.shape[-2])[None, :]
    if kind == "causal":
        return T.switch(T.ge(rows, keys), scores, -np.inf)
    if kind == "later":
        return T.where(rows < keys, -1e9, scores)
    if kind == "triangle":
        return T.switch(T.eq(T.tril(T.ones((q.shape[-2], k.shape[-2]))), 0), -1e30, scores)
    if kind == "added":
        return scores + (T.cast(T.ge(rows, keys), "float64") - 1) * 1e9
    if kind == "near":
        return T.switch(abs(rows - keys) < 5, scores, -np.inf) / 2
    return scores


CAUSAL = ("causal", "later", "triangle")


@pytest.mark.parametrize("kind", [*CAUSAL, "added", "near", "none"])
@pytest.mark.parametrize("ndim", [2, 3, 4])
def test_results_and_gradients(ndim: int, kind: str) -> None:
    batch = (2, 3)[: ndim - 2]
    q, k, v, g = (T.tensor(n, dtype="float64", shape=(None,) * ndim) for n in "qkvg")
    rng = np.random.default_rng(ndim)
    arrays = [rng.normal(size=(*batch, n, 8)) for n in (130, 300, 300, 130)]
    scores = masked(kind, T.matmul(q, exchanged(k)) / T.sqrt(T.cast(q.shape[-1], "float64")), q, k)
    result = T.matmul(softmax(scores, axis=-1), v)
    slopes = grad((result * g).sum(), [q, k, v])
    if kind == "near":  # a factor after the choice is none of the scores
        fused = function([q, k, v, g], [result, *slopes], mode=REWRITTEN)
        assert not any(issubclass(op, Attends) for op in ops_of(fused))
        return
    compare([q, k, v, g], [result, *slopes], arrays, [Attention, AttentionGradient])
    choices = {
        node.op.choice
        for node in function([q, k, v], result, mode=REWRITTEN).fgraph.nodes
        if isinstance(node.op, Attends)
    }
    assert choices == {"causal" if kind in CAUSAL else "all"}


def test_the_gradient_of_a_loss() -> None:
    """The gradient of the result is an expression of the result."""
    q, k, v, y = (T.dtensor4(name) for name in "qkvy")
    bias = T.tensor("bias", dtype="float64", shape=(None, 1, 1, None))
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(2, 3, n, 8)) for n in (70, 90, 90, 70)]
    arrays.append(rng.normal(size=(2, 1, 1, 90)))
    result = T.matmul(softmax(T.matmul(q, exchanged(k)) * 0.3 + bias), v)
    cost = T.sqr(result - y).mean()
    compare([q, k, v, y, bias], [cost, *grad(cost, [q, k, v])], arrays,
            [Attention, AttentionGradient])  # fmt: skip


@pytest.mark.parametrize("wrt", ["q", "k", "qv"])
def test_some_gradients(wrt: str) -> None:
    names = {name: T.dtensor3(name) for name in "qkvg"}
    q, k, v, g = names.values()
    rng = np.random.default_rng(2)
    arrays = [rng.normal(size=(2, n, 8)) for n in (70, 90, 90, 70)]
    result = T.batched_dot(softmax(T.batched_dot(q, exchanged(k))), v)
    slopes = grad((result * g).sum(), [names[name] for name in wrt])
    compare([q, k, v, g], slopes, arrays, [Attention, AttentionGradient])


def test_the_gradient_of_the_values_alone_is_a_product() -> None:
    q, k, v, g = (T.dmatrix(name) for name in "qkvg")
    result = T.dot(softmax(T.dot(q, k.T)), v)
    f = function([q, k, g, v], grad((result * g).sum(), v))
    assert not any(issubclass(op, Attends) for op in ops_of(f))


def test_the_gradient_of_a_mask_needs_all_scores() -> None:
    q, k, v, m = (T.dmatrix(name) for name in "qkvm")
    result = T.dot(softmax(T.dot(q, k.T) + m), v)
    f = function([q, k, v, m], grad(result.sum(), [q, m]))
    assert not any(issubclass(op, Attends) for op in ops_of(f))


def test_shares_that_are_dropped_stay_in_memory() -> None:
    q, k, v, m = (T.dmatrix(name) for name in "qkvm")
    result = T.dot(softmax(T.dot(q, k.T)) * m, v)
    f = function([q, k, v, m], [result, *grad(result.sum(), [q, v])])
    assert not any(issubclass(op, Attends) for op in ops_of(f))


@pytest.mark.parametrize("dtype", ["float16", "complex64"])
def test_other_dtypes_keep_their_operations(dtype: str) -> None:
    q, k, v = (T.tensor(name, dtype=dtype, shape=(None, None)) for name in "qkv")
    scores = T.dot(q, k.T)
    scores = abs(scores) if dtype == "complex64" else scores
    f = function([q, k, v], T.dot(softmax(scores), v))
    assert not any(issubclass(op, Attends) for op in ops_of(f))


def test_layers_of_heads() -> None:
    """Heads are views of a product's columns, and a layer reads the result of the one before."""
    x = T.dtensor3("x")
    weights = [T.dmatrix(f"w{k}") for k in range(8)]

    def heads(array: Any, weight: Any) -> Any:
        made = T.dot(array, weight)
        return made.reshape((made.shape[0], made.shape[1], 4, 6)).dimshuffle(0, 2, 1, 3)

    now = x
    for layer in range(2):
        q, k, v = (heads(now, weight) for weight in weights[4 * layer : 4 * layer + 3])
        scores = masked("causal", T.matmul(q, exchanged(k)) / np.sqrt(6), q, k)
        out = T.matmul(softmax(scores, axis=-1), v).dimshuffle(0, 2, 1, 3)
        now = now + T.dot(out.reshape((now.shape[0], now.shape[1], 24)), weights[4 * layer + 3])
    rng = np.random.default_rng(3)
    arrays = [rng.normal(size=(2, 100, 24)), *(rng.normal(size=(24, 24)) / 5 for _ in weights)]
    inputs = [x, *weights]
    outputs = [now, *grad(T.sqr(now).mean(), inputs)]
    fused, plain = function(inputs, outputs), function(inputs, outputs, mode=PLAIN)
    found = ops_of(fused)
    assert (found.count(Attention), found.count(AttentionGradient)) == (2, 2)
    assert BatchedDot not in found
    for one, two in zip(fused(*arrays), plain(*arrays), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)


def test_batches_that_are_split_in_other_ways_meet_one_by_one() -> None:
    q, k, v = (T.dtensor4(name) for name in "qkv")
    rng = np.random.default_rng(4)
    arrays = [
        rng.normal(size=(*batch, n, 8)) for batch, n in (((2, 3), 50), ((3, 2), 60), ((6, 1), 60))
    ]
    one, two, three = (
        x.reshape((x.shape[0] * x.shape[1], x.shape[2], x.shape[3])) for x in (q, k, v)
    )
    scores = T.batched_dot(one, exchanged(two)).reshape((2, 3, q.shape[2], k.shape[2]))
    shares = softmax(scores * 0.3, axis=-1).reshape((6, q.shape[2], k.shape[2]))
    compare([q, k, v], [T.batched_dot(shares, three)], arrays, [Attention])


def test_lengths_are_checked_as_those_of_the_operations() -> None:
    q, k, v = (T.dtensor4(name) for name in "qkv")
    result = T.matmul(softmax(T.matmul(q, exchanged(k))), v)
    fused, plain = function([q, k, v], result), function([q, k, v], result, mode=PLAIN)
    a = np.ones
    for shapes in (
        ((2, 3, 4, 5), (2, 3, 6, 4), (2, 3, 6, 5)),
        ((2, 3, 4, 5), (2, 3, 6, 5), (2, 3, 7, 5)),
        ((2, 3, 4, 5), (2, 2, 6, 5), (2, 3, 6, 5)),
        ((2, 3, 4, 5), (2, 3, 6, 5), (1, 3, 6, 5)),
    ):
        messages = []
        for f in (fused, plain):
            with pytest.raises(ShapeError) as error:
                f(*map(a, shapes))
            messages.append(str(error.value))
        assert messages[0] == messages[1]
