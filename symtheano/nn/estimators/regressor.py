"""Networks as regressors of scikit-learn."""

from __future__ import annotations

from typing import Any

from sklearn.base import RegressorMixin

from symtheano.nn.estimators.base import Estimator, explained_fit


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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @explained_fit
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

    @explained_fit
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
        self.n_outputs_: Any = columns.shape[1]
        self._flat = y.ndim == 1
        self._train(
            X, columns, self._weights(X, sample_weight), self.n_outputs_, None, more, epochs
        )
        return self

    def predict(self, X: Any) -> Any:
        """Return the predictions, of shape (n,) if ``y`` had this shape, else (n, outputs)."""
        predictions = self._outputs(X)
        return predictions[:, 0] if self._flat else predictions
