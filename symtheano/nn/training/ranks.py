"""Training on several processes: each takes its part of every batch of the samples.

All ranks have all samples of arrays, and the same order of them. A batch is divided into parts of
nearly equal lengths, so a step computes what one process would compute for the whole batch. A
rank's part of the last batch of an epoch may be empty. Iterables of batches are each rank's own:
its batches are the parts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import symtheano.tensor as T
from symtheano.distributed import DataParallel, allreduce, compare, give, world
from symtheano.nn.network import Network
from symtheano.nn.saving import variables
from symtheano.nn.training.data import Array, Samples, is_batches
from symtheano.nn.training.loop import evaluate_batches
from symtheano.nn.training.step import TrainingStep, measured
from symtheano.nn.training.subject import Subject


class Ranks:
    """The processes that train one model, and this one among them.

    Parameters
    ----------
    plan
        How functions are distributed.
    """

    def __init__(self, plan: DataParallel) -> None:
        self.plan, self._world = plan, world()
        self.rank, self.size = self._world.rank, self._world.size

    @property
    def key(self) -> tuple[object, ...]:
        """What compiled functions depend on."""
        return self.plan.bucket_bytes, self.plan.overlap, self.synchronizes

    # -- expressions -----------------------------------------------------------------------------

    def whole_batch(self, length: Any) -> Batch:
        """Return the batch of all ranks, of which this one has samples, as expressions."""
        return Batch(length)

    def plan_for(self, length: Any, local: Sequence[Any], adds: bool) -> DataParallel:
        """Return how a step is distributed whose batch has a length, an expression.

        ``adds`` tells whether the cost is what this rank adds to that of the whole batch, as it is
        if other ranks have a part in it. Gradients are then added up without weights.
        """
        how = "sum" if adds else "mean"
        return replace(self.plan, length=length, local=tuple(local), reduction=how)

    @property
    def synchronizes(self) -> bool:
        """Whether statistics of batches are those of all ranks."""
        return self.plan.synchronize_batch_norm

    @staticmethod
    def random_states(network: Network) -> list[Any]:
        """Return the states of the random streams of a network."""
        return [state for state, _ in network.randomness.streams.updates()]

    @staticmethod
    def running(network: Network) -> list[Any]:
        """Return the running statistics of a network, which steps update, but do not train."""
        updated = set(network.updates)
        parameters = [p for p in network.parameters if p.variable in updated]
        return [p.variable for p in parameters if not p.trains]

    def keep_if_empty(self, updates: dict[Any, Any], network: Network, length: Any) -> None:
        """Let running statistics be the same after an empty batch, whose mean is NaN."""
        if not self.synchronizes:
            for variable in self.running(network):
                new = updates[variable]
                updates[variable] = T.switch(T.gt(length, 0), new, variable)

    @staticmethod
    def refuse_states(what: str, network: Network) -> None:
        """Raise an error if layers are stateful, and the ranks do not know their samples' order.

        Raises
        ------
        NotImplementedError
            If a layer carries states from batch to batch.
        """
        if network.states:
            raise NotImplementedError(
                f"{what}: distribute= supports stateful layers in fit with arrays only, where each "
                "process has the same samples of all batches"
            )

    # -- samples ---------------------------------------------------------------------------------

    def part(self, order: Array, batch_size: int) -> tuple[Array, int, int]:
        """Return this rank's rows of all batches, the length of its part, and how many batches.

        Examples
        --------
        >>> from symtheano.distributed import DataParallel
        >>> Ranks(DataParallel()).part(np.arange(5), 2)
        (array([0, 1, 2, 3, 4]), 2, 3)
        """
        return part_of(order, batch_size, self.rank, self.size)

    def evaluate(self, step: TrainingStep, samples: Samples, batch_size: int) -> dict[str, float]:
        """Return the loss and the metrics of samples, each batch of which has a part for a rank."""
        rows, size, batches = self.part(np.arange(len(samples)), batch_size)
        call = step.on_resident()
        step.resident.load(samples)
        step.totals.reset()
        step.resident.begin(rows, size)
        for _ in range(batches):
            call()
        step.resident.release()
        return step.totals.read(reduce=self.total)

    def epochs(
        self, model: Subject, step: TrainingStep, order: Callable[[int], Array], batch_size: int
    ) -> tuple[Callable[[int], int], Callable[[], dict[str, Any]]]:
        """Return a function that begins an epoch, and one that returns its measures."""

        def begin(epoch: int) -> int:
            self.part_randomly(self.random_states(model.applied))
            for state in model.network.states:
                state.set_value(np.array_split(state.get_value(), self.size)[self.rank])
            rows, size, batches = self.part(order(epoch), batch_size)
            step.resident.begin(rows, size)
            return batches

        def read() -> dict[str, Any]:
            if not self.synchronizes:
                self.average(self.running(model.applied))
            for state in model.network.states:  # between epochs, they are those of the whole batch
                parts = self._all(lambda comm, s=state: comm.allgather(s.get_value()))
                state.set_value(np.concatenate(parts))
            return step.totals.read(reduce=self.total)

        return begin, read

    def fed(
        self, model: Subject, run: Callable[..., None], used: Sequence[TrainingStep]
    ) -> tuple[Callable[..., None], Callable[[], dict[str, Any]]]:
        """Return ``run`` for epochs over batches of each rank's own, and what measures them.

        A rank whose batches end early ends all, since the others would wait for it.
        """

        def epoch(*arguments: Any) -> None:
            self.part_randomly(self.random_states(model.applied))
            with warnings.catch_warnings():
                warnings.filterwarnings("error", message=r"epoch \d+ had only")
                run(*arguments)

        def read() -> dict[str, Any]:
            if not self.synchronizes:
                self.average(self.running(model.applied))
            return measured(used, self.total)

        return epoch, read

    def begin(self, model: Subject, request: Any, end: int) -> None:
        """Give the model the state that it has on rank 0, on all ranks.

        Raises
        ------
        DistributedError
            If the ranks train different models, or with different arguments.
        """
        held = variables(model)
        shapes = {name: _shape(variable) for name, variable in held.items()}
        if is_batches(request.x, request.y):
            count = request.steps_per_epoch or len(request.x)
            mine: dict[str, object] = {"the number of batches": count}
        else:
            count = len(np.asarray(first_array(request.x)))
            mine = {"the number of samples": count, "batch_size": request.batch_size}
        mine |= {
            "shuffle": request.shuffle,
            "the number of epochs done": model.epochs_done,
            "the last epoch": end,
        }
        self.agree("fit", {**mine, **shapes})
        self.give(list(held.values()))
        randomness = model.network.randomness
        randomness.seed = self.same(randomness.seed)

    def begin_batch(self, what: str, model: Subject, samples: Samples, new: bool) -> None:
        """Compare the kinds of the ranks' samples, and give a model that is new rank 0's state.

        Raises
        ------
        DistributedError
            If the ranks have different models, or samples of different kinds.
        """
        self.refuse_states(what, model.network)
        self.agree(what, {"the kind of arrays": samples.kind})
        if self.any(new):
            held = variables(model)
            self.agree(what, {name: _shape(variable) for name, variable in held.items()})
            self.give(list(held.values()))

    def train_batch(self, model: Subject, step: TrainingStep, samples: Samples) -> dict[str, Any]:
        """Take a step with the samples of each rank, and return the measures of all."""
        states = self.random_states(model.applied)
        self.part_randomly(states)
        measures = evaluate_batches([samples], lambda batch: step, self.total)
        self.give(states)
        if not self.synchronizes:
            self.average(self.running(model.applied))
        return measures

    # -- between calls ---------------------------------------------------------------------------

    def agree(self, what: str, mine: Mapping[str, object]) -> None:
        """Raise an error unless all ranks have the same values.

        Raises
        ------
        DistributedError
            If they differ; the message has the values.
        """
        compare(self._world, what, ("", [f"{name} is {value}" for name, value in mine.items()]))

    def give(self, variables: Sequence[Any]) -> None:
        """Give shared variables the values that they have on rank 0."""
        for variable in variables:
            give(self._world, variable)

    def same(self, value: Any) -> Any:
        """Return the value of rank 0."""
        return self._all(lambda comm: comm.bcast(value, 0))

    def total(self, sums: Mapping[str, Array]) -> dict[str, Array]:
        """Return the sums of all ranks, added in the order of the ranks."""
        everyone = self._all(lambda comm: comm.allgather(dict(sums)))
        return {name: sum(each[name] for each in everyone) for name in sums}

    def any(self, truth: bool) -> bool:
        """Return whether something is true on any rank."""
        return bool(any(self._all(lambda comm: comm.allgather(bool(truth)))))

    def average(self, variables: Sequence[Any]) -> None:
        """Give shared variables their mean over all ranks."""
        for variable in variables:
            value = variable.get_value()
            everyone = self._all(lambda comm, value=value: comm.allgather(value))
            mean = np.mean([np.asarray(each, "float64") for each in everyone], axis=0)
            variable.set_value(mean.astype(value.dtype))

    def part_randomly(self, states: Sequence[Any]) -> None:
        """Give random streams the states of rank 0, with another key on each other rank.

        Otherwise, all ranks would drop the same units.
        """
        self.give(states)
        if self.rank == 0:
            return
        for state in states:
            key, *rest = state.get_value().tolist()
            sequence = np.random.SeedSequence(key, spawn_key=(self.rank,))
            state.set_value(np.array([sequence.generate_state(1, "uint64")[0], *rest], "uint64"))

    def _all(self, call: Callable[..., Any]) -> Any:
        return self._world.waiting(lambda: call(self._world.control))


class Batch:
    """The batch of all ranks, of which this one has some samples.

    Parameters
    ----------
    own
        The number of samples of this rank, a 0-d integer expression.

    Attributes
    ----------
    length
        The number of samples of all ranks, a 0-d int64 expression.
    """

    def __init__(self, own: Any) -> None:
        self._own = T.cast(own, "int64")
        self.length = allreduce(self._own)

    def total(self, value: Any) -> Any:
        """Return the sum of a 0-d expression over all ranks."""
        return allreduce(value)

    def share(self) -> Any:
        """Return the part of the samples that this rank has, a 0-d float64 expression."""
        return T.cast(self._own, "float64") / T.maximum(T.cast(self.length, "float64"), 1.0)


def part_of(order: Array, batch_size: int, rank: int, size: int) -> tuple[Array, int, int]:
    """Return a rank's rows of all batches, the length of its part, and how many batches there are.

    The parts of a batch differ in length by at most one. Only the last batch may be shorter.

    Examples
    --------
    >>> [part_of(np.arange(7), 3, rank, 2)[0].tolist() for rank in range(2)]
    [[0, 1, 3, 4, 6], [2, 5]]
    >>> part_of(np.arange(7), 3, 1, 2)[1:]
    (1, 3)
    """
    batches = [order[k : k + batch_size] for k in range(0, len(order), batch_size)]
    parts = [np.array_split(batch, size)[rank] for batch in batches]
    rows: Array = np.concatenate(parts) if parts else order
    return rows, batch_size // size + (rank < batch_size % size), len(batches)


def plan_of(distribute: Any) -> DataParallel:
    """Return the plan for an argument ``distribute``.

    Examples
    --------
    >>> plan_of("mpi").reduction
    'mean'

    Raises
    ------
    ValueError
        If it is neither ``"mpi"`` nor a plan.
    """
    if isinstance(distribute, DataParallel):
        return distribute
    if distribute != "mpi":
        raise ValueError(f"fit: distribute must be 'mpi' or a DataParallel, not {distribute!r}")
    return DataParallel()


def _shape(variable: Any) -> str:
    value = variable.get_value(borrow=True)
    return f"{value.dtype} {value.shape}"


def first_array(x: Any) -> Any:
    """Return the first of several arrays, or the array itself."""
    if isinstance(x, Mapping):
        return next(iter(x.values()))
    is_several = isinstance(x, list | tuple) and len(x) > 0 and hasattr(x[0], "shape")
    return x[0] if is_several else x
