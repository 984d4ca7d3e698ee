"""Functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.errors import InconsistencyError, UnusedInputError as UnusedInputError
from symtheano.function.compiled import Function as Function
from symtheano.function.request import In as In, Out
from symtheano.graph.variable import Variable

from ..gof.fg import FunctionGraph
from ..gof.graph import view_roots
from .function import function
from .ops import deep_copy_op as deep_copy_op

SymbolicInput, SymbolicOutput = In, Out


class AliasedMemoryError(Exception):
    """Arguments share memory; it is not raised, since functions never write into arguments."""


class Supervisor:
    """A feature of graphs: some inputs must not be overwritten."""

    def __init__(self, protected: Sequence[Variable]) -> None:
        self.protected = list(protected)

    def validate(self, fgraph: Any) -> bool:
        """Raise an error if one is."""
        if hasattr(fgraph, "destroyers"):
            for item in self.protected:
                if fgraph.destroyers(item):
                    raise InconsistencyError(f"Trying to destroy a protected Variable. {item}")
        return True


class FunctionMaker:
    """What makes a function from the specifications of its inputs and outputs.

    Parameters
    ----------
    inputs, outputs
        Variables, or :class:`In` and :class:`Out`.
    mode, accept_inplace, profile, on_unused_input, name
        As for ``theano.function``.
    """

    def __init__(
        self,
        inputs: Any,
        outputs: Any,
        mode: Any = None,
        accept_inplace: bool = False,
        function_builder: Any = None,
        profile: Any = None,
        on_unused_input: Any = None,
        fgraph: Any = None,
        output_keys: Any = None,
        name: str | None = None,
    ) -> None:
        keys = None if output_keys is None else dict(zip(output_keys, outputs, strict=True))
        self.inputs, self.outputs = inputs, outputs if keys is None else keys
        self.mode, self.name = mode, name
        self._options = {
            "profile": profile,
            "on_unused_input": on_unused_input,
            "accept_inplace": accept_inplace,
        }

    def create(
        self, input_storage: Any = None, trustme: bool = False, storage_map: Any = None
    ) -> Any:
        """Return a function; ``input_storage`` has default values of the inputs, or their cells."""
        inputs = [convert_function_input(item) for item in self.inputs]
        for item, value in zip(inputs, input_storage or (), strict=False):
            if value is not None:
                item.value = value[0] if isinstance(value, list) else value
        return function(inputs, self.outputs, mode=self.mode, name=self.name, **self._options)


def orig_function(
    inputs: Any,
    outputs: Any,
    mode: Any = None,
    accept_inplace: bool = False,
    name: str | None = None,
    profile: Any = None,
    on_unused_input: Any = None,
    output_keys: Any = None,
) -> Any:
    """Return a function; see :class:`FunctionMaker`."""
    maker = FunctionMaker(
        inputs, outputs, mode, accept_inplace, profile=profile, name=name,
        on_unused_input=on_unused_input, output_keys=output_keys,
    )  # fmt: skip
    return maker.create()


def convert_function_input(input: Any) -> Any:
    """Return an :class:`In`, given itself, a variable, its name and itself, or a pair with a value.

    Raises
    ------
    TypeError
        If it is none of these.
    """
    if isinstance(input, In):
        return input
    if isinstance(input, Variable):
        return In(input)
    if not isinstance(input, list | tuple) or not input:
        raise TypeError(f"Unknown input type: {type(input)}, expected Variable instance", input)
    name = input[0] if isinstance(input[0], str) else None
    first, *rest = input[1:] if name is not None else input
    if isinstance(first, list | tuple):
        variable, update = first
        return In(variable, name=name, value=rest[0], update=update)
    if len(rest) > 1:
        raise TypeError(f"Invalid input syntax: {input}")
    return In(first, name=name, value=rest[0] if rest else None)


_checkers: list[Callable[[Any, Any], bool]] = []


def check_equal(x: Any, y: Any) -> bool:
    """Return whether two values are equal, as checkers of the program or NumPy say."""
    for checker in _checkers:
        try:
            return checker(x, y)
        except Exception:  # noqa: PERF203 - a checker refuses values in any way
            continue
    return bool(np.all(x == y))


def register_checker(checker: Callable[[Any, Any], bool]) -> None:
    """Let :func:`check_equal` use a function first."""
    _checkers.insert(0, checker)


def alias_root(v: Variable) -> Variable:
    """Return the variable whose memory a variable may share."""
    return view_roots(v)[0]


def fgraph_updated_vars(fgraph: FunctionGraph, expanded_inputs: Sequence[Any]) -> dict[Any, Any]:
    """Return the new values of inputs, which are the last outputs of a graph."""
    updated = [item for item in expanded_inputs if getattr(item, "update", None) is not None]
    last = fgraph.outputs[len(fgraph.outputs) - len(updated) :]
    inputs = dict(zip(expanded_inputs, fgraph.inputs, strict=False))
    return {inputs[item]: new for item, new in zip(updated, last, strict=True)}


def infer_reuse_pattern(
    fgraph: FunctionGraph, outputs_to_disown: Sequence[Variable]
) -> list[Variable]:
    """Return the variables whose memory outputs may share."""
    roots = {alias_root(item) for item in outputs_to_disown}
    return [item for item in fgraph.variables if alias_root(item) in roots]


def insert_deepcopy(fgraph: Any, wrapped_inputs: Any, wrapped_outputs: Any) -> None:
    """Do nothing: outputs never share memory with other arrays."""


def get_info_on_inputs(named_inputs: Sequence[str], n_unnamed_inputs: int) -> str:
    """Return a sentence about the inputs of a function."""
    names = ", ".join(f"'{name}'" for name in named_inputs)
    return (
        f"The function has {len(named_inputs)} named input(s) ({names}), and "
        f"{n_unnamed_inputs} unnamed input(s)."
    )
