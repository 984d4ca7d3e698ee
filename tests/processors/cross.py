"""Generated C on aarch64: compiled by a cross compiler, run by qemu, compared with this machine.

``python -m tests.processors.cross``. It needs Debian's gcc-aarch64-linux-gnu,
libc6-dev-arm64-cross and qemu-user.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano import dtypes, function, grad
from symtheano.codegen.abi import ABI
from symtheano.codegen.c.program import print_c
from symtheano.codegen.native.compiler import _COMMON, _GNU
from symtheano.function import Function
from tests.codegen import families, models
from tests.support.grids import conversion_edges, edges

Array = np.ndarray[Any, Any]
Case = tuple[Function, list[Array]]

COMPILER, MACHINE = "aarch64-linux-gnu-gcc", "qemu-aarch64"
FLAGS = [flag for flag in (*_COMMON, *_GNU) if flag not in ("-shared", "-fPIC")]
ELEMENTWISE = "exp expm1 log log1p tanh sigmoid softplus sin cos arctan sqrt floor rint sgn".split()
TOLERANCE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-13, "complex128": 1e-13}

_HEAD = """\
#include <stdio.h>
#include <stdlib.h>

static const int32_t *ndims, *itemsizes;

static void *allocate(void *context, int32_t output, const int64_t *shape) {
    int64_t size = itemsizes[output];
    for (int32_t axis = 0; axis < ndims[output]; axis++) size *= shape[axis];
    void **made = context;
    char *memory = aligned_alloc(64, (size_t)(size / 64 + 2) * 64);
    made[output] = memory + 64;
    *(int64_t *)memory = size;
    return made[output];
}

static void *taken(FILE *file, int64_t bytes) {
    void *memory = aligned_alloc(64, (size_t)(bytes / 64 + 1) * 64);
    if (fread(memory, 1, (size_t)bytes, file) != (size_t)bytes) exit(3);
    return memory;
}
"""


def cases() -> Iterator[Case]:
    """Yield functions and their inputs."""
    for dtype in (*dtypes.FLOAT, *dtypes.DISCRETE):
        x = T.TensorType(dtype, (None,))("x")
        kinds = [kind for kind in (*dtypes.DISCRETE, *dtypes.FLOAT) if kind != dtype]
        name = f"convert_{dtype}"
        yield function([x], [T.cast(x, k) for k in kinds], name=name), [conversion_edges(dtype)]
    for dtype in ("float32", "float64"):
        x = T.TensorType(dtype, (None,))("x")
        values = np.concatenate([edges(dtype), np.linspace(-30, 30, 101).astype(dtype)])
        for row in ELEMENTWISE:
            yield function([x], getattr(T, row)(x), name=f"{row}_{dtype}"), [values]
    m, x, v = T.TensorType("bool", (None,))("m"), T.dvector("x"), T.fvector("v")
    random = np.random.default_rng(0)
    mask = random.choice(np.array([0, 0, 1, 255], "uint8"), 203).view(bool)
    numbers = random.normal(size=203)
    masked = [T.switch(m, x, 0), x * m, m.sum(), T.any(x > 5), v * m, ~m, T.all(m | (x > 0))]
    yield function([m, x, v], masked, name="masks"), [mask, numbers, numbers.astype("float32")]
    a, b = T.dmatrix("a"), T.zvector("b")
    square, complexes = random.normal(size=(37, 41)), numbers[:100] + 1j * numbers[100:200]
    cost = T.nnet.softplus(a).sum()
    slopes = [T.nnet.softmax(T.sqr(a)).max(0), cost, grad(cost, a)]
    yield function([a], slopes, name="slopes"), [square]
    yield function([b], [T.log1p(b), b * b, b / (b + 1), abs(b)], name="complexes"), [complexes]
    positions = random.integers(0, 37, 203)
    yield families.reductions(), [square, numbers]
    yield families.sorting(), [np.sort(square), np.sort(numbers), positions]
    yield families.slices(), [square, numbers[:37], np.array(20)]
    yield models.likelihood(), [numbers, np.array(0.3), np.array(-0.2)]
    yield models.softmax_rows(), [square.astype("float32")]


def source(case: Case) -> str:
    """Return the C text of a function, for a processor without a vector library."""
    made = print_c(case[0].lowered.program, frozenset())
    assert not made.links, made.entry
    return made.text


def entry(case: Case) -> str:
    return print_c(case[0].lowered.program, frozenset()).entry


def driver(every: list[Case], results: list[list[Array]]) -> str:
    """Return a program that calls the functions: inputs from a file, results to another one."""
    names = [entry(case) for case in every]
    parameters = "const st_runtime *, const st_array *, st_array *, st_error *"
    lines = [ABI, _HEAD, *(f"int32_t {name}({parameters});" for name in names)]
    lines += ["int main(int count, char **words) {"]
    lines += ["    st_blas blas = {0};", "    st_error error;"]
    lines += ['    FILE *in = fopen(words[1], "rb"), *out = fopen(words[2], "wb");']
    for name, (_, inputs), made in zip(names, every, results, strict=True):
        ranks, sizes = (
            ",".join(str(getattr(r, key)) for r in made) for key in ("ndim", "itemsize")
        )
        lines += [
            "    {",
            f"        static const int32_t n[] = {{{ranks}}}, s[] = {{{sizes}}};",
        ]
        given = [
            f"{{taken(in, {x.nbytes}), (const int64_t[]){{{','.join(map(str, x.shape)) or '0'}}}}}"
            for x in inputs
        ]
        lines += [
            f"        void *made[{len(made)}] = {{0}};",
            "        ndims = n; itemsizes = s;",
            f"        st_array given[] = {{{', '.join(given)}}}, outputs[{len(made) + 1}];",
            "        const st_runtime runtime = {",
            "            .context = made, .allocate = allocate, .blas = &blas, .threads = 1};",
            f"        if ({name}(&runtime, given, outputs, &error) != ST_OK) return 2;",
            f"        for (int k = 0; k < {len(made)}; k++) {{",
            "            if (!made[k]) return 4;",
            "            const int64_t size = *(int64_t *)((char *)made[k] - 64);",
            "            fwrite(&size, 8, 1, out);",
            "            fwrite(made[k], 1, (size_t)size, out);",
            "        }",
            "    }",
        ]
    return "\n".join([*lines, "    return fclose(out);", "}"]) + "\n"


def build(every: list[Case], results: list[list[Array]], place: Path) -> Path:
    """Compile all functions and the driver; return the program."""
    objects, running = [], []
    for number, text in enumerate([*map(source, every), driver(every, results)]):
        path = place / f"{number}.c"
        path.write_text(text)
        objects.append(str(path.with_suffix(".o")))
        command = [COMPILER, *FLAGS, "-fopenmp-simd", "-fno-ipa-pure-const", "-fcx-fortran-rules"]
        running.append(subprocess.Popen([*command, "-c", str(path), "-o", objects[-1]]))
        if len(running) == 2:
            finish(running.pop(0))
    for process in running:
        finish(process)
    program = place / "program"
    subprocess.run([COMPILER, "-static", *objects, "-o", str(program), "-lm"], check=True)
    return program


def finish(process: subprocess.Popen[bytes]) -> None:
    if process.wait() != 0:
        raise SystemExit(f"{process.args!r} failed")


def near(got: Array, want: Array) -> Any:
    """Return where numbers agree to the accuracy of the C libraries' functions."""
    if want.dtype.kind not in "fc":
        return got == want
    with np.errstate(all="ignore"):
        close = np.abs(got - want) <= TOLERANCE[want.dtype.name] * np.maximum(np.abs(want), 1e-30)
    return close | (got == want) | (np.isnan(got) & np.isnan(want))


