"""``theano.configdefaults``: every documented flag, with Theano's default.

Flags that have a meaning for symtheano read and set its options. The others are accepted, keep
their values, and have no effect; ``symtheano doctor`` lists those that are set.
"""

from __future__ import annotations

import os
import struct
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import symtheano

from . import configparser as _parser
from .configparser import (
    AddConfigVar,
    BoolParam,
    ConfigParam,
    EnumStr,
    FloatParam,
    IntParam,
    StrParam,
    config,
)

__all__ = ["config"]

_ours = symtheano.config

_BOOLEANS = """
    pickle_test_value=1 force_device=0 conv.assert_shape=0 print_global_stats=0
    print_active_device=1 gpuarray.single_stream=1 gpuarray.sync=0 magma.enabled=0 allow_gc=1
    optimizer_verbose=0 nocleanup=0 tensor.local_elemwise_fusion=1 gpu.local_elemwise_fusion=1
    lib.amdlibm=0 gpuelemwise.sync=1 experimental.unpickle_gpu_on_cpu=0 warn.argmax_pushdown_bug=0
    warn.gpusum_01_011_0111_bug=0 warn.sum_sum_bug=0 warn.sum_div_dimshuffle_bug=0
    warn.subtensor_merge_bug=0 warn.gpu_set_subtensor1=0 warn.vm_gc_bug=0
    warn.signal_conv2d_interface=0 warn.reduce_join=0 warn.inc_set_subtensor1=0 warn.round=0
    warn.inc_subtensor1_opt=1 warn.identify_1pexp_bug=0 print_test_value=0 unpickle_function=1
    reoptimize_unpickled_function=0 openmp=0 check_input=1 cache_optimizations=0
    NanGuardMode.nan_is_error=1 NanGuardMode.inf_is_error=1 NanGuardMode.big_is_error=1
    DebugMode.check_c=1 DebugMode.check_py=1 DebugMode.check_finite=1
    DebugMode.warn_input_not_reused=1 profiling.time_thunks=1 profiling.min_peak_memory=0
    profiling.debugprint=0 profiling.ignore_first_call=0 cmodule.warn_no_version=0
    cmodule.remove_gxx_opt=0 cmodule.compilation_warning=0 cmodule.preload_cache=0 cmodule.debug=0
    blas.check_openmp=1 profile=0 profile_optimizer=0 profile_memory=0
    experimental.local_alloc_elemwise=1 experimental.local_alloc_elemwise_assert=1 scan.allow_gc=0
    scan.allow_output_prealloc=1 scan.debug=0
"""
_INTEGERS = """
    tensor.cmp_sloppy=0 traceback.limit=8 traceback.compile_limit=0 openmp_elemwise_minsize=200000
    DebugMode.patience=10 DebugMode.check_strides=0 DebugMode.check_preallocated_output_ndim=4
    profiling.n_apply=20 profiling.n_ops=20 profiling.output_line_width=512
    profiling.min_memory_size=1024 cmodule.age_thresh_use=2073600 metaopt.verbose=0
    tensor.insert_inplace_optimizer_validate_nb=-1 compile.wait=5 compile.timeout=120
"""
_FLOATS = "gpuarray.preallocate=0 optdb.position_cutoff=inf optdb.max_use_ratio=8"
_TEXTS = """
    init_gpu_device= contexts= cuda.root= cuda.include_path= dnn.conv.workmem= dnn.conv.workmem_bwd=
    dnn.conv.algo_bwd= dnn.base_path= dnn.include_path= dnn.library_path= dnn.bin_path=
    magma.include_path= magma.library_path= unittests.rseed=666 optimizer_requiring=
    DebugMode.check_preallocated_output= profiling.destination=stderr gcc.cxxflags= blas.ldflags=
    metaopt.optimizer_excluding= metaopt.optimizer_including= vm.lazy=None ctc.root=
    optimizer_excluding= optimizer_including=
"""
_CHOICES = """
    warn_float64=ignore|warn|raise|pdb int_division=int|raise|floatX deterministic=default|more
    gpuarray.sched=default|multi|single dnn.enabled=auto|True|False|no_check
    dnn.conv.precision=as_input_f32|as_input|float16|float32|float64
    assert_no_cpu_op=ignore|warn|raise|pdb on_opt_error=warn|raise|pdb|ignore
    on_unused_input=raise|warn|ignore compute_test_value=off|ignore|warn|raise|pdb
    compute_test_value_opt=off|ignore|warn|raise|pdb exception_verbosity=low|high
    NanGuardMode.action=raise|warn|pdb on_shape_error=warn|raise cycle_detection=regular|fast
    check_stack_trace=off|log|warn|raise cast_policy=custom|numpy+floatX|numpy
    optimizer=o4|o3|o2|o1|unsafe|fast_run|fast_compile|merge|None
"""
_ON_ERRORS = "ignore|warn|raise|call|print|log"
_RUNTIME = "guess_once|guess_on_shape_change|time_once|time_on_shape_change"
_CHOICES += f"""
    numpy.seterr_all={_ON_ERRORS}|None numpy.seterr_divide=None|{_ON_ERRORS}
    numpy.seterr_over=None|{_ON_ERRORS} numpy.seterr_under=None|{_ON_ERRORS}
    numpy.seterr_invalid=None|{_ON_ERRORS}
    dnn.conv.algo_fwd=small|none|large|fft|fft_tiling|winograd|winograd_non_fused|{_RUNTIME}
    dnn.conv.algo_bwd_data=none|deterministic|fft|fft_tiling|winograd|winograd_non_fused|{_RUNTIME}
    dnn.conv.algo_bwd_filter=none|deterministic|fft|small|winograd_non_fused|fft_tiling|{_RUNTIME}
    warn.ignore_bug_before=0.9|None|all|0.3|0.4|0.4.1|0.5|0.6|0.7|0.8|0.8.1|0.8.2|0.10|1.0|1.0.1|1.0.2|1.0.3|1.0.4|1.0.5
"""

