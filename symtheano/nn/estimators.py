"""Networks as estimators of scikit-learn, which must be installed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.extras import not_installed
from symtheano.nn import optimizers, regularizers
from symtheano.nn.layers.dense import Dense
from symtheano.nn.layers.noise import Dropout
from symtheano.nn.model import Model
from symtheano.nn.training.callbacks import EarlyStopping
from symtheano.nn.training.fit import whole
from symtheano.nn.values import Input, Value

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.model_selection import train_test_split
    from sklearn.utils import check_random_state, compute_class_weight
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        _check_sample_weight as check_sample_weight,
        check_is_fitted,
        validate_data,
    )
except ImportError as error:
    raise not_installed("scikit-learn 1.6 or newer", "nn.Classifier", "nn") from error

# Up to this number of samples, "auto" takes all of them as one batch.
WHOLE = 64
BATCH = 32


class Estimator(BaseEstimator):  # type: ignore[misc]
    """What :class:`Classifier` and :class:`Regressor` share.

    Parameters
    ----------
    hidden
        The numbers of units of the hidden layers.
    activation
        Their activation function.
    optimizer
        An optimizer or the name of one; each ``fit`` begins with a new state.
    learning_rate
        None: that of the optimizer.
    epochs
        The number of epochs of ``fit``; the largest one with early stopping.
    batch_size
        The number of samples of a batch. ``"auto"``: all if they are at most 64, else 32.
    dropout
        The rate of dropout after each hidden layer.
    l2
        This times the sum of the squares of all kernels is added to the loss.
    layers
        The hidden layers instead of those of ``hidden``: a list of layers without parameters, or a
        function from the input to a :class:`~symtheano.nn.Value`. With it, ``X`` may have more
        than two axes. The last layer is added to it.
    early_stopping
        Whether a part of the samples is only evaluated, and training ends when their loss does not
        fall. The parameters of the best epoch are kept.
    validation_fraction, n_iter_no_change, tol
        For early stopping: the part of the samples, the number of epochs without improvement, and
        the smallest difference that is one.
    warm_start
        Whether ``fit`` goes on from the parameters of the last one.
    random_state
        The seed of initial values, dropout and the order of samples, as in scikit-learn.
    verbose
        Whether epochs are printed.
    backend
        As in :meth:`Model.compile`.
    """

    # The name of the loss.
    loss: str

    def __init__(
        self,
        hidden: Any = (64,),
        activation: Any = "relu",
        optimizer: Any = "adam",
        *,
        learning_rate: float | None = None,
        epochs: int = 100,
        batch_size: Any = "auto",
        dropout: float = 0.0,
        l2: float = 0.0,
        layers: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: bool = False,
        backend: str = "c",
    ) -> None:
        self.hidden, self.activation, self.optimizer = hidden, activation, optimizer
        self.learning_rate, self.epochs, self.batch_size = learning_rate, epochs, batch_size
        self.dropout, self.l2, self.layers = dropout, l2, layers
        self.early_stopping, self.validation_fraction = early_stopping, validation_fraction
        self.n_iter_no_change, self.tol = n_iter_no_change, tol
        self.warm_start, self.random_state = warm_start, random_state
        self.verbose, self.backend = verbose, backend

    # The data.

    def _samples(self, X: Any, reset: bool, y: Any = "no_validation", **options: Any) -> Any:
        """Return checked arrays; those of float32 stay, all others become float64."""
        return validate_data(
            self,
            X,
            y,
            reset=reset,
            dtype=(np.float64, np.float32),
            allow_nd=self.layers is not None,
            **options,
        )

    # The network.

    def _build(self, X: Any, units: int, activation: str | None) -> Model:
        """Return a new network for samples."""
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        # Functions do not depend on lengths, so that they are compiled once for all numbers of
        # features and units.
        variable = T.tensor(str(X.dtype), shape=(None,) * X.ndim, name="x")
        value = Input(X.shape[1:], seed=seed, variable=variable)
        top = self._hidden(value)
        regularizer = regularizers.L2(self.l2) if self.l2 else None
        output = Dense(units, activation, kernel_regularizer=regularizer, name="output")(top)
        model = Model(value, output)
        config = optimizers.get(self.optimizer).config()
        if self.learning_rate is not None:
            config["learning_rate"] = self.learning_rate
        model.compile(self.loss, optimizers.from_config(config), backend=self.backend)
        return model

    def _hidden(self, value: Value) -> Value:
        """Return the output of the hidden layers."""
        if self.layers is not None:
            if callable(self.layers):
                found: Value = self.layers(value)
                return found
            for layer in deepcopy(list(self.layers)):
                value = layer(value)
            return value
        regularizer = regularizers.L2(self.l2) if self.l2 else None
        hidden = (
            self.hidden if isinstance(self.hidden, list | tuple | np.ndarray) else [self.hidden]
        )
        for units in hidden:
            value = Dense(
                whole("hidden", units, 1), self.activation, kernel_regularizer=regularizer
            )(value)
            if self.dropout:
                value = Dropout(self.dropout)(value)
        return value

    # Training.

    def _train(
        self, X: Any, y: Any, weights: Any, units: int, activation: str | None, more: bool,
        epochs: int | None = None, stratify: Any = None,
    ) -> None:  # fmt: skip
        """Train a new network, or with ``more`` the one that there is."""
        if not (more and hasattr(self, "model_")):
            self.model_ = self._build(X, units, activation)
        held, callbacks = None, []
        if self.early_stopping and epochs is None:
            X, y, weights, held = self._held_out(X, y, weights, stratify)
            callbacks = [EarlyStopping("val_loss", self.n_iter_no_change, self.tol, "min", True)]
        batch_size = self.batch_size
        if batch_size == "auto":
            batch_size = len(X) if len(X) <= WHOLE else BATCH
        history = self.model_.fit(
            X,
            y,
            epochs=whole("epochs", self.epochs, 1) if epochs is None else epochs,
            batch_size=whole("batch_size", batch_size, 1),
            validation_data=held,
            sample_weight=weights,
            callbacks=callbacks,
            verbose=2 if self.verbose else 0,
        )
        self.loss_curve_ = list(history["loss"])
        self.loss_ = self.loss_curve_[-1]
        self.n_iter_ = len(history.epochs)
        if held is not None:
            self.validation_loss_curve_ = list(history["val_loss"])

    def _held_out(self, X: Any, y: Any, weights: Any, stratify: Any) -> tuple[Any, Any, Any, Any]:
        """Return samples, and some that are only evaluated."""
        arrays = [X, y] if weights is None else [X, y, weights]
        parts = train_test_split(
            *arrays,
            test_size=self.validation_fraction,
            stratify=stratify,
            random_state=self.random_state,
        )
        return parts[0], parts[2], parts[4] if weights is not None else None, parts[1::2]

    def _weights(self, X: Any, sample_weight: Any) -> Any:
        """Return weights whose mean is 1, or None."""
        if sample_weight is None:
            return None
        weights = check_sample_weight(sample_weight, X, dtype=X.dtype)
        if weights.sum() <= 0:
            raise ValueError("sample_weight: the sum of the weights must be positive")
        return weights * (len(weights) / weights.sum())

    def _outputs(self, X: Any) -> Any:
        """Return the outputs of the network."""
        check_is_fitted(self)
        return self.model_.predict(self._samples(X, reset=False))

    # Pickling: the network as the content of a file.

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        model = state.get("model_")
        super().__setstate__(
            state if model is None else {**state, "model_": Model.from_bytes(model)}
        )


class Classifier(ClassifierMixin, Estimator):  # type: ignore[misc]
    """A network that says which of two or more classes a sample belongs to.

    The probabilities are a softmax of the last layer, and the loss is the cross entropy. Samples
    are dense arrays; sparse matrices are rejected. The network computes in float32 if ``X`` is
    float32, which is faster, and else in float64.

    Parameters
    ----------
    hidden, activation, optimizer, learning_rate, epochs, batch_size, dropout, l2, layers
        The network and its training, see :class:`Estimator`.
    early_stopping, validation_fraction, n_iter_no_change, tol
        When training ends before the last epoch.
    warm_start, random_state, verbose, backend
        As described there.
    class_weight
        Weights of classes by label, or ``"balanced"``.

    Attributes
    ----------
    classes_
        The labels: numbers or strings.
    model_
        The :class:`Model`.
    loss_curve_, validation_loss_curve_, loss_
        The loss of each epoch, that of the samples held out, and the last loss.
    n_iter_
        The number of epochs.
    n_features_in_, feature_names_in_
        The number and the names of features.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> x, y = load_iris(return_X_y=True)
    >>> net = Classifier(hidden=(8,), learning_rate=0.02, epochs=40, random_state=0)
    >>> net.fit(x, y).score(x, y) > 0.95
    True
    """

    loss = "categorical_crossentropy"
    classes_: Any

    def __init__(
        self,
        hidden: Any = (64,),
        activation: Any = "relu",
        optimizer: Any = "adam",
        *,
        learning_rate: float | None = None,
        epochs: int = 100,
        batch_size: Any = "auto",
        dropout: float = 0.0,
        l2: float = 0.0,
        layers: Any = None,
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-4,
        warm_start: bool = False,
        random_state: Any = None,
        verbose: bool = False,
        backend: str = "c",
    ) -> None:
        super().__init__(
            hidden, activation, optimizer, learning_rate=learning_rate, epochs=epochs,
            batch_size=batch_size, dropout=dropout, l2=l2, layers=layers,
            early_stopping=early_stopping, validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change, tol=tol, warm_start=warm_start,
            random_state=random_state, verbose=verbose, backend=backend,
        )  # fmt: skip
        self.class_weight = class_weight

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Classifier:
        """Train the network.

        Parameters
        ----------
        X
            Samples, (n, features).
        y
            Labels, (n,).
        sample_weight
            The weight of each sample.
        """
        more = self.warm_start and hasattr(self, "model_")
        X, y = self._samples(X, not more, y)
        check_classification_targets(y)
        classes = np.unique(y)
        if len(classes) < 2:
            raise ValueError(
                f"Classifier: two or more classes expected; y has one class, {classes}"
            )
        if more and not np.isin(classes, self.classes_).all():
            raise ValueError(f"Classifier: warm_start goes on with the classes {self.classes_}")
        if not more:
            self.classes_ = classes
        return self._learn(X, y, sample_weight, more, None)

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None
    ) -> Classifier:
        """Train the network for one epoch.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.
        classes
            All labels; the first call needs them.
        """
        first = not hasattr(self, "model_")
        if first and classes is None:
            raise ValueError("partial_fit: the first call needs classes, all labels")
        X, y = self._samples(X, first, y)
        check_classification_targets(y)
        known = np.unique(classes) if first else self.classes_
        if not np.isin(y, known).all() or (
            classes is not None and not np.array_equal(np.unique(classes), known)
        ):
            raise ValueError(f"partial_fit: labels or classes are not among {known}")
        self.classes_ = known
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
        """Return the probability of each class for each sample, (n, classes)."""
        return self._outputs(X)

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self._outputs(X))

    def predict(self, X: Any) -> Any:
        """Return the most probable label of each sample."""
        numbers = self._outputs(X).argmax(axis=1)
        return self.classes_[numbers]


class Regressor(RegressorMixin, Estimator):  # type: ignore[misc]
    """A network that predicts one or several numbers for a sample.

    The loss is the mean of squared errors. Samples are dense arrays; sparse matrices are rejected.
    The network computes in float32 if ``X`` is float32, which is faster, and else in float64.

    Parameters
    ----------
    hidden, activation, optimizer, learning_rate, epochs, batch_size, dropout, l2, layers
        The network and its training, see :class:`Estimator`.
    early_stopping, validation_fraction, n_iter_no_change, tol
        When training ends before the last epoch.
    warm_start, random_state, verbose, backend
        As described there.

    Attributes
    ----------
    model_, loss_curve_, validation_loss_curve_, loss_, n_iter_, n_features_in_, feature_names_in_
        As in :class:`Classifier`.
    n_outputs_
        The number of numbers.

    Examples
    --------
    >>> x = np.linspace(-1, 1, 50)[:, np.newaxis]
    >>> net = Regressor(hidden=(16,), activation="tanh", learning_rate=0.1, random_state=0)
    >>> net.fit(x, x[:, 0] ** 2).score(x, x[:, 0] ** 2) > 0.9
    True
    """

    loss = "mse"
    n_outputs_: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Regressor:
        """Train the network.

        Parameters
        ----------
        X
            Samples, (n, features).
        y
            Numbers, (n,) or (n, outputs).
        sample_weight
            The weight of each sample.
        """
        return self._learn(X, y, sample_weight, self.warm_start, None)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Regressor:
        """Train the network for one epoch."""
        return self._learn(X, y, sample_weight, True, 1)

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, more: bool, epochs: int | None
    ) -> Regressor:
        more = more and hasattr(self, "model_")
        X, y = self._samples(X, not more, y, multi_output=True, y_numeric=True)
        columns = y.reshape(len(y), -1).astype(X.dtype)
        if more and columns.shape[1] != self.n_outputs_:
            raise ValueError(
                f"Regressor: {self.n_outputs_} outputs expected, not {columns.shape[1]}"
            )
        self.n_outputs_, self._flat = columns.shape[1], y.ndim == 1
        self._train(
            X, columns, self._weights(X, sample_weight), self.n_outputs_, None, more, epochs
        )
        return self

    def predict(self, X: Any) -> Any:
        """Return the numbers of each sample: (n,) if ``y`` was, else (n, outputs)."""
        found = self._outputs(X)
        return found[:, 0] if self._flat else found
