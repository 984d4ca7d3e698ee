"""Linkers that run what was compiled."""

from __future__ import annotations

from typing import Any

from .link import LocalLinker


class VM_Linker(LocalLinker):
    """Compiles a graph.

    Parameters
    ----------
    allow_gc, use_cloop, callback, lazy, schedule, allow_partial_eval
        Accepted and ignored, except ``c_thunks``.
    c_thunks
        Whether there is C code; None for the default.
    """

    name = "c"

    def __init__(
        self,
        allow_gc: bool | None = None,
        use_cloop: bool = False,
        callback: Any = None,
        callback_input: Any = None,
        lazy: bool | None = None,
        schedule: Any = None,
        c_thunks: bool | None = None,
        allow_partial_eval: bool | None = None,
    ) -> None:
        super().__init__(allow_gc)
        if callback is not None or callback_input is not None:
            raise NotImplementedError(
                "VM_Linker: callback: theano.compile.MonitorMode calls functions for each node"
            )
        self.use_cloop, self.lazy = use_cloop, lazy
        if c_thunks is False:
            self.name = "py"
