"""Initial values: their distributions, their layouts, their names."""

from __future__ import annotations

import json

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano.nn.initializers import (
    INITIALIZERS,
    Constant,
    Given,
    GlorotUniform,
    HeNormal,
    Identity,
    Initializer,
    Orthogonal,
    Sparse,
    Uniform,
    Zeros,
    from_config,
    get,
)
from tests.nn.initializers.generators import rng

KINDS = sorted(set(INITIALIZERS.values()) - {Given}, key=lambda kind: kind.__name__)


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
