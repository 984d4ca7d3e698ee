"""Models with a loss and an optimizer, and the functions that are compiled for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.nn import optimizers
from symtheano.nn.backends import Backend, backend_of
from symtheano.nn.foreign import explained, key
from symtheano.nn.layers.synchronized import synchronized
from symtheano.nn.network import Network
from symtheano.nn.training.data import Samples
from symtheano.nn.training.history import History
from symtheano.nn.training.hooks import Callback
from symtheano.nn.training.objective import Objective, check_objective
from symtheano.nn.training.program import Program

if TYPE_CHECKING:
    from symtheano.nn.architecture import Architecture as Base  # which models are, too
else:
    Base = object


class Compiled(Base):
    """Base class of models: their loss, optimizer and metrics."""

    def _uncompiled(self) -> None:
        """Set the state of a model before :meth:`compile`."""
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
        self.ranks: Any = None  # while processes train together: those processes
        self._synchronizes = False

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
        """Set the loss, the optimizer and the metrics.

        The order of Keras, the optimizer before the loss, is accepted as well. Functions are
        compiled when they are needed for the first time.

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
            NumPy. ``"cuda"``, ``"cuda:1"``: they run on this device, where the parameters stay.
        device
            The same as ``backend``, for a device.

        Raises
        ------
        ValueError
            If the loss, the optimizer, a metric or the backend is unknown.
        """
        backend = backend if device in (None, "cpu") else device
        backend_of(backend)
        if is_optimizer(loss) and not is_optimizer(optimizer):
            loss, optimizer = optimizer, loss  # the order of Keras
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

    # Methods that other modules of this package call.

    def compiled_for(self, what: str) -> dict[str, Any]:
        """Return the arguments of :meth:`compile`, or raise an error if it was not called."""
        if self.settings is None:
            raise ValueError(f"{what}: call compile(loss, optimizer) first")
        return self.settings

    def program(self, samples: Samples) -> Program:
        """Return the compiled functions for samples of this kind."""
        settings, network = self.compiled_for("fit"), self.applied
        kind = samples.kind, None if self.ranks is None else self.ranks.key
        if kind not in self._programs:
            objective = Objective(
                network.outputs, settings["loss"], settings["loss_weights"], settings["metrics"]
            )
            self._programs[kind] = Program(
                network, objective, self.optimizer, samples, self._backend, self.ranks
            )
        return self._programs[kind]

    @property
    def _backend(self) -> Backend:
        return backend_of(self.settings["backend"] if self.settings else "c")

    @property
    def applied(self) -> Network:
        """The network, with the layers applied as they are now, frozen or not."""
        trainable = [layer.trainable for layer in self.network.layers]
        wanted = self._synchronizes if self.ranks is None else self.ranks.synchronizes
        changed = self._trainable != trainable or wanted != self._synchronizes
        if self._applied is None or changed:
            self._forget()
            self._trainable, self._synchronizes = trainable, wanted
            with synchronized(wanted):
                self._applied = self.network.again()
        return self._applied

    def _forget(self) -> None:
        """Drop all compiled functions."""
        self._programs = {}
        self._applied = self._predict = None


def is_optimizer(argument: Any) -> bool:
    """Return whether the argument is an optimizer or the name of one."""
    if isinstance(argument, str):
        return key(argument) in map(key, optimizers.OPTIMIZERS)
    return isinstance(argument, optimizers.Optimizer)
