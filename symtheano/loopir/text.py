"""The text form of LoopIR: what ``print(program)`` shows, and what golden files hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtheano.loopir.host import Announce, Interrupt, Poll, Reserve, Tick
from symtheano.loopir.index import Index
from symtheano.loopir.launch import (
    Aligned,
    AtomicAdd,
    Launch,
    LibraryCall,
    Product,
    ReadBack,
    Transfer,
)
from symtheano.loopir.nodes import (
    Alias,
    Allocate,
    Assign,
    Barrier,
    Call,
    Check,
    Choose,
    Comment,
    Declare,
    For,
    If,
    Kernel,
    Leave,
    Let,
    LetIndex,
    Load,
    Local,
    Locate,
    Measure,
    Partition,
    Prefetch,
    PythonCall,
    Reduce,
    Statement,
    Store,
    Swap,
    Update,
    While,
)
from symtheano.loopir.operands import Address, Argument, Buffer, Expression, Literal, Operand, Place
from symtheano.loopir.run import Run

_SHOWN_CONSTANTS = 8


def statements_text(statements: Sequence[Statement]) -> str:
    """Return statements as readable text, one line each and those of a body below it.

    Examples
    --------
    >>> print(statements_text([If(Literal(True, "bool"), (Comment("nothing"),))]), end="")
    if true:
      # nothing
    """
    return "".join(f"{line}\n" for line in _block(statements, ""))


def headline(statement: Statement) -> str:
    """Return the first line of a statement, without its body.

    Examples
    --------
    >>> headline(If(Literal(True, "bool"), ()))
    'if true:'
    """
    return _WRITERS[type(statement)](statement)


def _block(statements: Sequence[Statement], indent: str) -> Iterator[str]:
    for statement in statements:
        yield indent + headline(statement)
        yield from _inside(statement, indent)


def _inside(statement: Statement, indent: str) -> Iterator[str]:
    deeper = indent + "  "
    if isinstance(statement, For | Kernel):
        yield from _block(statement.body, deeper)
    elif isinstance(statement, Call) and statement.epilogue is not None:
        yield from _block([statement.epilogue], deeper)
    elif isinstance(statement, While):
        yield from _block(statement.test, deeper)
        yield f"{indent}while {_operand(statement.condition)}:"
        yield from _block(statement.body, deeper)
    elif isinstance(statement, If):
        yield from _block(statement.then, deeper)
        if statement.otherwise:
            yield f"{indent}else:"
            yield from _block(statement.otherwise, deeper)


# -- parts -----------------------------------------------------------------------------------


def buffer_text(buffer: Buffer) -> str:
    """Return name, dtype and size of a buffer, and where it is."""
    space = "" if buffer.memory.numbered else f" in {buffer.memory.name}"
    space += " of the device" if buffer.place == "device" else ""
    return f"{buffer.name} {buffer.dtype}[{buffer.size}]{space}"


def values_text(values: Sequence[object]) -> str:
    """Return the first values of a table."""
    shown = ", ".join(_number(value) for value in values[:_SHOWN_CONSTANTS])
    return shown + (", ..." if len(values) > _SHOWN_CONSTANTS else "")


def _number(value: object) -> str:
    number = value.item() if hasattr(value, "item") else value
    return str(number).lower() if isinstance(number, bool) else repr(number)


def _operand(operand: Operand) -> str:
    if isinstance(operand, Literal):
        number = _number(operand.value)
        return number if operand.dtype == "bool" else f"{number}:{operand.dtype}"
    return operand.name


def _expression(item: Operand | Index | Expression) -> str:
    if isinstance(item, Expression):
        arguments = ", ".join(map(_expression, item.arguments))
        return f"{item.op}({arguments})" + (f" : {item.dtype}" if item.op == "cast" else "")
    return str(item) if isinstance(item, Index) else _operand(item)


def _argument(argument: Argument) -> str:
    if isinstance(argument, Address):
        return f"&{argument.buffer.name}[{argument.offset}]"
    if isinstance(argument, Index):
        return str(argument)
    if isinstance(argument, tuple):
        return _shape(argument)
    return str(argument).lower() if isinstance(argument, bool) else _operand(argument)


def _shape(shape: Sequence[Index]) -> str:
    return f"({', '.join(map(str, shape))})"


def _place(origin: Place | None) -> str:
    return "" if origin is None else f"  # {origin.place}"


# -- first lines -------------------------------------------------------------------------------


def _listed(items: Sequence[object]) -> str:
    return ", ".join(map(str, items))


def _for(s: For) -> str:
    text = f"for {s.index.name} = {s.start} .. {s.stop}"
    text += f" step {s.step}" if s.step != 1 else ""
    text += f", {s.kind}" if s.kind != "serial" else ""
    text += "".join(f", {value.name} reduced by {op}" for value, op in s.reductions)
    text += f", work {s.work}" if s.work is not None else ""
    return text + (f", worker {s.worker.name}" if s.worker is not None else "") + ":"


def _call(s: Call) -> str:
    target = "" if s.target is None else f"{s.target.name} = "
    lent = "" if s.workspace is None else f" with {s.workspace.name} of {s.workspace.size} bytes"
    arguments = _listed([*map(_argument, s.arguments)])
    return f"{target}call {s.routine.name}({arguments}){lent}{_place(s.origin)}"


def _choose(s: Choose) -> str:
    either = f"{_argument(s.first)} if {_operand(s.condition)} else {_argument(s.second)}"
    return f"choose {s.buffer.name} = {either}"


def _check(s: Check) -> str:
    values = f" with {_listed(s.values)}" if s.values else ""
    words = f"{s.code} error {s.site}{values}{_place(s.origin)}"
    return f"check {_expression(s.condition)} else {words}"


def _python(s: PythonCall) -> str:
    inputs = _listed([f"{_argument(a)} of shape {_shape(shape)}" for a, shape in s.inputs])
    outputs = _listed(
        [
            f"{buffer.name} of shape ({_listed([d.name for d in dims])})"
            for buffer, dims in s.outputs
        ]
    )
    return f"python {s.number}({inputs}) -> {outputs or 'nothing'}{_place(s.origin)}"


def _kernel(s: Kernel) -> str:
    results = _listed([f"{value.name} : {value.dtype}" for value in s.results])
    title = f"  # {s.title}" if s.title else ""
    return f"kernel {s.name}{f' -> {results}' if results else ''}:{title}"


def _run(s: Run) -> str:
    names = [value.name for value in s.results] + [buffer.name for buffer in s.provides]
    results = f"{_listed(names)} = " if names else ""
    text = f"{results}run {s.function}({_listed([item.name for item in s.arguments])})"
    if s.threads is None:
        return text
    count = f"{s.threads.length}" + (f" by {s.threads.step}" if s.threads.step != 1 else "")
    work = "" if s.threads.work is None else f", work {s.threads.work}"
    return f"{text} in threads: {count} iterations in blocks of {s.threads.block}{work}"


def _product(s: Product) -> str:
    left, right = (
        f"{buffer.name}[{first}]" + ("'" if turned else "")
        for (buffer, first, _, _), turned in zip(s.matrices, (s.transa, s.transb), strict=False)
    )
    count, rows, columns, terms = s.sizes
    alpha, beta = _operand(s.alpha), _operand(s.beta)
    sizes = f"{count} of {rows} x {columns} over {terms}"
    told = "".join(f"{value.name} = " for value in s.taken)
    row = "".join(f" + {buffer.name}[{s.integers[-1]}]" for buffer in s.bias)
    total = f"{alpha}*{left}*{right} + {beta}*{s.c.name}{row}"
    rounded = ", in TF32" if s.tf32 else ""
    return f"{told}{s.c.name} = {total} by the library, {sizes}{rounded}"


def _library_call(s: LibraryCall) -> str:
    arguments = [f"{name}={value}" for name, value in s.numbers]
    arguments += [f"{name}=&{buffer.name}[{first}]" for name, buffer, first in s.addresses]
    told = "".join(f"{value.name} = " for value in s.taken)
    return f"{told}{s.function}({_listed(arguments)}) for {s.dtype} by the library"


def _launch(s: Launch) -> str:
    pairs = zip(s.lengths, s.steps, strict=True)
    blocks = " x ".join(
        f"{length}" if step == 1 else f"({length} by {step})" for length, step in pairs
    )
    arguments = _listed([item.name for item in s.arguments])
    narrow = "" if s.bound == 0 else f", with 32 bits if {s.bound} has no more"
    return f"launch {s.kernel}({arguments}) in {blocks} blocks of {s.threads} threads{narrow}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    Comment: lambda s: (
        f"# {' '.join(s.text.split())}" + ("" if s.origin is None else f" ({s.origin.place})")
    ),
    Let: lambda s: (
        f"{s.target.name} = {s.op}({_listed([*map(_operand, s.arguments)])})"
        f" : {s.target.dtype}{_place(s.origin)}"
    ),
    LetIndex: lambda s: f"{s.target.name} = {s.index}" + (f"  # {s.comment}" if s.comment else ""),
    Partition: lambda s: (
        f"{s.rows.name}, {s.count.name} = partition of {s.length} x {s.unit}:"
        f" at least {s.least} work, at most {s.most} chunks"
    ),
    Announce: lambda s: f"announce work of {s.work}",
    Poll: lambda s: f"poll after work of {s.work}{', and what took long' if s.long else ''}",
    Interrupt: lambda s: "leave if the call is to end",
    Reserve: lambda s: "reserve the workspace",
    Tick: lambda s: f"tick {s.step}",
    Load: lambda s: f"{s.target.name} = {s.buffer.name}[{s.index}] : {s.target.dtype}",
    Prefetch: lambda s: f"prefetch {s.buffer.name}[{s.index}]{' to write' if s.write else ''}",
    Store: lambda s: f"{s.buffer.name}[{s.index}] = {_operand(s.value)}",
    Declare: lambda s: f"var {s.target.name} = {_operand(s.initial)} : {s.target.dtype}",
    Assign: lambda s: f"{s.target.name} := {_expression(s.value)}{_place(s.origin)}",
    Reduce: lambda s: f"{s.target.name} {s.op}= {_operand(s.value)}{_place(s.origin)}",
    Update: lambda s: f"{s.buffer.name}[{s.index}] {s.op}= {_operand(s.value)}{_place(s.origin)}",
    Locate: lambda s: (
        f"{s.best.name}, {s.where.name} {s.op}="
        f" {_operand(s.value)}, {_operand(s.position)}{_place(s.origin)}"
    ),
    Local: lambda s: f"local {buffer_text(s.buffer)}",
    Barrier: lambda s: f"barrier of the {s.threads}",
    For: _for,
    While: lambda s: "loop:",
    Leave: lambda s: f"leave if {_expression(s.condition)}",
    If: lambda s: f"if {_operand(s.condition)}{', rare' if s.rare else ''}:",
    Call: _call,
    Measure: lambda s: (
        f"{s.target.name} = bytes of {s.routine.name}({_listed(s.integers)}) for {s.dtype}"
    ),
    Allocate: lambda s: (
        f"allocate {s.buffer.name} of shape {_shape(s.shape)}"
        + ("" if s.number is None else f" at {s.number.name}")
    ),
    Check: _check,
    Alias: lambda s: f"{s.buffer.name} = {_argument(s.address)}",
    Choose: _choose,
    Swap: lambda s: f"swap {s.first.name} and {s.second.name}",
    PythonCall: _python,
    Kernel: _kernel,
    Run: _run,
    Transfer: lambda s: (
        f"copy {s.size} elements of {s.source.name} to {s.target.name} of the {s.target.place}"
    ),
    Aligned: lambda s: f"{s.target.name} = {s.buffer.name}[{s.index}] is aligned : bool",
    AtomicAdd: lambda s: f"{s.buffer.name}[{s.index}] += {_operand(s.value)}, atomically",
    ReadBack: lambda s: (
        f"{s.target.name} = {s.buffer.name}[{s.index}] of the device : {s.target.dtype}"
    ),
    Launch: _launch,
    Product: _product,
    LibraryCall: _library_call,
}
