"""What callbacks are: objects whose methods ``fit`` calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from symtheano.errors import format_error
from symtheano.nn.documentation import Documented
from symtheano.nn.foreign import Explained
from symtheano.nn.training.data import Array
from symtheano.nn.training.subject import Subject

Logs = dict[str, float]


Self = TypeVar("Self", bound="Callback")


class Callback(Explained, Documented):
    """Base class of callbacks, whose methods ``fit`` calls during training.

    Subclasses define the methods they need. In these methods, ``self.model`` is the model. Set
    ``self.model.stop_training = True`` to end training after the current epoch.

    If a callback defines ``on_batch_end``, each batch takes one more call in Python.
    """

    model: Subject
    writes_files = False
    """Whether only one of the processes that train a model together calls it."""
    _shown: str

    def __init_subclass__(cls) -> None:
        """Raise an error for methods that look like others that ``fit`` calls."""
        super().__init_subclass__()
        for name in vars(cls):
            if name.startswith("on_") and not hasattr(Callback, name):
                ours = HOOKS.get(name)
                hint = f"it is {ours}" if ours else f"there are {', '.join(hooks())}"
                raise TypeError(
                    format_error(f"{cls.__name__}: fit calls no method {name!r}", hint=hint)
                )

    def __new__(cls: type[Self], *args: Any, **options: Any) -> Self:
        """Return a callback that shows the arguments of its constructor."""
        self = super().__new__(cls, *args, **options)
        shown = [*map(repr, args), *(f"{name}={value!r}" for name, value in options.items())]
        self._shown = f"{cls.__name__}({', '.join(shown)})"
        return self

    def __repr__(self) -> str:
        return self._shown

    def reset(self) -> None:
        """Reset the state that was kept from earlier calls of ``fit``.

        This is the first method that ``fit`` calls.
        """

    def on_train_begin(self) -> None:
        """Called before the first epoch."""

    def on_epoch_begin(self, epoch: int) -> None:
        """Called before each epoch with its number, from 0."""

    def on_batch_end(self, batch: int) -> None:
        """Called after each batch with its number in the epoch, from 0."""

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        """Called after each epoch with its number, from 0, and its results.

        Parameters
        ----------
        epoch
            The number of the epoch, from 0.
        logs
            The loss and the metrics of the epoch, by name, such as ``"loss"`` and ``"val_loss"``.
        """

    def on_train_end(self) -> None:
        """Called after the last epoch."""

    def state(self) -> dict[str, Any]:
        """Return the state to save with a model, as data for JSON."""
        return {}

    def arrays(self) -> list[Array]:
        """Return the arrays of the state to save with a model."""
        return []

    def restore(self, state: dict[str, Any], arrays: list[Array]) -> None:
        """Set the state from the results of :meth:`state` and :meth:`arrays`."""


HOOKS = {
    "on_train_batch_end": "on_batch_end(self, batch)",
    "on_epoch_start": "on_epoch_begin(self, epoch)",
    "on_train_epoch_start": "on_epoch_begin(self, epoch)",
    "on_train_epoch_end": "on_epoch_end(self, epoch, logs)",
    "on_validation_epoch_end": "on_epoch_end(self, epoch, logs)",
    "on_test_end": "on_epoch_end(self, epoch, logs)",
    "on_train_start": "on_train_begin(self)",
    "on_fit_start": "on_train_begin(self)",
    "on_fit_end": "on_train_end(self)",
}
"""Methods of callbacks by the names of others."""


def hooks() -> list[str]:
    """Return the names of the methods that ``fit`` calls.

    Examples
    --------
    >>> hooks()
    ['on_batch_end', 'on_epoch_begin', 'on_epoch_end', 'on_train_begin', 'on_train_end']
    """
    return sorted(name for name in vars(Callback) if name.startswith("on_"))


class LambdaCallback(Callback):
    """A callback that calls functions.

    Parameters
    ----------
    on_epoch_end
        A function that is called after each epoch with the number of the epoch, from 0, and a dict
        of its loss and metrics. None: no function.
    on_epoch_begin
        A function that is called before each epoch with the number of the epoch, from 0. None: no
        function.
    """

    def __init__(
        self,
        on_epoch_end: Callable[[int, Logs], Any] | None = None,
        on_epoch_begin: Callable[[int], Any] | None = None,
    ) -> None:
        self._end, self._begin = on_epoch_end, on_epoch_begin

    def on_epoch_begin(self, epoch: int) -> None:
        if self._begin is not None:
            self._begin(epoch)

    def on_epoch_end(self, epoch: int, logs: Logs) -> None:
        if self._end is not None:
            self._end(epoch, logs)
