"""The stages of compilation of one function, computed on demand.

If the cache has the compiled file for a graph, the file is loaded directly. The rewritten graph,
the trace and error messages are then computed when they are first needed. All stages are functions
of the graph, so their results do not depend on the time when they are computed.
"""

from __future__ import annotations

import sys
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.config import Options
from symtheano.dataclass import replace as change
from symtheano.errors import (
    BoundsError,
    CompileError,
    DeviceError,
    ShapeError,
    format_error,
    printable_name,
)
from symtheano.function.modes import Mode
from symtheano.function.package import list_directory, package_state
from symtheano.function.request import Request
from symtheano.graph.eager import quiet
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.interner import Interner
from symtheano.graph.lazy import lazy
from symtheano.graph.origin import Origin, origin_scope
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import leaves, replace
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import LiftedConstant, TensorConstant

if TYPE_CHECKING:
    from symtheano.codegen.native.cache import Cache
    from symtheano.codegen.native.later import Later
    from symtheano.codegen.native.objects import Translation
    from symtheano.codegen.native.toolchain import Toolchain
    from symtheano.codegen.record import Record, Resident
    from symtheano.codegen.runtime.cuda import CudaDevice, CudaModule
    from symtheano.codegen.runtime.emulated import EmulatedDevice, EmulatedModule
    from symtheano.codegen.runtime.library import LoadedLibrary
    from symtheano.codegen.runtime.link import Linked
    from symtheano.codegen.runtime.tiers import Tier
    from symtheano.codegen.source import Built
    from symtheano.codegen.targets import Target
    from symtheano.graph.final import FinalGraph
    from symtheano.loopir.program import Program
    from symtheano.rewrites.engine import Rewriter

_LARGE_CONSTANT = 64
# The kinds of error of codegen.abi.ErrorCode, which is only imported if an error occurs.
_ERRORS = {1: ShapeError, 2: BoundsError, 4: MemoryError}
_DEVICE_ERROR = 6
_CAPTURED = "a call can't be part of a graph that is captured"
"""How the driver begins to say that it has refused memory for this reason."""
_UPDATES = (
    "new values of shared variables are in new memory; "
    "device_updates='in_place' lets them be in that of the old ones"
)
"""Why calls with updates are not a part of a graph that the caller captures."""


