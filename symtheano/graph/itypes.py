"""The types that a user's op declares for its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.errors import format_error
from symtheano.graph.origin import current_origin


def check_itypes(op: str, itypes: Sequence[Any], inputs: Sequence[Any]) -> None:
    """Raise an error for inputs that do not have the types in ``itypes``."""
    if len(itypes) != len(inputs):
        raise ValueError(
            format_error(
                f"{op} takes {len(itypes)} inputs, got {len(inputs)}", places=[current_origin()]
            )
        )
    if not all(kind.accepts(item.type) for kind, item in zip(itypes, inputs, strict=True)):
        raise TypeError(
            format_error(
                f"{op}: inputs of other types than its itypes",
                operands=[
                    (item.describe(), f"{item.type}, wanted {kind}")
                    for item, kind in zip(inputs, itypes, strict=True)
                ],
                places=[current_origin()],
                hint="cast the inputs, or declare other itypes",
            )
        )
