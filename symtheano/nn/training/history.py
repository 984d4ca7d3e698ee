"""What was measured in each epoch."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from symtheano.extras import needed
from symtheano.nn import metrics


class History:
    """The numbers of each epoch.

    Attributes
    ----------
    epochs
        The numbers of the epochs, from 0.
    history
        By name, such as ``"loss"`` and ``"val_loss"``: a list with a number for each epoch, NaN
        where it was not measured. Metrics that are arrays, such as a confusion matrix, are lists.

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
        """Add the numbers of an epoch."""
        for name, value in logs.items():
            if name not in self.history:
                self.history[name] = [nothing(value)] * len(self.epochs)
        for name, values in self.history.items():
            plain = np.asarray(logs[name]).tolist() if name in logs else nothing(values[-1])
            values.append(plain)
        self.epochs.append(epoch)

    def __getitem__(self, name: str) -> list[Any]:
        """Return a measure of all epochs, by any name that it has in ``compile``.

        Raises
        ------
        KeyError
            If there is no such measure.
        """
        if name in self.history:
            return self.history[name]
        prefix = "val_" if name.startswith("val_") else ""
        with suppress(ValueError, TypeError):
            full = prefix + metrics.get(name.removeprefix(prefix)).name
            if full in self.history:
                return self.history[full]
        raise KeyError(f"history has no {name!r}, it has {', '.join(self.history) or 'no epochs'}")

    def __repr__(self) -> str:
        return f"History({len(self.epochs)} epochs of {', '.join(self.history)})"

    def plot(self, path: str | None = None) -> Any:
        """Draw each measure over the epochs, validation beside training.

        Parameters
        ----------
        path
            The file to save the picture in; None: none.

        Returns
        -------
        figure
            The figure of matplotlib.

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
            axes.grid(alpha=0.3)
            axes.legend()
        if path is not None:
            figure.savefig(path, dpi=150)
        return figure


def nothing(value: Any) -> Any:
    """Return NaN in the place of a number, or of each number of an array."""
    return np.full(np.shape(value), np.nan).tolist()
