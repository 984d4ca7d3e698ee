"""The emulated device: threads that wait, memory that the host can't reach, the cache."""

from __future__ import annotations

import gc
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen import cuda
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.runtime.emulated import EmulatedDevice, EmulatedModule
from symtheano.codegen.template import file_text
from tests.support.caches import new_cache

pytestmark = pytest.mark.needs_cxx


def compiled(
    kernel: str, main: str, tmp_path: Path, *flags: str
) -> subprocess.CompletedProcess[str]:
    """Compile a kernel with a program that launches it on the processor, and run that."""
    parts = [file_text(cuda.__file__, name) for name in ("emulate.h", "device.h")]
    source, program = tmp_path / "kernel.cc", tmp_path / "kernel"
    source.write_text("\n".join([*parts, kernel, "int main() {", main, "}"]))
    command = ["g++", "-std=c++17", "-w", "-g", "-U_FORTIFY_SOURCE", *flags]
    subprocess.run([*command, "-o", str(program), str(source)], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=False)


SHIFT = """
ST_KERNEL(64) shift(const int *x, int *y) {
    ST_SHARED(int, part, 64);
    part[st_thread()] = x[st_block()*64 + st_thread()];
    WAIT
    y[st_block()*64 + st_thread()] = part[63 - st_thread()];
}
static const st_kernel st_kernels[] = {ST_ENTRY(shift, true)};
"""
RUN_SHIFT = """
    int x[192], y[192];
    for (int k = 0; k < 192; k++) x[k] = k;
    const int *in = x;
    int *out = y;
    void *arguments[] = {&in, &out};
    st_kept kept = {};
    st_launch(st_kernels, 3, 64, arguments, &kept);
    int wrong = 0;
    for (int k = 0; k < 192; k++) wrong += y[k] != k / 64 * 64 + 63 - k % 64;
    return wrong ? 1 : 0;
"""


def test_threads_wait_for_each_other(tmp_path: Path) -> None:
    waits = SHIFT.replace("WAIT", "st_wait_for_block();")
    assert compiled(waits, RUN_SHIFT, tmp_path).returncode == 0
    assert compiled(SHIFT.replace("WAIT", ""), RUN_SHIFT, tmp_path).returncode == 1


def test_a_barrier_that_not_all_threads_reach(tmp_path: Path) -> None:
    either = "if (st_thread() < 40) st_wait_for_warp(); else st_wait_for_block();"
    result = compiled(SHIFT.replace("WAIT", either), RUN_SHIFT, tmp_path)
    assert result.returncode != 0
    assert "waits for others, which do not come" in result.stderr


def test_numbers_that_lanes_exchange(tmp_path: Path) -> None:
    kernel = """
    ST_KERNEL(32) swap(double *x) { x[st_lane()] = st_exchanged(x[st_lane()], 8); }
    static const st_kernel st_kernels[] = {ST_ENTRY(swap, true)};
    """
    main = """
    double x[32], *p = x;
    for (int k = 0; k < 32; k++) x[k] = k / 3.0;
    void *arguments[] = {&p};
    st_kept kept = {};
    st_launch(st_kernels, 1, 32, arguments, &kept);
    for (int k = 0; k < 32; k++) if (x[k] != (k ^ 8) / 3.0) return 1;
    return 0;
    """
    assert compiled(kernel, main, tmp_path).returncode == 0


def test_halves_are_numpys(tmp_path: Path) -> None:
    values = np.array([0, -0.0, 1, 65504, 65519, 65520, -1e9, 6e-8, 2.9e-8, 3e-8, 1 / 3, 2**-14,
                       np.inf, np.nan, 2049, 2051, 1.0009765625, 6.0976e-05])  # fmt: skip
    text = ", ".join(map(repr, values.tolist())).replace("inf", "INFINITY").replace("nan", "NAN")
    main = f"""
    const double x[] = {{{text}}};
    for (double v : x) {{
        const st_half h(v);
        printf("%d %.17g\\n", (int)h.bits, (double)(float)h);
    }}
    return 0;
    """
    lines = compiled("", main, tmp_path).stdout.splitlines()
    with np.errstate(over="ignore"):
        wanted = values.astype(np.float16)
    assert len(lines) == len(values)
    for line, half in zip(lines, wanted, strict=True):
        bits, value = line.split()
        np.testing.assert_equal(float(value), float(half))
        if not np.isnan(half):
            assert int(bits) == half.view(np.uint16)


def test_products_of_complex_numbers_are_cs(tmp_path: Path) -> None:
    numbers = ["0.0", "-0.0", "1.5", "INFINITY", "-INFINITY", "NAN"]
    main = f"""
    const double x[] = {{{", ".join(numbers)}}};
    for (double a : x) for (double b : x) for (double c : x) for (double d : x) {{
        const st_complex128 z = st_complex128(a, b) * st_complex128(c, d);
        double _Complex p, q;
        __real__ p = a, __imag__ p = b, __real__ q = c, __imag__ q = d;
        const double _Complex w = p * q;
        const bool both = std::isnan(z.re) == std::isnan(__real__ w)
            && std::isnan(z.im) == std::isnan(__imag__ w);
        const bool re = std::isnan(z.re) || z.re == __real__ w;
        const bool im = std::isnan(z.im) || z.im == __imag__ w;
        if (!both || !re || !im) return 1;
    }}
    return 0;
    """
    assert compiled("", main, tmp_path).returncode == 0


def test_kernels_come_from_the_cache(tmp_path: Path) -> None:
    x = T.fvector("x")
    directory = str(new_cache(tmp_path / "cache"))
    with config.change_flags(device="emulated", cache_dir=directory):
        f = function([x], x * 2)
        source = f.stages.built.device
        assert source is not None
        device = EmulatedDevice(f.stages.toolchain, Cache(directory))
        assert device.find(device.key(source)) is not None
        again = function([x], x * 2)
    np.testing.assert_array_equal(again(np.ones(3, "float32")), [2, 2, 2])
    assert "built" not in again.stages.__dict__


def test_calls_of_several_threads() -> None:
    x = T.matrix("x")
    f = function([x], T.nnet.softmax(x).sum(axis=0), device="emulated")
    values = [np.random.default_rng(k).normal(size=(40, 33)) for k in range(8)]
    wanted = [f(value) for value in values]
    with ThreadPoolExecutor(4) as pool:
        for mine, its in zip(pool.map(f, values * 3), wanted * 3, strict=True):
            np.testing.assert_array_equal(mine, its)


def test_kernels_are_loaded_as_long_as_a_function_uses_them() -> None:
    x = T.vector("x")
    f = function([x], (x * 1.25).sum(), device="emulated")
    module = f.stages.link().module
    assert isinstance(module, EmulatedModule)
    del module
    again = function([x], (x * 1.25).sum(), device="emulated")
    del f
    gc.collect()
    assert again(np.ones(4)) == 5
