"""How often a program's way from its graph to C text goes from one stage to another.

``python -m tests.support.crossings`` prints the numbers of ``docs/architecture.md``.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import symtheano.tensor as T
from symtheano import function, scan

PACKAGE = Path(T.__file__).parent.parent
STAGES = {
    "rewrites": "rewrite",
    "codegen/plan": "plan",
    **dict.fromkeys(
        (f"codegen/{part}" for part in ("frame", "region", "arrays", "numbers", "op_steps")),
        "write",
    ),
    **dict.fromkeys((f"codegen/{part}" for part in ("exchange", "nests")), "write"),
    "codegen/passes": "passes",
    "codegen/c": "print",
}
"""The stage that a folder or a module belongs to. Others, such as graphs, ops, LoopIR and the
workspace, are what all stages work on, and belong to the stage that calls them."""

ORDER = ("rewrite", "plan", "write", "passes", "print")


class Crossing(NamedTuple):
    """A call of one stage by another one, None at the beginning; and the module that is called."""

    before: str | None
    after: str
    module: str


def crossings(make: Callable[[], Any]) -> list[Crossing]:
    """Return the calls from stage to stage while the C text of a function is made, in order."""
    _ = make().stages.built  # imports what it needs
    stages = make().stages
    found: list[Crossing] = []
    around: list[str | None] = [None]

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            module = _module(frame.f_code.co_filename)
            # Who is given a generator expression runs what stands in it.
            given = frame.f_code.co_name == "<genexpr>"
            stage = around[-1] if given else _stage(module) or around[-1]
            if stage is not None and stage != around[-1]:
                found.append(Crossing(around[-1], stage, module))
            around.append(stage)
        elif event == "return" and len(around) > 1:
            around.pop()

    sys.setprofile(watch)
    try:
        _ = stages.built
    finally:
        sys.setprofile(None)
    return found


def _module(filename: str) -> str:
    path = Path(filename)
    if not path.is_relative_to(PACKAGE):
        return ""
    return path.relative_to(PACKAGE).with_suffix("").as_posix()


def _stage(module: str) -> str | None:
    parts = module.split("/")
    return STAGES.get("/".join(parts[:2])) or STAGES.get(parts[0])


def _tanh() -> Any:
    x = T.matrix("x")
    return function([x], T.tanh(x), mode="INTERPRET")


def _softmax() -> Any:
    x = T.matrix("x")
    return function([x], T.nnet.softmax(x), mode="INTERPRET")


def _scan() -> Any:
    x, w = T.matrix("x"), T.matrix("w")
    states = scan(lambda row, state: T.tanh(row + T.dot(state, w)), x, x[0])[0]
    return function([x, w], states, mode="INTERPRET")


def _convolution() -> Any:
    image = T.TensorType("float32", (None, 3, 32, 32))("image")
    filters = T.TensorType("float32", (8, 3, 5, 5))("filters")
    return function([image, filters], T.nnet.relu(T.nnet.conv2d(image, filters)), mode="INTERPRET")


PROGRAMS: dict[str, Callable[[], Any]] = {
    "tanh": _tanh, "softmax": _softmax, "scan": _scan, "convolution": _convolution,
}  # fmt: skip


def table() -> Iterator[str]:
    """Yield the lines of a table: for each program, the calls between stages."""
    pairs = [(None, "rewrite"), (None, "plan"), (None, "write"), ("write", "plan"),
             (None, "passes"), (None, "print")]  # fmt: skip
    names = [after if before is None else f"{before} → {after}" for before, after in pairs]
    yield f"| program | {' | '.join(names)} |"
    yield f"| --- |{' --- |' * len(names)}"
    for name, make in PROGRAMS.items():
        counts = Counter((each.before, each.after) for each in crossings(make))
        shown = [str(counts.pop(pair, 0)) for pair in pairs]
        assert not counts, counts
        yield f"| {name} | {' | '.join(shown)} |"


if __name__ == "__main__":
    print("\n".join(table()))
