"""Classifiers: labels, weights of classes, and training in parts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.nn.estimators.cases import CLASSES, NAMES, POINTS, RNG, classifier


def test_labels_of_any_kind() -> None:
    named = classifier().fit(POINTS, NAMES)
    numbered = classifier().fit(POINTS, np.array([5, -1, 7])[CLASSES])
    assert named.classes_.tolist() == ["blue", "green", "red"]
    assert set(numbered.predict(POINTS)) == {-1, 5, 7}
    assert named.score(POINTS, NAMES) > 0.9
    proba = named.predict_proba(POINTS)
    np.testing.assert_allclose(proba.sum(axis=1), 1, rtol=1e-5)
    np.testing.assert_allclose(named.predict_log_proba(POINTS), np.log(proba))
    np.testing.assert_array_equal(named.predict(POINTS), named.classes_[proba.argmax(axis=1)])


def test_weights_of_classes() -> None:
    heavy = classifier(class_weight={"red": 1000.0, "green": 1e-3, "blue": 1e-3})
    mixed = RNG.permutation(NAMES)
    assert np.mean(heavy.fit(POINTS, mixed).predict(POINTS) == "red") > 0.9
    assert np.mean(classifier().fit(POINTS, mixed).predict(POINTS) == "red") < 0.9
    few = np.concatenate([np.flatnonzero(CLASSES == 0), np.flatnonzero(CLASSES == 1)[:3]])
    balanced = classifier(class_weight="balanced", epochs=1).fit(POINTS[few], CLASSES[few])
    plain = classifier(epochs=1).fit(POINTS[few], CLASSES[few])
    assert balanced.loss_ != plain.loss_


def test_partial_fit_is_an_epoch() -> None:
    net = classifier()
    with pytest.raises(ValueError, match="pass classes, an array of all labels"):
        net.partial_fit(POINTS, NAMES)
    net.partial_fit(POINTS[NAMES != "red"], NAMES[NAMES != "red"], classes=np.unique(NAMES))
    first = net.loss_
    for _ in range(15):
        net.partial_fit(POINTS, NAMES)
    assert net.n_iter_ == 16
    assert net.loss_ < first
    assert net.score(POINTS, NAMES) > 0.9
    with pytest.raises(ValueError, match="the labels y must be among"):
        net.partial_fit(POINTS, np.where(NAMES == "red", "pink", NAMES))


def test_warm_start_goes_on() -> None:
    net = classifier(warm_start=True, epochs=5).fit(POINTS, CLASSES)
    first = net.loss_
    assert net.fit(POINTS, CLASSES).n_iter_ == 10
    assert net.loss_ < first
    assert net.set_params(warm_start=False).fit(POINTS, CLASSES).n_iter_ == 5
    with pytest.raises(ValueError, match="with warm_start, y can only have"):
        net.set_params(warm_start=True).fit(POINTS, CLASSES + 1)
