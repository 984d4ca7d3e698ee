"""Every program there is, through the passes for CUDA, the verifier, the printer and NVRTC.

    python -m tests.cuda_programs [--kinds models,...] [--only TEXT] [--architectures sm_90,...]
                                  [--syntax]

The programs are the functions of ``tests/codegen/models.py``, the workloads of the benchmarks, the
examples, and the conformance table: those of its functions which have all rows, and as another kind
the same rows in further dtypes. Each is written twice: for arguments of the host, and for
arguments on the device where all of NVIDIA's libraries are. No device is needed, nor are the
libraries. The compiler's front end reads the text of each program, also with integers of 64 bits
for addresses; with ``--syntax``, that is all. Machine code for all devices is made of each kernel
once, with the first of those that differ in names only.

A line for each program names its kernels, those that are new, its launches, how many of these are a
single block, and how many numbers the host waits for before the end; the last lines are sums. The
exit status is 1 if any fails, or if more than 2 % of all launches are one block for work of any
length. All of it takes about an hour on one core.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import runpy
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

from symtheano import config, function
from symtheano.codegen.cuda.program import CudaSource, module_text, print_kernels, wide_source
from symtheano.codegen.devices import CUDA
from symtheano.codegen.native.nvrtc import FLAGS, compile_cubin
from symtheano.codegen.native.wheels import DEVICE_LIBRARIES
from symtheano.codegen.record import Resident
from symtheano.codegen.source import build
from symtheano.dataclass import replace
from symtheano.function.stages import Stages
from symtheano.loopir import (
    Allocate,
    Check,
    For,
    Index,
    Launch,
    Let,
    LetIndex,
    Literal,
    Partition,
    Program,
    ReadBack,
    Statement,
    Transfer,
    While,
)
from symtheano.loopir.alike import form_of_function
from symtheano.loopir.names import walk
from symtheano.loopir.verify import verify
from tests.conformance.row import Row

ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100")
LIBRARIES = frozenset(library.name for library in DEVICE_LIBRARIES)
ROOT = Path(__file__).parents[1]
MOST_OF_ONE_BLOCK = 0.02
"""The largest share of launches that may be one block for work of any length."""
_FRONT_END_ONLY = "-fdevice-syntax-only"

Make = Callable[[], object]


@dataclass(frozen=True)
class Counts:
    """What a program for a device has.

    Attributes
    ----------
    launches
        Statements that launch a kernel.
    short
        How many of them are one block, whatever the lengths are, for work that is bounded: elements
        whose number is known, or the results of the blocks of another kernel.
    long
        Kernels of those that are one block for work of any length.
    serial
        How many launches are one thread, which computes scalars.
    reads
        How often the host waits for a number before the call ends.
    """

    launches: int
    short: int
    long: tuple[str, ...]
    serial: int
    reads: int


def counts(program: Program) -> Counts:
    """Return what a program has."""
    every = [*program.statements()]
    launches = [s for s in every if isinstance(s, Launch)]
    bounded = {s.count.name for s in every if isinstance(s, Partition)}
    kernels = {kernel.name: kernel for kernel in program.kernels}
    alone = [s for s in launches if all(map(_is_one, s.lengths, s.steps))]
    long, short, serial = [], 0, 0
    for launch in alone:
        kernel = kernels[launch.kernel]
        named = zip(kernel.values, launch.values, strict=True)
        if not _is_bounded(
            kernel.body, {mine.name for mine, given in named if given.name in bounded}
        ):
            long.append(launch.kernel)
        elif launch.threads == 1:
            serial += 1
        else:
            short += 1
    reads = sum(isinstance(s, ReadBack) and not _is_end(program, s) for s in every)
    return Counts(len(launches), short, tuple(long), serial, reads)


def _is_one(length: Index, step: int) -> bool:
    """Return whether a grid loop of a length is one block."""
    return length.constant is not None and length.constant <= step


def _is_bounded(body: Sequence[Statement], known: set[str]) -> bool:
    """Return whether a kernel's loops end after few iterations, if some integers are small."""
    small = set(known)
    for s in walk(body):
        if isinstance(s, While):
            return False
        if isinstance(s, LetIndex) and small.issuperset(s.index.names()):
            small.add(s.target.name)
        elif isinstance(s, Let) and s.op == "minimum":
            if any(isinstance(a, Literal) or a.name in small for a in s.arguments):
                small.add(s.target.name)
        elif isinstance(s, For):
            if not small.issuperset(s.stop.names()):
                return False
            small.add(s.index.name)
    return True


