"""DebugMode: each call runs in all modes, and the results are compared.

For the arguments of each call, the values of the user's graph, of each rewrite step, of the
rewritten graph and of the compiled code are compared. The first difference is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from symtheano.compile.numbers import is_numeric, summarize
from symtheano.errors import NoCompilerError, SymtheanoError, format_error
from symtheano.function import function
from symtheano.function.available import warn_of_no_compiler
from symtheano.function.modes import Mode
from symtheano.function.stages import Stages
from symtheano.graph.eager import quiet
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort
from symtheano.interpret import interpret, perform
from symtheano.rewrites.rule import REGISTRY
from symtheano.rewrites.trace import RuleApplication
from symtheano.tensor.messages import label, op_name
from symtheano.tensor.type import TensorType, values_eq_approx


class DebugModeError(SymtheanoError):
    """Base class of the errors of DebugMode."""


class BadThunkOutput(DebugModeError):
    """Two computations of a node differ: NumPy and C disagree, or an op is not pure.

    Attributes
    ----------
    r
        The variable.
    val1, val2
        The two values.
    """

    def __init__(self, message: str, r: Any = None, val1: Any = None, val2: Any = None) -> None:
        super().__init__(message)
        self.r, self.val1, self.val2 = r, val1, val2


class BadOptimization(DebugModeError):
    """A rewrite rule replaced a variable by one with another value.

    Attributes
    ----------
    old_r, new_r
        The replaced variable and its replacement.
    old_r_val, new_r_val
        Their values.
    reason
        The name of the rule, for :meth:`Mode.excluding`.
    """

    def __init__(
        self,
        message: str,
        old_r: Any = None,
        new_r: Any = None,
        old_r_val: Any = None,
        new_r_val: Any = None,
        reason: str = "",
    ) -> None:
        super().__init__(message)
        self.old_r, self.new_r = old_r, new_r
        self.old_r_val, self.new_r_val, self.reason = old_r_val, new_r_val, reason


class BadDestroyMap(DebugModeError):
    """An op wrote into an input that is not in its ``destroy_map``.

    Attributes
    ----------
    node, idx
        The node, and the number of its input.
    old_val, new_val
        The input before and after.
    """

    def __init__(
        self, message: str, node: Any = None, idx: int = 0, old_val: Any = None, new_val: Any = None
    ) -> None:
        super().__init__(message)
        self.node, self.idx, self.old_val, self.new_val = node, idx, old_val, new_val


class InvalidValueError(DebugModeError):
    """With ``check_isfinite``: a node computed a number that is not finite."""


@dataclass(frozen=True, init=False)
class DebugMode(Mode):
    """Run each call in all modes, and raise an error if the results differ.

    Each call does three things. It runs each node of the user's graph twice with NumPy. It computes
    each step of the rewrite rules before and after the rule. It compares the compiled code with the
    rewritten graph; if they differ, it compiles the nodes one by one. This is slow. A call that
    fails changes no shared variable.

    Parameters
    ----------
    optimizer, linker, included, excluded
        As for :class:`Mode`; the linker is accepted and ignored.
    stability_patience
        Accepted for compatibility with Theano.
    check_c_code, check_py_code
        Whether to compare compiled code, and whether to run the nodes as they were written.
    check_isfinite
        Whether a NaN or an infinity is an error. Unlike in Theano, the default is false. To find
        the first such node, use :class:`symtheano.compile.nanguardmode.NanGuardMode`.
    check_preallocated_output, require_matching_strides
        Accepted for compatibility with Theano.

    Raises
    ------
    DebugModeError
        In a call: :class:`BadOptimization`, :class:`BadThunkOutput`, :class:`BadDestroyMap` or
        :class:`InvalidValueError`.

    Examples
    --------
    >>> from symtheano import function
    >>> x = T.vector("x")
    >>> f = function([x], T.log(1 + T.exp(x)), mode=DebugMode(check_c_code=False))
    >>> f([0.0, 1000.0])
    array([6.93147181e-01, 1.00000000e+03])
    """

    check_c_code: bool
    check_py_code: bool
    check_isfinite: bool

    def __init__(
        self,
        optimizer: str | None = "fast_run",
        stability_patience: int | None = None,
        check_c_code: bool | None = None,
        check_py_code: bool | None = None,
        check_isfinite: bool | None = None,
        check_preallocated_output: Any = None,
        require_matching_strides: Any = None,
        linker: str | None = None,
        included: Iterable[str] = (),
        excluded: Iterable[str] = (),
    ) -> None:
        super().__init__("interpret", optimizer, included, excluded)
        object.__setattr__(self, "check_c_code", check_c_code is None or bool(check_c_code))
        object.__setattr__(self, "check_py_code", check_py_code is None or bool(check_py_code))
        object.__setattr__(self, "check_isfinite", bool(check_isfinite))

    def run(self, stages: Any, values: Sequence[Any]) -> list[Any]:
        """Return the results, or raise the error of the first difference."""
        inputs = values[: len(stages.inputs)]
        if self.check_py_code:
            interpret(stages.user_graph, inputs, self._checked)
        _check_steps(stages, inputs)
        results = interpret(stages.graph, values, self._finite)
        if self.check_c_code:
            compiled = _compiled(stages, self)
            if compiled is not None:
                _check_compiled(stages, values, results, compiled)
        return results

    def _checked(self, node: Apply, values: list[Any]) -> list[Any]:
        """Run a node twice; the results must be the same, and the inputs unchanged."""
        before = [value.copy() if isinstance(value, np.ndarray) else value for value in values]
        results = perform(node, list(values))
        for number, (old, new) in enumerate(zip(before, values, strict=True)):
            if isinstance(old, np.ndarray) and not TensorType.values_eq(old, new):
                raise BadDestroyMap(
                    format_error(
                        f"{op_name(node.op)} wrote into its input {number}",
                        operands=[("before", summarize(old)), ("after", summarize(new))],
                        places=[node.origin],
                        hint=f"copy it in perform, or declare destroy_map = {{0: [{number}]}}",
                    ),
                    *(node, number, old, new),
                )
        kept = [value.copy() if isinstance(value, np.ndarray) else value for value in results]
        for output, first, second in zip(node.outputs, kept, perform(node, before), strict=True):
            if isinstance(first, np.ndarray) and not TensorType.values_eq(first, second):
                raise BadThunkOutput(
                    format_error(
                        f"{op_name(node.op)} computed twice gives two results",
                        operands=[("once", summarize(first)), ("again", summarize(second))],
                        places=[node.origin],
                        hint="perform must depend only on its inputs",
                    ),
                    *(output, first, second),
                )
        return kept

    def _finite(self, node: Apply, values: list[Any]) -> list[Any]:
        results = perform(node, values)
        for result in results if self.check_isfinite else ():
            if is_numeric(result) and not np.isfinite(result).all():
                raise InvalidValueError(
                    format_error(
                        f"{op_name(node.op)} computed a number that is not finite",
                        operands=[*_operands(node, values), ("result", summarize(result))],
                        places=[node.origin],
                    )
                )
        return results


def _operands(node: Apply, values: Sequence[Any]) -> list[tuple[str, str]]:
    return [
        (label(item), summarize(value)) for item, value in zip(node.inputs, values, strict=True)
    ]


# -- rules ---------------------------------------------------------------------------------------


def _check_steps(stages: Any, inputs: Sequence[Any]) -> None:
    """Compare variables with their replacements by rules, in the order of application."""
    storage: dict[Variable, Any] = dict(zip(stages.user_graph.inputs, inputs, strict=True))
    for step in stages.rewriter.trace.steps:
        if not isinstance(step.before.type, TensorType):
            continue
        try:
            before = _value(step.before, storage)
        except (ValueError, IndexError, MemoryError):
            continue  # what the call itself would have refused
        after = _value(step.after, storage)
        if not _agree(step, before, after):
            raise BadOptimization(
                format_error(
                    f"the rewrite rule {step.rule} ({step.phase}) changed a value",
                    operands=[
                        ("before", f"{label(step.before)}: {summarize(before)}"),
                        ("after", f"{label(step.after)}: {summarize(after)}"),
                    ],
                    places=[step.origin],
                    hint=f"a defect of that rule; Mode().excluding({step.rule!r}) leaves it out",
                ),
                *(step.before, step.after, before, after, step.rule),
            )


def _value(variable: Variable, storage: dict[Variable, Any]) -> Any:
    """Compute a variable from known values, and keep intermediate results."""
    for node in toposort([variable], storage.keys()):
        values = [i.data if isinstance(i, Constant) else storage[i] for i in node.inputs]
        storage.update(zip(node.outputs, perform(node, values), strict=True))
    return variable.data if isinstance(variable, Constant) else storage[variable]


def _agree(step: RuleApplication, before: Any, after: Any) -> bool:
    """Return whether two values agree within the tolerance of the rule's numerics class."""
    if not isinstance(before, np.ndarray):
        return True
    rule = REGISTRY.get(step.rule)
    numerics = "exact" if rule is None else rule.numerics
    if numerics in ("more accurate", "needs finite", "reassociates"):
        return values_eq_approx(before, after, allow_remove_inf=True, allow_remove_nan=True)
    return values_eq_approx(before, after)


