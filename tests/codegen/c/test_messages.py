"""A program without Python: the C of a function, its messages, and a main."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.config import config
from symtheano.loops.scan_op import Scan

MAIN = """
#include <stdio.h>
#include <stdlib.h>
#include "step.c"
#include "messages.h"

static void *allocate(void *context, int32_t output, const int64_t *shape) {
    void **results = context;
    free(results[output]);
    return results[output] = malloc((output ? 1 : shape[0]) * sizeof(double));
}

int main(void) {
    double x[] = {1, 2, 3}, w[] = {1, 0, 0, 0, 2, 0, 0, 0, 3}, *results[2] = {NULL, NULL};
    int64_t n = 2, k = 1, lengths[] = {3, 3}, fewer[] = {3, 2};
    st_array inputs[] = {{&n, NULL}, {&k, NULL}, {x, lengths}, {w, lengths}};
    st_runtime runtime = {.context = results, .allocate = allocate, .threads = 1};
    st_error error;
    char text[1000];
    for (int call = 0; call < 3; call++) {
        if (call == 1) k = 5;
        if (call == 2) k = 1, inputs[3].shape = fewer;
        if (step(&runtime, inputs, NULL, &error) == ST_OK)
            printf("%g %g %g, %g\\n", results[0][0], results[0][1], results[0][2], results[1][0]);
        else if (step_message(text, sizeof text, &error) > 0)
            printf("%d: %s\\n", (int)error.code, text);
    }
    free(results[0]);
    free(results[1]);
}
"""


def _step() -> Any:
    n, k, i = T.lscalar("n"), T.lscalar("k"), T.lscalar("i")
    x, w, h = T.dvector("x"), T.dmatrix("w"), T.dvector("h")
    (last,) = [Scan(i, [T.dot(w, h) - 1], states=[h], others=[w])(n, x, w)]
    return function([n, k, x, w], [last, x[k]], name="step")


@pytest.mark.needs_cc
def test_a_program_without_python(tmp_path: Path) -> None:
    step = _step()
    (tmp_path / "step.c").write_text(step.c_source)
    (tmp_path / "messages.h").write_text(step.c_messages)
    (tmp_path / "main.c").write_text(MAIN)
    tools = find_toolchain(config.cc or None)
    flags = [flag for flag in tools.flags if flag not in ("-shared", "-fPIC", "-w")]
    command = [*tools.command, *flags, "main.c", "-o", "main", "-fopenmp", "-lmvec", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "LD_PRELOAD": ""})
    made = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    first, *others = made.stdout.splitlines()
    values = step(2, 1, [1.0, 2.0, 3.0], [[1.0, 0, 0], [0, 2, 0], [0, 0, 3]])
    shown = " ".join(f"{value:g}" for value in values[0])
    assert first == f"{shown}, {float(values[1]):g}"
    messages = "\n".join(others)
    for arguments in ((5, [[1.0] * 3] * 3), (1, [[1.0] * 2] * 3)):
        with pytest.raises((IndexError, ValueError)) as caught:
            step(2, arguments[0], [1.0, 2.0, 3.0], arguments[1])
        assert str(caught.value) in messages
    assert made.stderr == ""


@pytest.mark.needs_cc
def test_other_sites_are_about_memory() -> None:
    assert 'default:\n        return snprintf(text, size, "not enough memory");' in (
        function([], T.constant(1.0) + T.zeros(3)).c_messages
    )


def test_no_messages_without_c() -> None:
    x = T.dscalar("x")
    assert function([x], x + 1, mode="INTERPRET").c_messages is None
