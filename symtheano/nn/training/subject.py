"""The interface of models that training uses; ``model.py`` has the class, and imports training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from symtheano.nn.network import Network
from symtheano.nn.training.data import Array, Samples
from symtheano.nn.training.history import History


class Subject(Protocol):
    """A model that is trained, saved and restored."""

    name: str
    history: History
    epochs_done: int
    stop_training: bool
    optimizer: Any
    settings: dict[str, Any] | None
    callbacks: list[Any]
    ranks: Any

    @property
    def built(self) -> bool:
        """Whether the network and its parameters exist."""

    @property
    def network(self) -> Network:
        """The network."""

    @property
    def applied(self) -> Network:
        """The network, with the layers applied as they are now, frozen or not."""

    def build_for(self, x: Any) -> None:
        """Create the parameters for samples like these, if they do not exist yet."""

    def compiled_for(self, what: str) -> dict[str, Any]:
        """Return the arguments of ``compile``, or raise an error if it was not called."""

    def program(self, samples: Samples) -> Any:
        """Return the compiled functions for samples of this kind."""

    def get_weights(self) -> list[Array]:
        """Return copies of the values of all parameters."""

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Set the values of all parameters."""

    def save(self, path: str | Path) -> None:
        """Save the model to a file."""

    def restore(self, path: str | Path) -> None:
        """Set the parameters, the optimizer and the state of training from a file."""
