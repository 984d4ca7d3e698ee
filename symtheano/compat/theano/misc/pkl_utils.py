"""``theano.misc.pkl_utils``: pickles in archives, whose arrays are files of their own."""

from __future__ import annotations

import pickle
import zipfile
from collections import Counter
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from symtheano.compat.pickles import Unpickler
from symtheano.graph.shared import SharedVariable

DEFAULT_PROTOCOL = pickle.DEFAULT_PROTOCOL
CompatUnpickler = Unpickler


class StripPickler(pickle.Pickler):
    """Writes a pickle; lines and test values of variables are not part of it.

    Parameters
    ----------
    extra_tag_to_remove
        More attributes of ``tag`` that are left out.
    """

    def __init__(self, file: Any, protocol: int = 0, extra_tag_to_remove: Any = None) -> None:
        super().__init__(file, protocol)
        self.tag_to_remove = ["trace", "test_value", *(extra_tag_to_remove or ())]

    def persistent_id(self, obj: Any) -> None:
        """Remove attributes of tags before they are written."""
        tag = getattr(obj, "_tag", None)
        for name in self.tag_to_remove if tag is not None else ():
            vars(tag).pop(name, None)


def zipadd(func: Callable[[BinaryIO], Any], zip_file: zipfile.ZipFile, name: str) -> None:
    """Add a file to an archive, which a function writes."""
    with zip_file.open(name, "w", force_zip64=True) as file:
        func(file)  # type: ignore[arg-type]


class PersistentNdarrayID:
    """Writes each array to a file of an archive, and returns its name.

    Parameters
    ----------
    zip_file
        The archive.
    """

    def __init__(self, zip_file: zipfile.ZipFile) -> None:
        self.zip_file, self.count = zip_file, 0
        self.seen: dict[int, str] = {}
        self._kept: list[Any] = []

    def _resolve_name(self, obj: Any) -> str:
        self.count += 1
        return f"array_{self.count - 1}"

    def __call__(self, obj: Any) -> str | None:
        if type(obj) is not np.ndarray:
            return None
        if id(obj) not in self.seen:
            name = self._resolve_name(obj)
            zipadd(lambda file: np.lib.format.write_array(file, obj), self.zip_file, name)
            self.seen[id(obj)] = f"ndarray.{name}"
            self._kept.append(obj)  # another object would get its number
        return self.seen[id(obj)]


class PersistentSharedVariableID(PersistentNdarrayID):
    """Writes the values of shared variables to files with the variables' names.

    Parameters
    ----------
    zip_file
        The archive.
    allow_unnamed, allow_duplicates
        Whether variables need no name, and whether several may have the same one.
    """

    def __init__(
        self, zip_file: zipfile.ZipFile, allow_unnamed: bool = True, allow_duplicates: bool = True
    ) -> None:
        super().__init__(zip_file)
        self.allow_unnamed, self.allow_duplicates = allow_unnamed, allow_duplicates
        self.name_counter: Counter[str] = Counter()
        self.ndarray_names: dict[int, str] = {}

    def _resolve_name(self, obj: Any) -> str:
        name = self.ndarray_names.get(id(obj))
        if name is None:
            return super()._resolve_name(obj)
        self.name_counter[name] += 1
        number = self.name_counter[name]
        if number == 1:
            return name
        if not self.allow_duplicates:
            raise ValueError(f"multiple shared variables with the name `{name}` found")
        return f"{name}_{number}"

    def __call__(self, obj: Any) -> str | None:
        if isinstance(obj, SharedVariable):
            if obj.name == "pkl":
                raise ValueError("can't pickle shared variable with name `pkl`")
            if obj.name:
                self.ndarray_names[id(obj.container.storage[0])] = obj.name
            elif not self.allow_unnamed:
                raise ValueError(f"unnamed shared variable, {obj}")
        return super().__call__(obj)


PersistentGpuArrayID = PersistentCudaNdarrayID = PersistentNdarrayID


class PersistentNdarrayLoad:
    """Reads arrays from files of an archive.

    Parameters
    ----------
    zip_file
        The archive.
    """

    def __init__(self, zip_file: zipfile.ZipFile) -> None:
        self.zip_file = zip_file
        self.cache: dict[str, Any] = {}

    def __call__(self, persid: str) -> Any:
        kind, _, name = persid.partition(".")
        if name not in self.cache:
            with self.zip_file.open(name) as file:
                if kind == "gpuarray":
                    pickle.load(file)  # the name of the device
                self.cache[name] = np.lib.format.read_array(file, allow_pickle=False)
        return self.cache[name]


def dump(
    obj: Any,
    file_handler: Any,
    protocol: int = DEFAULT_PROTOCOL,
    persistent_id: Callable[[zipfile.ZipFile], Any] = PersistentSharedVariableID,
) -> None:
    """Write an object to an archive, with its arrays in files of their own."""
    with zipfile.ZipFile(file_handler, "w", zipfile.ZIP_DEFLATED, allowZip64=True) as archive:
        # Only one file of an archive can be open: the pickle is written at the end.
        from io import BytesIO

        buffer = BytesIO()
        pickler = pickle.Pickler(buffer, protocol=protocol)
        pickler.persistent_id = persistent_id(archive)
        pickler.dump(obj)
        archive.writestr("pkl", buffer.getvalue())


def load(f: Any, persistent_load: Callable[[zipfile.ZipFile], Any] = PersistentNdarrayLoad) -> Any:
    """Return the object that :func:`dump` wrote, here or in Theano."""
    with zipfile.ZipFile(f, "r") as archive, archive.open("pkl") as file:
        reader = Unpickler(file)
        reader.persistent_load = persistent_load(archive)
        return reader.load()
