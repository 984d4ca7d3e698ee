"""Small stacks of threads: an error in place of the end of the process, in the interpreter too."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sizes of stacks are known")

PROGRAM = """
import sys, threading
import numpy as np
import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.slinalg import expm

n, size, mode = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] or None
x, m = T.dvector("x"), T.dmatrix("m")
value = np.eye(n) + 0.01
calls = {
    "exp": (function([x], T.exp(x), mode=mode), value[0]),
    "dot": (function([m], T.dot(m, m), mode=mode), value),
    "det": (function([m], T.nlinalg.det(m), mode=mode), value),
    "inv": (function([m], T.nlinalg.matrix_inverse(m), mode=mode), value),
    "expm": (function([m], expm(m), mode=mode), value),
}
f, argument = calls[sys.argv[4]]
wanted, found = f(argument), []

def run():
    try:
        found.append(np.allclose(f(argument), wanted))
    except RuntimeError as error:
        found.append("call threading.stack_size(" in str(error))
        print("refused", end=" ")

threading.stack_size(size)
thread = threading.Thread(target=run)
thread.start()
thread.join()
print(*found)
"""


@pytest.mark.parametrize("mode", [pytest.param("", marks=pytest.mark.needs_cc), "INTERPRET"])
@pytest.mark.parametrize(
    ("what", "n", "size", "refused"),
    [
        ("exp", 300, 1 << 15, True),
        ("exp", 300, 1 << 16, False),
        ("dot", 300, 1 << 15, True),
        ("dot", 300, 1 << 17, False),
        ("det", 3, 1 << 15, True),
        ("det", 3, 1 << 17, False),
        ("det", 300, 1 << 20, None),
        ("inv", 300, 1 << 20, None),
        ("expm", 300, 1 << 20, None),
        ("det", 300, 1 << 23, False),
    ],
)
def test_calls_in_threads_with_small_stacks(
    mode: str, what: str, n: int, size: int, refused: bool | None
) -> None:
    """Compiled code factorizes in one thread where the interpreter must refuse."""
    arguments = [sys.executable, "-c", PROGRAM, str(n), str(size), mode, what]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    wanted = {True: ["refused True\n"], False: ["True\n"], None: ["refused True\n", "True\n"]}
    assert done.stdout in wanted[refused]
    if mode and refused is None:
        assert done.stdout == "refused True\n"