# -- compiled code -------------------------------------------------------------------------------

_kept: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()


def _compiled(stages: Any, mode: Mode) -> Any:
    """Return the compiled form of a function, or None."""
    if stages not in _kept:
        from symtheano.codegen.runtime.load import entry_call

        rules = Mode("c", mode.optimizer, mode.included, mode.excluded)
        twin = Stages(stages.request, rules, stages.options, stages.name, origin=stages.origin)
        try:
            linked = twin.link()
        except NoCompilerError as error:
            warn_of_no_compiler(str(error))
            _kept[stages] = None
        except NotImplementedError:  # values that are not arrays
            _kept[stages] = None
        else:
            call = entry_call(linked, stages.options.threads or 1, twin.error)
            donors = {k for _, _, k in linked.record.outputs if k is not None}
            _kept[stages] = call, linked.record.constant_arrays(), donors
    return _kept[stages]


def _check_compiled(
    stages: Any, values: Sequence[Any], results: Sequence[Any], compiled: Any
) -> None:
    call, constants, donors = compiled
    arguments = [*values[: len(stages.inputs)], *constants]
    copies = [
        np.array(value, order="C") if k in donors else value for k, value in enumerate(arguments)
    ]
    computed = call(copies)
    for output, wanted, got in zip(stages.graph.outputs, results, computed, strict=False):
        if values_eq_approx(wanted, got):
            continue
        _check_nodes(stages.graph, values)
        raise _differ(
            f"the compiled function computes another {label(output)} than NumPy, though each node "
            "alone agrees",
            *(output, wanted, got),
        )


