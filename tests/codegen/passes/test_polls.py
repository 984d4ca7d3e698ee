"""Polls: loops that may take long ask the host whether the call is to end."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano import Mode, function, scan
from symtheano.codegen.passes.polls import polls
from symtheano.loopir import For, Poll
from symtheano.loopir.names import walk
from tests.codegen.passes.change import before, changed
from tests.codegen.passes.kernels import naive_kernels

v, n = T.dvector("v"), T.lscalar("n")


def polled(step: Any, steps: Any) -> list[str]:
    """Return the counters of the loops that poll in the kernel of a scan."""
    result = scan(step, outputs_info=[v], n_steps=steps)[0][-1]
    kernels, names = naive_kernels([v], result)
    found = changed(polls, kernels[-1], names, before(polls))
    loops = [s for s in walk(found.after.body) if isinstance(s, For)]
    return [s.index.name for s in loops if isinstance(s.body[-1], Poll)]


def test_the_outermost_serial_loop_polls() -> None:
    assert polled(lambda a: T.exp(-a * v), 5) == ["step_2"]


def test_strips_that_look_whether_states_change_poll_as_seldom() -> None:
    freezing = lambda a: T.switch(a < 2, a * a + v, a)  # noqa: E731
    assert [name.partition("_")[0] for name in polled(freezing, 50)] == ["first", "step"]


def test_other_kernels_do_not_poll() -> None:
    kernels, names = naive_kernels([v], T.exp(v).sum())
    found = changed(polls, kernels[-1], names, before(polls))
    assert found.after == found.before


def test_a_short_loop_does_not_poll() -> None:
    few = T.TensorType("float64", (3,))("few")
    short, long = (
        str(
            function(
                [few, n], scan(lambda s: T.tanh(s[::-1]), outputs_info=[few], n_steps=k)[0][-1],
                mode=Mode("c"), on_unused_input="ignore",
            ).c_source
        )
        for k in (10, n)
    )  # fmt: skip
    assert "ST_POLL" not in short
    assert long.count("ST_POLL(") == 2, "the definition, and the end of an iteration"