def _is_end(program: Program, s: Statement) -> bool:
    """Return whether a statement is the last one but those which copy results to the host."""
    body = [each for each in program.body if not isinstance(each, Allocate | Transfer | Check)]
    return s in body[-2:]


@contextlib.contextmanager
def recorded() -> Iterator[list[Stages]]:
    """Collect the stages of all functions that are made."""
    found: list[Stages] = []
    begin = Stages.__init__

    def note(self: Stages, *args: Any, **options: Any) -> None:
        begin(self, *args, **options)
        found.append(self)

    Stages.__init__ = note  # type: ignore[method-assign]
    try:
        yield found
    finally:
        Stages.__init__ = begin  # type: ignore[method-assign]


def models() -> Iterator[tuple[str, Make]]:
    """Yield the functions with golden files."""
    from tests.codegen.models import MODELS

    yield from ((model.__name__, model) for model in MODELS)


def workloads() -> Iterator[tuple[str, Make]]:
    """Yield the workloads of the benchmarks in all variants, which are built and not called."""
    from benchmarks.perf.adapters.symtheano_lib import Adapter
    from benchmarks.perf.workload import key, select

    def build(one: Any, case: Any) -> object:
        adapter = Adapter()
        adapter.begin(case)
        return one.builder(adapter.flavours)(adapter, case, one.data(case))

    for one, case in select(["*"]):
        if any(getattr(one, flavour, None) is not None for flavour in Adapter.flavours):
            yield key(one.name, case), partial(build, one, case)


def examples() -> Iterator[tuple[str, Make]]:
    """Yield the examples, which run in a folder of their own."""

    def run(path: Path) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            runpy.run_path(str(path), run_name="__main__")

    os.environ.setdefault("MPLBACKEND", "Agg")
    for path in sorted((ROOT / "examples").glob("*.py")):
        yield path.name, partial(run, path)


def conformance(covering: bool = True) -> Iterator[tuple[str, Make]]:
    """Yield functions of the conformance table which have all of its rows, or the other ones."""
    os.environ["SYMTHEANO_TESTS"] = "all"
    table = import_module("tests.conformance.table")
    every = table.runs(True)

    def build(rows: Sequence[Row], dtype: str) -> object:
        made = []
        for row in rows:
            variables = {name: arg.variable(dtype, name) for name, arg in row.args.items()}
            made.append((variables.values(), row.symbolic(variables)))
        inputs, outputs = (list(chain.from_iterable(part)) for part in zip(*made, strict=True))
        return function(inputs, outputs, on_unused_input="ignore")

    chosen = table.covering(every)
    for number, (family, dtype, rows) in enumerate(every):
        if (number in chosen) == covering:
            yield f"{family} {dtype} {number}", partial(build, rows, dtype)


KINDS = {
    "models": models,
    "workloads": workloads,
    "examples": examples,
    "conformance": conformance,
    "dtypes": partial(conformance, covering=False),
}


def sources(stages: Stages) -> Iterator[tuple[Program, CudaSource]]:
    """Yield the two programs of a function, and their text."""
    inputs, outputs = stages.request.resident
    count = len(stages.graph.inputs)
    constants = range(count - len(stages.constants), count)
    plain = Resident((*inputs, *constants), outputs)
    resident = Resident((*range(count),), outputs)
    for there, libraries in ((plain, frozenset[str]()), (resident, LIBRARIES)):
        target = replace(CUDA, device=replace(CUDA.device, libraries=libraries))
        built = build(
            stages.final, frozenset, (), stages.name, accuracy=stages.options.accuracy,
            target=target, wishes=stages.request.wishes, resident=there,
        )  # fmt: skip
        verify(built.lowered.program, CUDA.dialect)
        assert built.device is not None
        yield built.lowered.program, built.device


