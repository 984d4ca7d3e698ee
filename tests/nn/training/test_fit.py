"""Calls of fit and evaluate as people make them: arguments, batches, interruptions, callbacks."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from symtheano import nn
from symtheano.nn.losses import Loss

X = np.random.default_rng(0).normal(size=(20, 3)).astype("float32")
Y = (X[:, 0] > 0).astype(int)


def model(rate: float = 0.1, **options: Any) -> nn.Model:
    made = nn.Model(seed=0)
    made.add(nn.Dense(2, "softmax"))
    options = {"loss": "categorical_crossentropy", "backend": "numpy", **options}
    made.compile(optimizer=nn.SGD(rate), **options)
    return made


def batches(count: int) -> Iterator[Any]:
    for _ in range(count):
        yield X[:5], Y[:5]


MESSAGES: dict[str, tuple[dict[str, Any], str]] = {
    "epochs": ({"epochs": 2.0}, "epochs must be an integer of at least 0, not 2.0"),
    "batch size": ({"batch_size": 0}, "batch_size must be an integer of at least 1, not 0"),
    "steps of arrays": ({"steps_per_epoch": 2}, "steps_per_epoch can only be used for iterables"),
    "no steps": ({"x": batches(5), "y": None, "steps_per_epoch": 0}, "an integer of at least 1"),
    "words": ({"y": np.where(Y, "a", "b")}, r"np.unique\(words, return_inverse=True\)\[1\]"),
    "floats": ({"y": Y.astype(float)}, r"y.astype\(int\) converts labels to integers"),
    "ragged": ({"x": [[1, 2], [3]]}, "the items cannot be combined to an array"),
    "masked": ({"x": np.ma.masked_greater(X, 1)}, "masked arrays are not supported"),
    "numbers": ({"x": X[:, 0]}, r"use x\[:, np.newaxis\] to make each"),
    "names of classes": ({"class_weight": {"0": 2.0}}, "labels, which are numbers"),
    "another word": ({"class_weight": "equal"}, "'balanced', or a dict from labels"),
    "balanced batches": (
        {"x": [(X, Y)], "y": None, "class_weight": "balanced"},
        "needs the labels of all samples",
    ),
    "generator": ({"validation_data": batches(2)}, "a generator is used up after the first"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name: str) -> None:
    arguments, message = MESSAGES[name]
    made = model()
    with pytest.raises(ValueError, match=message):
        made.fit(**{"x": X, "y": Y, "verbose": 0, **arguments})
    assert made.history.epochs == []


def test_sparse_matrices_are_no_batches() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for matrix in (sparse.csr_matrix(X), sparse.csr_array(X)):
        with pytest.raises(ValueError, match=r"sparse matrices .* call the method toarray"):
            model().fit(matrix, Y)


def test_integers_are_not_cut_or_wrapped() -> None:
    words = nn.Model(seed=0)
    words.add(nn.Embedding(5, 2))
    assert words.predict(np.array([[1.0, 2.0]])).shape == (1, 2, 2)
    for wrong in ([[0.5]], [[2.0**40]], [[np.nan]]):
        with pytest.raises(ValueError, match="must be integers of int32"):
            words.predict(np.repeat(wrong, 2, axis=1))


def test_no_validation_and_default_batches() -> None:
    left, right = model(), model()
    left.fit(X, Y, validation_split=0.0, batch_size=None, callbacks=None, verbose=0)
    right.fit(X, Y, batch_size=32, verbose=0)
    assert left.history.history == right.history.history


def test_losses_and_metrics_are_checked_when_they_are_given() -> None:
    for loss, message in {
        "msee": "unknown loss",
        None: "must be a name, a Loss or a function",
        Loss("mse", reduction="sum"): "minimizes the mean over samples",
    }.items():
        with pytest.raises(ValueError, match=message):
            model(loss=loss)
    with pytest.raises(ValueError, match="unknown metric 'accu'"):
        model(metrics=["accu"])
    with pytest.raises(ValueError, match="integer labels without the last axis"):
        model(loss="mse").fit(X, Y, verbose=0)


def test_a_weight_of_zero_is_no_missing_weight() -> None:
    made = model(loss_weights=0)
    assert made.fit(X, Y, verbose=0)["loss"] == [0.0]


def test_generators_that_end_early() -> None:
    made = model()
    with (
        pytest.warns(UserWarning, match="epoch 1 had only 2 of 3 batches"),
        pytest.raises(ValueError, match="epoch 2: the iterable yielded no batch"),
    ):
        made.fit(batches(5), epochs=4, steps_per_epoch=3, verbose=0)
    assert made.history.epochs == [0, 1]


@pytest.mark.filterwarnings("ignore:.*learning rate is 0:symtheano.nn.TrainingWarning")
def test_batches_of_several_kinds_are_measured_together() -> None:
    made = model(rate=0.0, metrics=["accuracy"])
    mixed = [(X[:10], Y[:10]), (X[10:], np.eye(2)[Y[10:]])]
    history = made.fit(mixed, epochs=2, validation_data=mixed, verbose=0)
    want = made.evaluate(X, Y)
    for name in ("loss", "accuracy"):
        assert history[name] == pytest.approx([want[name]] * 2)
        assert history[f"val_{name}"] == pytest.approx([want[name]] * 2)
    assert made.evaluate(mixed) == pytest.approx(want)


def test_metrics_of_one_name_and_arrays(tmp_path: Path) -> None:
    matrix, precisions = nn.metrics.ConfusionMatrix(2), [nn.metrics.Precision(), "precision"]
    made = model(metrics=[matrix, *precisions])
    made.fit(X, np.eye(2)[Y], verbose=2)
    history = made.fit(X, np.eye(2)[Y], validation_split=0.5, verbose=0)
    assert "precision_1" in history.history
    assert np.shape(history["confusion_matrix"]) == (2, 2, 2)
    assert np.isnan(history["val_confusion_matrix"][0]).all()
    made.save(tmp_path / "m")
    again = nn.Model.load(tmp_path / "m").history
    assert_array_equal(again["val_confusion_matrix"], history["val_confusion_matrix"])
    assert len(history.plot(None).axes) == 4
    with pytest.raises(ValueError, match="is an array; only numbers can be compared"):
        made.fit(X, np.eye(2)[Y], callbacks=nn.EarlyStopping("confusion_matrix"), verbose=0)


@pytest.mark.filterwarnings("ignore:training. no parameter is trained")
def test_freezing_holds_from_the_next_call_on() -> None:
    made = model()
    made.fit(X, Y, verbose=0)
    for trainable in (False, True):
        made.layers[0].trainable = trainable
        for weights in (None, np.ones(20)):
            before = made.get_weights()
            made.fit(X, Y, sample_weight=weights, verbose=0)
            same = [bool((a == b).all()) for a, b in zip(before, made.get_weights(), strict=True)]
            assert same == [not trainable] * 2


class At(nn.Callback):
    """Does something after a batch."""

    def __init__(self, batch: int, action: Callable[[], Any]) -> None:
        self.batch, self.action = batch, action

    def on_batch_end(self, batch: int) -> None:
        if batch == self.batch:
            self.action()


def fail(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ZeroDivisionError()])
def test_an_interruption_keeps_what_is_done(error: BaseException) -> None:
    made = model()
    made.fit(X, Y, verbose=0)
    with pytest.raises(type(error)):
        made.fit(X, Y, batch_size=4, verbose=0, callbacks=At(2, lambda: fail(error)))
    assert (made.history.epochs, made.epochs_done, made.optimizer.step) == ([0], 1, 4)
    made.fit(X, Y, verbose=0)
    assert made.history.epochs == [0, 1]


def test_the_data_are_let_go_of() -> None:
    made, samples = model(), X.copy()
    made.fit(samples, Y, verbose=0)
    with pytest.raises(ZeroDivisionError):
        made.fit(samples, Y, verbose=0, callbacks=At(0, lambda: fail(ZeroDivisionError())))
    known = weakref.ref(samples)
    del samples
    gc.collect()
    assert known() is None


def test_one_training_at_a_time() -> None:
    made = model()
    with pytest.raises(RuntimeError, match="is already being trained"):
        made.fit(X, Y, verbose=0, callbacks=At(0, lambda: made.fit(X, Y, verbose=0)))
    errors: list[Any] = []

    def other() -> None:
        try:
            made.fit(X, Y, verbose=0)
        except RuntimeError as error:
            errors.append(error)

    def start() -> None:
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    made.fit(X, Y, verbose=0, callbacks=At(0, start))
    assert len(errors) == 1
    made.fit(X, Y, verbose=0, callbacks=At(0, lambda: made.evaluate(X, Y)))


def test_callbacks_begin_anew() -> None:
    stop = nn.EarlyStopping("loss", patience=1, restore_best_weights=True)
    model(rate=1.0).fit(X, Y, epochs=30, callbacks=stop, verbose=0)
    slow = model(rate=1e-3)
    slow.fit(X, Y, epochs=4, callbacks=[stop], verbose=0)
    assert slow.history.epochs == [0, 1, 2, 3]
    with pytest.raises(TypeError, match=r"instances of subclasses of nn\.Callback"):
        slow.fit(X, Y, callbacks=[nn.EarlyStopping])  # type: ignore[list-item]


def test_a_checkpoint_that_cannot_be_written_is_known_before_the_first_epoch(
    tmp_path: Path,
) -> None:
    made = model()
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        made.fit(X, Y, callbacks=nn.Checkpoint(tmp_path / "none" / "m"), verbose=0)
    made.add(nn.Lambda(lambda x: x))
    with pytest.raises(TypeError, match="cannot be saved"):
        made.fit(X, Y, callbacks=nn.Checkpoint(tmp_path / "m"), verbose=0)
    assert made.history.epochs == []


def test_inputs_that_nothing_depends_on() -> None:
    a, b = nn.Input((3,), seed=0), nn.Input((3,))
    made = nn.Model([a, b], nn.Dense(2, "softmax")(a))
    made.compile("categorical_crossentropy", nn.SGD(0.1), backend="numpy")
    made.fit([X, X], Y, verbose=0)
    made.fit([([X, X], Y)], verbose=0)
    assert made.history.epochs == [0, 1]


@pytest.mark.filterwarnings("ignore:.*learning rate is 0:symtheano.nn.TrainingWarning")
def test_metrics_of_several_outputs() -> None:
    targets = np.stack([X[:, 0], 10 * X[:, 1] + 50], 1)
    made = nn.Model(seed=0)
    made.add(nn.Dense(2))
    made.compile("mse", nn.SGD(0.0), metrics=["r2"], backend="numpy")
    measured = made.evaluate(X, targets)["r2"]
    errors = ((made.predict(X) - targets) ** 2).sum(axis=0)
    shares = 1 - errors / ((targets - targets.mean(axis=0)) ** 2).sum(axis=0)
    assert measured == pytest.approx(shares.mean(), rel=1e-4)


@pytest.mark.parametrize("metric", ["precision", "auc", "rmse", "binary_accuracy", "mae"])
def test_metrics_of_numbers_get_no_labels(metric: str) -> None:
    made = model(metrics=[metric])
    with pytest.raises(ValueError, match=r"the metric \w+ .* with classes=2 take labels"):
        made.fit(X, Y, verbose=0)
    made.fit(X, np.eye(2)[Y], verbose=0)


def test_rows_of_labels_for_ctc() -> None:
    x = np.random.default_rng(1).normal(size=(5, 6, 3)).astype("float32")
    rows = np.array([[1, 2], [3, -1], [1, 1], [2, 3], [2, -1]])
    inputs = nn.Input((None, 3), seed=0)
    made = nn.Model(inputs, nn.Dense(4)(inputs))
    made.compile("ctc", nn.SGD(0.1), backend="numpy")
    want = float(nn.losses.ctc(made.predict(x), rows).eval(mode="INTERPRET"))
    assert made.evaluate(x, rows)["loss"] == pytest.approx(want, rel=1e-5)
    losses = made.fit(x, rows, epochs=5, verbose=0)["loss"]
    assert losses[-1] < losses[0]
    for wrong in (rows[:, 0], rows.astype(float)):
        with pytest.raises(ValueError, match=r"must be integers of shape \(n, labels\)"):
            made.fit(x, wrong, verbose=0)
    with pytest.raises(ValueError, match="label 4 at"):
        made.fit(x, rows + 1, verbose=0)


def test_schedules_of_one_or_two_arguments() -> None:
    made = model()
    made.fit(X, Y, verbose=0, callbacks=nn.LearningRateScheduler(lambda epoch: 0.25))
    assert made.optimizer.learning_rate == 0.25
    made.fit(X, Y, verbose=0, callbacks=nn.LearningRateScheduler(lambda epoch, rate: rate / 2))
    assert made.optimizer.learning_rate == 0.125
    with pytest.raises(TypeError, match="the schedule must return a number, not None"):
        made.fit(X, Y, verbose=0, callbacks=nn.LearningRateScheduler(lambda epoch: None))  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError):
        made.optimizer.learning_rate = None
    assert made.optimizer.learning_rate == 0.125


def test_a_model_is_built_once() -> None:
    made = model()
    made.build((3,))
    made.build((None,))
    with pytest.raises(ValueError, match=r"parameters for samples of shape \(n, 3\), not \(n, 4"):
        made.build((4,))


class Old(nn.Layer):
    """A layer that is no dataclass."""

    def __init__(self, factor: float, is_complete: bool = True) -> None:
        if is_complete:
            super().__init__()
        self.factor = factor

    def apply(self, *inputs: Any, training: bool) -> Any:
        return inputs[0] * self.factor


def test_layers_with_constructors_of_their_own() -> None:
    with pytest.raises(TypeError, match=r"Old\.__init__ must call super\(\)"):
        Old(2.0, False)(nn.Input((3,)))
    made = nn.Model(seed=0)
    made.add(Old(2.0))
    assert_array_equal(made.predict(X), 2 * X)
    with pytest.raises(TypeError, match="Old cannot be saved, because it has its own __init__"):
        made.to_bytes()


def test_the_first_arguments_have_the_order_of_keras(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = model(), model()
    one.fit(X, Y, 8, 3, 0)
    other.fit(X, Y, batch_size=8, epochs=3, verbose=0)
    assert one.history.history == other.history.history
    assert one.optimizer.step == 9
    assert capsys.readouterr().out == ""


def test_an_optimizer_in_place_of_the_loss() -> None:
    """The order of Keras."""
    for given in ("adam", nn.Adam()):
        for made in (nn.Model(), nn.Sequential([nn.Dense(1)])):
            made.compile(given, "mse", ["mae"])
            assert type(made.optimizer).__name__ == "Adam" or "Adam" in repr(made.optimizer)
        assert "loss mse, optimizer Adam" in repr(made)
    with pytest.raises(ValueError, match="unknown loss 'adam'"):
        nn.Model().compile("adam")


def test_one_batch_at_a_time_is_training_in_order() -> None:
    one, other = model(metrics=["accuracy"]), model(metrics=["accuracy"])
    one.build_for(X)
    other.build_for(X)
    before = one.test_on_batch(X[:10], Y[:10])
    first = one.train_on_batch(X[:10], Y[:10])
    assert first == before
    second = one.train_on_batch(X[10:], Y[10:])
    other.fit(X, Y, batch_size=10, shuffle=False, verbose=0)
    for a, b in zip(one.get_weights(), other.get_weights(), strict=True):
        assert_array_equal(a, b)
    for name in ("loss", "accuracy"):
        assert other.history[name][0] == pytest.approx((first[name] + second[name]) / 2)
    assert one.epochs_done == 0
    assert_array_equal(one.predict_on_batch(X), one.predict(X, batch_size=20))


def test_one_batch_with_weights() -> None:
    one, other = model(), model()
    weights = np.where(Y == 1, 3.0, 1.0)
    assert one.train_on_batch(X, Y, class_weight={1: 3.0}) == other.train_on_batch(X, Y, weights)
    assert one.test_on_batch(X, Y, weights)["loss"] > one.test_on_batch(X, Y)["loss"]


def test_one_batch_needs_a_loss_and_a_model_that_is_free() -> None:
    made = nn.Model()
    made.add(nn.Dense(2))
    for call in (made.train_on_batch, made.test_on_batch):
        with pytest.raises(ValueError, match=f"{call.__name__}: call compile"):
            call(X, Y)
    busy = model()
    callback = nn.LambdaCallback(lambda epoch, logs: busy.train_on_batch(X, Y))
    with pytest.raises(RuntimeError, match="is already being trained"):
        busy.fit(X, Y, verbose=0, callbacks=callback)


def test_balanced_classes_are_those_of_the_labels() -> None:
    labels = np.array([0] * 15 + [1] * 5)
    one, other = model(), model()
    one.fit(X, labels, verbose=0, class_weight="balanced")
    other.fit(X, labels, verbose=0, class_weight={0: 20 / 30, 1: 20 / 10})
    assert one.history["loss"] == other.history["loss"]
    one_hot = model()
    one_hot.fit(X, np.eye(2)[labels], verbose=0, class_weight="balanced")
    assert one_hot.history["loss"] == pytest.approx(one.history["loss"])


def test_the_root_of_the_mean_over_a_batch_is_minimized() -> None:
    target = X[:, :1] + 2 * X[:, 1:2]
    made = nn.Sequential([nn.Dense(1)], seed=0)
    made.compile("rmse", nn.Adam(0.05), ["rmse", "mse"], backend="numpy")
    first = made.evaluate(X, target)
    assert first["loss"] == pytest.approx(first["mean_squared_error"] ** 0.5, rel=1e-5)
    assert first["loss"] == pytest.approx(first["root_mean_squared_error"], rel=1e-5)
    made.fit(X, target, 5, 100, 0)
    assert made.evaluate(X, target)["loss"] < 0.1 * first["loss"]
    weights = np.linspace(0, 2, 20)
    errors = (made.predict(X) - target)[:, 0] ** 2
    found = made.evaluate(X, target, sample_weight=weights)["loss"]
    assert found == pytest.approx(np.mean(weights * errors) ** 0.5, rel=1e-4)


def test_the_root_of_zero_changes_nothing() -> None:
    made = nn.Sequential([nn.Dense(1, kernel_initializer="zeros", trainable=True)], seed=0)
    made.compile("rmse", nn.SGD(0.1), backend="numpy")
    assert made.train_on_batch(X, np.zeros((20, 1)))["loss"] == 0
    assert all((array == 0).all() for array in made.get_weights())
