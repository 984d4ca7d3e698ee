"""ifelse: one of two expressions; only the chosen one is computed.

In the graph of the user, :class:`IfElse` has the results of both branches as inputs, so that
derivatives and replacements go through it. What only a branch needs moves into it when a function
is compiled: ``rewrites/branches.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from symtheano import dtypes
from symtheano.errors import printable_name
from symtheano.graph.op import Op, disconnected
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.same_shape import same_shape
from symtheano.tensor.shapes.shape import as_dim
from symtheano.tensor.type import TensorType

__all__ = ["ifelse"]


@overload
def ifelse(
    condition: Any, then_branch: Tensor, else_branch: Any, name: str | None = None
) -> Tensor: ...


@overload
def ifelse(condition: Any, then_branch: Any, else_branch: Any, name: str | None = None) -> Any: ...


def ifelse(condition: Any, then_branch: Any, else_branch: Any, name: str | None = None) -> Any:
    """Return ``then_branch`` if a condition holds, and ``else_branch`` otherwise.

    The other branch is not computed, so its errors do not occur either.
    :func:`~symtheano.tensor.switch` chooses element by element, and computes both branches.

    Parameters
    ----------
    condition
        A 0-d number or truth value; any number but zero is true.
    then_branch, else_branch
        Expressions, or lists or tuples of them. Corresponding expressions have the same dtype and
        number of dims; their lengths may differ. Sparse matrices must have the same format.
    name
        Name for printing.

    Returns
    -------
    variable, list or tuple
        The chosen expressions, in the form of ``then_branch``.

    Raises
    ------
    TypeError
        If the condition has dims, or two branches have different types.
    ValueError
        If the branches have different numbers of expressions.

    Examples
    --------
    >>> from symtheano.ifelse import ifelse
    >>> x = T.dvector("x")
    >>> y = ifelse(x.shape[0] > 0, x.max(), T.constant(0.0))
    >>> float(y.eval({x: []})), float(y.eval({x: [1.0, 3.0]}))
    (0.0, 3.0)
    """
    thens, elses = _listed(then_branch), _listed(else_branch)
    if len(thens) != len(elses):
        raise ValueError(
            build_message(
                f"ifelse: then_branch has {len(thens)} expressions, but else_branch has "
                f"{len(elses)}",
                hint="give the same number of expressions in both",
            )
        )
    pairs = [_converted(*pair) for pair in zip(thens, elses, strict=True)]
    opened = [_opened(*pair) for pair in pairs]
    flat = [pair for pairs in opened for pair in pairs]
    op = IfElse(len(flat), name)
    arms = [one for one, _ in flat], [other for _, other in flat]
    outputs = iter(op(condition, *arms[0], *arms[1], return_list=True) if flat else ())
    results = [
        _closed(pair[0], [next(outputs) for _ in parts])
        for pair, parts in zip(pairs, opened, strict=True)
    ]
    if isinstance(then_branch, list | tuple):
        return tuple(results) if isinstance(then_branch, tuple) else results
    return results[0]


class IfElse(Op):
    """One of two groups of variables; see :func:`ifelse`.

    Parameters
    ----------
    n_outs
        Number of variables in a group.
    name
        Name for printing.

    Examples
    --------
    >>> a, b, c = T.dscalar("a"), T.dscalar("b"), T.bscalar("c")
    >>> float(IfElse(1)(c, a, b).eval({a: 1.0, b: 2.0, c: 0}))
    2.0
    """

    __props__ = ("n_outs", "name")
    takes = "**..."
    has_arms = True

    def __init__(self, n_outs: int, name: str | None = None) -> None:
        self.n_outs, self.name = n_outs, name

    def __str__(self) -> str:
        return f"IfElse{{{printable_name(self.name)}}}" if self.name else "IfElse"

    def make_node(self, *inputs: Any) -> Apply:
        """Apply to a condition, the variables if it is true, and those if it is false."""
        condition, *branches = (as_tensor_variable(item) for item in inputs)
        if len(branches) != 2 * self.n_outs:
            raise TypeError(
                build_message(f"{self}: {len(branches)} variables for {self.n_outs} outputs")
            )
        if condition.ndim:
            raise TypeError(
                build_message(
                    f"ifelse: the condition has {condition.ndim} dims",
                    condition,
                    hint="use all() or any() of it, or switch to choose for each element",
                )
            )
        if isinstance(condition, Constant):
            truth: Any = constant(bool(condition.data), dtype="bool")
        else:
            truth = condition if condition.dtype == "bool" else scalar.neq(condition, 0)
        thens, elses = branches[: self.n_outs], branches[self.n_outs :]
        kinds = [_common_type(one, other) for one, other in zip(thens, elses, strict=True)]
        return Apply(self, [truth, *branches], kinds)

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Return the chosen values."""
        first = 1 if inputs[0] else 1 + self.n_outs
        for cell, value in zip(output_storage, inputs[first:], strict=False):
            cell[0] = value

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the lengths of the chosen branch."""
        condition, pairs = node.inputs[0], zip(shapes[1:], shapes[1 + self.n_outs :], strict=False)
        return [
            tuple(_length(condition, one, other) for one, other in zip(first, second, strict=True))
            for first, second in pairs
        ]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Choose whole batches, or with a batch of conditions each item, of both branches."""
        condition, count = batch.inputs[0], self.n_outs
        if not batch.batched[0]:
            branches = [batch.full(k) for k in range(1, 1 + 2 * count)]
            return list(self(condition, *branches, return_list=True))
        results = []
        for k in range(1, 1 + count):
            one, other = batch.full(k), batch.full(k + count)
            flags = condition.dimshuffle(*batch.front(), *["x"] * (one.ndim - batch.ndim))
            results.append(scalar.switch(flags, one, other))
        return results

    # -- derivatives ------------------------------------------------------------------------

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Return that each output depends on the two variables at its position."""
        positions = range(self.n_outs)
        rows = [[row == column for column in positions] for row in positions]
        return [[False] * self.n_outs, *rows, *rows]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return the gradients of the chosen branch, and zeros for the other one."""
        thens, elses = inputs[1 : 1 + self.n_outs], inputs[1 + self.n_outs :]
        grads: list[list[Any]] = [[], []]
        for one, other, g in zip(thens, elses, output_grads, strict=True):
            if isinstance(g, Variable) and not isinstance(g.type, TensorType):
                grads[0].append(g)
                grads[1].append(g)
                continue
            grads[0].append(ifelse(inputs[0], g, one.zeros_like(g.dtype), self.name))
            grads[1].append(ifelse(inputs[0], other.zeros_like(g.dtype), g, self.name))
        return [disconnected(), *grads[0], *grads[1]]

    def chosen(
        self, node: Apply, thens: Sequence[Any], elses: Sequence[Any], models: Sequence[Any]
    ) -> list[Any]:
        """Return one of two groups of variables, of known shapes, by the condition of a node."""
        results = ifelse(node.inputs[0], list(thens), list(elses), self.name)
        return [same_shape(item, model) for item, model in zip(results, models, strict=True)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Return the derivative of the chosen branch."""
        pairs = zip(
            *(inputs[1 : 1 + self.n_outs], inputs[1 + self.n_outs :]),
            *(eval_points[1 : 1 + self.n_outs], eval_points[1 + self.n_outs :]),
            strict=True,
        )
        tangents: list[tuple[Any, Any] | None] = []
        for one, other, first, second in pairs:
            if first is None and second is None:
                tangents.append(None)
                continue
            dtype = (second if first is None else first).dtype
            first = one.zeros_like(dtype) if first is None else first
            second = other.zeros_like(dtype) if second is None else second
            tangents.append((first, second))
        present = [pair for pair in tangents if pair is not None]
        chosen = iter(
            ifelse(inputs[0], [a for a, _ in present], [b for _, b in present], self.name)
        )
        return [None if pair is None else next(chosen) for pair in tangents]


def _length(condition: Any, one: Any, other: Any) -> Any:
    """Return the length of an axis, computed only in the branch that is chosen."""
    if one is other or (isinstance(one, int) and one == other):
        return one
    return IfElse(1)(condition, as_dim(one), as_dim(other))


# -- arguments -----------------------------------------------------------------------------------


def _listed(branch: Any) -> list[Any]:
    return list(branch) if isinstance(branch, list | tuple) else [branch]


def _is_sparse(value: Any) -> bool:
    return isinstance(getattr(value, "format", None), str)


def _converted(one: Any, other: Any) -> tuple[Any, Any]:
    """Return the expressions of one position as variables.

    Numbers and constants without dims get the dtype of the other expression if it has all their
    values.
    """
    if _is_sparse(one) or _is_sparse(other):
        return one, other
    first, second = (
        item if isinstance(item, Variable) else as_tensor_variable(item) for item in (one, other)
    )
    return _widened(first, second), _widened(second, first)


def _widened(value: Any, model: Any) -> Any:
    if not isinstance(value, Constant) or isinstance(model, Constant) or value.type.ndim:
        return value
    wider = dtypes.upcast(value.type.dtype, model.dtype) == model.dtype
    return cast(value, model.dtype) if wider else value


def _common_type(one: Any, other: Any) -> TensorType:
    """Return the type of two branches: with the lengths that both have."""
    if one.dtype != other.dtype or one.ndim != other.ndim:
        hint = "both branches need the same number of dims: use dimshuffle or reshape"
        if one.ndim == other.ndim:
            common = dtypes.upcast(one.dtype, other.dtype)
            hint = f"cast one of them, to {common} for example"
        raise TypeError(
            build_message(
                f"ifelse: one branch is {one.type}, the other one {other.type}",
                one,
                other,
                hint=hint,
            )
        )
    if one.type == other.type:
        kind: TensorType = one.type
        return kind
    pairs = zip(one.type.shape, other.type.shape, strict=True)
    return TensorType(one.dtype, tuple(a if a == b else None for a, b in pairs))


def _opened(one: Any, other: Any) -> list[tuple[Any, Any]]:
    """Return the dense variables of which two expressions consist."""
    if not (_is_sparse(one) or _is_sparse(other)):
        return [(one, other)]
    from symtheano.sparse.csm import open_sparse

    if not (_is_sparse(one) and _is_sparse(other)) or one.format != other.format:
        both = [item if _is_sparse(item) else as_tensor_variable(item) for item in (one, other)]
        raise TypeError(
            build_message(
                f"ifelse: one branch is {_kind(both[0])}, the other one {_kind(both[1])}",
                *(item for item in both if isinstance(item, Variable)),
                hint="convert one of the branches",
            )
        )
    first, second = open_sparse(one), open_sparse(other)
    return [
        (first.data, second.data),
        (cast(first.indices, "int32"), cast(second.indices, "int32")),
        (cast(first.indptr, "int32"), cast(second.indptr, "int32")),
        (as_dim(first.minor), as_dim(second.minor)),
    ]


def _kind(value: Any) -> str:
    return str(value.type) if isinstance(value, Variable) else f"a {value.format} matrix"


def _closed(model: Any, parts: Sequence[Any]) -> Any:
    """Return a result, from the dense variables of which it consists."""
    if not _is_sparse(model):
        return parts[0]
    from symtheano.sparse.csm import pack
    from symtheano.sparse.parts import Parts

    return pack(Parts(model.format, *parts))
