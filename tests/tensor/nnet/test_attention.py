"""Attention and its gradient: random shapes, masks and dtypes, against the definition in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function, grad
from symtheano.errors import NullTypeGradError, ShapeError
from symtheano.gradient import verify_grad
from symtheano.tensor.nnet.attention import Attention, AttentionGradient

PLAIN = Mode().excluding("attention_by_blocks")


def number(dtype: str, value: float) -> Any:
    return T.constant(np.asarray(value, dtype))


def defined(given: dict[str, Any], choice: str) -> list[Any]:
    """Return the result and the gradients of q, k and v, in double precision."""
    q, k, v, g = (given[name].astype("float64") for name in "qkvg")
    with np.errstate(all="ignore"):
        s = given["scale"] * np.matmul(q, np.swapaxes(k, -1, -2))
        if "bias" in given:
            s = s + given["bias"]
        chosen = given.get("chosen", np.ones(s.shape[-2:], bool))
        chosen = np.tri(*s.shape[-2:], dtype=bool) if choice == "causal" else chosen
        s = np.where(chosen, s, given.get("fill", 0))
        top = s.max(-1, keepdims=True, initial=-np.inf)
        e = np.exp(s - np.where(np.isinf(top), 0, top))
        p = e / e.sum(-1, keepdims=True)
        d = np.matmul(g, np.swapaxes(v, -1, -2))
        ds = np.where(chosen, p * (d - (p * d).sum(-1, keepdims=True)), 0) * given["scale"]
        back = [np.swapaxes(item, -1, -2) for item in (ds, p)]
        return [np.matmul(p, v), np.matmul(ds, k), np.matmul(back[0], q), np.matmul(back[1], g)]


def drawn(seed: int) -> tuple[dict[str, Any], str]:
    """Return the arrays of an attention, and how scores are chosen."""
    rng = np.random.default_rng(seed)
    batch = rng.integers(1, 4, rng.integers(0, 4)).tolist()
    lengths = [1, 2, 5, 64, 95, 97, 200, 257, 300] if seed % 5 else [0, 1, 3]
    rows, keys = rng.choice(lengths, 2).tolist()
    depth, width = rng.choice([1, 3, 8, 16, 21] if seed % 7 else [0, 2], 2).tolist()
    dtype = ("float32", "float64")[seed % 2]
    choice = ("all", "chosen", "causal")[seed % 3]
    few = [1 if rng.random() < 0.4 else n for n in batch]  # heads that share keys and values

    def array(*shape: int) -> Any:
        return rng.normal(size=shape).astype(dtype)

    given = {
        "q": array(*batch, rows, depth),
        "k": array(*few, keys, depth),
        "v": array(*few, keys, width),
        "g": array(*batch, rows, width),
        "scale": np.asarray(rng.uniform(0.1, 1), dtype),
    }
    masked = [1 if rng.random() < 0.4 else n for n in (*batch, rows, keys)]
    if rng.random() < 0.5:
        given["bias"] = 3 * array(*masked)
    if choice == "chosen":
        given["chosen"] = rng.random(masked) < 0.7
    if choice != "all":
        fills = [-np.inf, -1e9] if choice == "causal" else [-np.inf, -1e9, -2.0]
        given["fill"] = np.asarray(rng.choice(fills), dtype)
    return given, choice


def attention(given: dict[str, Any], choice: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Return variables, their values, and the outputs of both ops."""
    shapes = {name: [1 if n == 1 else None for n in item.shape] for name, item in given.items()}
    variables = {
        name: T.tensor(name, dtype=item.dtype, shape=tuple(shapes[name]))
        for name, item in given.items()
    }
    names = [name for name in ("q", "k", "v", "scale", "bias", "chosen", "fill") if name in given]
    inputs = [variables[name] for name in names]
    kind = ("bias" in given, choice)
    made = Attention(*kind, keeps=True)(*inputs)
    scales = [variables["scale"]] * 2
    slopes = AttentionGradient(*kind)(*inputs, *made, variables["g"], *scales)
    return list(variables.values()), list(given.values()), [made[0], *slopes]


