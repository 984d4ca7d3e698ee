"""A third target, for tests: Python text. It shows what a target has to say, and what it need not.

A target is a :class:`~symtheano.codegen.targets.Target`, the passes over kernels that suit it (none
here), a printer of statements, and the routines that it has. Nothing else in the compiler knows it.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from symtheano.codegen.lower import lower
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import (
    Alias,
    Allocate,
    Assign,
    Buffer,
    Call,
    Check,
    Choose,
    Comment,
    Declare,
    Expression,
    For,
    Function,
    If,
    Index,
    Leave,
    Let,
    LetIndex,
    Literal,
    Load,
    Measure,
    Partition,
    Program,
    PythonCall,
    Reserve,
    Run,
    Statement,
    Store,
    Swap,
    Value,
    While,
)
from symtheano.loopir.dialect import ADVICE, Dialect
from symtheano.loopir.memory import STACK
from symtheano.loopir.operands import Address
from symtheano.scalar.table import scalar_op

WHOLE = tuple(p for p in CPU.program_passes if p.__name__ not in ("inline", "pieces"))
PLAIN = Dialect(statements=Dialect().statements - {PythonCall})
OWN = {name: CPU.routines[name] for name in ("copy", "zero")}
PYTHON = replace(
    CPU, dialect=PLAIN, routines=OWN, passes=(), legalizations=(), program_passes=WHOLE
)
Lines = Iterator[str]


def spell(name: str) -> str:
    """Return a name that is none of Python's words."""
    return f"{name}_" if keyword.iskeyword(name) else name


def index(item: Index) -> str:
    """Return a polynomial as Python text; names of integers hold NumPy's."""
    terms = ["*".join([*map(spell, names), str(factor)]) for names, factor in item.terms]
    return " + ".join(terms) or "0"


def text(item: Value | Literal | Index | Expression | Address | bool) -> str:
    """Return an operand as Python text."""
    if isinstance(item, Literal):
        return f"number({item.value!r}, {item.dtype!r})"
    if isinstance(item, Index):
        return f"np.int64({index(item)})"
    if isinstance(item, Expression):
        return f"apply({', '.join([repr(item.op), repr(item.dtype), *map(text, item.arguments)])})"
    if isinstance(item, Address):
        return f"{spell(item.buffer.name)}[{index(item.offset)}:]"
    return repr(item) if isinstance(item, bool) else spell(item.name)


def block(statements: Sequence[Statement]) -> Lines:
    """Yield the lines of a block, which is never empty."""
    lines = [line for s in statements if type(s) not in ADVICE for line in WRITERS[type(s)](s)]
    for line in lines or ["pass"]:
        yield f"    {line}"


def let(s: Let) -> Lines:
    parts = ", ".join([repr(s.op), repr(s.target.dtype), *map(text, s.arguments)])
    yield f"{spell(s.target.name)} = apply({parts})"


def load(s: Load) -> Lines:
    yield (
        f"{spell(s.target.name)} = "
        f"load({spell(s.buffer.name)}, {index(s.index)}, {s.target.dtype!r})"
    )


def loop(s: For) -> Lines:
    bounds = f"{index(s.start)}, {index(s.stop)}, {s.step}"
    yield f"for {spell(s.index.name)} in map(np.int64, range({bounds})):"
    yield from block(s.body)


def while_loop(s: While) -> Lines:
    yield "while True:"
    yield from block(s.test)
    yield f"    if not {text(s.condition)}: break"
    yield from block(s.body)


def branch(s: If) -> Lines:
    yield f"if {text(s.condition)}:"
    yield from block(s.then)
    yield "else:"
    yield from block(s.otherwise)


def partition(s: Partition) -> Lines:
    given = f"{index(s.length)}, {index(s.unit)}, {s.least}, {s.most}"
    yield f"{spell(s.rows.name)}, {spell(s.count.name)} = partition({given})"


def allocate(s: Allocate) -> Lines:
    yield f"{spell(s.buffer.name)} = np.empty({index(s.buffer.size)}, {s.buffer.dtype!r})"


def choose(s: Choose) -> Lines:
    either = f"{text(s.first)} if {text(s.condition)} else {text(s.second)}"
    yield f"{spell(s.buffer.name)} = {either}"


def swap(s: Swap) -> Lines:
    first, second = spell(s.first.name), spell(s.second.name)
    yield f"{first}, {second} = {second}, {first}"


def check(s: Check) -> Lines:
    yield f"require({text(s.condition)}, {s.code!r}, {s.site})"


def run(s: Run) -> Lines:
    arguments = [spell(item.name) for item in s.arguments]
    if s.threads is not None:
        count = f"np.int64(-(-({index(s.threads.length)}) // {s.threads.step}))"
        arguments[:0] = ["np.int64(0)", count, "np.int64(0)"]
    results = "".join(f"{spell(value.name)}, " for value in s.results)
    yield f"{results or '_'} = {s.function}({', '.join(arguments)})".replace(",  =", ", =")


def call(s: Call) -> Lines:
    arguments = ", ".join(text(item) for item in s.arguments if not isinstance(item, tuple))
    yield f"ROUTINES[{s.routine.name!r}]({arguments})"


def one(write: Callable[[Any], str]) -> Callable[[Any], Lines]:
    """Return a writer of one line."""
    return lambda s: iter([write(s)])