class Stages:
    """The stages of one function.

    Attributes
    ----------
    origin
        The line of the function. It is also the origin of nodes that come from no line of the
        graph.
    times
        Seconds that each stage has taken.
    on_device
        Numbers of the arguments that the caller has on the device.
    """

    def __init__(
        self,
        request: Request,
        mode: Mode,
        options: Options,
        name: str | None,
        measured: bool = False,
        origin: Origin | None = None,
        on_device: frozenset[int] = frozenset(),
    ) -> None:
        self.request, self.mode, self.options, self.on_device = (
            request,
            mode,
            options,
            on_device,
        )
        self.measured, self.origin = measured, origin
        self.name = name or "function"
        self.label = f"function {printable_name(name)}" if name else "function"
        self.times: dict[str, float] = {}
        # What tells why a device has refused something.
        self._reason: Callable[[], str] | None = None
        # The dispatcher, while a compiler that is used first is tried in another thread.
        self._trying: Later[Any] | None = None
        inner = {v: v.type.make_variable(v.name) for v in request.inputs if v.owner is not None}
        #: the inputs and what is computed from them; inputs that are computed elsewhere cut off
        self.inputs = [*(inner.get(v, v) for v in request.inputs), *request.shared]
        outputs = request.all_outputs
        self.outputs = replace(outputs, inner) if inner else outputs

    # -- from graph to C -------------------------------------------------------------------------

    @lazy
    def user_graph(self) -> FunctionGraph:
        """The graph as it was written."""
        return FunctionGraph(self.inputs, self.outputs)

    @lazy
    def _rewritten(self) -> tuple[Rewriter, FunctionGraph, list[Any]]:
        from symtheano.rewrites.engine import Rewriter

        started = time.perf_counter()
        rewriter = Rewriter(self.mode.rules())
        written = FunctionGraph(self.inputs, self.outputs, Interner(keeps_graphs=True))
        with origin_scope(self.origin):
            graph, constants = _lift_large_constants(rewriter.rewrite(written))
        self.times["rewrite"] = time.perf_counter() - started
        return rewriter, graph, constants

    @property
    def rewriter(self) -> Rewriter:
        """The rewriter of the graph, with its trace."""
        return self._rewritten[0]

    @property
    def graph(self) -> FunctionGraph:
        """The graph after rewriting; large constants are additional inputs at the end."""
        return self._rewritten[1]

    @property
    def constants(self) -> list[Any]:
        """The values of the large constants."""
        return self._rewritten[2]

    @lazy
    def final(self) -> FinalGraph:
        """The graph with its lengths and checks, and with the graphs of its loops and branches."""
        from symtheano.rewrites.engine import Rewriter
        from symtheano.rewrites.final import final_graph

        graph, rules = self.graph, self.rewriter.rules
        started = time.perf_counter()
        with quiet(), origin_scope(None):  # the text does not depend on who asks for it
            final = final_graph(graph, Rewriter(rules))
        self.times["rewrite"] += time.perf_counter() - started
        return final

    @lazy
    def built(self) -> Built:
        """LoopIR and C."""
        from symtheano.codegen.source import build

        built = build(
            self.final,
            self._vector_functions,
            self.donors,
            self.name,
            measured=self.measured,
            accuracy=self.options.accuracy,
            target=self.target,
            wishes=self.request.wishes,
            resident=self._resident_with_constants(),
        )
        self.times.update(built.times)
        return built

    @property
    def target(self) -> Target:
        """The processor or the device for which the program is written."""
        target = self.mode.target(self.options.device)
        options = self.options
        if options.device == "cpu" or not (self.device.libraries or options.device_atomics):
            return target
        device = change(
            target.device,
            libraries=self.device.libraries,
            tf32=options.device_tf32,
            atomics=options.device_atomics,
        )
        return change(target, device=device)

    @property
    def donors(self) -> list[int | None]:
        """For each output, the shared variable whose memory it may use."""
        if self.options.device == "cpu":
            return self.request.donors
        # What a kernel has written before the driver refuses another one can't be undone.
        if self.options.device_updates == "new":
            return []
        there = self.resident.inputs
        return [donor if donor in there else None for donor in self.request.donors]

    @property
    def resident(self) -> Resident:
        """The inputs and outputs that the caller may have on a device."""
        from symtheano.codegen.record import NONE_RESIDENT, Resident

        if self.options.device == "cpu":
            return NONE_RESIDENT
        inputs, outputs = self.request.resident
        return Resident((*sorted(self.on_device), *inputs), outputs)

    def _resident_with_constants(self) -> Resident:
        """Return what may be on a device, large constants among it, which the request lacks."""
        if self.options.device == "cpu":
            return self.resident
        from symtheano.codegen.record import Resident

        count = len(self.graph.inputs)
        inputs, outputs = self.resident
        return Resident((*inputs, *range(count - len(self.constants), count)), outputs)

    def for_device_arguments(self, on_device: frozenset[int]) -> Stages:
        """Return the stages of the same function for arguments that are on the device."""
        origin = self.origin
        return Stages(
            self.request, self.mode, self.options, self.name, self.measured, origin, on_device
        )

    # -- from C to a callable -------------------------------------------------------------

    @lazy
    def _store(self) -> Cache:
        return open_cache(self.options)

    @lazy
    def toolchain(self) -> Toolchain:
        """The C compiler."""
        from symtheano.codegen.native.toolchain import find_toolchain

        return find_toolchain(self.options.cc or None, directory=self._store.place)

    def _vector_functions(self) -> frozenset[str]:
        if self._trying is not None:
            self._trying.result()
        return self.toolchain.vector_functions

    @lazy
    def dispatcher(self) -> Later[Any] | None:
        """The dispatcher module, perhaps still being compiled; None if unavailable."""
        from symtheano.codegen.runtime.dispatch import NoDispatcherError, begin_dispatcher

        try:
            return begin_dispatcher(self.toolchain, self._store)
        except NoDispatcherError:
            return None

    def _begin(self) -> None:
        """Test a compiler that is not known, and compile the dispatcher, while the C is written."""
        from symtheano.codegen.native.toolchain import knows_compiler

        if knows_compiler(self.options.cc, self._store.place):
            _ = self.dispatcher
            return
        from symtheano.codegen.native.later import Later

        self._trying = Later(lambda: self.dispatcher)
        _ = self.graph
        # What raises an error is done again where it is needed.
        with suppress(Exception):
            self.check_types()
            _ = self.built
        self._trying.result()

    def find(self) -> Linked | None:
        """Return the compiled function if the cache knows the graph and no compiler has to run.

        Raises
        ------
        NoCompilerError
            If this machine has no C compiler.
        """
        from symtheano.codegen.native.toolchain import knows_compiler

        if not knows_compiler(self.options.cc, self._store.place):
            return None
        key = self._key
        return None if key is None else self._recalled(key)

    def link(self) -> Linked:
        """Return the compiled function: found by its graph or its C text, or compiled.

        Raises
        ------
        NoCompilerError
            If this machine has no C compiler.
        CompileError
            If the compiler rejects the file, which is a defect of symtheano.
        """
        started = time.perf_counter()
        self._begin()
        key = self._key
        linked = None if key is None else self._recalled(key) or self._joined(key)
        if linked is None:
            linked = self._compiled(key)
            if key is not None and not linked.python and linked.optimized is None:
                record = linked.record.to_bytes()
                if record is not None:
                    self._store.remember(key, record)
        others = sum(self.times.get(part, 0.0) for part in ("rewrite", "lower", "print", "compile"))
        self.times["load"] = time.perf_counter() - started - others
        return linked

    def _recalled(self, key: str) -> Linked | None:
        from symtheano.codegen.native.cache import loadable
        from symtheano.codegen.record import Record
        from symtheano.codegen.runtime.link import load

        data = self._store.recall(key)
        if data is None:
            return None
        record = Record.from_bytes(data)
        path = self._store.path_of(record.library)
        if path is None:
            return None
        try:
            return self._linked(record, load(loadable(path)))
        except OSError:
            return None

    def _joined(self, key: str) -> Linked | None:
        """Return the function if optimized code of its graph is being compiled."""
        tiers = sys.modules.get("symtheano.codegen.runtime.tiers")
        tier = None if tiers is None else tiers.unfinished_tier(self._store, key)
        if tier is None:
            return None
        if self.options.first_tier == "unoptimized":
            return self._linked_tier(tier)
        tier.optimized.wait()
        return self._recalled(key)

    def _linked_tier(self, tier: Tier) -> Linked:
        linked = self._linked(tier.record, tier.library)
        linked.optimized = tier.optimized
        return linked

    def _linked(self, record: Record, library: LoadedLibrary) -> Linked:
        from symtheano.codegen.runtime.link import link

        return link(
            record,
            library,
            self.toolchain,
            self._store,
            self.options.blas,
            self.options.convolution,
            wait=self.options.deterministic == "more",
            module=self._module(record.module) if record.module else None,
        )

    @lazy
    def device(self) -> CudaDevice | EmulatedDevice:
        """The device on which kernels run.

        Raises
        ------
        DeviceError
            If it is not there.
        """
        return open_device(self.options.device, self.toolchain, self._store)

    def _module(self, key: str) -> CudaModule | EmulatedModule:
        """Return the kernels of a key, on the device."""
        module = self.device.find(key)
        if module is None:
            assert self.built.device is not None
            module = self.device.load(self.built.device)
        self._reason = module.reason
        module.widen_by(partial(_load_wide, weakref.ref(self)))
        new = self.donors[len(self.request.outputs) :]
        if self.request.updates and (None in new or not new):
            module.keep_from_graphs(_UPDATES)
        return module

    def _compiled(self, key: str | None) -> Linked:
        from symtheano.codegen.native.cache import entry_key
        from symtheano.codegen.native.objects import Translation
        from symtheano.codegen.record import Record
        from symtheano.codegen.runtime.link import begin_kernels, load

        self.check_types()
        source, lowered = self.built.source, self.built.lowered
        text = source.compiled
        outputs = [(output.dtype, output.ndim) for output in self.graph.outputs]
        record = Record(
            entry_key(text, self.toolchain),
            source.entry,
            source.links,
            (
                *((*kind, donor) for kind, donor in zip(outputs, lowered.donors, strict=True)),
                *((*kind, None) for kind in lowered.hidden),
            ),
            len(lowered.hidden),
            tuple((c.dtype.name, c.shape, c.tobytes()) for c in self.constants),
            tuple(lowered.steps),
            self._module_key(),
            _resident_of(lowered.program),
        )
        begin_kernels(
            record, self.toolchain, self._store, self.options.blas, self.options.convolution
        )
        started = time.perf_counter()
        translation = Translation(source, self._store, self.toolchain)
        compiled = partial(self._store.load, text, self.toolchain, load, make=translation.make)
        tier = None
        # What Python ops have done can't be done again by another call.
        if self.options.first_tier == "unoptimized" and not (self.measured or lowered.python):
            tier = self._begun(record, translation, partial(compiled, quiet=True))
        if tier is not None:
            if key is not None:
                tier.add_graph(key)
            linked = self._linked_tier(tier)
        else:
            linked = self._linked(record, compiled())
        self.times["compile"] = time.perf_counter() - started
        if lowered.python:
            from symtheano.codegen.runtime.python_ops import python_op

            linked.python = tuple(python_op(node, loops) for node, loops in lowered.python)
        return linked

    def _module_key(self) -> str:
        """Return the key of the kernels, or an empty text if there are none."""
        kernels = self.built.device
        return self.device.key(kernels) if kernels is not None and kernels.asks_device else ""

    def _begun(
        self,
        record: Record,
        translation: Translation,
        compile_optimized: Callable[[], LoadedLibrary],
    ) -> Tier | None:
        """Return a first tier, or None if there is none, or optimized code is in the cache."""
        from symtheano.codegen.runtime.link import load
        from symtheano.codegen.runtime.tiers import begin_tier, unfinished_tier

        tier = unfinished_tier(self._store, record.library)
        if tier is not None or self._store.has(record.library):
            return tier
        make = translation.first_tier()
        if make is None:
            return None
        # If anything fails, it fails again with the optimized code, which reports it.
        with suppress(CompileError, OSError, ImportError):
            library = self._store.load_unkept(f"{record.library}.so", make, load)
            return begin_tier(record, library, self._store, compile_optimized)
        return None

    @property
    def uncompiled(self) -> Variable | None:
        """The first value that is not an array, which C does not support, or None."""
        nodes = self.graph.nodes
        constants = (item for node in nodes for item in node.inputs if isinstance(item, Constant))
        outputs = (output for node in nodes for output in node.outputs)
        variable: Variable
        for variable in (*self.graph.inputs, *constants, *outputs):
            if not isinstance(variable.type, TensorType):
                return variable
        return None

    def check_types(self) -> None:
        """Raise an error for values that are not arrays, which C does not support."""
        variable = self.uncompiled
        if variable is not None:
            raise NotImplementedError(
                format_error(
                    f"{self.label}: {variable.describe()} is not an array, so it can't be compiled",
                    operands=[(variable.describe(), str(variable.type))],
                    places=[variable.origin],
                    hint="use mode='INTERPRET'",
                )
            )

    @lazy
    def _key(self) -> str | None:
        """Return the digest of all that determines the compiled function; None if in doubt.

        The record of a measured function contains lines of the user's program. What rules of the
        program do is not known before they have run.
        """
        if self.measured or self.mode.program_rules():
            return None
        from symtheano.graph.digest import digest
        from symtheano.graph.encode import graph_digest

        graph = graph_digest(self.inputs, self.outputs)
        if graph is None:
            return None
        tools, options = self.toolchain, self.options
        parts = (
            graph, len(self.request.given), self.donors, tuple(self.resident), self.name,
            self.mode, options.floatX, options.cast_policy, options.accuracy,
            self._device_identity(),
            tools.version, tools.build, tools.command[1:], tools.flags, tools.link_flags, tools.cpu,
            sorted(tools.vector_functions), np.__version__, sys.version, self._package_state(),
        )  # fmt: skip
        return digest(repr(parts).encode())

    def _device_identity(self) -> str:
        """Return what tells the device from others for which kernels are different."""
        options = self.options
        if options.device == "cpu":
            return options.device
        choices = f"{options.device_tf32} {options.device_atomics}"
        return f"{options.device} {self.device.identity} {choices}"

    def _package_state(self) -> str:
        dispatcher = self.dispatcher
        if dispatcher is not None and dispatcher.ready and not dispatcher.failed:
            return package_state(dispatcher.result().list_directory)
        return package_state(list_directory)

    def compiled_text(self, linked: Linked) -> str:
        """Return the C text that was compiled, perhaps for an equal graph from other lines."""
        if "built" not in self.__dict__:
            with suppress(OSError):
                return self._store.source_of(linked.record.library)
        return self.built.source.compiled

    def error(self, code: int, site: int, values: Sequence[int]) -> Exception:
        """Return the exception for an error code of a call."""
        if code == _DEVICE_ERROR and self._reason is not None:
            hint = None
            if any(donor is not None for donor in self.donors):
                hint = "some shared variables may have new values, since device_updates=in_place"
            return DeviceError(format_error(f"{self.label}: {self._reason()}", hint=hint))
        lowered = self.built.lowered
        if site < 0:
            from symtheano.function.shortage import shortage

            reason = self._reason() if self._reason is not None else ""
            if reason.startswith(_CAPTURED):
                return DeviceError(format_error(f"{self.label}: {reason}"))
            return MemoryError(
                shortage(self.label, self.request, self.outputs, lowered, values, reason)
            )
        failed = lowered.sites[site]
        kind = failed.error or _ERRORS.get(code, ValueError)
        return kind(failed.message(values[: failed.count]))


