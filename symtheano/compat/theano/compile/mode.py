"""Modes: linkers and optimizers, by Theano's names."""

from __future__ import annotations

from typing import Any


from symtheano.config import LINKERS, OPTIMIZERS
from symtheano.function.modes import LATE, Mode as _Mode, get_mode as _get_mode
from symtheano.rewrites.library import all_rules, tags as tags_of_rule
from symtheano.rewrites.rule import Rule

from .. import gof
from ..configdefaults import config
from .registry import (
    AddDestroyHandler as AddDestroyHandler,
    AddFeatureOptimizer as AddFeatureOptimizer,
    PrintCurrentFunctionGraph as PrintCurrentFunctionGraph,
    local_useless as local_useless,
    optdb as optdb,
    rule_of,
)

predefined_linkers: dict[Any, Any] = {
    "py": gof.PerformLinker(),
    "c": gof.CLinker(),
    "c|py": gof.OpWiseCLinker(),
    "c|py_nogc": gof.OpWiseCLinker(allow_gc=False),
    "vm": gof.vm.VM_Linker(),
    "cvm": gof.vm.VM_Linker(use_cloop=True),
    "vm_nogc": gof.vm.VM_Linker(allow_gc=False),
    "cvm_nogc": gof.vm.VM_Linker(allow_gc=False, use_cloop=True),
}


def register_linker(name: str, linker: Any) -> None:
    """Let modes have a linker by a name."""
    if name in predefined_linkers:
        raise ValueError(f"Linker name already taken: {name}")
    predefined_linkers[name] = linker


def _named(name: str, query: gof.Query) -> gof.Query:
    query.name = name
    return query


OPT_NONE = _named("OPT_NONE", gof.Query(include=[]))
OPT_MERGE = _named("OPT_MERGE", gof.Query(include=["merge"]))
OPT_FAST_RUN = _named("OPT_FAST_RUN", gof.Query(include=["fast_run"]))
OPT_FAST_RUN_STABLE = _named("OPT_FAST_RUN_STABLE", OPT_FAST_RUN.requiring("stable"))
OPT_FAST_COMPILE = _named(
    "OPT_FAST_COMPILE", gof.Query(include=["fast_compile", "fast_compile_gpu"])
)
OPT_STABILIZE = _named("OPT_STABILIZE", gof.Query(include=["fast_run"], position_cutoff=1.5000001))
OPT_O2 = _named("OPT_O2", OPT_FAST_COMPILE.including("fusion"))
OPT_O3 = _named("OPT_O3", OPT_FAST_RUN.excluding("inplace"))
OPT_UNSAFE = _named("OPT_UNSAFE", OPT_O3.including("unsafe"))

predefined_optimizers: dict[Any, Any] = {
    None: OPT_NONE,
    "None": OPT_NONE,
    "none": OPT_NONE,
    "merge": OPT_MERGE,
    "o4": OPT_FAST_RUN,
    "o3": OPT_O3,
    "o2": OPT_O2,
    "o1": OPT_FAST_COMPILE,
    "unsafe": OPT_UNSAFE,
    "fast_compile": OPT_FAST_COMPILE,
    "fast_run": OPT_FAST_RUN,
    "fast_run_stable": OPT_FAST_RUN_STABLE,
    "stabilize": OPT_STABILIZE,
}


def register_optimizer(name: str, opt: Any) -> None:
    """Let modes have an optimizer, or a query, by a name."""
    if name in predefined_optimizers:
        raise ValueError(f"Optimizer name already taken: {name}")
    predefined_optimizers[name] = opt


