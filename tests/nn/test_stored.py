"""Models as files, through their methods; test_saving.py has the format."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest

from symtheano import nn


def model() -> nn.Model:
    """Return a model of one layer."""
    x = nn.Input((2,), seed=0)
    return nn.Model(x, nn.dense(x, 1))


def test_names_of_files_of_keras_are_warned_of(tmp_path: Any) -> None:
    model = nn.Sequential([nn.Input((2,)), nn.Dense(1)])
    for name in ("m.h5", "m.keras", "m.hdf5"):
        with pytest.warns(UserWarning, match=rf"'.*{name}' is a name for a file of Keras"):
            model.save(tmp_path / name)
        assert nn.Model.load(tmp_path / name).layers[0].name == "dense"
    model.save(tmp_path / "m.safetensors")


def test_open_files() -> None:
    one, file = model(), io.BytesIO()
    one.save(file)  # type: ignore[arg-type]
    file.seek(0)
    again = nn.Model.load(file)  # type: ignore[arg-type]
    np.testing.assert_array_equal(again.predict(np.eye(2)), one.predict(np.eye(2)))


def test_subclasses_load_their_own() -> None:
    class Mine(nn.Model):
        pass

    assert type(Mine.from_bytes(model().to_bytes())) is Mine
