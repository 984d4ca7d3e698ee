"""What tests of the generator use."""

from __future__ import annotations

import ctypes
import subprocess
from math import cos, log, pi, sin, sqrt
from pathlib import Path

import numpy as np

from symtheano import config
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.scalar.philox import BY_KIND

MODES = [None, "INTERPRET"]


def philox(key: int, stream: int, block: int) -> list[int]:
    """Return four words of 32 bits, in Python's integers."""
    mask = 2**32 - 1
    k = [key & mask, key >> 32]
    c = [block & mask, block >> 32, stream & mask, stream >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def word(key: int, stream: int, number: int) -> int:
    """Return a word of 64 bits of a stream."""
    bits = philox(key, stream, number // 2)
    low, high = bits[2 * (number % 2) :][:2]
    return low | high << 32


def half(key: int, stream: int, number: int) -> int:
    """Return a word of 32 bits of a stream."""
    return philox(key, stream, number // 4)[number % 4]


def normal(key: int, stream: int, number: int, dtype: str) -> float:
    """Return a normal number by Python's functions, in double precision."""
    first, second = number - number % 2, number - number % 2 + 1
    if dtype == "float64":
        u = ((word(key, stream, first) >> 11) + 1) * 2.0**-53
        v = (word(key, stream, second) >> 11) * 2.0**-53
    else:
        u = float(np.float32(half(key, stream, first) >> 1) + np.float32(0.5)) * 2.0**-31
        v = half(key, stream, second) * 2.0**-32
    return sqrt(-2 * log(u)) * [cos, sin][number % 2](2 * pi * v)


KINDS = list(BY_KIND)


def built(text: str, directory: Path, *flags: str) -> ctypes.CDLL:
    """Compile a C text."""
    source, target = directory / "words.c", directory / f"words{''.join(flags)}.so"
    source.write_text("#include <stdint.h>\n" + text)
    chain = find_toolchain(config.cc)
    given = [*chain.flags, *flags, str(source), "-o", str(target), *chain.link_flags]
    subprocess.run([*chain.command, *given], check=True)
    return ctypes.CDLL(str(target))
