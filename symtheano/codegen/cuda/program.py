"""The text of a program for a device: C for the host, and CUDA C++ for the kernels."""

from __future__ import annotations

import numpy as np

from symtheano.codegen.c.names import RESERVED
from symtheano.codegen.c.needs import Needs, find_needs, library_functions
from symtheano.codegen.c.program import CSource, print_c
from symtheano.codegen.cuda.host import HostPrinter, driver_text
from symtheano.codegen.cuda.kernels import (
    KernelPrinter,
    device_type,
    narrow_row,
    reductions_of,
    table_text,
)
from symtheano.codegen.passes.cuda.functions import SPECIAL
from symtheano.codegen.record import DEVICE
from symtheano.codegen.targets import Target
from symtheano.codegen.template import file_text
from symtheano.dataclass import dataclass, replace
from symtheano.loopir.launch import Launch
from symtheano.loopir.names import reads, walk
from symtheano.loopir.nodes import Barrier, For, Let
from symtheano.loopir.operands import Value
from symtheano.loopir.program import Function, Program, all_names
from symtheano.scalar.render import render_helpers

_POINTER = 8
_ABSOLUTE = ("cabs", "cabsf")  # which device.h has
_RESERVED = RESERVED | frozenset(
    # C++
    "alignas alignof and asm auto bool catch class concept const_cast constexpr decltype delete "
    "dynamic_cast explicit export false friend mutable namespace new noexcept not nullptr operator "
    "or private protected public reinterpret_cast requires static_assert static_cast template this "
    "thread_local throw true try typeid typename using virtual wchar_t xor bitand bitor compl "
    # CUDA
    "blockIdx threadIdx blockDim gridDim warpSize dim3 "
    # what device.h calls
    "fabs fabsf copysign copysignf floor floorf ceil ceilf trunc truncf rint rintf sqrt sqrtf fma "
    "fmaf isinf isnan memcpy hypot hypotf cabs cabsf".split()
)


@dataclass(frozen=True)
class CudaSource:
    """The text of a program for a device.

    Attributes
    ----------
    host
        The C of the host.
    kernels
        The CUDA C++ of the kernels, without what stands before it (``device.h``).
    entries
        For each kernel its name, and whether its threads wait for each other. There may be none
        where the host asks a library of the device.
    sizes
        For each kernel the sizes of its arguments in bytes.
    """

    host: CSource
    kernels: str
    entries: tuple[tuple[str, bool], ...]
    sizes: tuple[tuple[int, ...], ...] = ()

    @property
    def asks_device(self) -> bool:
        """Whether the host asks the device for anything."""
        return DEVICE in self.host.links

    @property
    def device(self) -> str:
        """The text from which a device's compiler makes a module."""
        return module_text(self.kernels)

    @property
    def emulated(self) -> str:
        """The text, in C++, of a library with the kernels, for the emulated device."""
        entries = ", ".join(
            f"ST_ENTRY({name}, {'true' if waits else 'false'})" for name, waits in self.entries
        )
        table = f"static const st_kernel st_kernels[] = {{{entries or '{}'}}};\n"
        names = ("emulate.h", "device.h")
        before = [file_text(__file__, name) for name in names]
        after = file_text(__file__, "emulated_kernels.h")
        return "\n".join([*before, self.kernels, table, after])


def module_text(kernels: str) -> str:
    """Return what a device's compiler gets: kernels, and what stands before them."""
    return f"{file_text(__file__, 'device.h')}\n{kernels}"


def print_cuda(
    program: Program,
    vector_functions: frozenset[str],
    accuracy: str,
    target: Target,
) -> CudaSource:
    """Print a verified program for a device, the same text in every process.

    Parameters are those of :func:`~symtheano.codegen.c.program.print_c`.
    """
    if DEVICE not in find_needs(program).externals:
        return CudaSource(print_c(program, vector_functions, accuracy, target), "", ())
    host = print_c(program, vector_functions, accuracy, target, HostPrinter, driver_text)
    return CudaSource(host, *print_kernels(program, target))


