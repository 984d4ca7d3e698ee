"""The forms' references, kept in ``truth.json``: mpmath takes half a minute to compute them.

``python -m tests.stability.truth`` writes them anew; the tests compute some of them again.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import mpmath

from tests.stability import reference
from tests.stability.forms import FORMS, Form

FILE = Path(__file__).parent / "truth.json"
Truth = tuple[Any, list[list[Any]]]
"""The value at a point, and for each operand its derivatives."""


def compute(form: Form, point: tuple[Any, ...]) -> Truth:
    """Compute a value and derivatives in many digits."""
    slopes = [reference.gradient(form, point, k) for k in range(len(point))]
    return reference.value(form, point), slopes


@cache
def _kept() -> dict[str, Any]:
    return json.loads(FILE.read_text()) if FILE.exists() else {}  # type: ignore[no-any-return]


def truth(form: Form, point: tuple[Any, ...]) -> Truth:
    """Return the value and the derivatives at a point, to 25 digits."""
    value, slopes = _kept()[form.name][repr(point)]
    with mpmath.workdps(40):
        return mpmath.mpf(value), [[mpmath.mpf(number) for number in row] for row in slopes]


def write() -> None:
    """Compute missing values, and remove those that are no longer used."""
    table = {}
    for form in FORMS:
        known = _kept().get(form.name, {})
        rows = table[form.name] = {}
        for point in form.points:
            key = repr(point)
            if key not in known:
                value, slopes = compute(form, point)
                known[key] = [_text(value), [[_text(number) for number in row] for row in slopes]]
            rows[key] = known[key]
    FILE.write_text(json.dumps(table, indent=0) + "\n")


def _text(number: Any) -> str:
    return str(mpmath.nstr(number, 25))


if __name__ == "__main__":
    write()
