"""What estimators of scikit-learn have in common: arguments, network, training, pickles."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass
from inspect import signature
from typing import Any, ClassVar, ParamSpec, TypeVar

import numpy as np

import symtheano.tensor as T
from symtheano import keywords
from symtheano.extras import not_installed
from symtheano.nn import foreign, optimizers, regularizers
from symtheano.nn.documentation import Documented
from symtheano.nn.foreign import Explained
from symtheano.nn.layers.dense import Dense
from symtheano.nn.layers.noise import Dropout
from symtheano.nn.model import Model
from symtheano.nn.training.callbacks import EarlyStopping
from symtheano.nn.training.data import whole
from symtheano.nn.values import Input, Value

try:
    from sklearn.base import BaseEstimator
    from sklearn.model_selection import train_test_split
    from sklearn.utils import check_random_state
    from sklearn.utils.validation import (
        _check_sample_weight as check_sample_weight,
        check_is_fitted,
        validate_data,
    )
except ImportError as error:
    raise not_installed("scikit-learn 1.6 or newer", "nn.Classifier", "nn") from error

P = ParamSpec("P")
R = TypeVar("R")

# Up to this number of samples, batch_size="auto" uses all samples as one batch.
WHOLE = 64
BATCH = 32


def explained_fit(function: Callable[P, R]) -> Callable[P, R]:
    """Return ``fit``, whose errors say that an unknown keyword is an argument of the class."""
    name = function.__qualname__.partition(".")[0]

    def hint(keyword: str, accepted: tuple[str, ...]) -> str:
        arguments = signature(Estimator).parameters
        ours = foreign.hint(keyword, tuple(arguments)).removeprefix("it is ")
        for argument in (keyword, ours):
            if argument in arguments:
                return f"it is an argument of the class: nn.{name}({argument}=...)"
        if keyword == "validation_data":
            return f"nn.{name}(early_stopping=True) holds out a part of the samples"
        return foreign.hint(keyword, accepted)

    return keywords.explained(hint)(function)


@dataclass(eq=False, repr=False)
class Estimator(Explained, Documented, BaseEstimator):  # type: ignore[misc]
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

    hidden: Any = (64,)
    activation: Any = "relu"
    optimizer: Any = "adam"
    _: KW_ONLY
    learning_rate: float | None = None
    epochs: int = 100
    batch_size: Any = "auto"
    dropout: float = 0.0
    l2: float = 0.0
    layers: Any = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    tol: float = 1e-4
    warm_start: bool = False
    random_state: Any = None
    verbose: bool = False
    backend: str = "c"

    # The name of the loss.
    loss: ClassVar[str]

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
                output: Value = self.layers(value)
                return output
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
