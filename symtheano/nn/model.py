"""Models: networks with a loss, an optimizer and training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from symtheano.nn import optimizers, saving
from symtheano.nn.layers.base import Layer, Parameter
from symtheano.nn.layers.embedding import Embedding
from symtheano.nn.network import Network, only, values
from symtheano.nn.randomness import Randomness
from symtheano.nn.summary import summary
from symtheano.nn.training import data
from symtheano.nn.training.callbacks import Callback
from symtheano.nn.training.data import Array, Samples
from symtheano.nn.training.fit import EVALUATED, Request, evaluate, fit, listed, whole
from symtheano.nn.training.history import History
from symtheano.nn.training.program import Objective, Program, check_objective, prediction
from symtheano.nn.values import Input, Value

MODES = {"c": None, "numpy": "INTERPRET"}


class Model:
    """A network that is trained.

    Layers one after the other are added by :meth:`add`; any other graph of layers is given by its
    inputs and outputs. Parameters are created when the shape of the input is known: from an input
    that is added first, or from the first data.

    Parameters
    ----------
    inputs, outputs
        Values, or lists of them; both or none.
    seed
        The seed of initial values, dropout and the order of samples, for models that layers are
        added to; that of other models is the seed of their first input.
    name
        The name, which :meth:`summary` shows.

    Attributes
    ----------
    history
        What was measured in all epochs so far.
    optimizer
        The optimizer, once the model is compiled.
    stop_training
        Set it to True in a callback to end training after the epoch.

    Examples
    --------
    >>> import numpy as np
    >>> from symtheano import nn
    >>> x = np.random.default_rng(0).normal(size=(200, 2))
    >>> y = (x[:, 0] * x[:, 1] > 0).astype(int)
    >>> model = nn.Model(seed=0)
    >>> model.add(nn.Dense(16, "tanh"))
    >>> model.add(nn.Dense(2, "softmax"))
    >>> model.compile("categorical_crossentropy", nn.Adam(0.05), metrics=["accuracy"])
    >>> history = model.fit(x, y, epochs=40, verbose=0)
    >>> model.evaluate(x, y)["accuracy"] > 0.95
    True
    """

    def __init__(
        self,
        inputs: Value | Sequence[Value] | None = None,
        outputs: Value | Sequence[Value] | None = None,
        *,
        seed: int | None = None,
        name: str = "model",
    ) -> None:
        if (inputs is None) != (outputs is None):
            raise ValueError(
                "Model: inputs and outputs are given together, or none of them; layers one after "
                "the other make nn.Sequential([...]), or are added by add"
            )
        self.name = name
        self.stop_training = False
        self.history = History()
        self.epochs_done = 0
        self.optimizer: Any = None
        self._randomness = Randomness(seed)
        self._stack: list[Layer] = []
        self._input: Value | None = None
        self._network: Network | None = None
        self.settings: dict[str, Any] | None = None
        self.callbacks: list[Callback] = []
        self._programs: dict[Any, Program] = {}
        self._applied: Network | None = None
        self._trainable: list[bool] = []
        self._predict: Any = None
        if inputs is not None and outputs is not None:
            if seed is not None:
                raise ValueError("Model: the seed of a graph of layers is that of its first input")
            self._network = Network(values("inputs", inputs), values("outputs", outputs))

    @classmethod
    def from_network(cls, network: Network, name: str = "model") -> Model:
        """Return the model of a network."""
        return cls(network.inputs, network.outputs, name=name)

    # The network.

    def add(self, layer: Layer | Value) -> None:
        """Add a layer after the last one; the first may be an input."""
        if isinstance(layer, Value):
            if self._stack or self._input is not None or layer.layer is not None:
                raise ValueError("add: an input is the first that is added")
            self._input = layer
            layer.randomness = self._randomness
            return
        given: Any = layer
        if not isinstance(given, Layer):
            hint = f"; write {given.__name__}(...)" if isinstance(given, type) else ""
            raise TypeError(f"add: a layer expected, not {given!r}{hint}")
        if self._network is not None and not self._stack:
            raise ValueError("add: the model was made from inputs and outputs")
        self._stack.append(layer)
        self._network = None
        self._forget()

    def build(self, shape: tuple[int | None, ...], dtype: str = "float32") -> None:
        """Create the parameters for samples of a shape, without the axis of samples; once."""
        if self._network is not None and self._stack and shape:
            self._network.check_shape(f"build: the model '{self.name}'", tuple(shape))
        if self._network is None:
            if not self._stack:
                raise ValueError(f"the model '{self.name}' has no layers")
            if self._input is None:
                kind = "int32" if isinstance(self._stack[0], Embedding) else dtype
                self._input = Input(shape, kind, "x")
                self._input.randomness = self._randomness
            value = self._input
            for layer in self._stack:
                value = only(layer, layer(value))
            self._network = Network([self._input], [value])

    def build_for(self, x: Any) -> None:
        """Create the parameters for samples like these, if they do not exist."""
        if self._network is None:
            if self._input is None and isinstance(x, Mapping):
                raise ValueError("a mapping of arrays needs a model made from inputs and outputs")
            self.build(np.shape(x if hasattr(x, "shape") else data.numeric(x, "x"))[1:])

    @property
    def built(self) -> bool:
        """Whether the network and its parameters exist."""
        return self._network is not None

    @property
    def network(self) -> Network:
        """The network; its parameters exist.

        Raises
        ------
        ValueError
            If the shape of the input is not known yet.
        """
        if self._network is None:
            if self._input is None:
                raise ValueError(
                    f"the model '{self.name}' is not built: add nn.Input(shape) first, call "
                    "build(shape), or fit it"
                )
            self.build(())
        assert self._network is not None
        return self._network

    @property
    def layers(self) -> list[Layer]:
        """The layers."""
        return list(self._stack) if self._network is None else self._network.layers

    @property
    def parameters(self) -> list[Parameter]:
        """The parameters of all layers, running statistics included."""
        return self.network.parameters

    def get_weights(self) -> list[Array]:
        """Return copies of all parameters."""
        return [p.variable.get_value() for p in self.parameters]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set all parameters.

        Raises
        ------
        ValueError
            If their number or shapes differ; nothing is set then.
        """
        parameters = self.parameters
        if len(weights) != len(parameters):
            raise ValueError(
                f"set_weights: {len(parameters)} arrays expected, and {len(weights)} given"
            )
        arrays = []
        for p, weight in zip(parameters, weights, strict=True):
            have = p.variable.get_value(borrow=True)
            array = np.array(weight, have.dtype)
            if array.shape != have.shape:
                raise ValueError(
                    f"set_weights: {p.variable.name} has shape {have.shape}, not {array.shape}"
                )
            arrays.append(array)
        for p, array in zip(parameters, arrays, strict=True):
            p.variable.set_value(array, borrow=True)

    def reset_states(self) -> None:
        """Let the next batch begin with zeros in layers that are stateful."""
        for layer in self.layers:
            layer.reset_states()

    # Training.

    def compile(
        self,
        loss: Any,
        optimizer: Any = "rmsprop",
        metrics: Any = None,
        *,
        loss_weights: Any = None,
        backend: str = "c",
    ) -> None:
        """Say what is minimized, how, and what is measured.

        Functions are compiled when they are first needed.

        Parameters
        ----------
        loss
            The name of a loss, or a function of predictions and targets that returns a number for
            each sample; or one for each output.
        optimizer
            An optimizer or the name of one.
        metrics
            Names or objects, for all outputs or for each.
        loss_weights
            Factors of the losses of outputs.
        backend
            ``"c"``: compiled. ``"numpy"``: interpreted by NumPy.

        Raises
        ------
        ValueError
            If something is unknown.
        NotImplementedError
            If the backend is ``"cuda"``, which is not there yet.
        """
        if backend == "cuda":
            raise NotImplementedError("backend 'cuda': symtheano writes no code for GPUs yet")
        if backend not in MODES:
            raise ValueError(f"backend: one of {', '.join(MODES)}, cuda expected, not {backend!r}")
        if loss is None:
            raise ValueError("compile: a loss expected, by name, as a Loss or as a function")
        check_objective(loss, metrics)
        self.optimizer = optimizers.get(optimizer)
        self.settings = {
            "loss": loss, "metrics": metrics, "loss_weights": loss_weights, "backend": backend
        }  # fmt: skip
        self._forget()

    def fit(
        self,
        x: Any,
        y: Any = None,
        *,
        epochs: int = 1,
        batch_size: int | None = None,
        validation_split: float | None = None,
        validation_data: Any = None,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | None = None,
        sample_weight: Any = None,
        callbacks: Sequence[Callback] | Callback | None = None,
        steps_per_epoch: int | None = None,
        verbose: int | str = "auto",
    ) -> History:
        """Train the model.

        Epochs are counted over all calls: a second call goes on where the first one ended.

        Parameters
        ----------
        x
            Samples: an array, or several in a list or a mapping. Or an iterable of batches
            ``(x, y)`` or ``(x, y, sample_weight)``, iterated anew in each epoch; a generator, of
            which each epoch takes ``steps_per_epoch`` batches.
        y
            Targets: an array for each output. Labels are integers or one-hot.
        epochs
            The number of epochs of this call.
        batch_size
            The number of samples in a batch, by default 32; the last one of an epoch may be
            smaller.
        validation_split
            The part of the samples, the last ones, that is only evaluated; 0 is none.
        validation_data
            Samples that are evaluated after each epoch: ``(x, y)`` or ``(x, y, sample_weight)``,
            or an iterable of batches.
        shuffle
            Whether samples are in a new order in each epoch; False if a layer is stateful.
        class_weight, sample_weight
            Factors of the losses of samples, by label and for each.
        callbacks
            What watches training.
        steps_per_epoch
            The number of batches of an epoch, for iterables.
        verbose
            ``"auto"``: a bar on a terminal, else lines. 0: nothing. 1: a bar. 2: lines.

        Returns
        -------
        history
            What was measured in each epoch so far.

        Raises
        ------
        ValueError
            If arrays do not fit the model; nothing has changed then.
        """
        epochs = whole("fit: epochs", epochs, 0)
        batch_size = 32 if batch_size is None else whole("fit: batch_size", batch_size, 1)
        if steps_per_epoch is not None:
            steps_per_epoch = whole("fit: steps_per_epoch", steps_per_epoch, 1)
        return fit(
            self,
            Request(
                x, y, epochs, batch_size, validation_split, validation_data, shuffle,
                class_weight, sample_weight, listed(callbacks), steps_per_epoch, verbose,
            ),
        )  # fmt: skip

    def evaluate(
        self,
        x: Any,
        y: Any = None,
        *,
        batch_size: int = EVALUATED,
        sample_weight: Any = None,
    ) -> dict[str, float]:
        """Return the loss and what is measured, at test.

        Parameters
        ----------
        x, y, sample_weight
            As in :meth:`fit`.
        batch_size
            The number of samples that are evaluated at once.

        Returns
        -------
        measures
            By name: ``"loss"`` and the metrics.
        """
        return evaluate(self, x, y, whole("evaluate: batch_size", batch_size, 1), sample_weight)

    def predict(self, x: Any, *, batch_size: int = EVALUATED) -> Any:
        """Return the outputs for samples, at test: an array, or a list of one for each output.

        Parameters
        ----------
        x
            Samples, as in :meth:`fit`.
        batch_size
            The number of samples of one call.
        """
        batch_size = whole("predict: batch_size", batch_size, 1)
        self.build_for(x)
        network = self.network
        samples = Samples(data.gather_inputs(network.inputs, x))
        network.check_batches("predict", len(samples), batch_size)
        if self._predict is None:
            self._predict = prediction(self.applied, self._mode)
        if len(samples) <= batch_size:
            found = self._predict(*samples.inputs)
        else:
            parts = [
                self._predict(*samples[k : k + batch_size].inputs)
                for k in range(0, len(samples), batch_size)
            ]
            found = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
        return found[0] if len(found) == 1 else list(found)

    def summary(self) -> str:
        """Print and return a table of the layers: output shape, parameters, memory."""
        print(text := summary(self.name, self.network))
        return text

    # Files.

    def save(self, path: str | Path | BinaryIO) -> None:
        """Save the model in one file: parameters, layers, optimizer and the state of training.

        ``path`` may be a file that is open for bytes, in the format of safetensors: arrays of
        parameters and the optimizer, and JSON in the header. An old file is replaced when the new
        one is complete, which gets its permissions; links stay.

        Raises
        ------
        TypeError
            If a layer's argument is no data, such as a function.
        OSError
            If the file can't be written, or is none, such as a pipe; an old file is as it was.
        """
        if hasattr(path, "write"):
            path.write(self.to_bytes())
        else:
            saving.save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> Model:
        """Return a model from a file, by its path or open for bytes. No code of it is run.

        Raises
        ------
        ValueError
            If the file is damaged or foreign.
        """
        if hasattr(path, "read"):
            return cls.from_bytes(path.read())
        loaded: Model = saving.load(cls, Path(path))
        return loaded

    def to_bytes(self) -> bytes:
        """Return the content of the file that :meth:`save` writes."""
        return saving.to_bytes(self)

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """Return the model of :meth:`to_bytes`. No code of the content is run.

        Raises
        ------
        ValueError
            If the content is damaged or foreign.

        Examples
        --------
        >>> from symtheano import nn
        >>> x = nn.Input((3,))
        >>> model = nn.Model(x, nn.dense(x, 2))
        >>> twin = nn.Model.from_bytes(model.to_bytes())
        >>> bool((twin.predict([[1, 2, 3]]) == model.predict([[1, 2, 3]])).all())
        True
        """
        loaded: Model = saving.from_bytes(cls, content)
        return loaded

    def restore(self, path: str | Path) -> None:
        """Set parameters, optimizer and the state of training from a file of an equal model.

        Raises
        ------
        ValueError
            If the file is damaged or of another model; nothing has changed then.
        """
        saving.restore(self, Path(path))

    # What functions of this package call.

    def compiled_for(self, what: str) -> dict[str, Any]:
        """Return the arguments of :meth:`compile`, which must have been called."""
        if self.settings is None:
            raise ValueError(f"{what}: call compile(loss, optimizer) first")
        return self.settings

    def program(self, samples: Samples) -> Program:
        """Return the compiled functions for samples of this kind."""
        settings, network = self.compiled_for("fit"), self.applied
        if samples.kind not in self._programs:
            objective = Objective(
                network.outputs, settings["loss"], settings["loss_weights"], settings["metrics"]
            )
            self._programs[samples.kind] = Program(
                network, objective, self.optimizer, samples, self._mode
            )
        return self._programs[samples.kind]

    @property
    def _mode(self) -> str | None:
        return MODES[self.settings["backend"]] if self.settings else None

    @property
    def applied(self) -> Network:
        """The network with layers as they are now: frozen or not."""
        trainable = [layer.trainable for layer in self.network.layers]
        if self._applied is None or self._trainable != trainable:
            self._forget()
            self._applied, self._trainable = self.network.again(), trainable
        return self._applied

    def _forget(self) -> None:
        """Drop all compiled functions."""
        self._programs = {}
        self._applied = self._predict = None
