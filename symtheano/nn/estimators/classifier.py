"""Networks as classifiers of scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight as check_sample_weight

from symtheano.nn.estimators.base import Estimator, explained_fit


@dataclass(eq=False, repr=False)
class Classifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """A neural network that classifies samples, as a scikit-learn estimator.

    There may be two or more classes. The output layer has a softmax, and the loss is the
    cross-entropy. Samples must be dense arrays; sparse matrices are not supported. If ``X`` is
    float32, the network computes in float32, which is faster, otherwise in float64.

    Parameters
    ----------
    class_weight
        A dict from labels to weights of their samples; ``"balanced"`` for weights that are
        inversely proportional to the frequencies of the classes; or None.

    Attributes
    ----------
    classes_
        The labels of the classes in ascending order: numbers or strings.
    model_
        The trained :class:`Model`.
    loss_curve_
        A list with the training loss of each epoch.
    validation_loss_curve_
        A list with the loss of the validation set in each epoch, with early stopping.
    loss_
        The training loss of the last epoch.
    n_iter_
        The number of epochs.
    n_features_in_, feature_names_in_
        The number of features, and their names if ``X`` has names.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> net = Classifier(hidden=(8,), learning_rate=0.02, epochs=40, random_state=0)
    >>> net.fit(x, y).score(x, y) > 0.95
    True
    """

    class_weight: Any = field(default=None, kw_only=True)

    loss = "categorical_crossentropy"

    @explained_fit
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Classifier:
        """Train the network.

        Parameters
        ----------
        X
            Samples, an array of shape (n, features).
        y
            Labels, an array of shape (n,) of numbers or strings.
        sample_weight
            A weight for each sample, shape (n,), or None.

        Returns
        -------
        The estimator itself.
        """
        more = self.warm_start and hasattr(self, "model_")
        X, y = self._samples(X, not more, y)
        check_classification_targets(y)
        classes = np.unique(y)
        if len(classes) < 2:
            raise ValueError(
                f"Classifier: y must have two or more classes, but it has one class, {classes}"
            )
        if more and not np.isin(classes, self.classes_).all():
            raise ValueError(
                f"Classifier: with warm_start, y can only have the classes {self.classes_} of the "
                f"first call of fit, not {classes}"
            )
        if not more:
            self.classes_: Any = classes
        return self._learn(X, y, sample_weight, more, None)

    @explained_fit
    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Classifier:
        """Train the network for one epoch. The first call creates the network.

        Parameters
        ----------
        X
            Samples, an array of shape (n, features).
        y
            Labels, an array of shape (n,).
        classes
            An array of all labels that can occur. It is required in the first call.
        sample_weight
            A weight for each sample, shape (n,), or None.

        Returns
        -------
        The estimator itself.
        """
        first = not hasattr(self, "model_")
        if first and classes is None:
            raise ValueError("partial_fit: pass classes, an array of all labels, in the first call")
        X, y = self._samples(X, first, y)
        check_classification_targets(y)
        labels = np.unique(classes) if first else self.classes_
        if not np.isin(y, labels).all() or (
            classes is not None and not np.array_equal(np.unique(classes), labels)
        ):
            raise ValueError(
                f"partial_fit: the labels y must be among {labels}, and classes must be the same "
                "in all calls"
            )
        self.classes_ = labels
        return self._learn(X, y, sample_weight, True, 1)

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, more: bool, epochs: int | None
    ) -> Classifier:
        numbers = np.searchsorted(self.classes_, y).astype("int32")
        if self.class_weight is not None:
            present = np.unique(y)
            factors = np.ones(len(self.classes_))
            factors[np.searchsorted(self.classes_, present)] = compute_class_weight(
                self.class_weight, classes=present, y=y
            )
            weights = np.ones(len(X)) if sample_weight is None else sample_weight
            sample_weight = check_sample_weight(weights, X) * factors[numbers]
        weights = self._weights(X, sample_weight)
        self._train(
            X, numbers, weights, len(self.classes_), "softmax", more, epochs, stratify=numbers
        )
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class for each sample, shape (n, classes)."""
        return self._outputs(X)

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the probabilities of the classes, shape (n, classes)."""
        with np.errstate(divide="ignore"):
            return np.log(self._outputs(X))

    def predict(self, X: Any) -> Any:
        """Return the most probable label of each sample, shape (n,)."""
        numbers = self._outputs(X).argmax(axis=1)
        return self.classes_[numbers]
