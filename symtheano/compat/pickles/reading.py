"""Reading pickles that Theano's programs have written, also with Python 2."""

from __future__ import annotations

import pickle
import sys
from io import BytesIO
from types import FunctionType
from typing import Any

_ARRAYS = ("CudaNdarray_unpickler", "GpuArray_unpickler")


class Unpickler(pickle.Unpickler):
    """Reads a pickle whose objects may be Theano's.

    Parameters
    ----------
    file
        A file; one that was opened for text is read as bytes.
    encoding
        How texts of Python 2 are read; by default as bytes of the same numbers, so that arrays can
        be read, too.
    """

    def __init__(
        self,
        file: Any,
        *,
        fix_imports: bool = True,
        encoding: str = "latin1",
        errors: str = "strict",
        buffers: Any = None,
    ) -> None:
        encoding = "latin1" if encoding == "ASCII" else encoding
        super().__init__(
            _binary(file),
            fix_imports=fix_imports,
            encoding=encoding,
            errors=errors,
            buffers=buffers,
        )
        # Whether symtheano has written it, so that Theano's names are those of its modules.
        self._ours = False

    def load(self) -> Any:
        """Return the object, whose nodes are symtheano's."""
        from symtheano.compat.pickles.variables import discard, finish, nodes_read

        before = nodes_read()
        try:
            result = super().load()
        except BaseException:
            discard(before)
            raise
        finish(before)
        return result

    def find_class(self, module_name: str, global_name: str) -> Any:
        """Return what an object of a class becomes."""
        package = module_name.partition(".")[0]
        if package == "symtheano" or (
            package == "theano" and _is_our_own(module_name, global_name)
        ):
            self._ours = True
        if package != "theano" or self._ours:
            return super().find_class(module_name, global_name)
        from symtheano.compat.pickles.records import OldTag, as_array, record_class
        from symtheano.compat.pickles.variables import CLASSES

        name = f"{module_name}.{global_name}"
        if name in CLASSES:
            return CLASSES[name]
        if global_name in _ARRAYS:
            return as_array
        if global_name == "scratchpad":
            return OldTag
        return record_class(module_name, global_name)


def _is_our_own(module: str, name: str) -> bool:
    """Return whether a function of our modules is not one of Theano's: its name is private."""
    found = sys.modules.get(module) if name.startswith("_") else None
    return found is not None and getattr(found, name, None).__class__ is FunctionType


def _binary(file: Any) -> Any:
    """Return a file of bytes, given one that may have been opened for text."""
    return getattr(file, "buffer", file) if isinstance(getattr(file, "mode", "rb"), str) else file


def load(
    file: Any,
    *,
    fix_imports: bool = True,
    encoding: str = "latin1",
    errors: str = "strict",
    buffers: Any = None,
) -> Any:
    """Return the object of a pickle in a file, whose parts may be Theano's.

    Examples
    --------
    >>> import io, pickle
    >>> load(io.BytesIO(pickle.dumps([1, 2])))
    [1, 2]
    """
    reader = Unpickler(
        file, fix_imports=fix_imports, encoding=encoding, errors=errors, buffers=buffers
    )
    return reader.load()


def loads(
    data: Any,
    /,
    *,
    fix_imports: bool = True,
    encoding: str = "latin1",
    errors: str = "strict",
    buffers: Any = None,
) -> Any:
    """Return the object of a pickle, whose parts may be Theano's.

    A text, as Python 2 had it, is read as bytes.
    """
    binary = data.encode("latin1") if isinstance(data, str) else data
    return load(
        BytesIO(binary), fix_imports=fix_imports, encoding=encoding, errors=errors, buffers=buffers
    )


OF_PICKLE = {"Unpickler": Unpickler, "load": load, "loads": loads}
"""What the module ``pickle`` has instead within a program of Theano."""