RULES_OF_THEANO: dict[str, tuple[str, ...]] = {
    "BlasOpt": ("blas",),
    "local_dot_to_dot22": ("blas",),
    "local_gemm": ("blas",),
    "scan_opt": ("loops",),
    "scan": ("loops",),
    "scan_eqopt1": ("loops",),
    "scan_eqopt2": ("loops",),
    "scanOp_pushout_nonseqs_ops": ("scan_motion",),
    "scanOp_pushout_seqs_ops": ("scan_motion",),
    "scanOp_pushout_output": ("scan_motion",),
    "scanOp_merge": ("scan_merge",),
    "scan_merge": ("scan_merge",),
    "local_log1p": ("log_of_one_plus",),
    "local_abs_merge": ("signs",),
    "local_mul_canonizer": ("algebra", "quotients"),
    "local_add_canonizer": ("algebra",),
}
"""Names of Theano's optimizers, and the names or tags of our rules that do what they do."""


def _own_names(names: tuple[str, ...]) -> list[str]:
    """Return names and tags of our rules for names of Theano's, or of ours; others mean nothing."""
    meant = [own for name in names for own in RULES_OF_THEANO.get(name, (name,))]
    rules = all_rules()
    known = {name for rule in rules for name in (rule.name, *tags_of_rule(rule))}
    return [name for name in meant if name in known]


class TheanosNames:
    """Modes of symtheano whose rules may be chosen by names of Theano's optimizers."""

    def including(self, *names: str) -> Any:
        """Return this mode with rules added, by names or tags; unknown ones mean nothing."""
        return super().including(*_own_names(names))

    def excluding(self, *names: str) -> Any:
        """Return this mode without some rules; unknown names mean nothing."""
        return super().excluding(*_own_names(names))


