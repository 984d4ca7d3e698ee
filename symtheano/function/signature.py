"""The signature of a compiled function for ``inspect.signature``."""

from __future__ import annotations

import keyword
from collections.abc import Sequence
from inspect import Parameter, Signature
from typing import Any

from symtheano.function.request import In
from symtheano.graph.shared import Container


def signature_of(inputs: Sequence[In]) -> Signature:
    """Return the inputs of a call: their names, types and defaults.

    If the name of an input is not an identifier, it and all inputs before it are positional only.
    Inputs after one with a default are keyword only.
    """
    arguments = [item for item in inputs if not item.implicit]
    names = [str(item.name) for item in arguments]
    proper = [
        name.isidentifier() and not keyword.iskeyword(name) and names.count(name) == 1
        for name in names
    ]
    last = max((place for place, fits in enumerate(proper) if not fits), default=-1)
    parameters: list[Parameter] = []
    optional = False
    for place, item in enumerate(arguments):
        kind: Any = Parameter.POSITIONAL_OR_KEYWORD
        if place <= last:
            kind = Parameter.POSITIONAL_ONLY
        default: Any = Parameter.empty
        if item.value is not None:
            default = item.value.value if isinstance(item.value, Container) else item.value
            optional = True
        elif optional and kind is Parameter.POSITIONAL_OR_KEYWORD:
            kind = Parameter.KEYWORD_ONLY
        elif optional:
            default = None
        if parameters and parameters[-1].kind is Parameter.KEYWORD_ONLY:
            kind = Parameter.KEYWORD_ONLY
        name = names[place] if proper[place] else f"input_{place}"
        parameters.append(Parameter(name, kind, default=default, annotation=item.variable.type))
    return Signature(parameters)


class ShownSignature:
    """What ``inspect.signature`` shows: of a function its inputs, of the class its constructor."""

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            raise AttributeError("__signature__")
        return signature_of(instance.request.given)
