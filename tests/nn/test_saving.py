"""Models in files: what is kept, what is refused, and training that goes on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from safetensors import safe_open
from safetensors.numpy import save_file

from symtheano import nn

RNG = np.random.default_rng(0)
X = RNG.normal(size=(50, 4)).astype("float32")
Y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)


def made(units: int = 5) -> nn.Model:
    """Return a model with dropout, running statistics and an optimizer with state."""
    model = nn.Model(seed=1)
    model.add(nn.Dense(units, "relu", kernel_regularizer="l2"))
    model.add(nn.Dropout(0.3))
    model.add(nn.BatchNorm())
    model.add(nn.Dense(3, "softmax"))
    model.compile("categorical_crossentropy", nn.Adam(0.01), metrics=["accuracy"])
    return model


def callbacks() -> list[Any]:
    """Return callbacks with states of their own."""
    return [
        nn.ReduceOnPlateau("loss", patience=1, min_delta=0.5),
        nn.EarlyStopping("loss", patience=99, restore_best_weights=True),
    ]


def fit(model: nn.Model, epochs: int, more: list[Any] | None = None) -> nn.Model:
    """Train a model and return it."""
    model.fit(
        X, Y, epochs=epochs, batch_size=8, validation_split=0.2, verbose=0,
        callbacks=[*callbacks(), *(more or [])],
    )  # fmt: skip
    return model


@pytest.fixture(scope="module")
def whole() -> nn.Model:
    """Return a model that was trained without interruption."""
    return fit(made(), 5)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the file of a trained model."""
    path = tmp_path / "model.safetensors"
    fit(made(), 2, [nn.Checkpoint(path)])
    return path


def test_training_goes_on_from_a_checkpoint_to_the_same_bits(whole: nn.Model, file: Path) -> None:
    resumed = fit(made(), 5, [nn.Checkpoint(file, resume=True)])
    assert resumed.history.history == whole.history.history
    assert resumed.history.epochs == [0, 1, 2, 3, 4]
    for old, new in zip(whole.get_weights(), resumed.get_weights(), strict=True):
        assert np.array_equal(old, new)
    assert resumed.optimizer.learning_rate == whole.optimizer.learning_rate < 0.01


