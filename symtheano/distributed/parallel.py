"""Data parallel training: the gradients of a function are means over the batches of all ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.codegen.runtime.mpi import World, world
from symtheano.codegen.threads import usable_threads
from symtheano.distributed.buckets import BucketStart, BucketTake
from symtheano.distributed.collective import Collective
from symtheano.distributed.share import Share
from symtheano.errors import DistributedError, format_error
from symtheano.graph.encode import graph_digest
from symtheano.graph.shared import SharedVariable
from symtheano.graph.sources import gradients_of
from symtheano.graph.variable import Variable
from symtheano.graph.walk import replace, toposort
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import dim_value, shape_of
from symtheano.tensor.variable import TensorMixin, TensorSharedVariable


@dataclass(frozen=True)
class DataParallel:
    """How a function is distributed: each rank calls it with a part of a batch.

    It is the argument ``distribute`` of :func:`symtheano.function`; ``distribute="mpi"`` is one
    with all defaults. In the updates and outputs of the function, gradients that
    :func:`symtheano.grad` has made with respect to shared variables that the function updates
    become means over the batches of all ranks. So do the costs of these gradients among the
    outputs, and in updates. A cost must be a mean over the samples of a batch, plus what does not
    depend on the batch. Each rank's mean is weighted by the length of its batch, which may be 0.
    Everything else remains that of the rank. The updates of shared variables must not depend on
    arrays among the inputs in other ways, unless the variables are ``local``.

    Before the first call, the shared variables get the values of rank 0, and the ranks compare
    their graphs. All ranks then make the same number of calls.

    Parameters
    ----------
    length
        The number of samples of a rank's batch, an expression; or an expression of another weight
        of the rank's mean. By default the length of the first axis of the first input that has
        axes.
    local
        Shared variables that belong to a rank alone: they do not get the values of rank 0, and
        costs in their updates remain those of the rank.
    reduction
        ``"mean"``; or ``"sum"``: gradients and costs are added up without weights, except for ranks
        whose ``length`` is given and 0, which add zeros.
    bucket_bytes
        The size of buckets: gradients are reduced together up to this size. A larger gradient is a
        bucket of its own.
    overlap
        Whether a bucket is reduced while gradients of other buckets are computed
        (``MPI_Iallreduce``); else each call waits for each bucket (``MPI_Allreduce``).
    synchronize_batch_norm
        Of models (``fit(..., distribute=...)``): whether ``BatchNorm`` takes its statistics over
        the batches of all ranks.

    Examples
    --------
    >>> x, y = T.matrix("x"), T.vector("y")
    >>> w = symtheano.shared(np.zeros(2), "w")
    >>> cost = T.sqr(T.dot(x, w) - y).mean()
    >>> updates = {w: w - 0.1 * symtheano.grad(cost, w)}
    >>> step = symtheano.function([x, y], cost, updates=updates, distribute="mpi")
    >>> float(step([[1.0, 2.0]], [3.0])), w.get_value()
    (9.0, array([0.6, 1.2]))
    """

    length: Any = None
    local: Sequence[SharedVariable] = field(default=(), kw_only=True)
    reduction: str = field(default="mean", kw_only=True)
    bucket_bytes: int = field(default=8 << 20, kw_only=True)
    overlap: bool = field(default=True, kw_only=True)
    synchronize_batch_norm: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.reduction not in ("mean", "sum"):
            raise ValueError(
                build_message(f"DataParallel: reduction={self.reduction!r} is not mean or sum")
            )
        if self.bucket_bytes < 1:
            raise ValueError(
                build_message(f"DataParallel: bucket_bytes={self.bucket_bytes} is not positive")
            )

    def spread(
        self, inputs: Sequence[Variable], expressions: list[Any], targets: Sequence[Variable]
    ) -> list[Any]:
        """Return the expressions of a function, with reduced gradients and costs."""
        trained = set(targets) - set(self.local)
        count = len(expressions) - len(targets)
        chosen = [k for k in range(len(expressions)) if k < count or targets[k - count] in trained]
        roots = [expressions[k] for k in chosen]
        models = _gradients(roots, trained)
        if not models:
            raise ValueError(
                build_message(
                    "function: distribute= averages gradients of the shared variables that a "
                    "function updates, and no update has one that grad has made",
                    *targets,
                    hint="reduce other expressions with symtheano.distributed.allreduce",
                )
            )
        costs = {cost for g in models for _, cost in gradients_of(g)}
        models.update((cost, constant(0.0)) for cost in _first_reached(roots, costs, set(models)))
        reduced = self._reduced(models, self._factor(inputs, models))
        results = list(expressions)
        for k, expression in zip(chosen, replace(roots, reduced), strict=True):
            results[k] = expression
            if k >= count:
                _check_same(targets[k - count], expression, inputs)
        return results

    def _factor(self, inputs: Sequence[Variable], models: dict[Any, Any]) -> Any:
        """Return the factor of this rank's gradients, a 0-d float64."""
        divides = self.reduction == "mean"
        if divides:
            weight = self._weight(inputs)
        else:  # a rank without samples adds nothing, even if its gradients are NaN
            weight = constant(1) if self.length is None else scalar.gt(self.length, 0)
        compared = list(dict.fromkeys(model for model in models.values() if model.ndim))
        return Share(divides, 1 + len(compared))(cast(weight, "float64"), *compared)

    def _weight(self, inputs: Sequence[Variable]) -> Any:
        """Return the weight of this rank's mean, a real number."""
        length = self.length
        if length is None:
            batches = [item for item in inputs if getattr(item, "ndim", 0)]
            if not batches:
                raise ValueError(
                    build_message(
                        "function: distribute= needs the length of a batch, but no input has axes",
                        hint="pass distribute=DataParallel(length) with an expression",
                    )
                )
            length = dim_value(shape_of(batches[0])[0])
        variable = as_tensor_variable(length)
        if variable.ndim or dtypes.is_complex(variable.dtype):
            raise TypeError(build_message("DataParallel: length is a real number", variable))
        return variable

    def _reduced(self, models: dict[Any, Any], factor: Any) -> dict[Any, Any]:
        """Return the reduced values of gradients, which are given with arrays of their shapes."""
        starts, token = [], constant(0, dtype="int64")
        for number, members in enumerate(self._buckets(models)):
            dtype = _reduced_dtype(members[0])
            scale = cast(factor, dtypes.real_of(dtype))
            operands = [cast(item, dtype) for item in members]
            token = BucketStart(number, self.overlap)(token, scale, *operands)
            starts.append((number, dtype, members))
        reduced: dict[Any, Any] = {}
        for number, dtype, members in starts:
            *results, token = BucketTake(number, dtype)(token, *(models[item] for item in members))
            for item, result in zip(members, results, strict=True):
                reduced[item] = cast(result, item.dtype)
                reduced[item].name = item.name
        return reduced

    def _buckets(self, models: dict[Any, Any]) -> list[list[Any]]:
        """Return gradients in buckets, those first that are known first, each of one dtype."""
        depth = _depths(models)
        buckets: list[list[Any]] = []
        open_buckets: dict[str, tuple[list[Any], int]] = {}
        for item in sorted(models, key=lambda item: depth[item]):
            dtype = _reduced_dtype(item)
            size = _elements(models[item]) * np.dtype(dtype).itemsize
            members, used = open_buckets.get(dtype, ([], 0))
            if not members or used + size > self.bucket_bytes:
                members, used = [], 0
                buckets.append(members)
            members.append(item)
            open_buckets[dtype] = (members, used + size)
        # A bucket can start when its last member is known.
        return sorted(buckets, key=lambda members: max(depth[item] for item in members))

    def threads(self) -> int:
        """Return this rank's part of the processors that it shares with other ranks."""
        return max(1, usable_threads() // world().sharing)

    def begin(self, function: Any) -> None:
        """Compare the function with that of other ranks, and take rank 0's shared variables.

        Raises
        ------
        DistributedError
            If the functions, or the shapes of shared variables, differ.
        """
        here, local = world(), set(self.local)
        shared = [item for item in function.shared if item not in local]
        for item in shared:
            if not isinstance(item, TensorSharedVariable):
                raise NotImplementedError(
                    build_message(f"distribute: {item.describe()} is not an array", item)
                )
        how = "the interpreter" if function._linked is None else "C"
        mine = _digest(function), [f"it runs in {how}", *map(_description, shared)]
        compare(here, f"function {function.name or ''}".strip(), mine)
        for item in shared:
            give(here, item)


def compare(here: World, what: str, mine: tuple[str, list[str]]) -> None:
    """Compare digests and descriptions with those of the other ranks.

    Raises
    ------
    DistributedError
        If they differ. The message says what, and on which ranks.
    """
    everyone = here.waiting(lambda: here.control.allgather(mine))
    others = [rank for rank, each in enumerate(everyone) if each != everyone[0]]
    if not others:
        return
    other = everyone[others[0]]
    pairs = zip(everyone[0][1], other[1], strict=False)
    differences = [f"{a} on rank 0, {b} on rank {others[0]}" for a, b in pairs if a != b]
    reason = differences[0] if differences else "the graphs differ: ranks run different code"
    ranks = f"rank{'s' * (len(others) > 1)} {', '.join(map(str, others))}"
    raise DistributedError(
        format_error(
            f"{what}: {ranks} of {here.size} and rank 0 differ",
            hint=f"{reason}; each rank must build the same expressions in the same order",
        )
    )


def give(here: World, variable: SharedVariable) -> None:
    """Give a shared variable the value of rank 0 on all ranks."""
    value = np.array(variable.container.read(), order="C")
    here.waiting(lambda: here.control.Bcast(value.reshape(-1).view("uint8"), 0))
    if here.rank:
        variable.container.put(value)


def _digest(function: Any) -> str:
    stages = function.stages
    return graph_digest(stages.inputs, stages.outputs) or ""


def _description(variable: Any) -> str:
    value = variable.container.read()
    return f"{variable.name or 'a shared variable'} has {value.dtype} {value.shape}"


def _gradients(roots: Sequence[Any], trained: set[Variable]) -> dict[Any, Any]:
    """Return gradients by trained variables, each with its variable; not those of gradients."""
    gradients: dict[Any, Any] = {}
    seen: set[Variable] = set()
    stack = list(roots)[::-1]
    while stack:
        item = stack.pop()
        if item in seen:
            continue
        seen.add(item)
        by = [wrt for wrt, _ in gradients_of(item) if wrt in trained]
        if by and isinstance(item, TensorMixin):
            gradients[item] = by[0]
        elif item.owner is not None:
            stack.extend(reversed(item.owner.inputs))
    return gradients


def _first_reached(roots: Sequence[Any], wanted: set[Any], stop: set[Any]) -> list[Any]:
    """Return the wanted variables from which roots are computed, but not through others."""
    reached: dict[Any, None] = {}
    seen: set[Variable] = set()
    stack = list(roots)[::-1]
    while stack:
        item = stack.pop()
        if item in seen or item in stop:
            continue
        seen.add(item)
        if item in wanted:
            reached[item] = None
        elif item.owner is not None:
            stack.extend(reversed(item.owner.inputs))
    return list(reached)


def _check_same(target: Any, new: Any, inputs: Sequence[Variable]) -> None:
    """Check that a new value does not depend on a rank's batch but for what all ranks compute.

    Raises
    ------
    ValueError
        If it does: the ranks would go on with different values.
    """
    batches = {item for item in inputs if getattr(item, "ndim", 0)}
    seen: set[Variable] = set()
    stack = [new]
    while stack:
        item = stack.pop()
        if item in seen:
            continue
        seen.add(item)
        if item in batches:
            raise ValueError(
                build_message(
                    f"function: the update of {target.describe()} depends on {item.describe()}, "
                    "the batch of one rank, not only through gradients",
                    target,
                    hint="if each rank is to have its own value, list the variable in "
                    "DataParallel(local=...); else reduce what is computed from the batch with "
                    "symtheano.distributed.allreduce",
                )
            )
        if item.owner is not None and not isinstance(item.owner.op, Collective):
            stack.extend(item.owner.inputs)


def _depths(variables: Any) -> dict[Any, int]:
    """Return the number of nodes on the longest way to each variable."""
    depth: dict[Any, int] = {}
    for node in toposort(list(variables)):
        below = max((depth.get(item, 0) for item in node.inputs), default=0)
        depth.update(dict.fromkeys(node.outputs, below + 1))
    return {item: depth.get(item, 0) for item in variables}


def _reduced_dtype(variable: Any) -> str:
    """Return the dtype in which a gradient is added up: MPI has no half precision."""
    return "float32" if variable.dtype == "float16" else str(variable.dtype)


def _elements(model: Any) -> int:
    value: Any = model.container.read() if isinstance(model, SharedVariable) else model.data
    return int(np.size(value))
