"""``fit`` with methods that work on all samples at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from symtheano import nn

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2)).astype("float32")
Y = (X[:, 0] * X[:, 1] > 0).astype("int64")


def model(optimizer: Any, *layers: Any, **options: Any) -> nn.Model:
    made = nn.Model(seed=1)
    for layer in (*layers, nn.Dense(2, "softmax")):
        made.add(layer)
    made.compile("categorical_crossentropy", optimizer, backend="numpy", **options)
    return made


@pytest.mark.parametrize(
    "optimizer", ["lbfgs", "L-BFGS", "bfgs", "conjugate_gradient", nn.LBFGS(), nn.LBFGS]
)
def test_a_network_is_trained_until_it_converges(optimizer: Any) -> None:
    made = model(optimizer, nn.Dense(8, "tanh"), metrics=["accuracy"])
    history = made.fit(X, Y, epochs=50, verbose=0)
    assert len(history.history["loss"]) < 50
    assert history.history["loss"][-1] < 0.2
    assert made.evaluate(X, Y)["loss"] == pytest.approx(history.history["loss"][-1], rel=1e-4)
    assert made.evaluate(X, Y)["accuracy"] > 0.9


def test_a_convex_problem_has_scipys_solution() -> None:
    x = RNG.normal(size=(50, 3))
    y = (x @ [1.0, -2.0, 0.5] + 0.3)[:, None]
    made = nn.Model(seed=0)
    made.add(nn.Dense(1, kernel_regularizer=nn.L2(0.1)))
    made.build((3,), "float64")
    made.compile("mse", nn.LBFGS(tolerance_grad=1e-8, tolerance_change=1e-14), backend="numpy")
    made.fit(x, y, verbose=0)

    def cost(w: Any) -> float:
        return float(((x @ w[:3, None] + w[3] - y) ** 2).mean() + 0.1 * (w[:3] ** 2).sum())

    want = minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    kernel, bias = made.get_weights()
    np.testing.assert_allclose([*kernel.ravel(), *bias], want, atol=1e-3)


def test_epochs_go_on_where_the_last_one_ended() -> None:
    made = model(nn.LBFGS(max_iter=2), nn.Dense(8, "tanh"))
    losses = made.fit(X, Y, epochs=5, verbose=0, validation_split=0.2).history
    assert len(losses["val_loss"]) == 5
    assert losses["loss"] == sorted(losses["loss"], reverse=True)
    made.fit(X, Y, epochs=1, verbose=0)
    assert made.epochs_done == 6


def test_weights_of_samples_count() -> None:
    made = model("lbfgs")
    made.fit(X, Y, epochs=20, sample_weight=np.where(Y == 0, 1.0, 0.0), verbose=0)
    assert (made.predict(X).argmax(1) == 0).all()


def test_running_statistics_are_updated() -> None:
    made = model(nn.LBFGS(max_iter=3), nn.BatchNorm())
    made.fit(X + 5, Y, verbose=0)
    statistics = [p.variable.get_value() for p in made.parameters if not p.trains]
    assert any((value > 0.01).any() for value in statistics[:1])


def test_callbacks_and_files(tmp_path: Path) -> None:
    seen: list[int] = []
    watch = nn.LambdaCallback(on_epoch_end=lambda epoch, logs: seen.append(epoch))
    made = model(nn.LBFGS(max_iter=2), nn.Dense(4, "tanh"))
    made.fit(X, Y, epochs=3, callbacks=[watch], verbose=0)
    assert seen == [0, 1, 2]
    made.save(tmp_path / "m.safetensors")
    again = nn.Model.load(tmp_path / "m.safetensors")
    assert again.optimizer.config() == made.optimizer.config()
    np.testing.assert_array_equal(again.predict(X), made.predict(X))
    assert again.fit(X, Y, epochs=1, verbose=0).history["loss"][-1] <= made.evaluate(X, Y)["loss"]


def test_what_is_refused() -> None:
    with pytest.raises(ValueError, match="LBFGS: the loss must be the same in each evaluation"):
        model("lbfgs", nn.Dense(8, "tanh"), nn.Dropout(0.5)).fit(X, Y, verbose=0)
    with pytest.raises(ValueError, match="LBFGS needs all samples at once; pass arrays"):
        model("lbfgs").fit([(X, Y)], verbose=0)
    with pytest.raises(NotImplementedError, match=r"LBFGS: .* has a constraint"):
        model("lbfgs", nn.Dense(3, kernel_constraint="nonnegative")).fit(X, Y, verbose=0)


def test_estimators_take_them() -> None:
    found = nn.Classifier((8,), "tanh", "lbfgs", epochs=20, random_state=0, backend="numpy")
    assert found.fit(X, Y).score(X, Y) > 0.9
