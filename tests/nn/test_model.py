"""Models: building, training on arrays and iterables, evaluation, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import nn

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4)).astype("float32")
Y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)


def stack(seed: int | None = 0, **options: Any) -> nn.Model:
    """Return a compiled model of two layers, without random masks."""
    model = nn.Model(seed=seed)
    model.add(nn.Dense(6, "tanh"))
    model.add(nn.Dense(3, "softmax"))
    chosen = {"optimizer": nn.SGD(0.1, momentum=0.9), "metrics": ["accuracy"], **options}
    model.compile("categorical_crossentropy", **chosen)
    return model


def forward(weights: list[Any], x: Any) -> Any:
    """Return the outputs of the model of ``stack``."""
    h = np.tanh(x @ weights[0] + weights[1]) @ weights[2] + weights[3]
    e = np.exp(h - h.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def test_outputs_and_measures_are_those_of_numpy() -> None:
    model = stack()
    assert model.predict(X).shape == (60, 3)  # builds it
    expected = forward(model.get_weights(), X.astype(float))
    assert np.allclose(model.predict(X), expected, atol=1e-6)
    assert np.array_equal(model.predict(X, batch_size=7), model.predict(X))
    measured = model.evaluate(X, Y, batch_size=17)
    assert measured["loss"] == pytest.approx(-np.log(expected[range(60), Y]).mean(), rel=1e-5)
    assert measured["accuracy"] == pytest.approx((expected.argmax(1) == Y).mean())
    weights = RNG.uniform(size=60)
    weighted = model.evaluate(X, Y, sample_weight=weights)
    assert weighted["loss"] == pytest.approx(
        (-np.log(expected[range(60), Y]) * weights).mean(), rel=1e-5
    )


def test_an_epoch_is_gradient_descent_over_the_batches_in_order() -> None:
    model = stack(optimizer=nn.SGD(0.5))
    model.build((4,))
    w = [v.astype(float) for v in model.get_weights()]
    losses = []
    for first in range(0, 60, 16):
        x, y = X[first : first + 16].astype(float), Y[first : first + 16]
        h = np.tanh(x @ w[0] + w[1])
        p = forward(w, x)
        losses += [-np.log(p[range(len(x)), y]).mean()] * len(x)
        d = (p - np.eye(3)[y]) / len(x)
        e = (d @ w[2].T) * (1 - h**2)
        gradients = [x.T @ e, e.sum(0), h.T @ d, d.sum(0)]
        w = [a - 0.5 * g for a, g in zip(w, gradients, strict=True)]
    history = model.fit(X, Y, batch_size=16, shuffle=False, verbose=0)
    for have, want in zip(model.get_weights(), w, strict=True):
        assert np.allclose(have, want, atol=1e-5)
    assert history["loss"] == pytest.approx([np.mean(losses)], rel=1e-5)


def test_labels_one_hot_rows_and_iterables_of_batches_give_the_same_bits() -> None:
    arrays = stack().fit(X, Y, epochs=2, batch_size=20, shuffle=False, verbose=0)

    def generator() -> Iterator[Any]:
        while True:
            for k in range(0, 60, 20):
                yield X[k : k + 20], Y[k : k + 20]

    items = [(X[k : k + 20], Y[k : k + 20]) for k in range(0, 60, 20)]
    source = generator()
    for given, options in ((items, {}), (source, {"steps_per_epoch": 3})):
        batches: Any = given if given is source else Again(items)
        found = stack().fit(batches, epochs=2, verbose=0, **options)  # type: ignore[arg-type]
        assert found.history == arrays.history
    hot = stack().fit(X, np.eye(3)[Y], epochs=2, batch_size=20, shuffle=False, verbose=0)
    assert hot["loss"] == pytest.approx(arrays["loss"], rel=1e-6)
    assert hot["accuracy"] == arrays["accuracy"]


class Again:
    """An iterable that is no list, such as a data set that is read in batches."""

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)


def test_the_seed_determines_everything() -> None:
    first, same, other = (stack(seed).fit(X, Y, epochs=2, verbose=0) for seed in (1, 1, 2))
    assert first.history == same.history != other.history
    model = stack(1)
    model.fit(X, Y, verbose=0)
    model.fit(X, Y, verbose=0)  # goes on with the second epoch
    assert model.history.history == first.history


def test_weights_of_samples_and_classes() -> None:
    kept = Y != 1
    model = stack(optimizer=nn.SGD(0.5))
    model.fit(X, Y, batch_size=60, class_weight={1: 0.0}, verbose=0)
    other = stack(optimizer=nn.SGD(0.5 * kept.mean()))
    other.fit(X[kept], Y[kept], batch_size=60, verbose=0)
    for have, want in zip(model.get_weights(), other.get_weights(), strict=True):
        assert np.allclose(have, want, atol=1e-6)
    third = stack(optimizer=nn.SGD(0.5))
    third.fit(X, Y, batch_size=60, sample_weight=kept, verbose=0)
    for have, want in zip(model.get_weights(), third.get_weights(), strict=True):
        assert np.array_equal(have, want)


def test_validation_is_a_part_or_given() -> None:
    split = stack().fit(X, Y, epochs=2, validation_split=0.25, verbose=0)
    model = stack()
    given = model.fit(X[:45], Y[:45], epochs=2, validation_data=(X[45:], Y[45:]), verbose=0)
    assert split.history == given.history
    assert list(given.history) == ["loss", "accuracy", "val_loss", "val_accuracy"]
    assert given["val_loss"][-1] == model.evaluate(X[45:], Y[45:])["loss"]


def test_numpy_computes_the_same_within_rounding() -> None:
    compiled, interpreted = (
        stack(backend=b).fit(X, Y, epochs=3, verbose=0) for b in ("c", "numpy")
    )
    assert compiled["loss"] == pytest.approx(interpreted["loss"], rel=1e-5)
    assert compiled["accuracy"] == interpreted["accuracy"]


def two_ends() -> tuple[nn.Model, Any, Any]:
    """Return a model with two inputs and outputs, and data."""
    words, numbers = nn.Input((2,), "int32", "words", seed=3), nn.Input((4,), name="numbers")
    h = nn.concatenate(nn.flatten(nn.embedding(words, 9, 2)), numbers)
    label = nn.Dense(3, "softmax", name="label")(nn.dense(h, 8, "tanh"))
    value = nn.Dense(1, name="value")(h)
    x = {"words": RNG.integers(0, 9, (60, 2)), "numbers": X}
    return nn.Model([words, numbers], [label, value]), x, {"label": Y, "value": X[:, 2]}


def test_several_inputs_and_outputs() -> None:
    model, x, y = two_ends()
    model.compile(
        {"label": "categorical_crossentropy", "value": "mse"},
        nn.Adam(0.02),
        metrics={"label": ["accuracy"]},
        loss_weights={"label": 1.0, "value": 0.5},
    )
    history = model.fit(x, y, epochs=30, verbose=0)
    assert set(history.history) == {"loss", "label_loss", "value_loss", "label_accuracy"}
    assert history["loss"][-1] == pytest.approx(
        history["label_loss"][-1] + 0.5 * history["value_loss"][-1], rel=1e-6
    )
    assert history["loss"][-1] < 0.5 * history["loss"][0]
    label, value = model.predict([x["words"], x["numbers"]])
    assert (label.shape, value.shape) == ((60, 3), (60, 1))
    with pytest.raises(
        ValueError, match=r"\['labl'\] are not names of outputs; the outputs are \['label', "
    ):
        model.compile({"labl": "mse"}, "sgd")


def test_constraints_hold_after_each_update() -> None:
    model = nn.Model(seed=0)
    model.add(nn.Dense(3, "softmax", kernel_constraint=nn.MaxNorm(0.1)))
    model.compile("categorical_crossentropy", nn.SGD(1.0))
    model.fit(X, Y, verbose=0)
    assert np.linalg.norm(model.get_weights()[0], axis=0).max() <= 0.1 + 1e-6


@pytest.mark.filterwarnings("ignore:.*learning rate is 0:symtheano.nn.TrainingWarning")
def test_penalties_are_part_of_the_loss_in_training() -> None:
    model = nn.Model(seed=0)
    model.add(nn.Dense(3, "softmax", kernel_regularizer=nn.L2(0.5)))
    model.compile("categorical_crossentropy", nn.SGD(0.0))
    measured = model.evaluate(X, Y)["loss"]
    penalty = 0.5 * (model.get_weights()[0] ** 2).sum()
    history = model.fit(X, Y, verbose=0)
    assert history["loss"][0] == pytest.approx(measured + penalty, rel=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m.fit(X, Y[:50]), "there are 60 samples, but 50 targets"),
        (lambda m: m.fit(X[:, :3], Y), r"takes arrays of shape \(n, 4\)"),
        (lambda m: m.fit(X, Y + 1), "label 3 at .* must be from 0 to 2"),
        (lambda m: m.fit(X), "targets are missing"),
        (lambda m: m.fit(X[:0], Y[:0]), "there are no samples"),
        (lambda m: m.fit(X, Y, batch_size=0), "batch_size must be an integer of at least 1"),
        (lambda m: m.fit(X, Y, verbose=7), "verbose must be"),
        (lambda m: m.fit(iter([(X, Y)])), "pass steps_per_epoch"),
        (lambda m: m.fit(Again([]), epochs=1, verbose=0), "the iterable yielded no batch"),
        (lambda m: m.fit(Again([X]), epochs=1, verbose=0), r"must yield \(inputs, targets\)"),
        (
            lambda m: m.fit(X, Y, validation_split=0.5, validation_data=(X, Y)),
            "pass either validation_split or validation_data",
        ),
        (lambda m: m.set_weights([X]), "takes 4 arrays, not 1"),
        (
            lambda m: m.set_weights([X, *m.get_weights()[1:]]),
            r"dense/kernel has shape \(4, 6\), not \(60, 4\)",
        ),
        (lambda m: m.predict(X[:, 0]), r"takes arrays of shape \(n, 4\)"),
    ],
)
def test_bad_data_change_nothing(call: Any, message: str) -> None:
    model = stack()
    model.build((4,))
    before = model.get_weights()
    with pytest.raises(ValueError, match=message):
        call(model)
    for old, new in zip(before, model.get_weights(), strict=True):
        assert np.array_equal(old, new)
    assert model.epochs_done == 0


def test_models_that_cannot_be_used_yet() -> None:
    model = nn.Model()
    with pytest.raises(ValueError, match="has no layers"):
        model.predict(X)
    model.add(nn.Dense(2))
    with pytest.raises(ValueError, match="has no parameters yet"):
        model.summary()
    with pytest.raises(ValueError, match="call compile"):
        model.fit(X, X[:, :2])
    with pytest.raises(TypeError, match="takes a layer or a model, not 'dense'"):
        model.add("dense")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="an input can only be added first"):
        model.add(nn.Input((2,)))
    with pytest.raises(ValueError, match="pass both inputs and outputs"):
        nn.Model(nn.Input((2,)))
    with pytest.raises(ValueError, match="backend must be one of c, numpy"):
        model.compile("mse", backend="c++")
    x = nn.Input((2,))
    made = nn.Model(x, nn.dense(x, 2))
    with pytest.raises(ValueError, match="made from inputs and outputs"):
        made.add(nn.Dense(2))


def test_an_input_that_is_added_builds_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    model = nn.Model(seed=0, name="first")
    model.add(nn.Input((4,)))
    model.add(nn.Dense(3))
    text = model.summary()
    assert capsys.readouterr().out == text + "\n"
    assert text.splitlines()[0] == "first"
    assert text.splitlines()[2].split() == ["dense", "(Dense)", "(n,", "3)", "15", "60", "B"]


def test_layers_of_the_user_train_like_others() -> None:
    class Scale(nn.Layer):
        def build(self, *shapes: Any) -> None:
            self.factor = self.parameter("factor", (shapes[0][-1],), "ones")

        def apply(self, *inputs: Any, training: bool) -> Any:
            return inputs[0] * T.exp(self.factor)

    model = nn.Model(seed=0)
    model.add(Scale())
    model.compile("mse", nn.SGD(0.1))
    before = model.evaluate(X, X * 2)["loss"]
    assert model.fit(X, X * 2, epochs=20, verbose=0)["loss"][-1] < 0.1 * before


def test_steps_that_do_not_exist_count_nothing() -> None:
    words = RNG.integers(1, 9, (20, 6))
    words[:, 4:] = 0
    words[:7, 2:] = 0
    labels = words % 3
    x = nn.Input((6,), "int32", seed=0)
    y = nn.Dense(3, "softmax")(nn.Embedding(9, 4, mask_zero=True)(x))
    model = nn.Model(x, y)
    model.compile("categorical_crossentropy", nn.SGD(0.5), metrics=["accuracy"])
    exists = words != 0
    p = model.predict(words).astype(float)
    losses = -np.log(np.take_along_axis(p, labels[..., None], 2))[..., 0]
    right = p.argmax(axis=2) == labels
    measured = model.evaluate(words, labels)
    assert measured["loss"] == pytest.approx(losses[exists].mean(), rel=1e-5)
    assert measured["accuracy"] == pytest.approx(right[exists].mean())
    weights = RNG.uniform(size=20)
    weighted = model.evaluate(words, labels, sample_weight=weights)
    expected = (losses * weights[:, None])[exists].sum() / exists.sum()
    assert weighted["loss"] == pytest.approx(expected, rel=1e-5)
    start = model.get_weights()
    histories = []
    for target in (labels, np.where(exists, labels, 2)):
        model.set_weights(start)
        model.fit(words, target, shuffle=False, verbose=0)
        histories.append(model.get_weights())
    for one, other in zip(*histories, strict=True):
        assert np.array_equal(one, other)


def test_embeddings_say_which_number_has_no_row() -> None:
    model = nn.Sequential([nn.Input((3,), dtype="int32", name="words"), nn.Embedding(5, 2)], seed=0)
    model.add(nn.Flatten()).add(nn.Dense(1))
    model.compile("mse", backend="numpy")
    x, y = np.zeros((8, 3), "int32"), np.zeros((8, 1), "float32")
    model.fit(x, y, verbose=0)
    x[3, 1] = 7
    before = model.get_weights()
    message = r"Embedding 'embedding': words has 7 at \[3, 1\], and the table has rows 0 to 4"
    for call in (
        lambda: model.fit(x, y, verbose=0),
        lambda: model.fit([(x, y)], verbose=0),
        lambda: model.predict(x),
        lambda: model.evaluate(x, y),
        lambda: model.train_on_batch(x, y),
    ):
        with pytest.raises(IndexError, match=message):
            call()
    assert all(map(np.array_equal, before, model.get_weights()))
    x[3, 1] = -6
    with pytest.raises(IndexError, match="words has -6"):
        model.predict(x)


def test_errors_in_calls_have_the_line_of_the_layer() -> None:
    words = nn.Input((3,), dtype="int32")
    doubled = nn.Lambda(lambda k: 2 * k)(words)
    table = nn.Embedding(5, 2)(doubled)  # the line
    model = nn.Model(words, nn.dense(nn.flatten(table), 1))
    model.compile("mse")
    x, y = np.zeros((8, 3), "int32"), np.zeros((8, 1), "float32")
    model.fit(x, y, verbose=0)
    with pytest.raises(IndexError, match="# the line"):
        model.fit(x + 3, y, verbose=0)


def test_shuffle_is_true_or_false() -> None:
    model = stack()
    model.compile("categorical_crossentropy")
    with pytest.raises(TypeError, match="shuffle must be True or False, not 'yes'"):
        model.fit(X, Y, shuffle="yes")  # type: ignore[arg-type]


def test_a_loss_that_returns_a_number_is_none() -> None:
    model = stack()
    model.compile(lambda predictions, targets: 0)
    with pytest.raises(TypeError, match="the loss <lambda> returned 0; it must return a symbolic"):
        model.fit(X, Y, verbose=0)


@pytest.mark.parametrize(
    "call", [lambda s: nn.Model(seed=s), nn.seed, lambda s: nn.Input((2,), seed=s)]
)
def test_seeds_are_integers(call: Any) -> None:
    with pytest.raises(TypeError, match="seed must be a non-negative integer or None, not 'a'"):
        call("a")
    with pytest.raises(ValueError, match="not -1"):
        call(-1)
