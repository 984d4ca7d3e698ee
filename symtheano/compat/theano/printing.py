"""``theano.printing``: formulas as Theano writes them, with printers that programs can add."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from hashlib import sha256
from typing import Any

import numpy as np

from symtheano import Function, Op, Variable
from symtheano.graph.walk import toposort as _toposort
from symtheano.printing import Print, debugprint as _debugprint, pydotprint
from symtheano.printing.pp import pp as _our_formula
from symtheano.tensor import (
    Alloc,
    CAReduce,
    DimShuffle,
    Dot,
    Elemwise,
    IncSubtensor,
    Join,
    Subtensor,
)
from symtheano.tensor.variable import TensorConstant

pydot_imported = False
pydot_imported_msg = "pydot is not needed: pydotprint writes Graphviz's format itself"
VALID_ASSOC = {"left", "right", "either"}
use_ascii = True
special = {"middle_dot": "\\dot", "big_sigma": "\\Sigma"}
greek = {name: f"\\{name}" for name in ("alpha", "beta", "gamma", "delta", "epsilon")}


def debugprint(
    obj: Any,
    depth: int = -1,
    print_type: bool = False,
    file: Any = None,
    ids: str = "CHAR",
    stop_on_name: bool = False,
    done: Any = None,
    print_storage: bool = False,
    print_clients: bool = False,
    used_ids: Any = None,
) -> str | None:
    """Print a graph as a tree; ``done``, ``print_storage`` and ``used_ids`` have no effect."""
    return _debugprint(obj, depth, print_type, file, ids, stop_on_name)


class PrinterState:
    """What printers know of each other: the printer of all, and what has been printed."""

    def __init__(self, pprinter: PPrinter, **more: Any) -> None:
        self.pprinter, self.memo = pprinter, {}
        self.__dict__.update(more)

    memo: dict[Any, str]


class _Printer:
    """Base of printers: each variable is printed once."""

    def process(self, output: Any, pstate: PrinterState) -> str:
        """Return the formula of a variable."""
        if output not in pstate.memo:
            pstate.memo[output] = self.text(output, pstate)
        return pstate.memo[output]

    def text(self, output: Any, pstate: PrinterState) -> str:
        """Return the formula of a variable from those of the inputs."""
        raise NotImplementedError(f"{type(self).__name__} has no text")

    @staticmethod
    def inputs(output: Any, pstate: PrinterState) -> list[str]:
        """Return the formulas of the inputs."""
        if output.owner is None:
            raise TypeError(f"{output} is not computed, so this printer can't print it")
        return [pstate.pprinter.process(item, pstate) for item in output.owner.inputs]


class OperatorPrinter(_Printer):
    """Prints the inputs with a symbol between them, in parentheses."""

    def __init__(self, operator: str, precedence: float, assoc: str = "left") -> None:
        if assoc not in VALID_ASSOC:
            raise ValueError(f"assoc must be one of {sorted(VALID_ASSOC)}, got {assoc!r}")
        self.operator, self.precedence, self.assoc = operator, precedence, assoc

    def text(self, output: Any, pstate: PrinterState) -> str:
        inputs = self.inputs(output, pstate)
        if len(inputs) == 1:
            return f"({self.operator}{inputs[0]})"
        return f"({f' {self.operator} '.join(inputs)})"


class PatternPrinter(_Printer):
    """Prints a pattern for each output, such as ``|%(0)s|``."""

    def __init__(self, *patterns: Any) -> None:
        self.patterns = [each if isinstance(each, str) else each[0] for each in patterns]

    def text(self, output: Any, pstate: PrinterState) -> str:
        inputs = self.inputs(output, pstate)
        return self.patterns[output.index] % {str(k): text for k, text in enumerate(inputs)}


class FunctionPrinter(_Printer):
    """Prints a call of a function: one name for each output."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def text(self, output: Any, pstate: PrinterState) -> str:
        inputs = self.inputs(output, pstate)
        return f"{self.names[output.index]}({', '.join(inputs)})"


class IgnorePrinter(_Printer):
    """Prints the first input."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        return self.inputs(output, pstate)[0]


class LeafPrinter(_Printer):
    """Prints a variable that is not computed."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        return greek.get(output.name, str(output))


