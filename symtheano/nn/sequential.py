"""Models that are written as one chain of methods."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.errors import printable
from symtheano.nn import optimizers
from symtheano.nn.foreign import METHODS, MissingMethod, explained
from symtheano.nn.functions import BY_AXES, ByAxes
from symtheano.nn.layers.base import LAYERS, Layer
from symtheano.nn.lookup import look_up, snake_case
from symtheano.nn.model import Model
from symtheano.nn.training.fit import EVALUATED
from symtheano.nn.training.history import History
from symtheano.nn.values import Value

if TYPE_CHECKING:
    from symtheano.nn.chain import ChainMembers
else:
    ChainMembers = object

OF_MODELS = (
    "build", "built", "get_weights", "inputs", "layers", "name", "network", "outputs", "parameters",
    "predict_on_batch", "set_weights", "stop_training", "test_on_batch", "to_bytes",
    "train_on_batch",
)  # fmt: skip
"""What a chain shares with its model, besides methods of its own."""


class Sequential(ChainMembers):
    """Layers, a loss and an optimizer, set by methods that return the network.

    Each layer has a method of its name in lower case: ``dense``, ``conv2d``, ``max_pool2d``,
    ``batch_norm``, ``dropout``, ``flatten``, ``lstm`` and so on, with the layer's arguments.
    ``conv``, ``maxpool`` and ``avgpool`` are those of as many axes as the input has.

    Parameters
    ----------
    layers
        The first layers; one may be an input.
    seed, name
        As in :class:`Model`.

    Attributes
    ----------
    model
        The :class:`Model` that this is made of.

    Examples
    --------
    >>> import numpy as np
    >>> from symtheano import nn
    >>> x = np.random.default_rng(0).normal(size=(200, 2))
    >>> net = nn.Sequential(seed=0).dense(8, "tanh").dense(1).loss("mse").optimizer(nn.Adam(0.05))
    >>> errors = net.train(x, x[:, 0] * x[:, 1], epochs=60)["loss"]
    >>> errors[-1] < 0.2 * errors[0], net.predict(x[0]).shape
    (True, (1,))
    """

    def __init__(
        self,
        layers: Sequence[Layer | Value | Model | Sequential] = (),
        *,
        seed: int | None = None,
        name: str = "sequential",
    ) -> None:
        if not isinstance(layers, list | tuple):
            raise TypeError(f"Sequential: a list of layers expected, not {layers!r}")
        self.model = Model(seed=seed, name=name)
        self._loss: Any = None
        self._optimizer: Any = "rmsprop"
        self._metrics: Any = None
        self._backend = "c"
        self._compiled = False
        for layer in layers:
            self.add(layer)

    def add(self, layer: Any) -> Sequential:
        """Add a layer or a model, or first an input."""
        self.model.add(layer)
        return self

    def loss(self, loss: Any) -> Sequential:
        """Set the loss: the name of one, or a function of predictions and targets."""
        self._loss = loss
        self._compiled = False
        return self

    def optimizer(self, optimizer: Any, *args: Any, **kwargs: Any) -> Sequential:
        """Set the optimizer: one, or the name of one and its arguments."""
        if isinstance(optimizer, str):
            optimizer = look_up("optimizer", optimizer, optimizers.OPTIMIZERS)(*args, **kwargs)
        elif args or kwargs:
            raise TypeError("optimizer: arguments are for the name of an optimizer, not for itself")
        self._optimizer = optimizers.get(optimizer)
        self._compiled = False
        return self

    def metrics(self, *metrics: Any) -> Sequential:
        """Set what is measured besides the loss."""
        self._metrics = list(metrics)
        self._compiled = False
        return self

    def backend(self, backend: str) -> Sequential:
        """Set what runs the network, as in :meth:`Model.compile`."""
        self._backend = backend
        self._compiled = False
        return self

    @explained
    def compile(
        self,
        loss: Any,
        optimizer: Any = "rmsprop",
        metrics: Any = None,
        *,
        loss_weights: Any = None,
        backend: str = "c",
    ) -> None:
        """Say what is minimized, how, and what is measured, as :meth:`Model.compile` does."""
        self.model.compile(loss, optimizer, metrics, loss_weights=loss_weights, backend=backend)
        self._loss, self._optimizer, self._metrics = loss, self.model.optimizer, metrics
        self._backend, self._compiled = backend, True

    def fit(self, features: Any, labels: Any = None, *args: Any, **options: Any) -> History:
        """Train the network; the arguments are those of :meth:`Model.fit`."""
        self._compile()
        return self.model.fit(features, labels, *args, **options)

    def train(
        self, features: Any, labels: Any = None, *, epochs: int = 10, verbose: int | str = 0,
        **options: Any,
    ) -> History:  # fmt: skip
        """Train the network, as :meth:`Model.fit` does, and say nothing by default."""
        self._compile()
        return self.model.fit(features, labels, epochs=epochs, verbose=verbose, **options)

    def predict(self, sample: Any, *, batch_size: int = EVALUATED) -> Any:
        """Return the output for one sample, or for several.

        An array with as many axes as a sample has is one; so is one number if samples are numbers.
        """
        self.model.build_for(sample)
        inputs = self.model.network.inputs
        if np.ndim(sample) == len(inputs[0].shape):
            return self.model.predict(np.asarray(sample)[np.newaxis], batch_size=batch_size)[0]
        return self.model.predict(sample, batch_size=batch_size)

    def evaluate(self, features: Any, labels: Any, **options: Any) -> dict[str, float]:
        """Return the loss and what is measured, as :meth:`Model.evaluate` does."""
        self._compile()
        return self.model.evaluate(features, labels, **options)

    def reset_states(self) -> None:
        """Let the next batch begin with zeros in layers that are stateful."""
        self.model.reset_states()

    def summary(self) -> str:
        """Print and return a table of the layers."""
        return self.model.summary()

    def save(self, path: str | Path) -> None:
        """Save the network as :meth:`Model.save` does; :meth:`Model.load` reads it."""
        self.model.save(path)

    @property
    def history(self) -> History:
        """What was measured in all epochs so far."""
        return self.model.history

    def _compile(self) -> None:
        if self._loss is None:
            raise ValueError(f"the network '{self.model.name}' has no loss: call loss(...) first")
        if not self._compiled:
            self.model.compile(self._loss, self._optimizer, self._metrics, backend=self._backend)
            self._compiled = True

    def __repr__(self) -> str:
        """Return the layers, with what is minimized and how."""
        lines = [repr(self.model)]
        if self._loss is not None:
            optimizer = self._optimizer
            lines.append(f"loss {shown(self._loss)}, optimizer {shown(optimizer)}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.model._repr_html_()

    def __call__(self, *inputs: Any) -> Any:
        """Return the output for other inputs, with the same parameters; see :class:`Model`."""
        return self.model(*inputs)

    if not TYPE_CHECKING:  # which knows the names from chain.pyi

        def __getattr__(self, name: str) -> Any:
            """Return the method that adds a layer, or what the model has of this name."""
            if name.startswith("_") or name == "model":  # which copies do not have at first
                raise AttributeError(name)
            if name in OF_MODELS:
                if name in ("train_on_batch", "test_on_batch"):
                    self._compile()
                return getattr(self.model, name)
            if name in METHODS:
                raise MissingMethod(type(self), name)
            if name in BY_AXES:
                return lambda *args, **kwargs: self.add(ByAxes(name, *args, **kwargs))
            methods = {snake_case(key): kind for key, kind in LAYERS.items()}
            try:
                kind = look_up("layer", name, methods)
            except ValueError as error:
                raise AttributeError(str(error)) from None
            return lambda *args, **kwargs: self.add(kind(*args, **kwargs))

    def __dir__(self) -> list[str]:
        """Return the methods, with those that add layers."""
        return [*super().__dir__(), *OF_MODELS, *BY_AXES, *map(snake_case, LAYERS)]


def shown(what: Any) -> str:
    """Return a loss or an optimizer as text."""
    return printable(what if isinstance(what, str) else getattr(what, "__name__", repr(what)))
