"""Commands that inspect an expression: its C, its graph, the applied rules."""

from __future__ import annotations

import re
from typing import Any

import click

import symtheano
from symtheano.cli.program import Command
from symtheano.cli.screen import print_c, print_json
from symtheano.cli.target import Target, read, target_options
from symtheano.cli.trouble import Trouble
from symtheano.function import Function
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Constant

_DEPTH = 8


@click.command("c", cls=Command)
@target_options
@click.option("--messages", is_flag=True, help="Print the C function that writes error messages.")
def c_command(place: str, as_json: bool, messages: bool, **choices: Any) -> None:
    """Print the C that computes FILE:NAME.

    The text is complete and can be compiled. The entry point is called NAME. If this name can't be
    used in C, another name is chosen and printed to stderr. Arguments after -- are passed to FILE.

    For example:
      symtheano c model.py:loss
      symtheano c model.py:loss --wrt W,b --floatX float32
      symtheano c model.py:loss -- --layers 3
    """
    with read(place, **choices) as target:
        from symtheano.codegen.native.toolchain import find_toolchain

        find_toolchain(symtheano.config.cc or None)
        function = target.compiled()
        if function.c_source is None:
            raise Trouble(f"there is no C: mode {function.mode.linker} does not use it")
        if as_json:
            texts = {"c": function.c_source, "messages": function.c_messages}
            print_json({**_signature(target, function), **texts})
            return
        if messages:
            print_c(str(function.c_messages))
            return
        print_c(function.c_source)
        entry = _entry(function.c_source)
        if entry not in (target.name, function.name):
            click.echo(f"symtheano: {target.name} is called {entry} in C", err=True)


@click.command("cuda", cls=Command)
@target_options
def cuda_command(place: str, as_json: bool, **choices: Any) -> None:
    """Print the CUDA kernels that compute FILE:NAME.

    The C of the host that launches them follows. Neither a device nor a compiler is needed.
    Arguments after -- are passed to FILE.

    For example:
      symtheano cuda model.py:loss
      symtheano cuda model.py:loss --wrt W --floatX float32
    """
    with read(place, **choices) as target:
        from symtheano.printing.cuda import cuda_text

        text = cuda_text(target.function or target.outputs)
        if as_json:
            print_json({"cuda": text})
        else:
            print_c(text)


def _entry(source: str) -> str:
    """Return the name of a C text's entry point."""
    return str(re.findall(r"^ST_EXPORT int32_t (\w+)\(", source, re.MULTILINE)[-1])


def _signature(target: Target, function: Function) -> dict[str, Any]:
    return {
        "name": target.name,
        "entry": _entry(function.c_source or ""),
        "inputs": [{"name": v.name, "type": str(v.type)} for v in function.inputs],
        "shared": [{"name": v.name, "type": str(v.type)} for v in function.shared],
        "outputs": [{"name": v.name, "type": str(v.type)} for v in function.user_graph.outputs],
    }


@click.command("graph", cls=Command)
@target_options
@click.option("--types", is_flag=True, help="Also show the types.")
@click.option("--schedule", is_flag=True, help="Print the schedule and the memory instead.")
@click.option("--why", is_flag=True, help="With --schedule: also why nodes share loops, or not.")
def graph_command(
    place: str, as_json: bool, types: bool, schedule: bool, why: bool, **choices: Any
) -> None:
    """Print the graph of FILE:NAME before and after rewriting.

    With --schedule, print the steps in order, what each loop computes, and the memory of stored
    values. With --why as well, print which loops became one, how many bytes are not moved because
    of that, and why others did not.

    For example:
      symtheano graph model.py:loss --types
      symtheano graph model.py:loss --schedule --why
      symtheano graph model.py:loss --json | jq '.runs.nodes[].op'
    """
    if why and not schedule:
        raise click.UsageError("--why says why nodes share loops: give --schedule as well")
    with read(place, **choices) as target:
        from symtheano.printing import debugprint

        if schedule:
            from symtheano.printing.schedule import schedule_text

            click.echo(schedule_text(target.function or target.outputs, why))
            return
        written, runs, _ = target.graphs()
        if as_json:
            print_json({"written": _as_dict(written), "runs": _as_dict(runs)})
            return
        shown = target.outputs if target.function is None else written
        click.echo("As written:\n")
        click.echo(debugprint(shown, print_type=types, file="str"))
        click.echo("\nAs it runs:\n")
        click.echo(debugprint(target.function or runs, print_type=types, file="str"))