def print_kernels(
    program: Program, target: Target
) -> tuple[str, tuple[tuple[str, bool], ...], tuple[tuple[int, ...], ...]]:
    """Print the kernels of a verified program, without what stands before them (``device.h``).

    Returns
    -------
    The last fields of a :class:`CudaSource`: the text, and entries and sizes of the kernels.
    """
    kernels = Program(f"{program.name}_kernels", (), (), (), (), functions=program.kernels)
    needs = _needs(kernels)
    threads = {
        s.kernel: s.threads
        for body in (program.body, *(function.body for function in program.functions))
        for s in walk(body)
        if isinstance(s, Launch)
    }
    printer = KernelPrinter(_spellings(kernels, needs), threads, target.device.warp)
    helpers: dict[str, None] = {}
    for _, (row, signature) in sorted(needs.rows.items()):
        helpers.update(dict.fromkeys(render_helpers(row, signature, device_type)))
    tables = {buffer.name for s in kernels.statements() for buffer in reads(s)}
    sections = [
        *_functions(needs),
        *helpers,
        *(printer.reducer(op, dtype) for op, dtype in reductions_of(program.kernels)),
        *(
            table_text(printer.spell(buffer.name), buffer.dtype, values)
            for buffer, values in program.constants
            if buffer.name in tables
        ),
        *map(printer.kernel, program.kernels),
    ]
    entries = tuple((printer.spell(k.name), _waits(k)) for k in program.kernels)
    sizes = tuple(
        (*[_POINTER] * len(k.buffers), *(_size(value, k.narrow) for value in k.values))
        for k in program.kernels
    )
    return "\n".join(sections), entries, sizes


def _needs(kernels: Program) -> Needs:
    """Return the functions that kernels call, those for integers of 32 bits among them."""
    needs = find_needs(kernels)
    for kernel in kernels.functions:
        for s in walk(kernel.body):
            if isinstance(s, Let) and s.target.name in kernel.narrow:
                row, signature = narrow_row(s)
                needs.add_row(row.name, signature.compute, signature.result)
    return needs


def _spellings(kernels: Program, needs: Needs) -> dict[str, str]:
    """Return other names for those of kernels that are words or functions of CUDA."""
    taken = _RESERVED | library_functions(needs).keys()
    names: dict[str, str] = {}
    used = all_names(kernels)
    for name in sorted(used & taken):
        names[name] = f"{name}_"
        while names[name] in used or names[name] in taken:
            names[name] += "_"
    return names


def wide_source(source: CudaSource, program: Program, target: Target) -> CudaSource:
    """Return the text of a program whose kernels have no integers of 32 bits for addresses.

    Parameters
    ----------
    source
        The text of the program.
    program, target
        The program, and its device.
    """
    kernels = tuple(replace(kernel, narrow=frozenset()) for kernel in program.kernels)
    return CudaSource(source.host, *print_kernels(replace(program, kernels=kernels), target))


def _size(value: Value, narrow: frozenset[str]) -> int:
    return 4 if value.name in narrow else np.dtype(value.dtype).itemsize


def _functions(needs: Needs) -> list[str]:
    """Return the texts of functions that rows call, and CUDA lacks."""
    called = library_functions(needs).items()
    lacks = any("_Complex" in text and name not in _ABSOLUTE for name, text in called)
    names = ["complex_functions.h"] * lacks
    external = {row.external for row, _ in needs.rows.values() if row.external}
    first, *others = SPECIAL
    names += [first] * bool(external)
    names += [name for name in others if not external.isdisjoint(SPECIAL[name])]
    return [file_text(__file__, name) for name in names]


def _waits(kernel: Function) -> bool:
    """Return whether threads of a kernel wait for each other."""
    return any(
        isinstance(s, Barrier) or (isinstance(s, For) and bool(s.reductions))
        for s in walk(kernel.body)
    )
