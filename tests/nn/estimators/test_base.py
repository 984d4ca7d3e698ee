"""Estimators: scikit-learn's own checks, and that they work with its tools."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano import nn

pytest.importorskip("sklearn", minversion="1.6")

from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from tests.nn.estimators.cases import CLASSES, LINE, NAMES, POINTS, RNG, classifier, regressor


# scikit-learn's checks fit more than fifty networks.
@pytest.mark.slow
@pytest.mark.parametrize("kind", [nn.Classifier, nn.Regressor])
def test_scikit_learn_accepts_the_estimator(kind: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = check_estimator(kind(), on_fail=None, on_skip=None)
    failed = {r["check_name"]: r["exception"] for r in results if r["status"] == "failed"}
    assert failed == {}
    assert not any(r["status"] == "xfail" for r in results)
    assert sum(r["status"] == "passed" for r in results) > 50


@pytest.mark.parametrize("jobs", [1, 2])
def test_grid_search(jobs: int) -> None:
    grid = {"classifier__hidden": [(2,), (8,)], "classifier__learning_rate": [1e-5, 0.05]}
    chain = make_pipeline(StandardScaler(), classifier())
    search = GridSearchCV(chain, grid, cv=2, n_jobs=jobs).fit(POINTS, NAMES)
    assert search.best_params_["classifier__learning_rate"] == 0.05
    assert search.score(POINTS, NAMES) > 0.9


def test_cross_validation() -> None:
    scores = cross_val_score(regressor(), POINTS, LINE, cv=3)
    assert scores.min() > 0.9


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_dtype_of_samples_is_that_of_the_network(dtype: str) -> None:
    net = classifier(epochs=1).fit(POINTS.astype(dtype), CLASSES)
    expected = "float32" if dtype == "float32" else "float64"
    assert net.predict_proba(POINTS.astype(dtype)).dtype == expected
    assert net.predict_proba(POINTS.tolist()).dtype == expected


def test_attributes_of_training() -> None:
    net = classifier().fit(POINTS, CLASSES)
    assert (net.n_iter_, len(net.loss_curve_), net.n_features_in_) == (20, 20, 2)
    assert net.loss_curve_[-1] == net.loss_ < net.loss_curve_[0]
    assert not hasattr(net, "feature_names_in_")


def test_names_of_features() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(POINTS, columns=["a", "b"])
    assert classifier(epochs=1).fit(frame, CLASSES).feature_names_in_.tolist() == ["a", "b"]


def test_equal_seeds_give_equal_bits() -> None:
    one, two = (classifier(dropout=0.2).fit(POINTS, CLASSES) for _ in range(2))
    other = classifier(dropout=0.2, random_state=1).fit(POINTS, CLASSES)
    np.testing.assert_array_equal(one.predict_proba(POINTS), two.predict_proba(POINTS))
    assert (one.predict_proba(POINTS) != other.predict_proba(POINTS)).any()
    rng = np.random.RandomState(0)
    again = [classifier(random_state=rng, epochs=1).fit(POINTS, CLASSES) for _ in range(2)]
    assert again[0].loss_ != again[1].loss_


def test_weights_count_samples() -> None:
    weights = np.arange(20) % 3
    repeated = np.repeat(np.arange(20), weights)
    few, labels = POINTS[:20].astype("float64"), CLASSES[:20]
    one = classifier().fit(few, labels, sample_weight=weights)
    two = classifier().fit(few[repeated], labels[repeated])
    np.testing.assert_allclose(one.predict_proba(few), two.predict_proba(few), rtol=1e-6)
    with pytest.raises(ValueError, match=r"positive|non-zero"):
        classifier().fit(few, labels, sample_weight=np.zeros(20))


def test_early_stopping_keeps_the_best_parameters() -> None:
    y = RNG.permutation(CLASSES)
    net = classifier(early_stopping=True, epochs=200, n_iter_no_change=3, validation_fraction=0.3)
    net.fit(POINTS, y)
    assert net.n_iter_ < 200
    assert len(net.validation_loss_curve_) == net.n_iter_
    assert net.n_iter_ - 1 - int(np.argmin(net.validation_loss_curve_)) >= 3


def test_layers_of_ones_own() -> None:
    x, y = load_digits(return_X_y=True)
    x, y = (x[:400] / 16).astype("float32"), y[:400]
    layers = [nn.Reshape((1, 8, 8)), nn.Conv2D(8, 3, activation="relu"), nn.Flatten()]
    net = classifier(layers=layers, epochs=8, learning_rate=0.01)
    assert clone(net).fit(x, y).score(x, y) > 0.9
    assert not layers[1].built
    images = x.reshape(-1, 1, 8, 8)
    made = classifier(
        layers=lambda value: nn.flatten(nn.maxpool(nn.conv(value, 8, 3, "relu"))), epochs=8
    )
    made.set_params(learning_rate=0.01).fit(images, y)
    assert [layer.name for layer in made.model_.layers][-1] == "output"
    assert made.score(images, y) > 0.9
    with pytest.raises(ValueError, match="dim 4"):
        classifier().fit(images, y)


def test_parameters_reach_the_network() -> None:
    optimizer = nn.SGD(0.5, momentum=0.9)
    net = classifier(hidden=(4, 3), activation="tanh", optimizer=optimizer, learning_rate=None)
    net.set_params(l2=0.5, dropout=0.25, batch_size=7, epochs=1).fit(POINTS, CLASSES)
    kinds = [type(layer).__name__ for layer in net.model_.layers]
    assert kinds == ["Dense", "Dropout", "Dense", "Dropout", "Dense"]
    assert net.model_.layers[0].activation == "tanh"
    assert net.model_.optimizer.config() == optimizer.config()
    assert net.model_.optimizer is not optimizer
    assert (optimizer.step, net.model_.optimizer.step) == (0, -(-len(POINTS) // 7))
    penalized, plain = (classifier(l2=l2).fit(POINTS, CLASSES) for l2 in (0.5, 0.0))
    assert [
        np.square(n.model_.layers[0].kernel.get_value()).sum() < 1 for n in (penalized, plain)
    ] == [True, False]


@pytest.mark.parametrize("make", [classifier, regressor])
def test_pickles_predict_the_same_and_go_on(make: Any) -> None:
    y = CLASSES if make is classifier else LINE
    net = make(warm_start=True, dropout=0.1).fit(POINTS, y)
    twin = pickle.loads(pickle.dumps(net))
    np.testing.assert_array_equal(twin.predict(POINTS), net.predict(POINTS))
    np.testing.assert_array_equal(twin.fit(POINTS, y).loss_curve_, net.fit(POINTS, y).loss_curve_)
    assert pickle.loads(pickle.dumps(make())).get_params() == make().get_params()


def test_files_of_joblib(tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib")
    net = classifier().fit(POINTS, NAMES)
    joblib.dump(net, tmp_path / "net")
    np.testing.assert_array_equal(
        joblib.load(tmp_path / "net").predict(POINTS), net.predict(POINTS)
    )


def test_wrong_data_are_errors() -> None:
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(NotFittedError):
        classifier().predict(POINTS)
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        classifier().fit(sparse.csr_array(POINTS), CLASSES)
    with pytest.raises(ValueError, match="two or more classes, but it has one class"):
        classifier().fit(POINTS, np.zeros(len(POINTS)))
    with pytest.raises(ValueError, match="continuous"):
        classifier().fit(POINTS, LINE)
    with pytest.raises(ValueError, match="3 features"):
        classifier(epochs=1).fit(POINTS, CLASSES).predict(np.ones((2, 3)))


def test_scikit_learn_is_imported_when_an_estimator_is() -> None:
    script = (
        "import sys; from symtheano import nn; nn.Sequential; assert 'sklearn' not in sys.modules;"
        "sys.modules['sklearn.base'] = None\n"
        "try:\n    nn.Classifier\nexcept ImportError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "scikit-learn 1.6" in done.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": 0}, "epochs must be an integer of at least 1"),
        ({"batch_size": 3.7}, "batch_size must be an integer of at least 1"),
        ({"hidden": (4.5,)}, "hidden must be an integer of at least 1"),
        ({"hidden": "many"}, "hidden must be an integer of at least 1"),
    ],
)
def test_numbers_are_integers(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        classifier(**options).fit(POINTS, CLASSES)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"epochs": 3}, r"an argument of the class: nn.Classifier\(epochs=...\)"),
        ({"lr": 3}, r"nn.Classifier\(learning_rate=...\)"),
        ({"sample_weights": None}, "it is sample_weight"),
        ({"validation_data": ()}, r"nn.Classifier\(early_stopping=True\) holds out"),
    ],
)
def test_arguments_of_fit_that_are_those_of_the_class(options: Any, hint: str) -> None:
    with pytest.raises(TypeError, match=hint):
        nn.Classifier().fit(POINTS, NAMES, **options)
