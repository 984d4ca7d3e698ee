"""Models: networks with a loss, an optimizer and training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from symtheano.nn import optimizers, saving
from symtheano.nn.architecture import Architecture
from symtheano.nn.foreign import explained
from symtheano.nn.network import Network
from symtheano.nn.summary import summary
from symtheano.nn.training import data
from symtheano.nn.training.callbacks import Callback
from symtheano.nn.training.data import Samples
from symtheano.nn.training.fit import (
    EVALUATED,
    Request,
    evaluate,
    fit,
    listed,
    measure_batch,
    train_batch,
    whole,
)
from symtheano.nn.training.history import History
from symtheano.nn.training.program import Objective, Program, check_objective, prediction
from symtheano.nn.values import Value

MODES = {"c": None, "numpy": "INTERPRET"}


class Model(Architecture):
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
        super().__init__(inputs, outputs, seed, name)
        self.stop_training = False
        self.history = History()
        self.epochs_done = 0
        self.optimizer: Any = None
        self.settings: dict[str, Any] | None = None
        self.callbacks: list[Callback] = []
        self._programs: dict[Any, Program] = {}
        self._applied: Network | None = None
        self._trainable: list[bool] = []
        self._predict: Any = None

    @classmethod
    def from_network(cls, network: Network, name: str = "model") -> Model:
        """Return the model of a network."""
        return cls(network.inputs, network.outputs, name=name)

    # Training.

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
        """Say what is minimized, how, and what is measured.

        Functions are compiled when they are first needed.

        Parameters
        ----------
        loss
            The name of a loss, or a function of predictions and targets that returns a number for
            each sample; or one for each output. ``"rmse"`` is the root of the mean over a batch,
            and what is measured the mean of these roots.
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
        if is_optimizer(loss) and not is_optimizer(optimizer):
            raise ValueError(
                f"compile: the loss comes first, and {loss!r} is an optimizer: "
                f"compile({optimizer!r}, {loss!r})"
            )
        if loss is None:
            raise ValueError("compile: a loss expected, by name, as a Loss or as a function")
        check_objective(loss, metrics)
        self.optimizer = optimizers.get(optimizer)
        self.settings = {
            "loss": loss, "metrics": metrics, "loss_weights": loss_weights, "backend": backend
        }  # fmt: skip
        self._forget()

    @explained
    def fit(
        self,
        x: Any,
        y: Any = None,
        batch_size: int | None = None,
        epochs: int = 1,
        verbose: int | str = "auto",
        *,
        validation_split: float | None = None,
        validation_data: Any = None,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | str | None = None,
        sample_weight: Any = None,
        callbacks: Sequence[Callback] | Callback | None = None,
        steps_per_epoch: int | None = None,
        on_nan: str | None = None,
    ) -> History:
        """Train the model.

        Epochs are counted over all calls: a second call goes on where the first one ended. The
        first arguments have the order of Keras.

        Parameters
        ----------
        x
            Samples: an array, or several in a list or a mapping. Or an iterable of batches
            ``(x, y)`` or ``(x, y, sample_weight)``, iterated anew in each epoch; a generator, of
            which each epoch takes ``steps_per_epoch`` batches.
        y
            Targets: an array for each output. Labels are integers or one-hot.
        batch_size
            The number of samples in a batch, by default 32; the last one of an epoch may be
            smaller.
        epochs
            The number of epochs of this call.
        verbose
            ``"auto"``: a bar on a terminal, else lines. 0: nothing. 1: a bar. 2: lines.
        validation_split
            The part of the samples, the last ones, that is only evaluated; 0 is none.
        validation_data
            Samples that are evaluated after each epoch: ``(x, y)`` or ``(x, y, sample_weight)``,
            or an iterable of batches.
        shuffle
            Whether samples are in a new order in each epoch; False if a layer is stateful.
        class_weight
            Factors of the losses of samples, by label. ``"balanced"``: the number of samples,
            divided by the number of classes and that of the class's samples, as in scikit-learn.
        sample_weight
            Factors of the losses of samples, for each; multiplied by those of classes.
        callbacks
            What watches training.
        steps_per_epoch
            The number of batches of an epoch, for iterables.
        on_nan
            ``"raise"``: an error after the first batch whose loss is NaN or infinite, which says
            what has the first NaN: data, a parameter, the output of a layer, or the loss. The
            parameters are copied before each batch. None: training goes on.

        Returns
        -------
        history
            What was measured in each epoch so far.

        Raises
        ------
        ValueError
            If arrays do not fit the model; nothing has changed then.
        NotFiniteError
            If ``on_nan`` is ``"raise"`` and a loss is not finite.

        Warns
        -----
        TrainingWarning
            If training cannot succeed: a softmax of one unit, NaN in data, a negative learning
            rate, labels that leave out classes, gradients that are zero.
        """
        if on_nan not in (None, "raise"):
            raise ValueError(f"fit: on_nan is None or 'raise', not {on_nan!r}")
        epochs = whole("fit: epochs", epochs, 0)
        batch_size = 32 if batch_size is None else whole("fit: batch_size", batch_size, 1)
        if steps_per_epoch is not None:
            steps_per_epoch = whole("fit: steps_per_epoch", steps_per_epoch, 1)
        return fit(
            self,
            Request(
                x, y, epochs, batch_size, validation_split, validation_data, shuffle,
                class_weight, sample_weight, listed(callbacks), steps_per_epoch, verbose, on_nan,
            ),
        )  # fmt: skip

    @explained
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

    @explained
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

    # One batch, for loops of the user's own.

    @explained
    def train_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
    ) -> dict[str, float]:
        """Change the parameters once, by the gradient of a batch, and return its measures.

        Parameters
        ----------
        x, y, sample_weight, class_weight
            As in :meth:`fit`; all samples are one batch.

        Returns
        -------
        measures
            By name: ``"loss"`` and the metrics, before the change.

        Examples
        --------
        >>> from symtheano import nn
        >>> model = nn.Model(seed=0)
        >>> model.add(nn.Dense(1, kernel_initializer="zeros"))
        >>> model.compile("mse", nn.SGD(0.25))
        >>> model.train_on_batch([[1.0]], [[2.0]]), model.predict_on_batch([[1.0]])
        ({'loss': 4.0}, array([[2.]], dtype=float32))
        """
        return train_batch(self, x, y, sample_weight, class_weight)

    def test_on_batch(self, x: Any, y: Any = None, sample_weight: Any = None) -> dict[str, float]:
        """Return the measures of a batch, at test; the arguments are those of :meth:`fit`."""
        return measure_batch(self, x, y, sample_weight)

    def predict_on_batch(self, x: Any) -> Any:
        """Return the outputs for samples, all in one call; see :meth:`predict`."""
        self.build_for(x)
        samples = Samples(data.gather_inputs(self.network.inputs, x))
        return self.predict(x, batch_size=max(1, len(samples)))

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


def is_optimizer(given: Any) -> bool:
    """Return whether something is an optimizer or the name of one."""
    if isinstance(given, str):
        return given.replace("_", "").lower() in optimizers.OPTIMIZERS
    return isinstance(given, optimizers.Optimizer)
