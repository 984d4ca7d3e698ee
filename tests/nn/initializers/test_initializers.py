"""Initial values: their distributions, their layouts, their names."""

from __future__ import annotations

import json
from math import sqrt

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano.nn.initializers import (
    INITIALIZERS,
    Constant,
    Given,
    GlorotNormal,
    GlorotUniform,
    HeNormal,
    HeUniform,
    Identity,
    Initializer,
    LeCunNormal,
    LeCunUniform,
    Normal,
    Ones,
    Orthogonal,
    Sparse,
    TruncatedNormal,
    Uniform,
    VarianceScaling,
    Zeros,
    fans,
    from_config,
    get,
)
from symtheano.nn.initializers.elements import TRUNCATED_STD

KINDS = sorted(set(INITIALIZERS.values()) - {Given}, key=lambda kind: kind.__name__)


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_dtype_shape_and_layout(kind: type[Initializer], dtype: str) -> None:
    made = kind()((6, 4), dtype, rng())
    assert made.dtype == dtype
    assert made.shape == (6, 4)
    assert made.flags.c_contiguous
    assert made.flags.writeable


@pytest.mark.parametrize("kind", KINDS)
def test_one_seed_gives_the_same_values_in_each_dtype(kind: type[Initializer]) -> None:
    double = kind()((6, 4), "float64", rng())
    assert_array_equal(kind()((6, 4), "float32", rng()), double.astype("float32"))
    assert_array_equal(kind()((6, 4), "float64", rng()), double)
    assert_array_equal(kind()((6, 4), "float64", 7), double)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1)])
def test_empty_and_single(kind: type[Initializer], shape: tuple[int, int]) -> None:
    made = kind()(shape, "float32", rng())
    assert made.shape == shape
    assert np.isfinite(made).all()


@pytest.mark.parametrize(
    "kind", [kind for kind in KINDS if kind not in (Identity, Orthogonal, Sparse)]
)
@pytest.mark.parametrize("shape", [(), (5,), (2, 3, 4), (4, 3, 5, 5)])
def test_any_number_of_axes(kind: type[Initializer], shape: tuple[int, ...]) -> None:
    assert kind()(shape, "float64", rng()).shape == shape


def test_constants() -> None:
    assert_array_equal(Constant(2.5)((2, 2), "float32"), np.full((2, 2), 2.5, "float32"))
    assert_array_equal(Zeros()((3,), "float32"), np.zeros(3, "float32"))
    assert_array_equal(Ones()((3,), "float32"), np.ones(3, "float32"))


def test_uniform_fills_its_interval() -> None:
    made = Uniform(1.0, 3.0)((200_000,), "float64", rng())
    assert made.min() >= 1.0
    assert made.max() < 3.0
    assert made.mean() == pytest.approx(2.0, abs=0.01)
    assert made.var() == pytest.approx(4 / 12, rel=0.01)


def test_normal() -> None:
    made = Normal(1.0, 2.0)((200_000,), "float64", rng())
    assert made.mean() == pytest.approx(1.0, abs=0.02)
    assert made.std() == pytest.approx(2.0, rel=0.01)


def test_truncated_normal() -> None:
    made = TruncatedNormal(1.0, 2.0)((200_000,), "float64", rng())
    assert abs(made - 1.0).max() <= 4.0
    assert made.mean() == pytest.approx(1.0, abs=0.02)
    assert made.std() == pytest.approx(2.0 * TRUNCATED_STD, rel=0.01)


@pytest.mark.parametrize(
    ("kind", "variance"),
    [
        (GlorotUniform, lambda i, o: 2 / (i + o)),
        (GlorotNormal, lambda i, o: 2 / (i + o)),
        (HeUniform, lambda i, o: 2 / i),
        (HeNormal, lambda i, o: 2 / i),
        (LeCunUniform, lambda i, o: 1 / i),
        (LeCunNormal, lambda i, o: 1 / i),
    ],
)
@pytest.mark.parametrize(
    ("shape", "axes", "inputs", "outputs"),
    [
        ((300, 500), None, 300, 500),
        ((500, 300), (1, 0), 300, 500),
        ((100, 60, 5, 5), None, 60 * 25, 100 * 25),
        ((5, 5, 60, 100), (-2, -1), 60 * 25, 100 * 25),
    ],
)
def test_variance(
    kind: type[VarianceScaling],
    variance: object,
    shape: tuple[int, ...],
    axes: tuple[int, int] | None,
    inputs: int,
    outputs: int,
) -> None:
    made = kind(gain=3.0, axes=axes)(shape, "float64", rng())
    expected = 3.0 * sqrt(variance(inputs, outputs))
    assert abs(made.mean()) < 0.02 * expected
    assert made.std() == pytest.approx(expected, rel=0.01)
    limit = sqrt(3) if "Uniform" in kind.__name__ else 2 / TRUNCATED_STD
    assert 0.98 * limit * expected < abs(made).max() <= limit * expected