class Trial:
    """The check of many programs.

    Attributes
    ----------
    sums
        Numbers of functions, kernels, launches and others.
    long
        How many launches of one long block there are, by function and kernel.
    failures
        Names of programs that fail, with the error.
    """

    def __init__(self, architectures: Sequence[str], syntax: bool = False) -> None:
        self.architectures, self.syntax = architectures, syntax
        self.sums: Counter[str] = Counter()
        self.long: Counter[str] = Counter()
        self.failures: dict[str, str] = {}
        self._texts: set[str] = set()
        self._forms: set[object] = set()

    def run(self, name: str, make: Make) -> None:
        """Check the functions that a program makes, and print a line."""
        started = time.perf_counter()
        here: Counter[str] = Counter()
        with recorded() as found:
            error = self._attempt(partial(self._quietly, make))
        if not error and not found:
            error = "it makes no function"
        for stages in found:
            error = error or self._attempt(partial(self._check, name, stages, here))
        if error:
            self.failures[name] = error
        self.sums += here
        numbers = ", ".join(f"{here[word]} {word}" for word in ("functions", *_WORDS))
        taken = time.perf_counter() - started
        print(f"{name}: {error or 'ok'}; {numbers}; {taken:.1f} s", flush=True)

    def _check(self, name: str, stages: Stages, here: Counter[str]) -> None:
        here["functions"] += 1
        for program, source in sources(stages):
            of = counts(program)
            here["kernels"] += len(source.entries)
            here["launches"] += of.launches
            here["of one short block"] += of.short
            here["of one long block"] += len(of.long)
            here["of one thread"] += of.serial
            here["read back"] += of.reads
            self.long.update(f"{name}: {stages.name} {kernel}" for kernel in of.long)
            if self.architectures and source.entries and source.device not in self._texts:
                for text in (source, wide_source(source, program, CUDA)):
                    compile_cubin(text.device, self.architectures[0], (*FLAGS, _FRONT_END_ONLY))
                self._texts.add(source.device)
                here["new"] += 0 if self.syntax else self._compile(program)

    def _compile(self, program: Program) -> int:
        """Compile the kernels which no program before had; return how many these are."""
        threads = {s.kernel: s.threads for s in program.statements() if isinstance(s, Launch)}
        tables = {buffer.name: values for buffer, values in program.constants}
        new = {}
        for kernel in program.kernels:
            form = form_of_function(kernel.body, (*kernel.buffers, *kernel.values), ())
            written = tuple(buffer.name in kernel.written for buffer in kernel.buffers)
            values = tuple(repr(tables[b.name]) for b in form.buffers if b.name in tables)
            key = form.key, written, values, threads[kernel.name]
            if key not in self._forms:
                new.setdefault(key, kernel)
        if new:
            text, *_ = print_kernels(replace(program, kernels=tuple(new.values())), CUDA)
            for architecture in self.architectures:
                compile_cubin(module_text(text), architecture)
        self._forms.update(new)
        return len(new)

    def _quietly(self, make: Make) -> object:
        with contextlib.redirect_stdout(io.StringIO()):
            return make()

    def _attempt(self, action: Callable[[], object]) -> str:
        try:
            action()
        except (Exception, SystemExit) as error:
            return f"FAILED: {type(error).__name__}: {error}"[:2000]
        return ""

    @property
    def share(self) -> float:
        """The share of launches that are one block for work of any length."""
        return self.sums["of one long block"] / max(1, self.sums["launches"])

    def summary(self) -> str:
        """Return the sums, the launches of one block and the failures."""
        lines = [", ".join(f"{self.sums[word]} {word}" for word in ("functions", *_WORDS))]
        lines.append(f"{len(self._texts)} texts read, {len(self._forms)} kernels compiled for "
                     f"{', '.join(self.architectures) or 'no device'}")  # fmt: skip
        lines.append(f"{self.share:.1%} of all launches are one block for work of any length:")
        lines += [f"  {name}" for name in sorted(self.long)]
        lines.append(f"{len(self.failures)} failures")
        lines += [f"  {name}: {error}" for name, error in self.failures.items()]
        return "\n".join(lines)


_WORDS = (
    "kernels", "new", "launches", "of one short block", "of one long block", "of one thread",
    "read back",
)  # fmt: skip


def main(words: Sequence[str] | None = None) -> int:
    """Check all programs; return 1 if one fails, or if too many launches are of one block."""
    parser = argparse.ArgumentParser(prog="python -m tests.cuda_programs", description=__doc__)
    parser.add_argument("--kinds", default=",".join(KINDS), help="of programs, with commas")
    parser.add_argument("--only", default="", help="text that a program's name has")
    parser.add_argument("--architectures", default=",".join(ARCHITECTURES), help="of devices")
    parser.add_argument("--syntax", action="store_true", help="make no machine code")
    options = parser.parse_args(words)
    trial = Trial([name for name in options.architectures.split(",") if name], options.syntax)
    for kind in options.kinds.split(","):
        with config.change_flags(mode=config.mode if kind == "examples" else "INTERPRET"):
            for name, make in KINDS[kind]():
                if options.only in name:
                    trial.run(f"{kind} {name}", make)
    print(trial.summary())
    return int(bool(trial.failures) or trial.share > MOST_OF_ONE_BLOCK)


if __name__ == "__main__":
    sys.exit(main())