def open_device(name: str, toolchain: Toolchain, store: Cache) -> CudaDevice | EmulatedDevice:
    """Return a device by the name that the option ``device`` has.

    Raises
    ------
    DeviceError
        If it is not there.
    """
    if name == "emulated":
        from symtheano.codegen.runtime.emulated import EmulatedDevice

        return EmulatedDevice(toolchain, store)
    from symtheano.codegen.runtime.cuda import CudaDevice

    return CudaDevice(name, toolchain, store)


def _load_wide(stages: weakref.ref[Stages]) -> CudaModule | EmulatedModule:
    """Load the kernels of a function in a form with integers of 64 bits."""
    from symtheano.codegen.cuda.program import wide_source

    own = stages()
    if own is None or own.built.device is None:
        raise RuntimeError("the function is not there any more")
    source = wide_source(own.built.device, own.built.lowered.program, own.target)
    return own.device.load(source)


def _resident_of(program: Program) -> Resident:
    """Return which inputs and outputs of a program are on the device."""
    from symtheano.codegen.record import Resident

    inputs, outputs = (
        tuple(k for k, buffer in enumerate(buffers) if buffer.place == "device")
        for buffers in (program.inputs, program.outputs)
    )
    return Resident(inputs, outputs)


@cache
def _cache_at(directory: str, size: int) -> Cache:
    from symtheano.codegen.native.cache import Cache

    return Cache(directory or None, size << 20)


def open_cache(options: Options) -> Cache:
    """Return the cache of compiled code selected by the options."""
    return _cache_at(options.cache_dir, options.cache_size)


def _lift_large_constants(graph: FunctionGraph) -> tuple[FunctionGraph, list[Any]]:
    """Turn large constants into inputs, so that the code does not contain their values."""
    wanted = [item for _, requirement in graph.required for item in requirement.variables]
    constants = [
        item
        for item in leaves([*graph.outputs, *wanted])
        if isinstance(item, TensorConstant) and item.data.size > _LARGE_CONSTANT
    ]
    if not constants:
        return graph, []
    stand_ins = {item: LiftedConstant(item) for item in constants}
    replaced = replace([*graph.outputs, *wanted], stand_ins)
    count = len(graph.outputs)
    new = dict(zip(wanted, graph.interner.intern(replaced[count:]), strict=True))
    required = [(node, requirement.replaced(new)) for node, requirement in graph.required]
    inputs = [*graph.inputs, *stand_ins.values()]
    lifted = FunctionGraph(inputs, replaced[:count], graph.interner, required)
    return lifted, [item.data for item in constants]