SUPPORTED_DNN_CONV_ALGO_RUNTIME = tuple(_RUNTIME.split("|"))


def _pairs(rows: str) -> list[tuple[str, str]]:
    return [(name, value) for name, _, value in (row.partition("=") for row in rows.split())]


# -- flags that have a meaning here ----------------------------------------------------------------


def _option(name: str) -> tuple[Callable[[], Any], Callable[[Any], None]]:
    return lambda: getattr(_ours, name), lambda value: setattr(_ours, name, value)


def _set_linker(name: str) -> None:
    _ours.linker = name


def _set_device(name: str) -> None:
    """Set the device; Theano's old names of devices select the processor, with a warning."""
    if name.startswith(("gpu", "opencl")):
        warnings.warn(
            f"THEANO_FLAGS: device={name} is one of Theano's old back ends; functions run on the "
            "processor (device=cuda selects a device of NVIDIA)",
            _parser.TheanoConfigWarning,
            stacklevel=2,
        )
        return
    _ours.device = name.replace("cuda", "cuda:") if name[4:].isdigit() else name


def _compiler() -> str:
    """Return the compiler's command, empty if functions run without one."""
    return "" if _ours.linker == "interpret" else _ours.cc or "cc"


def _set_compiler(command: str) -> None:
    """Run functions by NumPy if there is to be no compiler; which one compiles is not set here."""
    _ours.linker = "" if command else "interpret"


def _rules(name: str) -> tuple[Callable[[], Any], Callable[[Any], None]]:
    """Return how names of rules are read and set; symtheano's option has those that it knows."""
    kept = [""]

    def put(value: str) -> None:
        from symtheano.rewrites.library import all_rules, tags

        kept[0] = value
        known = {name for rule in all_rules() for name in (rule.name, *tags(rule))}
        setattr(_ours, name, ":".join(rule for rule in value.split(":") if rule in known))

    return lambda: kept[0], put


def _directory() -> str:
    from symtheano.codegen.native.directory import cache_directory

    return _ours.cache_dir or str(cache_directory())


class _Mode(ConfigParam):
    """The flag ``mode``, a name or a mode itself."""

    def __init__(self) -> None:
        super().__init__("Mode", self._known)
        self.object: Any = None

    def read(self) -> Any:
        return self._shown() if self.object is None else self.object

    def _shown(self) -> str:
        named = _ours.mode
        return "Mode" if named == "FAST_RUN" and self.is_default else named

    def write(self, value: Any) -> None:
        value = self.checked(value)
        self.object = None if isinstance(value, str) else value
        if isinstance(value, str):
            _ours.mode = value
        self.is_default = False

    @staticmethod
    def _known(value: Any) -> Any:
        names = ("Mode", "DebugMode", "FAST_RUN", "NanGuardMode", "FAST_COMPILE", "DEBUG_MODE")
        if value in names or isinstance(value, symtheano.Mode):
            return value
        raise ValueError(f"must be one of {', '.join(names)}, or a Mode")


_MEANINGS: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    **{
        name: _option(name)
        for name in (
            "floatX", "cast_policy", "on_unused_input", "compute_test_value", "deterministic",
            "profile",
        )
    },
    "linker": (lambda: _ours.linker or "cvm", _set_linker),
    "optimizer": (lambda: _ours.optimizer or "o4", _option("optimizer")[1]),
    "optimizer_including": _rules("optimizer_including"),
    "optimizer_excluding": _rules("optimizer_excluding"),
    "device": (lambda: _ours.device, _set_device),
    "base_compiledir": (_directory, _option("cache_dir")[1]),
    "cxx": (_compiler, _set_compiler),
}  # fmt: skip


def _define() -> None:
    kinds: list[tuple[str, Callable[[str], ConfigParam]]] = [
        (_BOOLEANS, BoolParam),
        (_INTEGERS, IntParam),
        (_FLOATS, FloatParam),
        (_TEXTS, StrParam),
        (_CHOICES, lambda choices: EnumStr(*choices.split("|"))),
    ]
    flags = {name: make(value) for rows, make in kinds for name, value in _pairs(rows)}
    flags["linker"] = EnumStr("cvm", "c|py", "py", "c", "c|py_nogc", "vm", "vm_nogc", "cvm_nogc")
    flags["floatX"] = EnumStr("float64", "float32", "float16", convert=_short_dtype)
    flags["device"] = StrParam("cpu", allow_override=False)
    flags["cxx"] = StrParam("cc")
    flags["mode"] = _Mode()
    flags["compiledir_format"] = StrParam("compiledir_%(platform)s")
    flags["base_compiledir"] = StrParam(_directory, allow_override=False)
    flags["compiledir"] = StrParam(lambda: config.base_compiledir, allow_override=False)
    flags["gpuarray.cache_path"] = StrParam(
        lambda: os.path.join(config.compiledir, "gpuarray_kernels"), allow_override=False
    )
    for name, flag in flags.items():
        flag.meaning = _MEANINGS.get(name)
        AddConfigVar(name, "", flag, in_c_key=name in ("floatX", "check_input"))


def _short_dtype(value: Any) -> Any:
    return {"32": "float32", "64": "float64", "16": "float16"}.get(str(value), value)


_define()
_ours.theano_semantics = True


def local_bitwidth() -> int:
    """Return the number of bits of a pointer."""
    return struct.calcsize("P") * 8


def python_int_bitwidth() -> int:
    """Return the number of bits of NumPy's default integers."""
    return np.dtype(int).itemsize * 8
