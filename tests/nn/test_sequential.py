"""Sequential: one chain of methods."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from symtheano import nn

X = np.random.default_rng(0).normal(size=(40, 4)).astype("float32")
Y = (X[:, 0] > 0).astype(int)


def chain() -> nn.Sequential:
    """Return a network with a loss and an optimizer."""
    return (
        nn.Sequential(seed=0)
        .dense(8, "tanh")
        .dropout(0.2)
        .dense(2, "softmax")
        .loss("categorical_crossentropy")
        .optimizer("sgd", 0.1, momentum=0.9)
        .metrics("accuracy")
    )


def test_a_chain_is_the_model_of_the_same_layers() -> None:
    model = nn.Model(seed=0)
    for layer in (nn.Dense(8, "tanh"), nn.Dropout(0.2), nn.Dense(2, "softmax")):
        model.add(layer)
    model.compile("categorical_crossentropy", nn.SGD(0.1, momentum=0.9), metrics=["accuracy"])
    expected = model.fit(X, Y, epochs=3, verbose=0)
    net = chain()
    assert net.train(X, Y, epochs=3).history == expected.history
    assert np.array_equal(net.predict(X), model.predict(X))
    assert net.evaluate(X, Y) == model.evaluate(X, Y)


def test_one_sample_gives_one_output() -> None:
    net = nn.Sequential([nn.Input((4,)), nn.Dense(3)], seed=1)
    assert net.predict(X[0]).shape == (3,)
    assert np.array_equal(net.predict(X[0]), net.predict(X[:1])[0])
    assert net.predict(X[0].tolist()).shape == (3,)


def test_training_goes_on_and_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    net = chain()
    net.train(X, Y, epochs=2)
    net.train(X, Y, epochs=1)
    assert len(net.history["loss"]) == 3
    assert capsys.readouterr().out == ""


def test_what_is_missing_or_unknown_is_said() -> None:
    with pytest.raises(ValueError, match="has no loss: call loss"):
        nn.Sequential().dense(2).train(X, Y)
    with pytest.raises(AttributeError, match="'dens'\n  hint: did you mean dense"):
        nn.Sequential().dens(2)
    with pytest.raises(ValueError, match="unknown optimizer 'adm'"):
        nn.Sequential().optimizer("adm")
    with pytest.raises(TypeError, match="arguments can only be passed with the name"):
        nn.Sequential().optimizer(nn.Adam(), 0.1)
    assert {"dense", "conv2d", "batch_norm", "train"} <= set(dir(nn.Sequential()))


def test_a_list_of_layers_is_compiled_and_fitted() -> None:
    net = nn.Sequential([nn.Dense(4, "tanh"), nn.Dense(1)], seed=0)
    assert net.compile("mse", nn.Adam(0.05), ["mae"], backend="numpy") is None
    history = net.fit(X, Y, 8, 5, 0)
    assert net.history is history
    assert len(history["loss"]) == 5
    assert history["mean_absolute_error"][-1] < history["mean_absolute_error"][0]
    assert [layer.name for layer in net.layers] == ["dense", "dense_1"]
    assert net.inputs == net.model.inputs
    assert net.outputs == net.model.outputs
    assert net.parameters[0].get_value().shape == (X.shape[1], 4)
    assert net(nn.Input((X.shape[1],))).shape == (1,)
    with pytest.raises(AttributeError, match="no attribute 'fitt'\n  hint: did you mean fit"):
        net.fitt(X, Y)


def test_a_chain_with_a_loss_is_compiled_for_one_batch() -> None:
    net = nn.Sequential(seed=0).dense(1).loss("mse").optimizer("sgd", 0.1).backend("numpy")
    first = net.train_on_batch(X, Y)["loss"]
    assert net.test_on_batch(X, Y)["loss"] < first
    assert net.predict_on_batch(X).shape == (len(X), 1)


@pytest.mark.parametrize(
    ("shape", "names"),
    [
        ((2, 9), ["Conv1D", "MaxPool1D", "AveragePool1D"]),
        ((2, 9, 9), ["Conv2D", "MaxPool2D", "AveragePool2D"]),
        ((2, 9, 9, 9), ["Conv3D", "MaxPool3D", "AveragePool3D"]),
    ],
)
def test_layers_of_as_many_axes_as_the_input(shape: tuple[int, ...], names: list[str]) -> None:
    net = nn.Sequential(seed=0).conv(3, 2, activation="relu").maxpool(2).avgpool(2)
    assert net.layers == []
    assert repr(net).splitlines()[2:5] == ["conv", "maxpool", "avgpool"]
    net.build(shape)
    assert [type(layer).__name__ for layer in net.layers] == names
    assert net.outputs[0].shape == (3, *[2] * (len(shape) - 1))
    again = pickle.loads(pickle.dumps(net))
    assert [type(layer).__name__ for layer in again.layers] == names


def test_layers_of_as_many_axes_as_the_input_are_checked() -> None:
    with pytest.raises(TypeError, match="conv has no argument 'stride'\n  hint: it is strides"):
        nn.Sequential().conv(3, 2, stride=2)
    with pytest.raises(ValueError, match="conv takes samples of shape"):
        nn.Sequential().conv(3, 2).build((4,))


def test_a_chain_shows_its_layers_and_what_is_minimized() -> None:
    net = nn.Sequential(name="<net>").dense(3).dense(1)
    assert repr(net).splitlines()[:4] == ["<net>", "layer", "dense (Dense)", "dense (Dense)"]
    net.loss("mse").optimizer("sgd", 0.5)
    assert "loss mse, optimizer SGD(learning_rate=0.5" in repr(net)
    net.build((4,))
    assert "dense_1 (Dense)  (n, 1)" in repr(net)
    assert "19 parameters, 76 B; 19 trained" in repr(net.model)
    for html in (net._repr_html_(), net.model._repr_html_()):
        assert "&lt;net&gt;" in html
        assert "dense_1 (Dense)" in html
    assert "parameters are created when" in nn.Sequential().dense(3)._repr_html_()
    assert repr(nn.Sequential([nn.Input(3), nn.Dense(2)]).model).count("\n") == 3


def test_data_may_be_given_by_the_names_of_keras() -> None:
    net = nn.Sequential([nn.Dense(1)], seed=0)
    net.compile("mse", backend="numpy")
    net.fit(x=X, y=Y, epochs=1, verbose=0)
    net.train(x=X, y=Y, epochs=1)
    assert net.evaluate(x=X, y=Y) == net.evaluate(X, Y) == net.evaluate([(X, Y)])
    assert (net.predict(x=X) == net.predict(X)).all()


def test_layers_are_given_in_a_list() -> None:
    with pytest.raises(TypeError, match=r"a list of layers, nn.Sequential\(.*\), not 2 arguments"):
        nn.Sequential(nn.Dense(8), nn.Dense(2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not one Dense"):
        nn.Sequential(nn.Dense(8))  # type: ignore[arg-type]


def test_what_is_minimized_and_measured_is_checked_at_once() -> None:
    net = nn.Sequential().dense(1)
    with pytest.raises(ValueError, match="unknown loss 'msee'; did you mean 'mse'"):
        net.loss("msee")
    with pytest.raises(ValueError, match="unknown metric 'acuracy'; did you mean 'accuracy'"):
        net.metrics("acuracy")
    with pytest.raises(ValueError, match="not 'gpu'; GPUs of NVIDIA are 'cuda'"):
        net.backend("gpu")
    with pytest.raises(ValueError, match="number 1 of the list is None"):
        net.compile(["mse", None])


def test_notebooks_show_the_loss_and_the_optimizer() -> None:
    net = nn.Sequential().dense(1).loss("mse").optimizer(nn.LBFGS(max_iter=7))
    for text in (repr(net), net._repr_html_()):
        assert "loss mse, optimizer LBFGS(max_iter=7, history_size=10" in text
        assert "object at" not in text


def test_predict_and_evaluate_take_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    net = chain()
    net.train(X, Y)
    assert net.predict(X, verbose=0).shape == (len(X), 2)
    found = net.evaluate(X, Y, verbose=0)
    assert capsys.readouterr().out == ""
    assert net.evaluate(X, Y, 7) == pytest.approx(found)
    np.testing.assert_allclose(net.predict(X, 7), net.predict(X), rtol=1e-5)
    net.evaluate(X, Y, verbose=1)
    assert f"loss {found['loss']:.4f}, accuracy" in capsys.readouterr().out
    for call in (lambda: net.predict(X, verbose="no"), lambda: net.evaluate(X, Y, verbose=3)):
        with pytest.raises(ValueError, match="verbose must be 'auto', 0, 1 or 2, not"):
            call()


def test_the_optimizer_of_a_chain_can_be_read_and_set() -> None:
    net = nn.Sequential([nn.Dense(1)], seed=0)
    assert net.optimizer.learning_rate == nn.RMSProp().learning_rate
    net.compile("mse", "sgd", backend="numpy")
    net.fit(X, Y, epochs=1, verbose=0)
    net.optimizer.learning_rate = 0.0625
    assert net.optimizer.learning_rate == net.model.optimizer.learning_rate == 0.0625
    assert net.optimizer.step == net.model.optimizer.step > 0
    assert "learning_rate" in dir(net.optimizer)
    assert repr(net.optimizer) == "SGD(learning_rate=0.0625)"
    with pytest.raises(AttributeError, match="it is learning_rate"):
        net.optimizer.lr = 0.1
    net.optimizer = nn.Adam(0.125)
    net.fit(X, Y, epochs=1, verbose=0)
    assert type(net.model.optimizer) is nn.Adam


def test_load_returns_a_chain(tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(20, 3)).astype("float32")
    net = nn.Sequential([nn.Dense(2, "tanh"), nn.Dense(1)], seed=0).loss("mse").optimizer("adam")
    net.train(x, x[:, 0], epochs=2)
    net.save(tmp_path / "net")
    again = nn.Sequential.load(tmp_path / "net")
    assert type(again) is nn.Sequential
    assert (again.predict(x) == net.predict(x)).all()
    for one in (net, again):
        one.train(x, x[:, 0], epochs=2)
    assert (again.predict(x) == net.predict(x)).all()


def test_a_chain_is_frozen_as_a_whole() -> None:
    net = nn.Sequential([nn.Dense(2), nn.Dense(1)])
    assert net.trainable
    net.trainable = False
    assert not any(layer.trainable for layer in net.layers)
    assert not net.trainable