@pytest.mark.parametrize("seed", range(24))
def test_random_arrays(seed: int) -> None:
    given, choice = drawn(seed)
    inputs, values, outputs = attention(given, choice)
    expected = defined(given, choice)
    tolerance = 3e-4 if given["q"].dtype == "float32" else 1e-9
    strided = [np.repeat(x, 2, axis=-2)[..., ::2, :] if x.ndim > 1 and seed % 4 == 0 else x
               for x in values]  # fmt: skip
    for mode in (None, "INTERPRET"):
        found = function(inputs, outputs, mode=mode)(*strided)
        for one, other in zip(found, expected, strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("rows", "keys"), [(256, 3), (3, 256), (257, 3), (3, 257), (2, 0)])
@pytest.mark.parametrize("is_known", [False, True])
def test_exponentials_of_few_rows_and_keys_are_kept(rows: int, keys: int, is_known: bool) -> None:
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(2, n, 4)) for n in (rows, keys, keys)]
    inputs = [T.tensor(dtype="float64", shape=x.shape if is_known else (None,) * 3) for x in arrays]
    made = Attention(keeps=True)(*inputs, number("float64", 1))
    scores = np.matmul(arrays[0], np.swapaxes(arrays[1], -1, -2))
    e = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf))
    for mode in (None, "INTERPRET"):
        found = function(inputs, made[2:], mode=mode)(*arrays)
        if max(rows, keys) > 256:
            assert found[1].shape == (2, rows, 0)
        else:
            np.testing.assert_allclose(found[1], e, rtol=1e-9)
        np.testing.assert_allclose(found[0], e.sum(-1), rtol=1e-9)


@pytest.mark.parametrize("batch", [(), (2,), (3,), (1, 5)])
@pytest.mark.parametrize("choice", ["all", "causal"])
def test_the_number_of_threads_does_not_change_the_bits(
    batch: tuple[int, ...], choice: str
) -> None:
    rng = np.random.default_rng(3)
    shapes = {"q": (400, 24), "k": (600, 24), "v": (600, 20), "g": (400, 20)}
    given = {name: rng.normal(size=(*batch, *shape)) for name, shape in shapes.items()}
    given["scale"] = np.asarray(0.3)
    if choice == "causal":
        given["fill"] = np.asarray(-np.inf)
    inputs, values, outputs = attention(given, choice)
    found = []
    for threads in (1, 2, 3):
        with config.change_flags(threads=threads):
            found.append(function(inputs, outputs)(*values))
    for other in found[1:]:
        for one, two in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(one, two)
    for one, two in zip(found[0], defined(given, choice), strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-9)


def written(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    """Return attention in plain operations."""
    scores = T.batched_dot(q, k.dimshuffle(0, 2, 1)) * T.constant(0.5, dtype=q.dtype)
    if mask is not None:
        scores = T.switch(mask, scores, -np.inf) if mask.dtype == "bool" else scores + mask
    return T.batched_dot(T.nnet.softmax(scores, axis=-1), v)


def spoiled(seed: int, dtype: str) -> list[Any]:
    """Return arrays with infinities and NaN."""
    rng = np.random.default_rng(seed)
    values = [rng.normal(size=(2, n, 4)).astype(dtype) for n in (5, 300, 300, 5)]
    for item in values:
        if rng.random() < 0.5:
            item.flat[rng.integers(item.size, size=2)] = rng.choice([np.nan, np.inf, -np.inf], 2)
    return values


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_infinities_and_nan_are_those_of_plain_operations(dtype: str) -> None:
    q, k, v = (T.tensor3(name, dtype=dtype) for name in "qkv")
    mask = T.tensor("mask", dtype=dtype, shape=(None, None))
    result = written(q, k, v, mask)
    fused = function([q, k, v, mask], result)
    plain = function([q, k, v, mask], result, mode=PLAIN)
    assert any(isinstance(node.op, Attention) for node in fused.fgraph.nodes)
    for seed in range(12):
        *arrays, _ = spoiled(seed, dtype)
        added = np.zeros((5, 300), dtype)
        added[0] = -np.inf
        added[1, :290] = -np.inf
        added[2, 5] = np.inf
        tolerance = 1e-5 if dtype == "float32" else 1e-12
        one, two = fused(*arrays, added), plain(*arrays, added)
        np.testing.assert_allclose(one, two, rtol=tolerance, atol=tolerance)
        assert np.isnan(one[:, 0]).all()


def test_rows_without_a_chosen_score_have_no_gradient_of_scores() -> None:
    q, k, v, g = (T.dtensor3(name) for name in "qkvg")
    mask = T.tensor("mask", dtype="bool", shape=(None, None))
    slopes = grad((written(q, k, v, mask) * g).sum(), [q, k, v])
    chosen = np.random.default_rng(1).random((5, 300)) < 0.5
    chosen[2] = False
    rng = np.random.default_rng(2)
    values = [rng.normal(size=(2, n, 4)) for n in (5, 300, 300, 5)]
    found = function([q, k, v, g, mask], slopes)(*values, chosen)
    expected = function([q, k, v, g, mask], slopes, mode=PLAIN)(*values, chosen)
    for one, two in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, two, rtol=1e-9, atol=1e-11)
    assert not found[0][:, 2].any()
    assert np.isnan(found[2]).all()


