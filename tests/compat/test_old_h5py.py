"""HDF5 files, with a module that reads them as h5py does today."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

from symtheano.compat import old_h5py

MODULE = """
import numpy as np

class AttributeManager:
    def __getitem__(self, name):
        names = np.array([["w", "b"]], dtype=object)
        return {"version": "2.2.5", "count": 3, "names": names}[name]

    def __setitem__(self, name, value):
        self.written = value

class File:
    id = "an identifier"

    def __init__(self, name, mode="r", driver=None):
        if name == "protected" and mode != "r":
            raise PermissionError(name)
        self.mode, self.driver = mode, driver
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "h5py.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "h5py", raising=False)
    return tmp_path


@pytest.mark.parametrize("first", [True, False])
def test_texts_can_be_decoded_until_it_is_undone(folder: Path, first: bool) -> None:
    if first:
        import_module("h5py")
    old_h5py.supply()
    old_h5py.supply()
    try:
        attributes = import_module("h5py").AttributeManager()
        assert attributes["version"] == "2.2.5" == attributes["version"].decode("utf8")
        assert attributes["count"] == 3
        assert [name.decode() for name in attributes["names"][0]] == ["w", "b"]
    finally:
        old_h5py.withdraw()
    assert type(attributes["version"]) is str
    assert old_h5py._FINDER not in sys.meta_path
    del sys.modules["h5py"]


def test_lists_of_bytes_have_a_fixed_length(folder: Path) -> None:
    old_h5py.supply()
    try:
        attributes = import_module("h5py").AttributeManager()
        attributes["names"] = [b"w", b"bias"]
        assert attributes.written.dtype == "S4"
        for value in ([], ["w"], "w", 3):
            attributes["names"] = value
            assert attributes.written is value
    finally:
        old_h5py.withdraw()


def test_files_without_a_mode_can_be_written(folder: Path) -> None:
    old_h5py.supply()
    try:
        file = import_module("h5py").File
        assert (file("new").mode, file("new", "w").mode, file("new", mode="r").mode) == (*"awr",)
        assert (file("new", driver="core").mode, file("new", driver="core").driver) == ("a", "core")
        assert file("protected").mode == "r"
        assert file("new").fid == "an identifier"
    finally:
        old_h5py.withdraw()
    assert file("new").mode == "r"
    assert not hasattr(file, "fid")


def test_h5py_is_not_loaded(folder: Path) -> None:
    old_h5py.supply()
    old_h5py.withdraw()
    assert "h5py" not in sys.modules
