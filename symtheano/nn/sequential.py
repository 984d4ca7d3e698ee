"""Models that are written as a chain of method calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from symtheano.errors import printable
from symtheano.nn import optimizers
from symtheano.nn.backends import backend_of
from symtheano.nn.foreign import Explained, explained
from symtheano.nn.functions import BY_AXES, ByAxes
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.configuration import LAYERS
from symtheano.nn.lookup import look_up, snake_case
from symtheano.nn.missing import METHODS, MissingMethod
from symtheano.nn.model import Model
from symtheano.nn.training.data import Array
from symtheano.nn.training.fit import EVALUATED
from symtheano.nn.training.history import History
from symtheano.nn.training.hooks import Callback
from symtheano.nn.training.measures import Measures
from symtheano.nn.training.objective import check_objective
from symtheano.nn.training.progress import check_verbose
from symtheano.nn.values import Value

if TYPE_CHECKING:
    from typing_extensions import Unpack  # in typing from Python 3.11 on

    from symtheano.nn.chain import ChainMembers
else:
    ChainMembers = object

OF_MODELS = (
    "build", "built", "get_weights", "inputs", "layers", "name", "network", "outputs", "parameters",
    "predict_on_batch", "set_weights", "stop_training", "test_on_batch", "to_bytes",
    "train_on_batch",
)  # fmt: skip
"""The attributes of its model that a chain has, besides its own methods."""


class FitOptions(TypedDict, total=False):
    """Arguments of :meth:`Model.fit` by name only, for type checkers."""

    validation_split: float | None
    validation_data: Any
    shuffle: bool
    class_weight: Mapping[Any, float] | str | None
    sample_weight: Any
    callbacks: Sequence[Callback] | Callback | None
    steps_per_epoch: int | None
    on_nan: str | None


class Sequential(Explained, ChainMembers):
    """A chain of layers with a loss and an optimizer, written as a chain of method calls.

    For each layer, there is a method that adds it and returns the network. Its name is the name of
    the layer in snake case: ``dense``, ``conv2d``, ``max_pool2d``, ``batch_norm``, ``dropout``,
    ``flatten``, ``lstm`` and so on. Its arguments are those of the layer. ``conv``, ``maxpool`` and
    ``avgpool`` choose the layer by the number of axes of its input.

    Parameters
    ----------
    layers
        A list of the first layers. The first item may be an :func:`Input`.
    seed
        The seed of initial values, dropout and the order of samples.
    name
        The name of the network, which :meth:`summary` shows.

    Attributes
    ----------
    model
        The :class:`Model` that has the layers.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(200, 2))
    >>> net = nn.Sequential(seed=0).dense(8, "tanh").dense(1).loss("mse").optimizer(nn.Adam(0.05))
    >>> errors = net.train(x, x[:, 0] * x[:, 1], epochs=60)["loss"]
    >>> errors[-1] < 0.2 * errors[0], net.predict(x[0]).shape
    (True, (1,))
    """

    def __init__(
        self,
        layers: Sequence[Layer | Value | Model | Sequential] = (),
        *others: Any,
        seed: int | None = None,
        name: str = "sequential",
    ) -> None:
        if others or not isinstance(layers, list | tuple):
            raise TypeError(
                "Sequential takes a list of layers, nn.Sequential([...]), not "
                + (f"{1 + len(others)} arguments" if others else f"one {type(layers).__name__}")
            )
        self.model = Model(seed=seed, name=name)
        self._loss: Any = None
        self._optimizer: Any = "rmsprop"
        self._metrics: Any = None
        self._backend = "c"
        self._compiled = False
        for layer in layers:
            self.add(layer)

    def add(self, layer: Any) -> Sequential:
        """Add a layer, a model, or first of all an input, and return the network."""
        self.model.add(layer)
        return self

    def loss(self, loss: Any) -> Sequential:
        """Set the loss to minimize, and return the network.

        Parameters
        ----------
        loss
            The name of a loss, a :class:`Loss`, or a function of predictions and targets that
            returns a number for each sample.
        """
        check_objective(loss, None)
        self._loss = loss
        self._compiled = False
        return self

    @property
    def optimizer(self) -> ChainOptimizer:
        """The optimizer: ``optimizer("adam")`` sets it and returns the network.

        Its attributes can be read and set, as in ``net.optimizer.learning_rate = 0.001``.
        """
        return ChainOptimizer(self)

    @optimizer.setter
    def optimizer(self, optimizer: Any) -> None:
        self._optimizer = optimizers.get(optimizer)
        self._compiled = False

    def metrics(self, *metrics: Any) -> Sequential:
        """Set the metrics to report besides the loss, by name or as objects; return the network."""
        check_objective(None, metrics)
        self._metrics = list(metrics)
        self._compiled = False
        return self

    def backend(self, backend: str) -> Sequential:
        """Set the backend, and return the network.

        Parameters
        ----------
        backend
            ``"c"``, the default: functions are compiled. ``"numpy"``: they are interpreted with
            NumPy. ``"cuda"``, ``"cuda:1"``: they run on this device, where the parameters stay.
        """
        backend_of(backend)
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
        device: str | None = None,
    ) -> None:
        """Set the loss, the optimizer and the metrics; see :meth:`Model.compile`."""
        self.model.compile(
            loss, optimizer, metrics, loss_weights=loss_weights, backend=backend, device=device
        )
        self._loss = self.model.compiled_for("compile")["loss"]
        self._optimizer, self._metrics = self.model.optimizer, metrics
        self._backend = self.model.compiled_for("compile")["backend"]
        self._compiled = True

    @explained
    def fit(
        self, x: Any, y: Any = None, batch_size: int | None = None, epochs: int = 1,
        verbose: int | str = "auto", **options: Unpack[FitOptions],
    ) -> History:  # fmt: skip
        """Train the network. The arguments are those of :meth:`Model.fit`."""
        self._compile()
        return self.model.fit(x, y, batch_size, epochs, verbose, **options)

    def train(
        self, x: Any, y: Any = None, *, batch_size: int | None = None,
        epochs: int = 10, verbose: int | str = 0, **options: Unpack[FitOptions],
    ) -> History:  # fmt: skip
        """Train the network for 10 epochs by default, without showing progress.

        The arguments are those of :meth:`Model.fit`; only the defaults of ``epochs`` and
        ``verbose`` differ.
        """
        self._compile()
        return self.model.fit(x, y, batch_size, epochs, verbose, **options)

    def predict(self, x: Any, batch_size: int = EVALUATED, *, verbose: int | str = 0) -> Array:
        """Return the output for one sample or for several samples.

        Parameters
        ----------
        x
            One sample, an array with as many axes as a sample has; or several samples, an array
            whose first axis is the batch.
        batch_size
            The number of samples that are processed at once. The default is 256.

        Returns
        -------
        output
            The output for one sample, or an array whose first axis is the batch.
        """
        check_verbose("predict", verbose)
        self.model.build_for(x)
        inputs = self.model.network.inputs
        if np.ndim(x) == len(inputs[0].shape):
            x = np.asarray(x)[np.newaxis]
            first: Array = self.model.predict(x, batch_size=batch_size)[0]
            return first
        return self.model.predict(x, batch_size=batch_size)

    def evaluate(self, x: Any, y: Any = None, *args: Any, **options: Any) -> Measures:
        """Return the loss and the metrics; see :meth:`Model.evaluate`."""
        self._compile()
        return self.model.evaluate(x, y, *args, **options)

    def reset_states(self) -> None:
        """Reset the states of stateful layers, so that the next batch begins with zeros."""
        self.model.reset_states()

    def summary(self) -> str:
        """Print and return a table of the layers: output shapes, numbers of parameters, memory."""
        return self.model.summary()

    def save(self, path: str | Path) -> None:
        """Save the network to a file; see :meth:`Model.save`. :meth:`Model.load` reads the file."""
        self.model.save(path)

    @classmethod
    def load(cls, path: str | Path) -> Sequential:
        """Return a network from a file of :meth:`save`; see :meth:`Model.load`.

        No layers can be added to it.

        Examples
        --------
        >>> net = nn.Sequential([nn.Input((3,)), nn.Dense(2)], name="two")
        >>> net.save("two.safetensors")
        >>> nn.Sequential.load("two.safetensors").predict([1, 2, 3]).shape
        (2,)
        """
        model = Model.load(path)
        net = cls(name=model.name)
        net.model = model
        if model.settings is not None:
            net._loss, net._metrics = model.settings["loss"], model.settings["metrics"]
            net._optimizer, net._backend = model.optimizer, model.settings["backend"]
            net._compiled = True
        return net

    @property
    def trainable(self) -> bool:
        """Whether training changes at least one layer. Setting it applies to all layers."""
        return self.model.trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self.model.trainable = value

    @property
    def history(self) -> History:
        """The :class:`History` with the loss and the metrics of all epochs so far."""
        return self.model.history

    def _compile(self) -> None:
        if self._loss is None:
            raise ValueError(f"the network '{self.model.name}' has no loss: call loss(...) first")
        if not self._compiled:
            self.model.compile(self._loss, self._optimizer, self._metrics, backend=self._backend)
            self._compiled = True

    def __repr__(self) -> str:
        """Return a table of the layers, with the loss and the optimizer."""
        return "\n".join([repr(self.model), *self._minimized()])

    def _repr_html_(self) -> str:
        lines = "".join(f"<div>{escape(line)}</div>" for line in self._minimized())
        return self.model._repr_html_() + lines

    def _minimized(self) -> list[str]:
        """Return the line that says what is minimized and how, if that is known."""
        if self._loss is None:
            return []
        return [f"loss {shown(self._loss)}, optimizer {shown(self._optimizer)}"]

    def __call__(self, *inputs: Any) -> Any:
        """Return the output for other values or symbolic arrays, with the same parameters."""
        return self.model(*inputs)

    if not TYPE_CHECKING:  # which knows the names from chain.pyi

        def __getattr__(self, name: str) -> Any:
            """Return the method that adds a layer, or an attribute of the model."""
            if name.startswith("_") or name == "model":  # copies have no model at first
                raise AttributeError(name)
            if name in OF_MODELS:
                if name in ("train_on_batch", "test_on_batch"):
                    self._compile()
                return getattr(self.model, name)
            if name in BY_AXES:
                return lambda *args, **kwargs: self.add(ByAxes(name, *args, **kwargs))
            methods = layer_methods()
            kind = methods.get(name)
            if kind is None:
                raise MissingMethod(type(self), name, METHODS, (*OF_MODELS, *BY_AXES, *methods))
            return lambda *args, **kwargs: self.add(kind(*args, **kwargs))

    def __dir__(self) -> list[str]:
        """Return the names of the methods, including those that add layers."""
        return [*super().__dir__(), *OF_MODELS, *BY_AXES, *layer_methods()]


class ChainOptimizer:
    """The optimizer of a chain, which a call replaces.

    Attributes are those of the :class:`~symtheano.nn.optimizers.Optimizer`.

    Examples
    --------
    >>> net = nn.Sequential().dense(1).loss("mse").optimizer("adam", 0.25)
    >>> net.optimizer.learning_rate = 0.125
    >>> net.optimizer.learning_rate
    0.125
    """

    _chain: Sequential
    learning_rate: float
    """The learning rate of the next update."""
    step: int
    """The number of updates so far."""

    def __init__(self, chain: Sequential) -> None:
        vars(self)["_chain"] = chain

    def __call__(self, optimizer: Any, *args: Any, **kwargs: Any) -> Sequential:
        """Set the optimizer, and return the network.

        Parameters
        ----------
        optimizer
            An optimizer, or the name of one. The default is ``"rmsprop"``.
        args, kwargs
            The arguments of the optimizer, if it is given by its name.
        """
        if isinstance(optimizer, str):
            optimizer = look_up("optimizer", optimizer, optimizers.OPTIMIZERS)(*args, **kwargs)
        elif args or kwargs:
            raise TypeError(
                "optimizer: arguments can only be passed with the name of an optimizer, not with "
                "an optimizer object"
            )
        self._chain.optimizer = optimizer
        return self._chain

    def _current(self) -> Any:
        chain = self._chain
        if isinstance(chain._optimizer, str):  # the default, until it is used
            chain._optimizer = optimizers.get(chain._optimizer)
        return chain._optimizer

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._current(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._current(), name, value)

    def __dir__(self) -> list[str]:
        return dir(self._current())

    def __repr__(self) -> str:
        return repr(self._current())


def layer_methods() -> dict[str, type[Layer]]:
    """Return the layers of the package and of the user, by the methods that add them.

    Examples
    --------
    >>> layer_methods()["dense"].__name__, "image_layer" in layer_methods()
    ('Dense', False)
    """
    public = import_module("symtheano.nn").__all__
    return {
        snake_case(name): kind
        for name, kind in LAYERS.items()
        if (name in public and kind is not Layer) or not kind.__module__.startswith("symtheano.")
    }


def shown(what: Any) -> str:
    """Return a loss or an optimizer as text."""
    return printable(what if isinstance(what, str) else getattr(what, "__name__", repr(what)))
