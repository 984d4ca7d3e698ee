"""What is available on this machine: a compiler, and the dispatcher."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from symtheano.codegen.native.later import Later
from symtheano.codegen.runtime.dispatch import NoDispatcherError
from symtheano.function.available import dispatcher_module, warn_of_no_compiler


def test_the_lack_of_a_compiler_is_told_once() -> None:
    message = "no compiler for test_available"
    with pytest.warns(UserWarning, match=f"{message}\nFunctions run in the interpreter") as told:
        warn_of_no_compiler(message)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_no_compiler(message)


class Coming:
    """A module that is there, or will be, or can't be."""

    def __init__(self, ready: bool, result: Any) -> None:
        self.ready, self._result = ready, result

    def result(self) -> Any:
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


def test_a_dispatcher_is_used_when_it_is_ready() -> None:
    for ready, wait, there in ((True, False, True), (False, False, False), (False, True, True)):
        found: Any = dispatcher_module(Coming(ready, "module"), wait)  # type: ignore[arg-type]
        assert (found == "module") == there
    assert dispatcher_module(None) is None
    assert dispatcher_module(Later.of("module")) == "module"


def test_a_dispatcher_that_can_t_be_built_is_done_without() -> None:
    broken: Any = Coming(True, NoDispatcherError("no headers"))
    assert dispatcher_module(broken) is None
    with pytest.raises(OSError, match="disk"):
        dispatcher_module(Coming(True, OSError("disk")))  # type: ignore[arg-type]