def _as_dict(graph: FunctionGraph) -> dict[str, Any]:
    """Return a graph as plain data for JSON, in which variables are numbered."""
    numbers: dict[Any, int] = {}
    variables: list[dict[str, Any]] = []

    def number(variable: Any) -> int:
        if variable not in numbers:
            numbers[variable] = len(variables)
            entry = {"id": len(variables), "kind": _kind(variable, graph), "name": variable.name}
            entry["type"] = str(variable.type)
            if isinstance(variable, Constant):
                entry["value"] = str(variable)
            variables.append(entry)
        return numbers[variable]

    inputs = [number(item) for item in graph.inputs]
    nodes = []
    for node in graph.nodes:
        origin = node.origin
        nodes.append(
            {
                "op": str(node.op),
                "inputs": [number(item) for item in node.inputs],
                "outputs": [number(item) for item in node.outputs],
                "place": None if origin is None else f"{origin.filename}:{origin.line}",
            }
        )
    outputs = [number(item) for item in graph.outputs]
    return {"inputs": inputs, "outputs": outputs, "nodes": nodes, "variables": variables}


def _kind(variable: Any, graph: FunctionGraph) -> str:
    if isinstance(variable, SharedVariable):
        return "shared"
    if isinstance(variable, Constant):
        return "constant"
    return "input" if variable in graph.inputs or variable.owner is None else "computed"


@click.command("explain", cls=Command)
@target_options
@click.option("--loops", is_flag=True, help="Print passes on loops with their reasons.")
@click.option("--program", is_flag=True, help="Print passes on the whole program.")
@click.option("--device", "--target", type=click.Choice(["cpu", "cuda"]),
              help="The device whose passes these print.")  # fmt: skip
@click.option("--show", type=click.Choice(["all", "changes", "reasons"]), default="all",
              help="What these print: all lines, those that change, or none.")  # fmt: skip
def explain_command(
    place: str,
    as_json: bool,
    loops: bool,
    program: bool,
    device: str | None,
    show: str,
    **choices: Any,
) -> None:
    """Print which rules were applied to FILE:NAME, by line.

    With --loops, print the loops of each kernel, first as they were written and then after each
    pass that changed them. Also print why each pass changed a loop or did not, and, for a device,
    what the host computes. With --program, print the whole program, first as it was written and
    then after each pass that changed it.

    For example:
      symtheano explain model.py:loss
      symtheano explain model.py:loss --wrt W
      symtheano explain model.py:loss --loops --show changes
      symtheano explain model.py:loss --loops --device cuda
    """
    if show != "all" and not loops and not program:
        raise click.UsageError("--show belongs to --loops or --program")
    if device is not None and not loops and not program:
        raise click.UsageError("--device belongs to --loops or --program")
    if program and (loops or as_json or show == "reasons"):
        raise click.UsageError("--program has no reasons, and goes with neither --loops nor --json")
    with read(place, **choices) as target:
        from symtheano.printing import explain

        shown = target.function or target.outputs
        if as_json:
            print_json(_passes(shown, device) if loops else _account(target))
            return
        text = explain(shown, file="str", loops=loops, program=program, show=show, device=device)
        click.echo(text)


def _passes(shown: Any, device: str | None) -> dict[str, Any]:
    """Return the passes on the loops of each kernel as plain data for JSON."""
    from symtheano.loopir.text import statements_text
    from symtheano.printing.loops import on_the_host, trace_of_passes

    trace = trace_of_passes(shown, device=device)
    kernels = [
        {
            "name": steps[0].kernel.name,
            "title": steps[0].kernel.title,
            "passes": [
                {
                    "name": step.name,
                    "changed": step.changed,
                    "reasons": step.reasons,
                    "loops": statements_text(step.kernel.body) if step.changed else None,
                }
                for step in steps
            ],
        }
        for steps in trace.kernels
    ]
    host = [{"name": name, "place": place} for name, place in on_the_host(trace)]
    return {"kernels": kernels, "on_the_host": host}


def _account(target: Target) -> dict[str, Any]:
    from symtheano.printing import pp

    written, runs, trace = target.graphs()
    steps = []
    for step in trace.steps:
        origin = step.origin
        steps.append(
            {
                "rule": step.rule,
                "phase": step.phase,
                "place": None if origin is None else f"{origin.filename}:{origin.line}",
                "before": pp(step.before, _DEPTH),
                "after": pp(step.after, _DEPTH),
                "cost_before": step.cost_before,
                "cost_after": step.cost_after,
            }
        )
    return {
        "written": [pp(item, _DEPTH) for item in written.outputs],
        "runs": [pp(item, _DEPTH) for item in runs.outputs],
        "steps": steps,
        "counts": dict(trace.counts()),
    }
