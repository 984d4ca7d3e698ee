"""Files as programs in Python 2 open them."""

from __future__ import annotations

import csv
import pickle
from pathlib import Path

import numpy as np
import pytest

from symtheano.compat.old_files import OldBytes, open

BYTES = "caf\xe9".encode("latin1")  # no UTF-8


@pytest.mark.parametrize("mode", ["w", "wb", "w+b", "a", "wt"])
def test_texts_and_bytes_can_be_written(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "x"
    with open(str(path), mode) as file:
        file.write("a\n")
        file.write(BYTES)
        file.writelines(["b\r\n", b"c"])
    assert path.read_bytes() == b"a\n" + BYTES + b"b\r\nc"


@pytest.mark.parametrize("mode", ["r", "rb", "r+b", "rU"])
def test_lines_are_texts(tmp_path: Path, mode: str) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a,1\nb,2\n")
    with open(path, mode) as file:
        assert list(csv.reader(file)) == [["a", "1"], ["b", "2"]]
    with open(path, mode) as file:
        assert file.readlines() == ["a,1\n", "b,2\n"]
    with open(path, mode) as file:
        assert file.readline() == "a,1\n"
        assert next(file) == "b,2\n"


def test_bytes_that_are_no_text_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(BYTES + b"\n")
    for mode in ("r", "rb"):
        with open(path, mode) as file, open(tmp_path / "y", "w") as copy:
            copy.writelines(file)
        assert (tmp_path / "y").read_bytes() == BYTES + b"\n"


def test_ends_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a\r\nb\r")
    with open(path) as file:
        assert file.read() == "a\r\nb\r"
    with open(path, "rU") as file:
        assert file.read() == "a\nb\n"


def test_bytes_of_a_file_are_equal_to_their_text(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"ab cd\n\x00\x00\x80?")
    with open(path, "rb") as file:
        word = file.read(2)
        assert (word == "ab", word != "ab", word == b"ab") == (True, False, True)
        assert {"ab": 1}[word] == 1
        assert (word + "!", "!" + word, f"{word}") == ("ab!", "!ab", "ab")
        assert file.readline().strip().split(" ") == ["cd"]
        np.testing.assert_array_equal(np.frombuffer(file.read(), "<f4"), [1])
    assert word.startswith("a")
    assert "b" in word
    assert word.replace("a", "c") == "cb"
    assert OldBytes(b"ab").split() == [b"ab"]
    assert word + b"c" == b"abc"


def test_numpy_and_pickle_read_and_write_them(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for mode, protocol in (("w", 0), ("wb", 2)):
        with open(path, mode) as file:
            pickle.dump({"a": np.arange(3)}, file, protocol)
        with open(path, "rb") as file:
            np.testing.assert_array_equal(pickle.load(file)["a"], [0, 1, 2])
    with open(path, "wb") as file:
        np.save(file, np.arange(3.0))
    with open(path, "rb") as file:
        np.testing.assert_array_equal(np.load(file), [0, 1, 2])
    with open(path, "wb") as file:
        np.arange(3.0).tofile(file)
    with open(path, "rb") as file:
        np.testing.assert_array_equal(np.fromfile(file), [0, 1, 2])


def test_bad_names_and_modes(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open(tmp_path / "absent", "rb")
    with pytest.raises(ValueError, match="mode"):
        open(tmp_path / "x", "q")
