"""Models: networks with a loss, an optimizer and training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtheano.nn.architecture import Architecture
from symtheano.nn.compiled import Compiled
from symtheano.nn.foreign import explained
from symtheano.nn.network import Network
from symtheano.nn.stored import Stored
from symtheano.nn.summary import summary
from symtheano.nn.training import data
from symtheano.nn.training.batches import measure_batch, train_batch
from symtheano.nn.training.data import Array, Samples, whole
from symtheano.nn.training.fit import EVALUATED, Request, evaluate, fit, listed
from symtheano.nn.training.history import History
from symtheano.nn.training.hooks import Callback
from symtheano.nn.training.measures import Measures
from symtheano.nn.training.program import prediction
from symtheano.nn.training.progress import check_verbose, measures
from symtheano.nn.values import Value


class Model(Stored, Compiled, Architecture):
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
        self._uncompiled()

    @classmethod
    def from_network(cls, network: Network, name: str = "model") -> Model:
        """Return a model for a network."""
        return cls(network.inputs, network.outputs, name=name)

    # Training.

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
        distribute: Any = None,
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
        distribute
            ``"mpi"``, or a :class:`symtheano.distributed.DataParallel` with options: the processes
            that ``mpiexec`` has started train the model together. All of them pass the same
            arguments; ``batch_size`` is that of all. See ``docs/distributed.md``. None, the
            default: this process alone.

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
                distribute,
            ),
        )  # fmt: skip

    @explained
    def evaluate(
        self,
        x: Any,
        y: Any = None,
        batch_size: int = EVALUATED,
        *,
        sample_weight: Any = None,
        verbose: int | str = 0,
    ) -> Measures:
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
            The loss and the metrics, as in ``loss, accuracy = model.evaluate(x, y)``. They also
            have names: ``model.evaluate(x, y)["accuracy"]``.
        """
        check_verbose("evaluate", verbose)
        batch_size = whole("evaluate: batch_size", batch_size, 1)
        results = evaluate(self, x, y, batch_size, sample_weight)
        if verbose in (1, 2):
            print(measures(dict(results)))
        return results

    @explained
    def predict(
        self, x: Any, batch_size: int = EVALUATED, *, verbose: int | str = 0
    ) -> Array | Any:
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
            self._predict = prediction(self.applied, self._backend)
        if len(samples) <= batch_size:
            outputs = self._predict(*samples.inputs)
        else:
            parts = [
                self._predict(*samples[k : k + batch_size].inputs)
                for k in range(0, len(samples), batch_size)
            ]
            outputs = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
        return outputs[0] if len(outputs) == 1 else list(outputs)

    # One batch, for training loops of the user.

    @explained
    def train_on_batch(
        self,
        x: Any,
        y: Any = None,
        sample_weight: Any = None,
        class_weight: Mapping[Any, float] | str | None = None,
        *,
        distribute: Any = None,
    ) -> Measures:
        """Take one step of the optimizer with a batch, and return the loss and the metrics.

        Parameters
        ----------
        x, y, sample_weight, class_weight
            The samples of one batch, their targets and weights; see :meth:`fit`.
        distribute
            As in :meth:`fit`; the batch consists of the samples that each process passes, which may
            differ in number. The measures are those of the whole batch.

        Returns
        -------
        measures
            The loss and the metrics, computed before the step; see :meth:`evaluate`.

        Examples
        --------
        >>> model = nn.Model(seed=0)
        >>> model.add(nn.Dense(1, kernel_initializer="zeros"))
        >>> model.compile("mse", nn.SGD(0.25))
        >>> model.train_on_batch([[1.0]], [[2.0]]), model.predict_on_batch([[1.0]])
        (Measures(loss=4.0), array([[2.]], dtype=float32))
        """
        return train_batch(self, x, y, sample_weight, class_weight, distribute)

    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, *, distribute: Any = None
    ) -> Measures:
        """Return the loss and the metrics of one batch, with layers as at test.

        The arguments are those of :meth:`train_on_batch`.
        """
        return measure_batch(self, x, y, sample_weight, distribute)

    def predict_on_batch(self, x: Any) -> Array | Any:
        """Return the outputs for samples, all of them as one batch; see :meth:`predict`."""
        self.build_for(x)
        samples = Samples(data.gather_inputs(self.network.inputs, x))
        return self.predict(x, batch_size=max(1, len(samples)))

    def summary(self) -> str:
        """Print and return a table of the layers: output shapes, numbers of parameters, memory."""
        print(text := summary(self.name, self.network))
        return text