def test_fans() -> None:
    assert fans((2, 3)) == (2, 3)
    assert fans((8, 4, 3)) == (12, 24)
    assert fans((2, 3, 4), (1, 2)) == (6, 8)
    assert fans((7,)) == (7, 7)
    assert fans(()) == (1, 1)
    for axes in [(0, 2), (1, 1), (0, -2), (-3, 0)]:
        with pytest.raises(ValueError, match="not two axes of shape"):
            fans((2, 3), axes)


@pytest.mark.parametrize("shape", [(4, 4), (6, 3), (3, 6), (8, 2, 2, 2), (3, 4, 5)])
def test_orthogonal(shape: tuple[int, ...]) -> None:
    made = Orthogonal(1.5)(shape, "float64", rng()).reshape(shape[0], -1)
    small = made @ made.T if made.shape[0] <= made.shape[1] else made.T @ made
    np.testing.assert_allclose(small, 2.25 * np.eye(len(small)), atol=1e-12)


def test_orthogonal_has_both_signs_of_the_determinant() -> None:
    signs = {
        float(np.linalg.det(Orthogonal()((3, 3), "float64", seed)).round()) for seed in range(20)
    }
    assert signs == {-1.0, 1.0}


def test_identity() -> None:
    assert_array_equal(Identity()((3, 2), "float64"), np.eye(3, 2))
    filters = Identity(2.0)((2, 3, 3, 5), "float64")
    image = rng().normal(size=(3, 7, 9))
    for out in range(2):
        window = sum(
            filters[out, i, a, b] * image[i, a : a + 5, b : b + 5]
            for i in range(3)
            for a in range(3)
            for b in range(5)
        )
        assert_array_equal(window, 2 * image[out, 1:6, 2:7])


def test_sparse() -> None:
    made = Sparse(0.7, 0.5)((10, 400), "float64", rng())
    assert_array_equal((made == 0).sum(axis=0), np.full(400, 7))
    assert (made == 0).mean(axis=1) == pytest.approx(0.7, abs=0.12)
    assert made[made != 0].std() == pytest.approx(0.5, rel=0.1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        Sparse(1.5)


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="matrices, not an array of shape"):
        Sparse()((2, 3, 4), "float32")
    with pytest.raises(ValueError, match="at least two axes"):
        Orthogonal()((3,), "float32")
    with pytest.raises(ValueError, match="at least two axes"):
        Identity()((), "float32")
    with pytest.raises(ValueError, match="negative length"):
        Zeros()((-1,), "float32")
    with pytest.raises(TypeError, match="must be a float dtype, not int64"):
        Zeros()((1,), "int64")


def test_given() -> None:
    value = np.arange(6.0).reshape(2, 3)
    made = get(value)((2, 3), "float32")
    assert_array_equal(made, value.astype("float32"))
    made[:] = 0
    assert value.sum() == 15
    with pytest.raises(
        ValueError, match=r"has shape \(2, 3\), but the parameter has shape \(3, 2\)"
    ):
        get(value)((3, 2), "float32")


@pytest.mark.parametrize("name", sorted(set(INITIALIZERS) - {"given"}))
def test_names(name: str) -> None:
    kind = INITIALIZERS[name]
    assert type(get(name)) is kind
    assert type(get(name.upper())) is kind
    assert type(get(name.replace("_", ""))) is kind
    assert type(get(kind.__name__)) is kind


def test_other_things_than_names() -> None:
    item = HeNormal(gain=2.0)
    assert get(item) is item
    assert get(HeNormal) == HeNormal()
    assert get(0.25) == Constant(0.25)
    assert get(np.float32(0.25)) == Constant(0.25)
    assert get(np.array(3)) == Constant(3.0)
    assert_array_equal(get([1.0, 2.0])((2,), "float64"), [1.0, 2.0])
    assert get(max) is max
    with pytest.raises(TypeError, match="a name, an Initializer, a number or an array"):
        get(None)


def test_unknown_names() -> None:
    with pytest.raises(
        ValueError, match=r"(?s)'glorot_unifrom'.*did you mean 'glorot_uniform'.*zeros"
    ):
        get("glorot_unifrom")
    with pytest.raises(ValueError, match="; known: constant, "):
        get("#")
    with pytest.raises(ValueError, match="unknown initializer 'given'"):
        get("given")


@pytest.mark.parametrize(
    "item",
    [
        *(kind() for kind in KINDS),
        GlorotUniform(2.0, (1, 0)),
        Uniform(-1.0, 2.0),
        Given(np.array([[1.0, 2.0]])),
    ],
    ids=repr,
)
def test_descriptions_come_back(item: Initializer) -> None:
    back = from_config(json.loads(json.dumps(item.config())))
    assert type(back) is type(item)
    assert repr(back.config()) == repr(item.config())
    shape = (1, 2) if isinstance(item, Given) else (4, 2)
    assert_array_equal(back(shape, "float64", 3), item(shape, "float64", 3))
    assert get(item.config()).config() == item.config()


def test_bad_descriptions() -> None:
    with pytest.raises(ValueError, match="unknown initializer 'Nothing'"):
        from_config({"class": "Nothing"})
    with pytest.raises(ValueError, match=r"has wrong arguments.*shade"):
        from_config({"class": "Zeros", "shade": 1})
    with pytest.raises(ValueError, match="must be a mapping with a 'class'"):
        from_config({"name": "Zeros"})
