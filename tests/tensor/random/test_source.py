"""Sources of standard random numbers."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config
from symtheano.tensor.random.source import NumPySource, float_dtypes, spread
from symtheano.tensor.random.state import random_state_type, state_words
from tests.support.compare import oracle


def test_each_draw_goes_on_where_the_last_one_ended() -> None:
    state = random_state_type("state")
    source = NumPySource(state)
    size = [T.constant(4, dtype="int64")]
    numbers = [source.random(size, "float64"), source.standard_normal(size, "float32")]
    numbers.append(source.permutation(size))
    generator = np.random.default_rng(2)
    found = oracle([state], [*numbers, source.state])(state_words(generator))
    np.testing.assert_array_equal(found[0], generator.random(4))
    np.testing.assert_array_equal(found[1], generator.standard_normal(4, "float32"))
    assert sorted(found[2]) == [0, 1, 2, 3]


def test_parameters_have_the_size_of_the_result() -> None:
    n = T.lscalar("n")
    assert spread(2, [n], "float64").ndim == 0
    wide = spread(T.vector("v"), [n, T.constant(3)], "float32")
    assert (wide.ndim, wide.dtype) == (2, "float32")


def test_dtypes() -> None:
    assert float_dtypes("float16") == ("float16", "float32")
    assert float_dtypes(None, 1.0)[0] == config.floatX
    assert float_dtypes("float64") == ("float64", "float64")
    assert float_dtypes(None, T.dvector("v"))[0] == "float64"
    assert float_dtypes(None, T.lvector("v"))[0] == config.floatX
    with pytest.raises(TypeError, match="random numbers of dtype int64 are not supported"):
        float_dtypes("int64")
