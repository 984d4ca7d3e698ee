"""Build IDs against ELF files written here, and against readelf."""

from __future__ import annotations

import io
import re
import shutil
import struct
import subprocess
import sys

import pytest

from symtheano.codegen.native.elf import build_id

ID = bytes(range(20))


def note(order: str, kind: int, name: bytes, value: bytes) -> bytes:
    head = struct.pack(order + "III", len(name), len(value), kind)
    return head + name.ljust(-(-len(name) // 4) * 4, b"\0") + value.ljust(-(-len(value) // 4) * 4)


def elf(order: str, wide: bool, *segments: tuple[int, bytes]) -> bytes:
    """Return an ELF file with segments, each a kind and its bytes."""
    identity = b"\x7fELF" + bytes([2 if wide else 1, 1 if order == "<" else 2]) + b"\1" + bytes(9)
    size, entry = (64, 56) if wide else (52, 32)
    header = struct.pack(
        order + ("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH"),
        *(2, 62, 1, 0, size, 0, 0, size, entry, len(segments), 0, 0, 0),
    )
    table, content = b"", b""
    for kind, data in segments:
        offset = size + entry * len(segments) + len(content)
        if wide:
            table += struct.pack(order + "IIQQQQQQ", kind, 4, offset, 0, 0, len(data), 0, 4)
        else:
            table += struct.pack(order + "IIIIIIII", kind, offset, 0, 0, len(data), 0, 4, 4)
        content += data
    return identity + header + table + content


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("wide", [True, False])
def test_notes_are_searched(order: str, wide: bool) -> None:
    others = note(order, 1, b"GNU\0", b"abcd") + note(order, 3, b"Go\0", b"12345")
    mine = note(order, 3, b"GNU\0", ID)
    file = elf(order, wide, (1, mine), (4, others), (4, others + mine))
    assert build_id(io.BytesIO(file)) == ID
    assert build_id(io.BytesIO(elf(order, wide, (1, mine), (4, others)))) is None
    assert build_id(io.BytesIO(elf(order, wide))) is None


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_file_that_ends_early_has_none(order: str) -> None:
    whole = elf(order, True, (4, note(order, 3, b"GNU\0", ID)))
    assert build_id(io.BytesIO(whole)) == ID
    assert [build_id(io.BytesIO(whole[:end])) for end in range(len(whole))] == [None] * len(whole)


def test_a_damaged_file_raises_nothing() -> None:
    whole = elf("<", True, (4, note("<", 3, b"GNU\0", ID)))
    ids = [
        build_id(io.BytesIO(whole[:place] + b"\xff" + whole[place + 1 :]))
        for place in range(len(whole))
    ]
    assert ids[:4] == [None] * 4, "no ELF file"
    assert ids[-20:] == [ID[:place] + b"\xff" + ID[place + 1 :] for place in range(20)]


@pytest.mark.skipif(shutil.which("readelf") is None, reason="binutils' readelf is not installed")
def test_readelf_agrees() -> None:
    gcc = shutil.which("gcc")
    for program in filter(None, [sys.executable, gcc, "/bin/sh"]):
        said = subprocess.run(["readelf", "-n", program], capture_output=True, text=True).stdout
        ids = re.findall(r"Build ID: ([0-9a-f]+)", said)
        with open(program, "rb") as file:
            assert build_id(file) == (bytes.fromhex(ids[0]) if ids else None)