class Mode(_Mode):
    """How a function is optimized and run.

    Parameters
    ----------
    linker
        A linker, or its name; by default the flag ``linker``.
    optimizer
        A :class:`Query`, an optimizer that is then the only one, or the name of one of these; by
        default the flag ``optimizer``.
    included, excluded
        Names or tags of symtheano's rules to add or to remove.
    query
        Which optimizers of the program there are, if ``optimizer`` does not tell.

    Attributes
    ----------
    query
        Which optimizers of the program there are.
    """

    query: gof.Query

    def __init__(
        self,
        linker: Any = None,
        optimizer: Any = "default",
        included: Any = (),
        excluded: Any = (),
        query: Any = None,
    ) -> None:
        given_linker = config.linker if linker is None else linker
        given = (
            config.optimizer if isinstance(optimizer, str) and optimizer == "default" else optimizer
        )
        found = predefined_optimizers.get(given, given) if _is_name(given) else given
        own = query if query is not None else found if isinstance(found, gof.Query) else OPT_NONE
        only = found if isinstance(found, gof.Optimizer) else None
        super().__init__(
            _linker_name(given_linker), _optimizer_name(given, own), included, excluded
        )
        for name, value in (
            ("query", own),
            ("only", only),
            ("provided_linker", given_linker),
            ("provided_optimizer", found if isinstance(found, gof.Query) else given),
        ):
            object.__setattr__(self, name, value)

    def program_rules(self) -> list[Rule]:
        """Return the rules that the program has added for this mode, in order."""
        only = self.__dict__["only"]
        if only is not None:
            return [rule_of(only, 0.0)]
        return super().program_rules()

    def _changed(self, query: gof.Query, included: Any = (), excluded: Any = ()) -> Mode:
        """Return this mode with another query, and other rules of ours."""
        if self.__dict__["only"] is not None:
            raise TypeError(f"{self}: an optimizer has no tags; give a Query to choose by tags")
        kept = [name for name in self.included if name not in excluded]
        removed = [name for name in self.excluded if name not in included]
        return type(self)(
            self.provided_linker, self.optimizer, (*kept, *included), (*removed, *excluded), query
        )

    def including(self, *tags: str) -> Mode:
        """Return this mode with optimizers added, by names or tags; unknown ones mean nothing."""
        return self._changed(self.query.including(*tags), included=_own_names(tags))

    def excluding(self, *tags: str) -> Mode:
        """Return this mode without some optimizers; unknown names mean nothing."""
        return self._changed(self.query.excluding(*tags), excluded=_own_names(tags))

    def requiring(self, *tags: str) -> Mode:
        """Return this mode with those optimizers of the program that have all of these tags."""
        return self._changed(self.query.requiring(*tags))

    def register(self, *optimizations: tuple[Any, float]) -> Mode:
        """Return this mode with pairs (optimizer, position)."""
        return self._changed(self.query.register(*optimizations))

    def clone(self, link_kwargs: Any = None, optimizer: Any = "", **kwargs: Any) -> Mode:
        """Return a copy, perhaps with another optimizer."""
        if isinstance(optimizer, str) and optimizer == "":
            only = self.__dict__["only"]
            return type(self)(
                self.provided_linker,
                self.optimizer if only is None else only,
                self.included,
                self.excluded,
                self.query,
            )
        return type(self)(self.provided_linker, optimizer)

    def get_linker_optimizer(self, linker: Any, optimizer: Any) -> tuple[Any, Any]:
        """Return a linker and an optimizer, given themselves or their names."""
        return (
            predefined_linkers.get(linker, linker) if _is_name(linker) else linker,
            predefined_optimizers.get(optimizer, optimizer) if _is_name(optimizer) else optimizer,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        only = self.__dict__["only"]
        optimizer = self.optimizer if only is None else only
        return _restored, (
            type(self), self.linker, optimizer, self.included, self.excluded, self.query,
        )  # fmt: skip

    def __str__(self) -> str:
        return (
            f"{type(self).__name__}(linker = {self.provided_linker}, "
            f"optimizer = {self.provided_optimizer})"
        )


def _restored(cls: Any, *arguments: Any) -> Any:
    """Return a mode from a pickle."""
    return cls(*arguments)


def _is_name(thing: Any) -> bool:
    return thing is None or isinstance(thing, str)


def _linker_name(linker: Any) -> str:
    """Return symtheano's name of a linker."""
    if isinstance(linker, str):
        found = predefined_linkers.get(linker)
        if found is not None:
            return LINKERS[found.name]
        return LINKERS.get(linker, linker)
    name: str | None = getattr(linker, "name", None)
    if name not in LINKERS:
        raise TypeError(f"Mode: {linker!r} is not a linker")
    return LINKERS[name]


def _optimizer_name(given: Any, query: gof.Query) -> str:
    """Return the optimizer of symtheano that has the rules which a query would choose in Theano."""
    if _is_name(given) and (given is None or given in OPTIMIZERS):
        return "none" if given is None else OPTIMIZERS[given]
    if not isinstance(given, gof.Query) and given in predefined_optimizers:
        given = predefined_optimizers[given]
    if isinstance(given, gof.Query):
        wanted = set(given.include)
        if "fast_run" in wanted:
            return "fast_run"
        return "fast_compile" if "fast_compile" in wanted else "none"
    if isinstance(given, gof.Optimizer):
        return "none"
    raise ValueError(f"Mode: {given!r} is not an optimizer")


FAST_COMPILE = Mode("cvm", "fast_compile")
FAST_RUN = Mode("cvm", "fast_run")
predefined_modes: dict[str, Any] = {"FAST_COMPILE": FAST_COMPILE, "FAST_RUN": FAST_RUN}


def get_mode(orig_string: Any = None) -> Any:
    """Return a mode, given its name or itself; by default that of the flag ``mode``."""
    name = config.mode if orig_string is None else orig_string
    if not isinstance(name, str):
        return name
    if name == "Mode":
        mode: Any = Mode()
    elif name in predefined_modes:
        mode = predefined_modes[name]
    else:
        mode = _get_mode(name)
    if orig_string is None and isinstance(mode, Mode):
        for method, names in (
            ("excluding", config.optimizer_excluding),
            ("including", config.optimizer_including),
            ("requiring", config.optimizer_requiring),
        ):
            if names:
                mode = getattr(mode, method)(*names.split(":"))
    return mode


def get_default_mode() -> Any:
    """Return the mode of the flag ``mode``."""
    return get_mode(None)


def register_mode(name: str, mode: Any) -> None:
    """Let functions have a mode by a name."""
    if name in predefined_modes:
        raise ValueError(f"Mode name already taken: {name}")
    predefined_modes[name] = mode
    LATE[name] = lambda: mode