WRITERS: dict[type, Callable[[Any], Lines]] = {
    Let: let,
    Load: load,
    For: loop,
    While: while_loop,
    If: branch,
    Partition: partition,
    Allocate: allocate,
    Choose: choose,
    Swap: swap,
    Check: check,
    Run: run,
    Call: call,
    Comment: one(lambda s: f"# {' '.join(s.text.split())}"),
    LetIndex: one(lambda s: f"{spell(s.target.name)} = np.int64({index(s.index)})"),
    Store: one(lambda s: f"{spell(s.buffer.name)}[{index(s.index)}] = {text(s.value)}"),
    Declare: one(lambda s: f"{spell(s.target.name)} = {text(s.initial)}"),
    Assign: one(lambda s: f"{spell(s.target.name)} = {text(s.value)}"),
    Leave: one(lambda s: f"if {text(s.condition)}: break"),
    Alias: one(lambda s: f"{spell(s.buffer.name)} = {text(s.address)}"),
    Measure: one(lambda s: f"{spell(s.target.name)} = np.int64(0)"),
}


def memory(buffer: Buffer) -> str:
    """Return the definition of memory on the stack."""
    return f"    {spell(buffer.name)} = np.zeros({index(buffer.size)}, {buffer.dtype!r})"


def function_text(function: Function) -> Lines:
    """Yield the lines of a function."""
    names = [spell(item.name) for item in (*function.range, *function.parameters)]
    yield f"def {function.name}({', '.join(names)}):"
    yield from stack(function.body, {item.name for item in function.parameters})
    yield from block(function.body)
    yield f"    return [{', '.join(spell(value.name) for value in function.results)}]"


def stack(statements: Sequence[Statement], known: set[str]) -> Lines:
    """Yield the definitions of the memory on the stack that statements use."""
    from symtheano.loopir.names import uses

    for buffer in uses(statements).buffers:
        if buffer.memory is STACK and buffer.name not in known:
            yield memory(buffer)


def entry(program: Program) -> Lines:
    """Yield the lines of the entry point, which takes and returns arrays."""
    yield f"def {spell(program.name)}(inputs):"
    for number, (buffer, dims) in enumerate(zip(program.inputs, program.input_dims, strict=True)):
        yield f"    {spell(buffer.name)} = inputs[{number}].reshape(-1)"
        for axis, name in enumerate(dims):
            if name:
                yield f"    {spell(name)} = np.int64(inputs[{number}].shape[{axis}])"
    yield from map(memory, program.stack)
    yield from stack(program.body, {buffer.name for buffer in program.stack})
    opened = next((k for k, s in enumerate(program.body) if isinstance(s, Reserve)), 0)
    yield from block(program.body[:opened])
    for number, slot in enumerate(program.arena):
        yield f"    slot_{number} = np.zeros(max({index(slot.size)}, 0), 'uint8')"
        for buffer in slot.buffers:
            size = f"({index(buffer.size)})*{np.dtype(buffer.dtype).itemsize}"
            yield f"    {spell(buffer.name)} = slot_{number}[:{size}].view({buffer.dtype!r})"
    yield from block([s for s in program.body[opened:] if not isinstance(s, Reserve)])
    outputs = ", ".join(spell(buffer.name) for buffer in program.outputs)
    yield f"    return [{outputs}]"


def print_python(program: Program) -> str:
    """Return a program as Python text."""
    tables = [
        f"{buffer.name} = np.array({[np.asarray(v).item() for v in values]!r}, {buffer.dtype!r})"
        for buffer, values in program.constants
    ]
    functions = [line for function in program.functions for line in function_text(function)]
    return "\n".join([*tables, *functions, *entry(program)]) + "\n"


# -- what the text calls ---------------------------------------------------------------------------


def apply(op: str, dtype: str, *operands: Any) -> Any:
    with np.errstate(all="ignore"):
        made = operands[0] if op == "cast" else scalar_op(op).numpy(*operands)
        return np.asarray(made).astype(dtype)[()]


def number(value: Any, dtype: str) -> Any:
    return np.asarray(value).astype(dtype)[()]


def load_element(array: Any, position: int, dtype: str) -> Any:
    assert 0 <= position < array.size
    return array[position].astype(dtype)


def partitioned(length: int, unit: int, least: int, most: int) -> tuple[Any, Any]:
    rows = max(-(-least // max(unit, 1)), -(-length // most), 1)
    return np.int64(rows), np.int64(-(-length // rows))


def require(condition: bool, code: str, site: int) -> None:
    if not condition:
        raise ValueError(f"{code} error {site}")


def copy(target: Any, source: Any, count: int) -> None:
    target[:count] = source[:count]


def zero(target: Any, count: int) -> None:
    target[:count] = 0


ROUTINES: dict[str, Callable[..., None]] = {"copy": copy, "zero": zero}


def compile_python(final: Any, donors: Any) -> tuple[str, Callable[..., Any]]:
    """Return a graph's Python text, and the function that it defines."""
    program = lower(final, donors, target=PYTHON).program
    for lack in PYTHON.dialect.lacks(program):
        raise NotImplementedError(f"this target has no text for {lack}")
    source = print_python(program)
    names = {"np": np, "apply": apply, "number": number, "load": load_element,
             "partition": partitioned, "require": require, "ROUTINES": ROUTINES, "inf": np.inf,
             "nan": np.nan}  # fmt: skip
    exec(compile(source, "<python target>", "exec"), names)
    return source, names[spell(program.name)]
