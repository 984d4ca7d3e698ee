"""Backends of models and sessions: their names, and training on a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from symtheano import DeviceArray, nn
from symtheano.nn.backends import Backend, backend_of
from tests.support.devices import DEVICE


def test_names() -> None:
    assert backend_of("numpy") == Backend("numpy", mode="INTERPRET")
    assert backend_of("cuda0").options == {"mode": None, "device": "cuda0"}
    assert [backend_of(name).compiles for name in ("c", "numpy", "cuda")] == [True, False, False]
    for name in ("gpu", "cuda:x", "c++", None, 3):
        with pytest.raises(ValueError, match="backend must be one of c, numpy, cuda"):
            backend_of(name)
    with pytest.raises(ValueError, match="not 'gpu'; GPUs of NVIDIA are 'cuda'"):
        backend_of("gpu")


def fitted(**options: Any) -> tuple[nn.Sequential, dict[str, list[float]], Any]:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(48, 5)).astype("float32"), rng.integers(0, 3, 48)
    model = nn.Sequential([nn.Dense(8, activation="tanh"), nn.Dense(3, activation="softmax")],
                          seed=1)  # fmt: skip
    model.compile("sparse_categorical_crossentropy", "adam", ["accuracy"], **options)
    history = model.fit(x, y, epochs=3, batch_size=16, verbose=0)
    return model, history.history, model.predict(x)


@pytest.mark.needs_cxx
def test_training_on_a_device() -> None:
    """The history, the predictions and the parameters are those of the processor."""
    model, history, predictions = fitted(device=DEVICE)
    plain, expected, wanted = fitted()
    for name, values in expected.items():
        np.testing.assert_allclose(history[name], values, rtol=1e-4)
    np.testing.assert_allclose(predictions, wanted, rtol=1e-4, atol=1e-6)
    for mine, its in zip(model.get_weights(), plain.get_weights(), strict=True):
        np.testing.assert_allclose(mine, its, rtol=1e-3, atol=1e-5)
    there = [
        parameter.variable.get_value(borrow=True, return_internal_type=True)
        for parameter in model.network.parameters
    ]
    assert all(isinstance(value, DeviceArray) for value in there)


@pytest.mark.needs_cxx
def test_a_session_on_a_device() -> None:
    with nn.Graph().as_default():
        x = nn.placeholder("float32")
        total = nn.Variable(np.zeros(3, "float32"))
        more = nn.assign_add(total, x * 2)
        with nn.Session(backend=DEVICE) as session:
            session.run(more, {x: np.ones(3, "float32")})
            np.testing.assert_array_equal(session.run(more, {x: [1.0, 2.0, 3.0]}), [4, 6, 8])
            assert DEVICE in repr(session)