@pytest.mark.parametrize("masked", [False, True])
def test_gradients_agree_with_finite_differences(masked: bool) -> None:
    rng = np.random.default_rng(5)
    arrays = [rng.normal(size=(2, n, 3)) for n in (4, 6, 6)]
    mask = T.constant(rng.random((4, 6)) < 0.7) if masked else None
    verify_grad(lambda q, k, v: written(q, k, v, mask), arrays, rng=rng)


def test_no_scores_are_in_memory() -> None:
    q, k, v = (T.ftensor3(name) for name in "qkv")
    result = written(q, k, v)
    slopes = grad(T.sqr(result).sum(), [q, k, v])
    arrays = [np.ones((1, 3000, 16), "float32")] * 3
    scores = 3000 * 3000 * 4
    with config.change_flags(threads=1):
        for outputs in (result, [result, *slopes]):
            assert function([q, k, v], outputs).memory.peak(*arrays) < scores / 6
            assert function([q, k, v], outputs, mode=PLAIN).memory.peak(*arrays) > scores


def test_heads_that_share_keys_read_the_same_memory() -> None:
    q = T.tensor("q", dtype="float32", shape=(None, None, None, None))
    k, v = (T.tensor(name, dtype="float32", shape=(None, 1, None, None)) for name in "kv")
    scores = T.matmul(q, k.transpose(0, 1, 3, 2)) / np.float32(4)
    f = function([q, k, v], T.matmul(T.nnet.softmax(scores), v))
    arrays = [np.ones((1, heads, 500, 16), "float32") for heads in (12, 1, 1)]
    result = arrays[0].nbytes
    with config.change_flags(threads=1):
        assert f.memory.peak(*arrays) < result + 500_000
    np.testing.assert_allclose(f(*arrays), arrays[0], rtol=1e-5)


def test_operands_of_other_kinds_are_refused() -> None:
    q, k, v = (T.dmatrix(name) for name in "qkv")
    scale = number("float64", 1)
    with pytest.raises(ValueError, match="choice is one of"):
        Attention(choice="some")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="keeps is a bool"):
        Attention(keeps="all")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes q, k, v, scale"):
        Attention()(q, k, v)
    with pytest.raises(TypeError, match="must be a batch of matrices of floats"):
        Attention()(*(T.lmatrix(name) for name in "qkv"), T.lscalar())
    with pytest.raises(TypeError, match="k has another type"):
        Attention()(q, T.dtensor3("k"), v, scale)
    with pytest.raises(TypeError, match="chosen has another type"):
        Attention(choice="chosen")(q, k, v, scale, q, scale)
    known = T.tensor("v", dtype="float64", shape=(7, None))
    with pytest.raises(ShapeError, match="v has length 7 where 6 is needed"):
        Attention()(q, T.tensor("k", dtype="float64", shape=(6, None)), known, scale)
    result = Attention()(q, k, v, scale)[0]
    with pytest.raises(NullTypeGradError, match="has no gradient"):
        grad(result.sum(), q)


@pytest.mark.parametrize("mode", [None, "INTERPRET"])
def test_lengths_that_do_not_agree_are_reported(mode: Any) -> None:
    q, k, v = (T.dmatrix(name) for name in "qkv")
    f = function([q, k, v], Attention()(q, k, v, number("float64", 1))[0], mode=mode)
    a = np.ones
    with pytest.raises(ShapeError, match="k has length 4 where 3 is needed"):
        f(a((5, 3)), a((6, 4)), a((6, 2)))
    with pytest.raises(ShapeError, match="v has length 5 where 6 is needed"):
        f(a((5, 3)), a((6, 3)), a((5, 2)))