def compare(name: str, made: list[Array], data: memoryview) -> tuple[memoryview, int]:
    """Compare one function's results; return the rest of the data, and how many are wrong."""
    wrong = 0
    for number, want in enumerate(made):
        size = int.from_bytes(data[:8], "little")
        got = np.frombuffer(data[8 : 8 + size], want.dtype)
        data = data[8 + size :]
        flat = want.ravel()
        if got.shape != flat.shape:
            raise SystemExit(f"{name}: output {number} has {got.size} elements, not {flat.size}")
        bad = np.flatnonzero(~near(got, flat))
        wrong += bad.size
        for k in bad[:3]:
            print(f"{name}: output {number}[{k}] is {got[k]!r} on aarch64, {flat[k]!r} here")
    return data, wrong


def main() -> int:
    """Compare all functions; return 0 if they agree."""
    every = list(cases())
    results = [[np.asarray(r) for r in _listed(f(*inputs))] for f, inputs in every]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        program = build(every, results, place)
        given = [np.ascontiguousarray(x).tobytes() for _, inputs in every for x in inputs]
        (place / "in").write_bytes(b"".join(given))
        subprocess.run([MACHINE, str(program), str(place / "in"), str(place / "out")], check=True)
        data = memoryview((place / "out").read_bytes())
    wrong = values = 0
    for case, made in zip(every, results, strict=True):
        data, some = compare(entry(case), made, data)
        wrong, values = wrong + some, values + sum(r.size for r in made)
    print(f"aarch64: {len(every)} functions, {values:,} values, {wrong:,} wrong")
    return min(wrong + len(data), 1)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


if __name__ == "__main__":
    sys.exit(main())
