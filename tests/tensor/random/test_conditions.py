"""Parameters that distributions don't have, and states that no generator has, in all modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.sandbox.rng_mrg import MRG_RandomStreams
from symtheano.tensor.random import PhiloxStreams, RandomStreams
from symtheano.tensor.random.choosing import DifferentItems
from symtheano.tensor.random.drawing import RandomFunction
from symtheano.tensor.random.state import random_state_type, state_words

MODES = pytest.mark.parametrize(
    "mode", [pytest.param("FAST_RUN", marks=pytest.mark.needs_cc), "INTERPRET"]
)
WORDS = state_words(np.random.default_rng(3))

BAD: dict[str, list[Any]] = {
    "integers": [np.int64(0), np.int64(-3)],
    "binomial": [np.int64(-(2**31)), np.float64(0.5)],
    "multinomial": [np.int64(-1), np.full((3, 2), 0.5)],
    "poisson": [np.float64(-1)],
    "standard_gamma": [np.float64(-1)],
    "beta": [np.float64(1), np.float64(np.nan)],
}


@MODES
@pytest.mark.parametrize("name", BAD)
def test_a_node_from_a_file_checks_its_parameters(name: str, mode: str) -> None:
    values = BAD[name]
    state, n = random_state_type(), T.lscalar("n")
    parameters = [T.as_tensor_variable(value).type() for value in values]
    dims = [n, T.constant(2, dtype="int64")] if name == "multinomial" else [n]
    dtype = "float64" if name in ("standard_gamma", "beta") else "int64"
    node = RandomFunction(name, dtype).make_checked(state, *parameters, *dims)
    f = function([state, *parameters, n], node.outputs, mode=mode)
    said = {"standard_gamma": "gamma", "integers": "random_integers"}.get(name, name)
    with pytest.raises(ValueError, match=f"^{said}: "):
        f(WORDS, *values, 3)


@MODES
def test_an_even_increment_is_made_odd(mode: str) -> None:
    # With state and increment 0, all numbers are 0, and 2**64 mod 7 of them are refused.
    state, n = random_state_type(), T.lscalar("n")
    dims = [T.constant(k, dtype="int64") for k in (3, 4)]
    node = RandomFunction("integers", "int64").make_checked(state, T.constant(0, dtype="int64"),
                                                            n, *dims)  # fmt: skip
    f = function([state, n], node.outputs, mode=mode)
    _, numbers = f(np.zeros(6, "uint64"), 6)
    odd = np.zeros(6, "uint64")
    odd[3] = 1
    for found, wanted in zip(f(np.zeros(6, "uint64"), 6), f(odd, 6), strict=True):
        np.testing.assert_array_equal(found, wanted)
    assert ((numbers >= 0) & (numbers <= 6)).all()


@MODES
def test_different_items_without_memory(mode: str) -> None:
    state, (n, rows, columns) = random_state_type(), T.lscalars("n", "rows", "columns")
    f = function([state, n, rows, columns], DifferentItems(False)(state, n, rows, columns),
                 mode=mode)  # fmt: skip
    with pytest.raises(MemoryError):
        f(WORDS, 2**63 - 1, 3, 2**61)


@MODES
def test_alloc_compares_lengths_with_the_type(mode: str) -> None:
    x = T.TensorType("float64", shape=(2,))("x")
    n, k = T.lscalars("n", "k")
    f = function([x, n, k], T.alloc(x, n, k), mode=mode)
    np.testing.assert_array_equal(f([1.0, 2.0], 2, 2), [[1.0, 2.0]] * 2)
    for wrong in (1, 3, 2**31 + 1, 2**63 - 2):
        with pytest.raises(ValueError, match="can't be broadcast to length"):
            f([1.0, 2.0], 2, wrong)


STREAMS = {
    "NumPy": lambda: RandomStreams(3),
    "MRG": lambda: MRG_RandomStreams(3),
    "Philox": lambda: PhiloxStreams(3),
}
WRONG: dict[str, dict[str, Any]] = {
    "uniform": {"low": 2.0, "high": 1.0},
    "normal": {"std": -1.0},
    "truncated_normal": {"std": -0.5},
    "exponential": {"scale": -1.0},
    "laplace": {"scale": -1e-300},
    "gamma": {"shape": 1.0, "scale": -1.0},
    "gamma (shape)": {"shape": -1.0},
    "beta": {"a": 0.0, "b": 1.0},
    "poisson": {"lam": -1.0},
    "binomial": {"n": -1, "p": 0.5},
    "binomial (p)": {"n": 1, "p": 1.5},
    "random_integers": {"low": 3, "high": 2},
}
IN_NUMPY = {"random_integers": "integers", "std": "scale", "avg": "loc"}


def drawn(streams: str, name: str, size: Any, parameters: dict[str, Any]) -> Any:
    """Return random numbers of a distribution."""
    return getattr(STREAMS[streams](), name.partition(" ")[0])(size=size, **parameters)


@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("name", WRONG)
def test_constants_are_checked_at_once(name: str, streams: str) -> None:
    for wrap in (lambda item: item, lambda item: np.array([1, item] if item else [item, item])):
        given = {key: wrap(value) for key, value in WRONG[name].items()}
        with pytest.raises(ValueError, match=f"^{name.partition(' ')[0]}: ") as error:
            drawn(streams, name, (2,), given)
        assert "test_conditions.py" in str(error.value)


@pytest.mark.parametrize("name", [name for name in WRONG if "truncated" not in name])
def test_constants_are_those_that_numpy_refuses(name: str) -> None:
    numpy = getattr(np.random.default_rng(1), IN_NUMPY.get(*[name.partition(" ")[0]] * 2))
    given = {IN_NUMPY.get(key, key): value for key, value in WRONG[name].items()}
    with pytest.raises(ValueError, match=r"<|>"):
        numpy(**given)


@MODES
@pytest.mark.parametrize("name", WRONG)
def test_numbers_are_checked_in_calls(name: str, mode: str) -> None:
    parameters = {k: T.as_tensor_variable(v).type(k) for k, v in WRONG[name].items()}
    inputs, values = list(parameters.values()), list(WRONG[name].values())
    f = function(inputs, drawn("NumPy", name, (3,), parameters), mode=mode)
    with pytest.raises(ValueError, match=f"^{name.partition(' ')[0]}: ") as error:
        f(*values)
    assert "test_conditions.py" in str(error.value)
    fitting = {"low": 0, "high": 1, "n": 1, "p": 0.5}
    assert f(*(fitting.get(key, 1) for key in parameters)).shape == (3,)


@MODES
def test_scales_may_be_zero_or_unknown(mode: str) -> None:
    std = T.dscalar("std")
    f = function([std], drawn("NumPy", "normal", (3,), {"avg": 2.0, "std": std}), mode=mode)
    for zero in (0.0, -0.0):
        np.testing.assert_array_equal(f(zero), [2.0, 2.0, 2.0])
    assert np.isnan(f(np.nan)).all()
    unknown = drawn("NumPy", "uniform", (3,), {"low": np.nan, "high": 1.0})
    assert np.isnan(function([], unknown, mode=mode)()).all()


@pytest.mark.parametrize("p", [[0.5, -0.1, 0.6], [0.5, np.nan]])
def test_probabilities_of_items(p: Any) -> None:
    for streams in STREAMS.values():
        with pytest.raises(ValueError, match="choice: a probability is negative"):
            streams().choice(size=(2,), a=len(p), p=p)
    weights = T.dvector("p")
    f = function([weights], RandomStreams(1).choice(size=(2,), a=len(p), p=weights),
                 mode="INTERPRET")  # fmt: skip
    with pytest.raises(ValueError, match="choice: a probability is negative"):
        f(p)
