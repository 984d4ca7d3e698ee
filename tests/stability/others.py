"""The same forms in NumPy and in JAX, evaluated as they are written.

Run by hand with a Python that has JAX and mpmath, ``python -m tests.stability.others``; it writes
``others.json``, which the page reads.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from tests.stability.form import EPS
from tests.stability.forms import FORMS, Form
from tests.stability.measure import Errors, errors, operands

FILE = Path(__file__).parent / "others.json"
NAMES = "exp log sqrt tanh cosh sinh cos sin maximum where isinf clip expm1 log1p".split()


class Namespace:
    """NumPy's names for the functions of NumPy and SciPy, or of JAX."""

    def __init__(self, arrays: Any, special: Any, softmax: Any, dtype: str) -> None:
        for name in NAMES:
            setattr(self, name, getattr(arrays, name))
        for name, theirs in (("erf", "erf"), ("erfc", "erfc"), ("gamma", "gamma"),
                             ("gammaln", "gammaln"), ("sigmoid", "expit")):  # fmt: skip
            setattr(self, name, getattr(special, theirs))
        self.softmax = lambda x: softmax(x, axis=1)
        self.array = lambda numbers: arrays.asarray(numbers, dtype)
        self.two, self.eps, self.pi = (self.array(x) for x in (2.0, EPS, np.pi))


def of_numpy(form: Form, dtype: str) -> Errors:
    """Compute values with NumPy."""
    import scipy.special

    names = Namespace(np, scipy.special, scipy.special.softmax, dtype)
    with np.errstate(all="ignore"):
        found = form.make(names, *operands(form, dtype))
    return errors(form, dtype, found, [np.full(x.shape, np.nan) for x in operands(form, dtype)])


def of_jax(form: Form, dtype: str) -> Errors:
    """Compute values and gradients with JAX, compiled."""
    import jax

    jax.config.update("jax_enable_x64", True)
    names = Namespace(jax.numpy, jax.scipy.special, jax.nn.softmax, dtype)
    given = [jax.numpy.asarray(x) for x in operands(form, dtype)]
    places = tuple(range(len(given)))
    values = jax.jit(lambda *x: form.make(names, *x))(*given)
    slopes = jax.jit(jax.grad(lambda *x: form.make(names, *x).sum(), argnums=places))(*given)
    return errors(form, dtype, np.asarray(values), [np.asarray(slope) for slope in slopes])


def write() -> None:
    """Measure all forms."""
    import jax
    import scipy

    table = {}
    for form in FORMS:
        plain, jitted = of_numpy(form, "float64"), of_jax(form, "float64")
        table[form.name] = [plain.value, jitted.value, jitted.gradient]
    versions = {"NumPy": np.__version__, "SciPy": scipy.__version__, "JAX": jax.__version__}
    page = {"date": date.today().isoformat(), "versions": versions, "errors": table}
    FILE.write_text(json.dumps(page, indent=0) + "\n")


if __name__ == "__main__":
    write()
