"""Models: networks with a loss, an optimizer and training."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from symtheano.graph.origin import user_stacklevel
from symtheano.nn import optimizers, saving
from symtheano.nn.architecture import Architecture
from symtheano.nn.foreign import explained
from symtheano.nn.network import Network
from symtheano.nn.summary import summary
from symtheano.nn.training import data
from symtheano.nn.training.batches import measure_batch, train_batch
from symtheano.nn.training.callbacks import Callback
from symtheano.nn.training.data import Samples, whole
from symtheano.nn.training.fit import EVALUATED, Request, evaluate, fit, listed
from symtheano.nn.training.history import History
from symtheano.nn.training.program import Objective, Program, check_objective, prediction
from symtheano.nn.training.progress import check_verbose, measures
from symtheano.nn.values import Value

# Ends of names of files that Keras writes.
KERAS = (".h5", ".hdf5", ".keras")

MODES = {"c": None, "numpy": "INTERPRET"}


class Model(Architecture):
    """A network with a loss, an optimizer and methods for training.

    To build a chain of layers, create a model without inputs and outputs, and call :meth:`add` for
    each layer. To build another graph of layers, pass its inputs and outputs. The parameters are
    created when the shape of the input is known: from an :func:`Input` that is added first, or from
    the first data.

    Parameters
    ----------
    inputs, outputs
        The inputs and outputs of a graph of layers: values, or lists of values. None for both:
        layers are added with :meth:`add`.
    seed
        The seed of initial values, dropout and the order of samples, for models to which layers are
        added. A model with inputs and outputs uses the seed of its first input.
    name
        The name of the model, which :meth:`summary` shows.

    Attributes
    ----------
    history
        The :class:`History` with the loss and the metrics of all epochs so far.
    optimizer
        The optimizer, or None before :meth:`compile` is called.
    stop_training
        Whether training ends after the current epoch. Callbacks can set it to True.

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
        """Return a model for a network."""
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
        """Set the loss, the optimizer and the metrics.

        Functions are compiled when they are needed for the first time.

        Parameters
        ----------
        loss
            The loss to minimize: a name such as ``"mse"``, a :class:`Loss`, or a function of
            predictions and targets that returns a number for each sample. For several outputs: one
            loss for all, a list of losses, or a dict from the names of the outputs' layers to
            losses. ``"rmse"`` is the root of the mean over a batch, and its reported value is the
            mean over batches. A function in the style of Keras gets the targets first: one whose
            first parameter is named ``y_true``, ``true``, ``target(s)``, ``label(s)`` or
            ``expected``, or whose second one is named ``y_pred``, ``prediction(s)`` or
            ``output(s)``. With other names, predictions are first.
        optimizer
            An optimizer, or the name of one. The default is ``"rmsprop"``.
        metrics
            Metrics to report besides the loss: a list of names such as ``"accuracy"`` or of
            metrics. For several outputs: one list for all, a list of lists, or a dict from the
            names of the outputs' layers to metrics. Functions take their arguments in the order of
            those of a loss.
        loss_weights
            Factors of the losses of several outputs, a list or a dict as for ``loss``. None: all
            factors are 1.
        backend
            ``"c"``, the default: functions are compiled. ``"numpy"``: they are interpreted with
            NumPy.

        Raises
        ------
        ValueError
            If the loss, the optimizer, a metric or the backend is unknown.
        NotImplementedError
            If the backend is ``"cuda"``, which is not supported yet.
        """
        check_backend(backend)
        if is_optimizer(loss) and not is_optimizer(optimizer):
            raise ValueError(
                f"compile: the first argument must be the loss, but {loss!r} is an optimizer: "
                f"write compile({optimizer!r}, {loss!r})"
            )
        if loss is None:
            raise ValueError("compile: the loss must be a name, a Loss or a function, not None")
        check_objective(loss, metrics)
        if self.built:
            Objective(self.network.outputs, loss, loss_weights, metrics)
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

        Epochs are counted over all calls: a second call continues where the first one ended. The
        first arguments are in the same order as in Keras.

        Parameters
        ----------
        x
            The samples. An array whose first axis is the batch; or, for several inputs, a list of
            arrays or a dict from the names of inputs to arrays. Or an iterable of batches
            ``(x, y)`` or ``(x, y, sample_weight)``, which each epoch iterates once. If it is a
            generator, each epoch takes the next ``steps_per_epoch`` batches.
        y
            The targets: an array, or for several outputs a list or a dict of arrays. Class labels
            are integers, or one-hot rows. None if ``x`` is an iterable of batches.
        batch_size
            The number of samples in a batch. The default is 32. The last batch of an epoch may be
            smaller.
        epochs
            The number of epochs of this call. The default is 1.
        verbose
            How progress is shown. ``"auto"``: a progress bar on a terminal, and lines elsewhere.
            0: not at all. 1: a progress bar on a terminal, and lines elsewhere. 2: a line for each
            epoch.
        validation_split
            The part of the samples to use for validation, between 0 and 1. The last samples are
            used, before shuffling. They are evaluated after each epoch, and not used for training.
            None or 0: no validation.
        validation_data
            Data to evaluate after each epoch: ``(x, y)``, ``(x, y, sample_weight)`` or an iterable
            of batches, but not a generator.
        shuffle
            Whether each epoch uses the samples in a new random order. It must be False if a layer
            is stateful. It is ignored for iterables of batches.
        class_weight
            A dict from labels to weights, by which the losses of samples are multiplied.
            ``"balanced"``: the weight of a class is ``samples / (classes * samples of the class)``,
            as in scikit-learn.
        sample_weight
            A vector with a weight for each sample, by which its loss is multiplied. It is
            multiplied by the weight of the class.
        callbacks
            A :class:`Callback`, or a list of callbacks.
        steps_per_epoch
            The number of batches of an epoch, if ``x`` is an iterable of batches.
        on_nan
            ``"raise"``: the first batch whose loss is NaN or infinite raises an error. The error
            says what has the first NaN: the data, a parameter, the output of a layer, or the loss.
            This copies all parameters before each batch. None, the default: training continues.

        Returns
        -------
        history
            The :class:`History` with the loss and the metrics of all epochs so far.

        Raises
        ------
        ValueError
            If an array does not fit the model. Nothing is changed then.
        NotFiniteError
            If ``on_nan`` is ``"raise"`` and the loss of a batch is not finite.

        Warns
        -----
        TrainingWarning
            If training probably does not do what is meant. Of the model: a softmax of one unit, a
            loss of probabilities for outputs that are none, layers that are all frozen, shared
            variables of a layer that are no parameters, ``BatchNorm`` over one sample, a learning
            rate that is 0 or negative. Of the data: NaN, targets that are no probabilities where
            the loss takes such, labels that leave out classes, weights that are negative or all 0.
            Of the first epochs: gradients that are zero, a loss that becomes NaN or infinite.
        """
        if on_nan not in (None, "raise"):
            raise ValueError(f"fit: on_nan must be None or 'raise', not {on_nan!r}")
        epochs = whole("fit: epochs", epochs, 0)
        batch_size = 32 if batch_size is None else whole("fit: batch_size", batch_size, 1)
        if not isinstance(shuffle, bool | np.bool_):
            raise TypeError(f"fit: shuffle must be True or False, not {shuffle!r}")
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
        verbose: int | str = 0,
    ) -> dict[str, float]:
        """Return the loss and the metrics of samples, with layers as at test.

        Parameters
        ----------
        x, y, sample_weight
            The samples, their targets and their weights, or an iterable of batches; see
            :meth:`fit`.
        batch_size
            The number of samples that are evaluated at once. The default is 256.
        verbose
            ``"auto"`` and 0: nothing is printed. 1 and 2: a line with the measures.

        Returns
        -------
        measures
            A dict with ``"loss"`` and the metrics by name, as in
            ``model.evaluate(x, y)["accuracy"]``. It cannot be unpacked as the list of Keras.
        """
        check_verbose("evaluate", verbose)
        batch_size = whole("evaluate: batch_size", batch_size, 1)
        found = evaluate(self, x, y, batch_size, sample_weight)
        if verbose in (1, 2):
            print(measures(found))
        return found

    @explained
    def predict(self, x: Any, *, batch_size: int = EVALUATED, verbose: int | str = 0) -> Any:
        """Return the outputs for samples, with layers as at test.

        Parameters
        ----------
        x
            The samples: an array, or for several inputs a list or a dict of arrays; see
            :meth:`fit`.
        batch_size
            The number of samples that are processed at once. The default is 256.
        verbose
            Nothing is printed; programs for Keras give 0 here.

        Returns
        -------
        outputs
            An array whose first axis is the batch, or a list with an array for each output.
        """
        check_verbose("predict", verbose)
        batch_size = whole("predict: batch_size", batch_size, 1)
        self.build_for(x)
        network = self.network
        samples = Samples(data.gather_inputs(network.inputs, x))
        network.check_indices(samples.inputs)
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

    # One batch, for training loops of the user.

    @explained
    def train_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
    ) -> dict[str, float]:
        """Take one step of the optimizer with a batch, and return the loss and the metrics.

        Parameters
        ----------
        x, y, sample_weight, class_weight
            The samples of one batch, their targets and weights; see :meth:`fit`.

        Returns
        -------
        measures
            A dict with ``"loss"`` and the metrics by name, computed before the step.

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
        """Return the loss and the metrics of one batch, with layers as at test.

        The arguments are those of :meth:`fit`.
        """
        return measure_batch(self, x, y, sample_weight)

    def predict_on_batch(self, x: Any) -> Any:
        """Return the outputs for samples, all of them as one batch; see :meth:`predict`."""
        self.build_for(x)
        samples = Samples(data.gather_inputs(self.network.inputs, x))
        return self.predict(x, batch_size=max(1, len(samples)))

    def summary(self) -> str:
        """Print and return a table of the layers: output shapes, numbers of parameters, memory."""
        print(text := summary(self.name, self.network))
        return text

    # Files.

    def save(self, path: str | Path | BinaryIO) -> None:
        """Save the model to one file: parameters, layers, optimizer and the state of training.

        The file has the safetensors format: the arrays of parameters and optimizer, and JSON in the
        header. An existing file is replaced when the new one is complete, and its permissions are
        kept. If the path is a link, the link is kept.

        Parameters
        ----------
        path
            The path of the file, or a file object that is open for writing bytes.

        Raises
        ------
        TypeError
            If an argument of a layer cannot be written as JSON, such as a function.
        OSError
            If the file cannot be written, or is not a regular file, such as a pipe. An existing
            file is not changed then.

        Warns
        -----
        UserWarning
            If the name is one of a file of Keras: it ends with ``.h5``, ``.hdf5`` or ``.keras``.
        """
        if str(path).endswith(KERAS):
            warnings.warn(
                f"save: {str(path)!r} is a name for a file of Keras, and the file that is written "
                "has the format of safetensors; name it model.safetensors",
                stacklevel=user_stacklevel(),
            )
        if hasattr(path, "write"):
            path.write(self.to_bytes())
        else:
            saving.save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path | BinaryIO) -> Model:
        """Return a model from a file of :meth:`save`. No code from the file is run.

        Parameters
        ----------
        path
            The path of the file, or a file object that is open for reading bytes.

        Raises
        ------
        ValueError
            If the file is damaged, or is not the file of a model.
        """
        if hasattr(path, "read"):
            return cls.from_bytes(path.read())
        loaded: Model = saving.load(cls, Path(path))
        return loaded

    def to_bytes(self) -> bytes:
        """Return the bytes that :meth:`save` writes to a file."""
        return saving.to_bytes(self)

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """Return a model from the result of :meth:`to_bytes`. No code from the content is run.

        Raises
        ------
        ValueError
            If the content is damaged, or is not that of a model.

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
        """Set the parameters, the optimizer and the state of training from a file.

        The file must be that of a model with the same layers and the same optimizer. Only the seed
        and the learning rate may differ.

        Parameters
        ----------
        path
            The path of a file of :meth:`save`.

        Raises
        ------
        ValueError
            If the file is damaged, or is that of another model. Nothing is changed then.
        """
        saving.restore(self, Path(path))

    # Methods that other modules of this package call.

    def compiled_for(self, what: str) -> dict[str, Any]:
        """Return the arguments of :meth:`compile`, or raise an error if it was not called."""
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
        """The network, with the layers applied as they are now, frozen or not."""
        trainable = [layer.trainable for layer in self.network.layers]
        if self._applied is None or self._trainable != trainable:
            self._forget()
            self._applied, self._trainable = self.network.again(), trainable
        return self._applied

    def _forget(self) -> None:
        """Drop all compiled functions."""
        self._programs = {}
        self._applied = self._predict = None


def check_backend(backend: Any) -> None:
    """Raise an error for a backend that does not exist.

    Raises
    ------
    ValueError
        If it is unknown.
    NotImplementedError
        If it is ``"cuda"``, which is not there yet.
    """
    if backend == "cuda":
        raise NotImplementedError("backend 'cuda': symtheano writes no code for GPUs yet")
    if not isinstance(backend, str) or backend not in MODES:
        hint = "; there is none for GPUs" if backend in ("gpu", "GPU", "mps") else ""
        raise ValueError(f"backend must be one of {', '.join(MODES)}, not {backend!r}{hint}")


def is_optimizer(given: Any) -> bool:
    """Return whether the argument is an optimizer or the name of one."""
    if isinstance(given, str):
        return given.replace("_", "").lower() in optimizers.OPTIMIZERS
    return isinstance(given, optimizers.Optimizer)
