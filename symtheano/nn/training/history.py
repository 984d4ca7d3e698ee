"""The history of training: the loss and the metrics of each epoch."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from symtheano.extras import needed
from symtheano.nn import metrics


class History:
    """The loss and the metrics of each epoch.

    ``history["loss"]`` is the list of the losses of all epochs.

    Attributes
    ----------
    epochs
        A list with the numbers of the epochs, from 0.
    history
        A dict from names, such as ``"loss"`` and ``"val_loss"``, to lists with a number for each
        epoch. The number is NaN if it was not measured in the epoch. Metrics that are arrays, such
        as a confusion matrix, are nested lists.

    Examples
    --------
    >>> history = History()
    >>> history.append(0, {"loss": 2.0})
    >>> history.append(1, {"loss": 1.5})
    >>> history["loss"], history.epochs
    ([2.0, 1.5], [0, 1])
    >>> history.append(2, {"loss": 1.2, "mean_absolute_error": 0.9})
    >>> history["mae"]
    [nan, nan, 0.9]
    """

    def __init__(self) -> None:
        self.epochs: list[int] = []
        self.history: dict[str, list[Any]] = {}

    def append(self, epoch: int, logs: dict[str, Any]) -> None:
        """Add the loss and the metrics of an epoch."""
        for name, value in logs.items():
            if name not in self.history:
                self.history[name] = [nothing(value)] * len(self.epochs)
        for name, values in self.history.items():
            plain = np.asarray(logs[name]).tolist() if name in logs else nothing(values[-1])
            values.append(plain)
        self.epochs.append(epoch)

    def __getitem__(self, name: str) -> list[Any]:
        """Return the values of the loss or a metric in all epochs, as a list.

        Parameters
        ----------
        name
            The name in :attr:`history`, or another name of the metric, such as ``"mae"``. Names of
            validation data begin with ``val_``.

        Raises
        ------
        KeyError
            If nothing of this name was measured.
        """
        if name in self.history:
            return self.history[name]
        prefix = "val_" if name.startswith("val_") else ""
        with suppress(ValueError, TypeError):
            full = prefix + metrics.get(name.removeprefix(prefix)).name
            if full in self.history:
                return self.history[full]
        raise KeyError(
            f"the history has no {name!r}; it has {', '.join(self.history) or 'no epochs'}"
        )

    def __repr__(self) -> str:
        epochs = "1 epoch" if len(self.epochs) == 1 else f"{len(self.epochs)} epochs"
        return f"History({epochs} of {', '.join(self.history)})"

    def plot(self, path: str | None = None) -> Any:
        """Plot the loss and each metric over the epochs, for training and validation data.

        Parameters
        ----------
        path
            The path of an image file to write. None: no file is written.

        Returns
        -------
        figure
            A figure of matplotlib.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        Figure = needed("matplotlib.figure", "History.plot", "nn").Figure
        names = [name for name in self.history if not name.startswith("val_")]
        figure = Figure(figsize=(4.5 * max(len(names), 1), 3.5), layout="constrained")
        for k, name in enumerate(names):
            axes = figure.add_subplot(1, len(names), k + 1)
            for key, label in ((name, "training"), (f"val_{name}", "validation")):
                if key in self.history:
                    lines = np.asarray(self.history[key]).reshape(len(self.epochs), -1)
                    axes.plot(self.epochs, lines, label=label)
            axes.set(xlabel="epoch", title=name.replace("_", " "))
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.grid(alpha=0.3)
            axes.legend()
        if path is not None:
            figure.savefig(path, dpi=150)
        return figure


def nothing(value: Any) -> Any:
    """Return NaN, or nested lists of NaN in the shape of an array."""
    return np.full(np.shape(value), np.nan).tolist()
