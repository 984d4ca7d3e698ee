"""Programs, and the loops of kernels, after each pass, and the reasons of passes, as text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from itertools import islice
from typing import Any

from symtheano.codegen.lower import lower
from symtheano.codegen.passes.cuda.steps import OF_DEVICE, host_steps
from symtheano.codegen.passes.trace import PassResult, Trace
from symtheano.codegen.targets import Target
from symtheano.function import Function, function
from symtheano.function.modes import Mode, get_mode
from symtheano.function.stages import Stages
from symtheano.graph.eager import quiet
from symtheano.graph.origin import origin_scope
from symtheano.graph.shared import SharedVariable
from symtheano.graph.walk import free_inputs
from symtheano.loopir.text import statements_text
from symtheano.printing.graph import as_printed

_WIDTH = 100

SHOWN = ("all", "changes", "reasons")
"""What can be shown of the loops: all of them, the lines that passes change, or none."""


def trace_of_passes(subject: Any, target: Target | None = None, device: str | None = None) -> Trace:
    """Return what passes do with the loops of a function, or of variables in the default mode.

    Parameters
    ----------
    subject
        The function, variable or variables.
    target
        The processor with its passes; None for that of the mode and the device.
    device
        The device, such as ``cuda``; by default that of the function.

    Examples
    --------
    >>> x = T.matrix("x")
    >>> (steps,) = trace_of_passes(x.sum(0)).kernels
    >>> [step.name for step in steps if step.changed]
    ['naive', 'chunk', 'jam', 'parallelize', 'vectorize', 'skip_empty']
    """
    trace, stages = Trace(), stages_of(subject)
    chosen = stages.mode.target(device or stages.options.device) if target is None else target
    with quiet(), origin_scope(None):
        donors, resident = stages.donors, stages.resident
        lower(stages.final, donors, trace=trace, target=chosen, resident=resident)
    return trace


def stages_of(subject: Any) -> Stages:
    """Return the stages of a function, or of variables in the default mode, with a typed graph."""
    compiled = subject if isinstance(subject, Function) else _function_of(subject)
    compiled.stages.check_types()
    return compiled.stages


def _function_of(subject: Any) -> Function:
    """Return a function of variables in the default mode, but for C, which is not needed."""
    mode, outputs = get_mode(), as_printed(subject).outputs
    inputs = [item for item in free_inputs(outputs) if not isinstance(item, SharedVariable)]
    plain = Mode("interpret", mode.optimizer, mode.included, mode.excluded)
    compiled: Function = function(inputs, outputs, mode=plain, on_unused_input="ignore")
    return compiled


def trace_text(trace: Trace, show: str = "all") -> str:
    """Return a trace as text: ``all``, or ``changes`` of the loops, or only ``reasons``."""
    if show not in SHOWN:
        raise ValueError(f"explain: show must be one of {', '.join(SHOWN)}, not {show!r}")
    sections = ["\n".join(_kernel(steps, show)).rstrip() for steps in trace.kernels]
    host = [name if place is None else f"{name}, {place}" for name, place in on_the_host(trace)]
    if host:
        sections.append("\n".join(["on the host, where the device has nothing for it", *host]))
    return "\n\n".join(sections) or "no kernel has loops on which passes run"


def on_the_host(trace: Trace) -> list[tuple[str, str | None]]:
    """Return what the host of a device computes, each with the user's line; nothing for a CPU."""
    if not trace.programs:
        return []
    _, program = trace.programs[-1]
    asks = any(isinstance(s, OF_DEVICE) for s in program.statements())
    return host_steps(program) if asks else []


def program_text(trace: Trace, show: str = "all") -> str:
    """Return the program after each pass over programs, or the ``changes`` that each one makes."""
    if show not in ("all", "changes"):
        raise ValueError(f"explain: show of a program must be all or changes, not {show!r}")
    sections: list[list[str]] = []
    before: list[str] = []
    for name, program in trace.programs:
        after = str(program).splitlines()
        if after == before:
            sections.append([f"{name}: no change", ""])
        else:
            shown = _changes(before, after) if before and show == "changes" else after
            sections.append([f"{name}:", "", *(f"  {line}".rstrip() for line in shown), ""])
        before = after
    return "\n".join(line for section in sections for line in section).rstrip()


def _kernel(steps: Sequence[PassResult], show: str) -> Iterator[str]:
    naive = steps[0].kernel
    before: list[str] = []
    yield from _wrapped(f"{naive.name}: ", naive.title)
    width = max(len(step.name) for step in steps) + 2
    yield ""
    for step in steps:
        mark = "*" if step.changed and step is not steps[0] else " "
        head = f"{mark} {step.name:{width}}"
        for reason in step.reasons or ("the kernel as it was written",):
            yield from _wrapped(head, reason)
            head = " " * len(head)
        if step.changed and show != "reasons":
            lines = statements_text(step.kernel.body).splitlines()
            shown = _changes(before, lines) if before and show == "changes" else lines
            yield from ("", *(f"      {line}" for line in shown), "")
            before = lines


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """Yield the lines that differ, and those around them."""
    for line in islice(unified_diff(before, after, n=1, lineterm=""), 2, None):
        yield "..." if line.startswith("@@") else line


def _wrapped(head: str, text: str) -> list[str]:
    return textwrap.wrap(
        text, _WIDTH, initial_indent=head, subsequent_indent=" " * min(len(head), 24),
        break_long_words=False, break_on_hyphens=False,
    ) or [head]  # fmt: skip