def _check_nodes(graph: Any, values: Sequence[Any]) -> None:
    """Compile each node separately, run it on its values, and compare with NumPy."""

    def compared(node: Apply, operands: list[Any]) -> list[Any]:
        results = perform(node, operands)
        varying = [k for k, item in enumerate(node.inputs) if not isinstance(item, Constant)]
        inputs = [item.clone() if k in varying else item for k, item in enumerate(node.inputs)]
        with quiet():
            outputs = node.clone_with_new_inputs(inputs).outputs
        free = [inputs[k] for k in varying]
        alone = function(free, list(outputs), mode=Mode("c", None), on_unused_input="ignore")
        for output, wanted, got in zip(
            node.outputs, results, alone(*(operands[k] for k in varying)), strict=True
        ):
            if not values_eq_approx(wanted, got):
                raise _differ(
                    f"{op_name(node.op)} computes another result in C than with NumPy",
                    *(output, wanted, got),
                    operands=_operands(node, operands),
                )
        return results

    interpret(graph, values, compared)


def _differ(
    what: str, variable: Any, by_numpy: Any, by_c: Any, operands: Sequence[tuple[str, str]] = ()
) -> BadThunkOutput:
    shown = [*operands, ("with NumPy", summarize(by_numpy)), ("in C", summarize(by_c))]
    return BadThunkOutput(
        format_error(what, operands=shown, places=[variable.origin]), variable, by_numpy, by_c
    )