def test_a_loaded_model_is_the_same_and_can_be_trained_on(whole: nn.Model, tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    whole.save(path)
    loaded = nn.Model.load(path)
    assert np.array_equal(loaded.predict(X), whole.predict(X))
    assert loaded.evaluate(X, Y) == whole.evaluate(X, Y)
    assert loaded.history.history == whole.history.history
    loaded.fit(X, Y, epochs=1, verbose=0)
    assert loaded.history.epochs == [0, 1, 2, 3, 4, 5]


def test_the_file_is_safetensors_with_json(file: Path) -> None:
    with safe_open(file, framework="numpy") as content:
        described = json.loads(content.metadata()["symtheano.nn"])
        names = set(content.keys())
    assert described["epochs_done"] == 2
    assert described["optimizer"]["class"] == "Adam"
    assert [c["class"] for c in described["network"]["layers"]] == [
        "Dense", "Dropout", "BatchNorm", "Dense",
    ]  # fmt: skip
    assert {"parameters/dense/kernel", "optimizer/step", "random/0"} <= names


def test_damaged_and_foreign_files_change_nothing(file: Path, tmp_path: Path) -> None:
    model = made()
    model.build((4,))
    before = model.get_weights()
    content = file.read_bytes()
    bad = tmp_path / "bad.safetensors"
    wrong = {
        b"": "the file is damaged or not a safetensors file",
        b"hello": "the file is damaged or not a safetensors file",
        content[: len(content) // 2]: "the file is damaged or not a safetensors file",
        content.replace(b"Dropout", b"Dropeut"): "network of the file differs",
        content.replace(b"epochs_done", b"epochs_dome"): "state of training is damaged",
        content.replace(b'"version', b'"versiom'): "written by another version",
    }
    for changed, message in wrong.items():
        bad.write_bytes(changed)
        with pytest.raises(ValueError, match=message):
            model.restore(bad)
    save_file({"x": np.zeros(2)}, bad)
    with pytest.raises(ValueError, match="not that of a symtheano model"):
        model.restore(bad)
    with pytest.raises(FileNotFoundError, match="missing"):
        model.restore(tmp_path / "missing")
    other = made(6)
    other.build((4,))
    with pytest.raises(ValueError, match="the network of the file differs"):
        other.restore(file)
    for old, new in zip(before, model.get_weights(), strict=True):
        assert np.array_equal(old, new)
    assert model.epochs_done == 0


def test_loading_looks_classes_up_and_runs_no_code(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.safetensors"
    bad.write_bytes(file.read_bytes().replace(b"Dropout", b"os.exec"))
    with pytest.raises(ValueError, match=r"unknown layer 'os.exec'"):
        nn.Model.load(bad)


def test_a_file_is_replaced_only_when_it_is_complete(file: Path) -> None:
    content = file.read_bytes()
    model = nn.Model()
    model.add(nn.Lambda(abs))
    model.build((2,))
    with pytest.raises(TypeError, match="cannot be saved"):
        model.save(file)
    assert file.read_bytes() == content
    assert list(file.parent.iterdir()) == [file]


def test_losses_and_metrics_with_options_are_kept(tmp_path: Path) -> None:
    model = nn.Model(seed=0)
    model.add(nn.Dense(1))
    model.compile(nn.Loss("huber", delta=0.25), "sgd", metrics=["mae", nn.metrics.R2()])
    model.fit(X, X[:, 0], verbose=0)
    path = tmp_path / "model.safetensors"
    model.save(path)
    assert nn.Model.load(path).evaluate(X, X[:, 0]) == model.evaluate(X, X[:, 0])


def test_a_loss_of_the_user_is_left_out(tmp_path: Path) -> None:
    model = nn.Model(seed=0)
    model.add(nn.Dense(1))
    model.compile(lambda output, target: abs(target - output), "sgd")
    model.fit(X, X[:, 0], verbose=0)
    path = tmp_path / "model.safetensors"
    model.save(path)
    loaded = nn.Model.load(path)
    assert np.array_equal(loaded.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="call compile"):
        loaded.evaluate(X, X[:, 0])


def test_one_optimizer_and_one_layer_of_two_models(tmp_path: Path) -> None:
    rule, x = nn.Adam(0.01), np.ones((4, 3), "float32")
    first, second = nn.Dense(3), nn.Dense(3)
    left, right = nn.Input((3,), seed=0), nn.Input((3,), seed=1)
    models = [nn.Model(left, second(first(left))), nn.Model(right, first(nn.Dense(3)(right)))]
    for model in models:
        model.compile("mse", rule, backend="numpy")
    for model in (*models, models[0]):
        model.fit(x, x, verbose=0)
    for model in models:
        model.save(tmp_path / "m")
        again = nn.Model.load(tmp_path / "m")
        for a, b in zip(again.get_weights(), model.get_weights(), strict=True):
            assert_array_equal(a, b)
        step = (again.fit(x, x, verbose=0), model.fit(x, x, verbose=0))
        assert_array_equal(again.predict(x), model.predict(x))
        assert len(step) == 2


def test_two_callbacks_of_one_class(whole: nn.Model, tmp_path: Path) -> None:
    model = nn.Model.from_bytes(whole.to_bytes())
    data, y = X[:4], Y[:4]

    def stops() -> list[nn.Callback]:
        return [nn.EarlyStopping("loss", 9), nn.EarlyStopping("loss", 9, mode="max")]

    first = stops()
    model.fit(data, y, epochs=2, callbacks=[*first, nn.Checkpoint(tmp_path / "m")], verbose=0)
    then = stops()
    keep = nn.Checkpoint(tmp_path / "m", resume=True)
    model.fit(data, y, epochs=0, callbacks=[*then, keep], verbose=0)
    assert [c.state() for c in then] == [c.state() for c in first]


def test_open_files_and_missing_directories(whole: nn.Model, tmp_path: Path) -> None:
    file = io.BytesIO()
    whole.save(file)
    file.seek(0)
    again = nn.Model.load(file)
    for a, b in zip(again.get_weights(), whole.get_weights(), strict=True):
        assert_array_equal(a, b)
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        whole.save(tmp_path / "none" / "m")


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("network", "layers", 0, "units"), 10**13),
        (("optimizer", "weight_decay"), {"class": "Dense"}),
        (("optimizer", "learning_rate"), []),
        (("epochs_done",), {"float": "inf"}),
        (("history",), 0),
    ],
)
def test_changed_descriptions_are_errors(whole: nn.Model, where: Any, value: Any) -> None:
    content = whole.to_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    described = json.loads(header["__metadata__"]["symtheano.nn"])
    item = described
    for key in where[:-1]:
        item = item[key]
    item[where[-1]] = value
    header["__metadata__"]["symtheano.nn"] = json.dumps(described)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with pytest.raises(ValueError, match=r"from_bytes: (the |network\.layers\[0\]: )"):
        nn.Model.from_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
    header["__metadata__"]["symtheano.nn"] = "[" * 100_000
    text = json.dumps(header).encode()
    with pytest.raises(ValueError, match="the description of the model is damaged"):
        nn.Model.from_bytes(len(text).to_bytes(8, "little") + text + content[8 + length :])
