"""Batches of samples in tar archives."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.errors import ReadError
from symtheano.nn.data import TarBatches


def packed(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def write(path: Path, files: list[tuple[str, bytes]], mode: Any = "w") -> Path:
    with tarfile.open(path, mode) as archive:
        folder = tarfile.TarInfo("folder")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def files(numbers: Any) -> list[tuple[str, bytes]]:
    return [
        file
        for k in numbers
        for file in (
            (f"a.b/{k:04}.x.npy", packed(np.full((2, 3), k, "float32"))),
            (f"a.b/{k:04}.json", b"{}"),
            (f"a.b/{k:04}.cls", b"%d\n" % k),
        )
    ]


FIELDS = ("x.npy", "cls")


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz"])
def test_samples_in_order(tmp_path: Path, mode: str) -> None:
    first = write(tmp_path / "first.tar", files(range(7)), mode)
    second = write(tmp_path / "second.tar", files(range(7, 10)), mode)
    batches = TarBatches([first, second], FIELDS, batch_size=4)
    for _ in range(2):
        found = list(batches)
        assert [y.tolist() for _, y in found] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
        for x, y in found:
            assert x.dtype == "float32"
            np.testing.assert_array_equal(x, np.broadcast_to(y[:, None, None], (len(y), 2, 3)))
    assert [len(y) for _, y in TarBatches(first, FIELDS, batch_size=4, drop_last=True)] == [4]


def test_shuffled_samples(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{k}.tar", files(range(10 * k, 10 * k + 10))) for k in range(4)]

    def labels(batches: TarBatches) -> list[int]:
        return [label for _, y in batches for label in y.tolist()]

    batches = TarBatches(paths, FIELDS, shuffle=15, seed=3)
    first, second = labels(batches), labels(batches)
    assert sorted(first) == sorted(second) == list(range(40))
    assert first != second
    assert first != sorted(first)
    again = TarBatches(paths, FIELDS, shuffle=15, seed=3)
    again.epoch = 1
    assert labels(again) == second


def test_several_inputs_weights_and_own_decoders(tmp_path: Path) -> None:
    content = [("1.a.bin", b"\1\2"), ("1.b.raw", b"xyz"), ("1.y.txt", b"1 2"), ("1.w.txt", b"0.5")]
    path = write(tmp_path / "one.tar", content)
    batches = TarBatches(path, (("a.bin", "b.raw"), "y.txt", "w.txt"), decode={"raw": len})
    ((x, y, w),) = batches
    assert [one.tolist() for one in x] == [[[1, 2]], [3]]
    assert y.dtype == "int64"
    assert (y.tolist(), w.tolist()) == ([[1, 2]], [[0.5]])


BROKEN = {
    "lacks": ([("1.x.npy", packed(1)), ("2.x.npy", packed(1)), ("2.cls", b"2")],
              "sample '1' of .* has no cls; the files of a sample must be next to each other"),
    "twice": ([("1.cls", b"1"), ("1.cls", b"1")], "file 1, '1.cls', of .* is there twice"),
    "text": ([("1.x.npy", packed(1)), ("1.cls", b"cat")], "file 1, '1.cls', of .*literal"),
    "cut": ([("1.x.npy", packed(np.ones(9))[:-8])], "file 0, '1.x.npy', of .* can't be read"),
    "pickle": ([("1.x.npy", packed(np.array([{}], object)))], "allow_pickle"),
    "shapes": ([("1.x.npy", packed([1])), ("1.cls", b"1"), ("2.x.npy", packed([1, 2]))],
               r"file 2, '2.x.npy', of .* has the shape \(2,\), and others \(1,\)"),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_errors_name_archive_and_file(tmp_path: Path, kind: str) -> None:
    content, message = BROKEN[kind]
    path = write(tmp_path / "broken.tar", content)
    with pytest.raises(ReadError, match=message) as raised:
        list(TarBatches(path, FIELDS))
    assert "broken.tar" in str(raised.value)


def test_broken_archives(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"missing.tar can't be read after 0 files"):
        list(TarBatches(tmp_path / "missing.tar", FIELDS))
    whole = write(tmp_path / "whole.tar", files(range(5))).read_bytes()
    for length in (300, 1000, 512 + 3 * 1024, 6826, 512 + 15 * 1024, len(whole) - 10240):
        (tmp_path / "cut.tar").write_bytes(whole[:length])
        with pytest.raises(ReadError, match=r"of .*cut.tar can't be read|cut.tar can't be read"):
            list(TarBatches(tmp_path / "cut.tar", FIELDS))
    whole = write(tmp_path / "whole.tar.gz", files(range(50)), "w:gz").read_bytes()
    for length in (20, len(whole) // 2):
        (tmp_path / "cut.tar.gz").write_bytes(whole[:length])
        with pytest.raises(ReadError, match=r"cut.tar.gz can't be read"):
            list(TarBatches(tmp_path / "cut.tar.gz", FIELDS))
    (tmp_path / "text.tar").write_text("no archive" * 100)
    with pytest.raises(ReadError, match=r"text.tar can't be read"):
        list(TarBatches(tmp_path / "text.tar", FIELDS))
    other = write(tmp_path / "other.tar", [("1.x.npy", packed([1, 2])), ("1.cls", b"1")])
    with pytest.raises(ReadError, match="samples have different shapes"):
        list(TarBatches([write(tmp_path / "w.tar", files([1])), other], FIELDS))


def test_unsuitable_arguments() -> None:
    for fields, message in (
        ("cls", "fields are those"), (("cls",), "fields are those"),
        (("x.jpg", "cls"), "no decoder for 'x.jpg'"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            TarBatches("a.tar", fields)


def test_descriptions_of_files_are_not_kept(tmp_path: Path) -> None:
    """Archives have millions of files, and a description has about a kilobyte."""
    import tracemalloc

    path = write(tmp_path / "many.tar", [(f"{k}.cls", b"1") for k in range(1000)])
    batches = TarBatches(path, ("cls", "cls"), batch_size=100)
    list(batches)
    tracemalloc.start()
    assert sum(len(x) for x, _ in batches) == 1000
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 300_000
