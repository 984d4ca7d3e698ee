"""Networks as scikit-learn estimators. scikit-learn must be installed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.extras import not_installed
from symtheano.nn import optimizers, regularizers
from symtheano.nn.documentation import document_inherited_parameters
from symtheano.nn.foreign import Explained
from symtheano.nn.layers.dense import Dense
from symtheano.nn.layers.noise import Dropout
from symtheano.nn.model import Model
from symtheano.nn.training.callbacks import EarlyStopping
from symtheano.nn.training.data import whole
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

# Up to this number of samples, batch_size="auto" uses all samples as one batch.
WHOLE = 64
BATCH = 32


class Estimator(Explained, BaseEstimator):  # type: ignore[misc]
    """Base class of :class:`Classifier` and :class:`Regressor`.

    Parameters
    ----------
    hidden
        The numbers of units of the hidden layers, a list or tuple. An integer is one hidden layer.
        The default is one layer of 64 units.
    activation
        The activation function of the hidden layers: a name, ``"relu"`` by default, or a function
        of an expression.
    optimizer
        An optimizer, or the name of one. The default is ``"adam"``. Each call of ``fit`` begins
        with a new state of the optimizer.
    learning_rate
        The learning rate. None: that of the optimizer.
    epochs
        The number of epochs of ``fit``. With early stopping, the largest number of epochs. The
        default is 100.
    batch_size
        The number of samples of a batch. ``"auto"``, the default: all samples if there are at most
        64, else 32.
    dropout
        The rate of dropout after each hidden layer, at least 0 and below 1. The default is 0.
    l2
        The factor of an L2 penalty: the sum of the squares of all kernels, multiplied by it, is
        added to the loss. The default is 0.
    layers
        Hidden layers to use instead of those of ``hidden``: a list of layers that were not called
        yet, or a function that takes the input, a :class:`~symtheano.nn.Value`, and returns a
        value. ``X`` may then have more than two axes. The output layer is added after them.
    early_stopping
        Whether to stop training when the loss of a validation set does not improve. A part of the
        samples is used as the validation set. The parameters of the best epoch are kept. The
        default is False.
    validation_fraction
        The part of the samples in the validation set, for early stopping. The default is 0.1.
    n_iter_no_change
        The number of epochs without improvement after which training stops, for early stopping.
        The default is 10.
    tol
        The smallest difference of the loss that counts as an improvement, for early stopping. The
        default is 0.0001.
    warm_start
        Whether ``fit`` continues with the parameters of the previous call. The default is False.
    random_state
        The seed of initial values, dropout and the order of samples: an integer, a
        ``RandomState`` of NumPy, or None, as in scikit-learn.
    verbose
        Whether a line is printed for each epoch. The default is False.
    backend
        ``"c"``, the default: functions are compiled. ``"numpy"``: they are interpreted with NumPy.
    """

    # The name of the loss.
    loss: str

    def __init_subclass__(cls, **options: Any) -> None:
        """Add inherited parameters to the docstring."""
        super().__init_subclass__(**options)
        document_inherited_parameters(cls)

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
        """Return arrays after checks. Arrays that are not float32 are converted to float64."""
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
        """Return a new model for samples."""
        seed = int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))
        # The compiled functions do not depend on lengths, so they are compiled only once for all
        # numbers of features and units.
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
        """Return the output of the hidden layers for an input."""
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
        """Train a new network, or with ``more`` the existing one."""
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
        """Return the samples for training, and those for validation."""
        arrays = [X, y] if weights is None else [X, y, weights]
        parts = train_test_split(
            *arrays,
            test_size=self.validation_fraction,
            stratify=stratify,
            random_state=self.random_state,
        )
        return parts[0], parts[2], parts[4] if weights is not None else None, parts[1::2]

    def _weights(self, X: Any, sample_weight: Any) -> Any:
        """Return the weights, scaled to a mean of 1, or None."""
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

    # Pickling: the model is pickled as the content of a file.

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
            self.classes_ = classes
        return self._learn(X, y, sample_weight, more, None)

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
        known = np.unique(classes) if first else self.classes_
        if not np.isin(y, known).all() or (
            classes is not None and not np.array_equal(np.unique(classes), known)
        ):
            raise ValueError(
                f"partial_fit: the labels y must be among {known}, and classes must be the same in "
                "all calls"
            )
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


class Regressor(RegressorMixin, Estimator):  # type: ignore[misc]
    """A neural network that predicts numbers for samples, as a scikit-learn estimator.

    It predicts one number or several numbers for each sample. The loss is the mean squared error.
    Samples must be dense arrays; sparse matrices are not supported. If ``X`` is float32, the
    network computes in float32, which is faster, otherwise in float64.

    Attributes
    ----------
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
    n_outputs_
        The number of predicted numbers for each sample.
    n_features_in_, feature_names_in_
        The number of features, and their names if ``X`` has names.

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
            Samples, an array of shape (n, features).
        y
            Targets, an array of shape (n,) or (n, outputs).
        sample_weight
            A weight for each sample, shape (n,), or None.

        Returns
        -------
        The estimator itself.
        """
        return self._learn(X, y, sample_weight, self.warm_start, None)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Regressor:
        """Train the network for one epoch, with the arguments of :meth:`fit`."""
        return self._learn(X, y, sample_weight, True, 1)

    def _learn(
        self, X: Any, y: Any, sample_weight: Any, more: bool, epochs: int | None
    ) -> Regressor:
        more = more and hasattr(self, "model_")
        X, y = self._samples(X, not more, y, multi_output=True, y_numeric=True)
        columns = y.reshape(len(y), -1).astype(X.dtype)
        if more and columns.shape[1] != self.n_outputs_:
            raise ValueError(
                f"Regressor: y must have {self.n_outputs_} outputs, as in the first call of fit, "
                f"not {columns.shape[1]}"
            )
        self.n_outputs_, self._flat = columns.shape[1], y.ndim == 1
        self._train(
            X, columns, self._weights(X, sample_weight), self.n_outputs_, None, more, epochs
        )
        return self

    def predict(self, X: Any) -> Any:
        """Return the predictions, of shape (n,) if ``y`` had this shape, else (n, outputs)."""
        found = self._outputs(X)
        return found[:, 0] if self._flat else found
