"""Models as files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar

from symtheano.graph.origin import user_stacklevel
from symtheano.nn import saving

if TYPE_CHECKING:
    from symtheano.nn.compiled import Compiled as Base  # which models are, too
else:
    Base = object

Self = TypeVar("Self", bound="Stored")

# Ends of names of files that Keras writes.
KERAS = (".h5", ".hdf5", ".keras")


class Stored(Base):
    """Base class of models: saving and loading.

    The parameters are those of :class:`Architecture`.
    """

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
    def load(cls: type[Self], path: str | Path | BinaryIO) -> Self:
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
        loaded: Self = saving.load(cls, Path(path))
        return loaded

    def to_bytes(self) -> bytes:
        """Return the bytes that :meth:`save` writes to a file."""
        return saving.to_bytes(self)

    @classmethod
    def from_bytes(cls: type[Self], content: bytes) -> Self:
        """Return a model from the result of :meth:`to_bytes`. No code from the content is run.

        Raises
        ------
        ValueError
            If the content is damaged, or is not that of a model.

        Examples
        --------
        >>> x = nn.Input((3,))
        >>> model = nn.Model(x, nn.dense(x, 2))
        >>> twin = nn.Model.from_bytes(model.to_bytes())
        >>> bool((twin.predict([[1, 2, 3]]) == model.predict([[1, 2, 3]])).all())
        True
        """
        loaded: Self = saving.from_bytes(cls, content)
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