class DefaultPrinter(_Printer):
    """Prints an op as a function."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        if output.owner is None:
            return leaf_printer.text(output, pstate)
        inputs = self.inputs(output, pstate)
        return f"{output.owner.op}({', '.join(inputs)})"


class DimShufflePrinter(_Printer):
    """Prints axes that are only added in front like the array, and a transposition as ``.T``."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        (inner,) = self.inputs(output, pstate)
        order, ndim = output.owner.op.new_order, output.owner.inputs[0].ndim
        kept = tuple(axis for axis in order if axis != "x")
        added = len(order) - len(kept)
        if kept == tuple(range(ndim)) and order[added:] == kept:
            return inner
        if order == tuple(range(ndim))[::-1]:
            return f"{inner}.T"
        return f"DimShuffle{{{', '.join(map(str, order))}}}({inner})"


class _SumPrinter(_Printer):
    """Prints a sum over all axes as ``sum``, other reductions as functions."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        op, (x,) = output.owner.op, output.owner.inputs
        whole = op.scalar_name == "add" and len(op.axis) == x.ndim
        return (FunctionPrinter("sum") if whole else default_printer).text(output, pstate)


class _OwnPrinter(_Printer):
    """Prints an index as symtheano does."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        return _our_formula(output)


_ROWS = {
    "add": OperatorPrinter("+", -2, "either"),
    "mul": OperatorPrinter("*", -1, "either"),
    "sub": OperatorPrinter("-", -2, "left"),
    "neg": OperatorPrinter("-", 0, "either"),
    "true_div": OperatorPrinter("/", -1, "left"),
    "int_div": OperatorPrinter("//", -1, "left"),
    "pow": OperatorPrinter("**", 1, "right"),
    "mod": OperatorPrinter("%", -1, "left"),
    "abs": PatternPrinter(("|%(0)s|", -1000)),
    "identity": IgnorePrinter(),
    "second": FunctionPrinter("fill"),
    "reciprocal": FunctionPrinter("inv"),
}


class _RowPrinter(_Printer):
    """Prints elementwise ops by the name of the row."""

    def text(self, output: Any, pstate: PrinterState) -> str:
        name = output.owner.op.scalar_op.name
        if name.startswith("cast{"):
            return default_printer.text(output, pstate)
        return _ROWS.get(name, FunctionPrinter(name)).text(output, pstate)


leaf_printer, default_printer = LeafPrinter(), DefaultPrinter()


class PPrinter:
    """Prints formulas: the printer of an op, of its class, or of the first condition that fits."""

    def __init__(self) -> None:
        self.printers: list[tuple[Callable[[Any, Any], bool], Any]] = []
        self.printers_dict: dict[Any, Any] = {}

    def assign(self, condition: Any, printer: Any) -> None:
        """Use a printer for an op, a class of ops, or where a function is true."""
        if isinstance(condition, Op | type):
            self.printers_dict[condition] = printer
        else:
            self.printers.insert(0, (condition, printer))

    def _printer(self, r: Any, pstate: PrinterState) -> Any:
        op = getattr(getattr(r, "owner", None), "op", None)
        for key in (op, type(op)):
            if key in self.printers_dict:
                return self.printers_dict[key]
        return next(printer for fits, printer in self.printers if fits(pstate, r))

    def process(self, r: Any, pstate: Any = None) -> str:
        """Return the formula of a variable."""
        if not isinstance(pstate, PrinterState):
            pstate = PrinterState(pprinter=self, **(pstate or {}))
            if isinstance(r, Variable):  # inputs first, so that no graph is too deep
                for node in _toposort([r]):
                    for output in node.outputs:
                        self._printer(output, pstate).process(output, pstate)
        return self._printer(r, pstate).process(r, pstate)

    def clone(self) -> PPrinter:
        """Return a copy."""
        twin = copy(self)
        twin.printers, twin.printers_dict = list(self.printers), dict(self.printers_dict)
        return twin

    def clone_assign(self, condition: Any, printer: Any) -> PPrinter:
        """Return a copy with another printer."""
        twin = self.clone()
        twin.assign(condition, printer)
        return twin

    def process_graph(
        self, inputs: Any, outputs: Any, updates: Any = None, display_inputs: bool = False
    ) -> str:
        """Return a line for each output and update."""
        outputs = list(outputs) if isinstance(outputs, list | tuple) else [outputs]
        inputs = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
        lines = [f"inputs: {', '.join(map(str, [*inputs, *(updates or {})]))}"] * display_inputs
        lines += [f"{old} <- {self.process(new)}" for old, new in (updates or {}).items()]
        if len(outputs) == 1:
            return "\n".join([*lines, f"return {self.process(outputs[0])}"])
        names = [each.name or f"out[{number}]" for number, each in enumerate(outputs)]
        pairs = zip(names, outputs, strict=True)
        return "\n".join([*lines, *(f"{name} = {self.process(each)}" for name, each in pairs)])

    def __call__(self, *args: Any) -> str:
        if len(args) == 1 or (len(args) == 2 and isinstance(args[1], PrinterState | dict)):
            return self.process(*args)
        if len(args) > 1:
            return self.process_graph(*args)
        raise TypeError("pprint takes a variable, or inputs and outputs")


