"""The ops that call Python, in ``docs/language.md``, determined from the code.

``python -m tests.spec.language`` writes the section of the page anew. Each op class that says of no
loops is used by an example here; a compiled example tells which of its nodes it leaves to Python.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import sparse
from symtheano.graph.lowering import Python
from symtheano.graph.op import Op
from symtheano.graph.walk import toposort
from symtheano.ifelse import ifelse
from symtheano.sparse.performed import Performed
from tests.support.modules import all_modules

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "language.md"
_BEGIN = "<!-- written by python -m tests.spec.language -->\n"
_END = "<!-- end -->\n"


@symtheano.as_op(itypes=[T.dmatrix], otypes=[T.dmatrix])
def user_function(x: Any) -> Any:
    """Represent any function of a user."""
    return np.array(x)


x, y, labels = T.dmatrix("x"), T.dmatrix("y"), T.lvector("labels")
stored = sparse.csr_matrix("s", dtype="float64")

EXAMPLES: dict[str, Callable[[], Any]] = {
    "`as_op` functions, and `Op` subclasses of users": lambda: user_function(x),
    "`printing.Print`": lambda: symtheano.printing.Print("x")(x),
    "`T.slinalg.expm`": lambda: T.slinalg.expm(x),
    "`T.slinalg.lu`": lambda: T.slinalg.lu(x),
    "`T.nlinalg.pinv`": lambda: T.nlinalg.pinv(x),
    "`T.nlinalg.qr`": lambda: T.nlinalg.qr(x),
    "gradients of `T.nlinalg.det`": lambda: symtheano.grad(T.nlinalg.det(x), x),
    "`symtheano.ifelse.ifelse`": lambda: ifelse(x.sum() > 0, x[1:], x),
    "`T.exp`": lambda: T.exp(x),
    "`T.sum`": lambda: x.sum(axis=0),
    "`T.argmax`": lambda: x.argmax(axis=0),
    "`T.shape`": lambda: x.shape,
    "`T.nnet.softmax`": lambda: T.nnet.softmax(x),
    "`T.nnet.logsoftmax`": lambda: T.nnet.logsoftmax(x),
    "`T.nnet.sparsemax`": lambda: T.nnet.sparsemax(x),
    "`T.logsumexp`": lambda: T.logsumexp(x, axis=0),
    "`T.inc_subtensor` of integer arrays": lambda: T.inc_subtensor(x[labels], 1.0),
    "gradients of `T.set_subtensor`": lambda: symtheano.grad(
        (T.set_subtensor(x[:2], y) ** 2).sum(), y
    ),
    "`sparse.structured_dot`": lambda: sparse.structured_dot(stored, y),
    "`sparse.dense_from_sparse`": lambda: sparse.dense_from_sparse(stored),
    "`sparse.structured_exp`": lambda: sparse.structured_exp(stored),
}


def functions() -> dict[str, Any]:
    """Return functions of the examples. What would be compiled is known without a compiler."""
    return {label: _function(build()) for label, build in EXAMPLES.items()}


def _function(outputs: Any) -> Any:
    return symtheano.function(
        [x, y, labels, stored], outputs, on_unused_input="ignore", mode="INTERPRET"
    )


def without_loops() -> set[type[Op]]:
    """Return the package's op classes that compute but have no lowering.

    Without :class:`Performed`, which is an op of a user.
    """
    assert len(list(all_modules())) > 300
    return {
        cls
        for cls in _subclasses(Op)
        if cls.__module__.startswith("symtheano.")
        and not cls.__module__.startswith("symtheano.compat.")
        and cls.perform is not Op.perform
        and cls is not Performed
        and not _says_loops(cls)
    }


def _says_loops(cls: type[Op]) -> bool:
    lowering = inspect.getattr_static(cls, "lowering")
    return not isinstance(lowering, Python) or cls.inlined is not Op.inlined


def _subclasses(cls: type[Op]) -> Iterator[type[Op]]:
    for below in cls.__subclasses__():
        yield below
        yield from _subclasses(below)


def used() -> set[type[Op]]:
    """Return the classes of the ops in all graphs of the examples, before and after rewriting."""
    found: set[type[Op]] = set()
    for label, function in functions().items():
        built = EXAMPLES[label]()
        for outputs in (
            built if isinstance(built, list | tuple) else [built],
            function.user_graph.outputs,
            function.graph.outputs,
        ):
            found.update(type(node.op) for node in toposort(outputs))
    return found


def document() -> str:
    """Return the text of the page, with the table of what calls Python as the code has it."""
    rows = [
        f"| {label} | `{type(node.op).__name__}`: {_summary(node.op)} |"
        for label, function in functions().items()
        for node, _ in function.lowered.python
    ]
    table = "\n".join(["| what | its op |", "| --- | --- |", *rows])
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(_BEGIN)
    after = rest.partition(_END)[2]
    return f"{before}{_BEGIN}\n{table}\n\n{_END}{after}"


def _summary(op: Op) -> str:
    return (inspect.getdoc(type(op)) or "").partition("\n")[0]


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