pprint = pp = PPrinter()
pprint.assign(lambda pstate, r: True, default_printer)
pprint.assign(Elemwise, _RowPrinter())
pprint.assign(DimShuffle, DimShufflePrinter())
pprint.assign(Dot, OperatorPrinter(special["middle_dot"], -1, "left"))
pprint.assign(CAReduce, _SumPrinter())
pprint.assign(Join, FunctionPrinter("join"))
pprint.assign(Alloc, FunctionPrinter("alloc"))
pprint.assign(Subtensor, _OwnPrinter())
pprint.assign(IncSubtensor, _OwnPrinter())


class _TagGenerator:
    """Letters, one after the other: A to Z, then AA and so on."""

    def __init__(self) -> None:
        self.count = 0

    def get_tag(self) -> str:
        """Return the next letters."""
        self.count += 1
        number, letters = self.count, ""
        while number:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord("A") + letter) + letters
        return letters


def min_informative_str(
    obj: Any, indent_level: int = 0, _prev_obs: Any = None, _tag_generator: Any = None
) -> str:
    """Return a tree of a variable: a tag and an op or a name in each line.

    A variable that occurs again is printed by its tag, in angle brackets.
    """
    tags: dict[Any, str] = {} if _prev_obs is None else _prev_obs
    letters = _tag_generator or _TagGenerator()
    lines, waiting = [], [(obj, indent_level)]
    while waiting:
        item, level = waiting.pop()
        if item in tags:
            lines.append(f"{' ' * level}<{tags[item]}>")
            continue
        tags[item] = letters.get_tag()
        owner = getattr(item, "owner", None)
        named = getattr(item, "name", None)
        shown = str(owner.op) if owner is not None and named is None else str(item)
        lines.append(f"{' ' * level}{tags[item]}. {shown}")
        if owner is not None and named is None:
            waiting += [(each, level + 1) for each in reversed(owner.inputs)]
    return "\n".join(lines)


def hex_digest(x: np.ndarray[Any, Any]) -> str:
    """Return a text that differs for arrays of other values, shapes, strides or dtypes."""
    own = sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
    return f"{own}|strides=[{','.join(map(str, x.strides))}]|shape={x.shape}|dtype={x.dtype}"


def position_independent_str(obj: Any) -> str:
    """Return a text of a variable that is the same in each run."""
    if isinstance(obj, Variable):
        inner = ",".join(map(str, (obj.type, obj.name)))
        return f"{'TensorConstant' if isinstance(obj, TensorConstant) else 'Variable'}({inner})"
    raise NotImplementedError(f"position_independent_str of a {type(obj).__name__}")


def var_descriptor(obj: Any, _prev_obs: Any = None, _tag_generator: Any = None) -> str:
    """Return a tree of a variable, of its op or of a list, as text with tags like XML."""
    tags: dict[int, str] = {} if _prev_obs is None else _prev_obs
    letters = _tag_generator or _TagGenerator()
    if id(obj) in tags:
        return f"<{tags[id(obj)]}>"
    tags[id(obj)] = letters.get_tag()
    if getattr(obj, "owner", None) is not None:
        children: Sequence[Any] = obj.owner.inputs
        name = str(obj.owner.op)
    else:
        children = obj if isinstance(obj, list | tuple) else ()
        name = "<ndarray>" if isinstance(obj, np.ndarray) else str(obj)
    inner = "".join(var_descriptor(each, tags, letters) for each in children)
    return f"{tags[id(obj)]}. {name}({inner})" if inner else f"{tags[id(obj)]}. {name}"
