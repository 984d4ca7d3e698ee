"""The methods ``map`` and ``imap`` of functions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from symtheano.function.mapping.mapped import MappedFunction

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from symtheano.graph.variable import Variable

Engine: TypeAlias = "Literal['threads', 'processes', 'dask', 'ray'] | Executor"
Inputs: TypeAlias = "Variable | str | Collection[Variable | str]"
Reduce: TypeAlias = "Literal['sum', 'mean'] | Callable[[Any, Any], Any] | None"
Progress: TypeAlias = "bool | Callable[[int, int], object]"


class MappedCalls:
    """Calls on chunks of arrays, in several threads, processes or machines."""

    def map(
        self: MappedFunction,
        arrays: Any,
        *,
        engine: Engine = "threads",
        whole: Inputs = (),
        axis: int = 0,
        chunk: int | None = None,
        memory: int | None = None,
        workers: int | None = None,
        reduce: Reduce | Any = None,
        out: Any = None,
        retries: int = 0,
        progress: Progress = False,
    ) -> Any:
        """Call the function on chunks of arrays, and return the joined or reduced results.

        The arrays are cut along an axis, and each chunk is an ordinary call, so a result is that of
        one call with the whole arrays only if the function treats rows independently. Chunks are
        read when they are needed: the arrays may be larger than the memory.

        Parameters
        ----------
        arrays
            The values of the inputs: a list or a tuple with one value for each input in order, a
            dict of them by variables or names, or the value of the first input, if it is neither.
            Values may be NumPy arrays, memory maps, columns of Arrow, and objects with ``shape``,
            ``dtype`` and slices, such as arrays of zarr, Dask or h5py.
        engine
            What makes the calls: ``threads`` of this process, new ``processes``, the workers of the
            current ``dask`` client, those of ``ray``, or an executor of ``concurrent.futures``.
        whole
            An input, as a variable or a name, or several, whose values are passed to each call as
            they are. Those without axes always are.
        axis
            The axis along which arrays are cut, and results joined; not negative.
        chunk
            The number of rows of a chunk. By default, it follows from ``memory``.
        memory
            Most bytes that the calls of all workers need at one time, arguments and results
            included. By default 64 MiB for each call, and at most a quarter of the memory that is
            available.
        workers
            How many calls run at one time. By default one for each processor that this process may
            use, or each of the engine's. Threads of compiled code are divided among them.
        reduce
            None: each result has as many rows as the chunk, and results are joined. ``sum``: the
            results of all chunks are added. ``mean``: the same, but each one is weighted by the
            rows of its chunk, so that means over the rows become their mean over all rows. Sums are
            computed in float64, or int64 of integers. A list or a dict has one of these for each
            output. A function gets what was reduced so far, and the result of the next chunk (both
            as calls return them), and returns what replaces them.
        out
            Where joined results are stored: an array with ``shape``, ``dtype`` and assignment of
            slices, such as a memory map or an array of zarr; a list or a dict of them for several
            outputs. By default, new arrays.
        retries
            How often the call for a chunk is repeated if it fails.
        progress
            Whether to show a bar, or a function that gets the number of rows that are done and that
            of all rows.

        Returns
        -------
        The results, in the form of the function's outputs.

        Raises
        ------
        MapError
            If the call for a chunk fails; it names the rows, and its cause is the error.
        ShapeError
            If arrays have different numbers of rows, or results not those of their chunk.
        NotImplementedError
            If the function has updates, or sparse matrices.
        TypeError, ValueError
            If an argument is unsuitable.

        Examples
        --------
        >>> from symtheano import function
        >>> x, a = T.dvector("x"), T.dscalar("a")
        >>> f = function([x, a], [T.exp(a * x), T.sqr(x).sum()])
        >>> numbers = np.linspace(0, 1, 100_001)
        >>> results, total = f.map([numbers, -1.0], chunk=10_000, reduce=[None, "sum"])
        >>> results.shape, np.allclose(results, np.exp(-numbers)), round(float(total))
        ((100001,), True, 33334)
        """
        from symtheano.function.mapping.run import Plan, collect

        plan = Plan.of(self, arrays, whole, axis, chunk, memory, engine, workers, retries)
        return collect(plan, reduce, out, progress)

    def imap(
        self: MappedFunction,
        arrays: Any,
        *,
        engine: Engine = "threads",
        whole: Inputs = (),
        axis: int = 0,
        chunk: int | None = None,
        memory: int | None = None,
        workers: int | None = None,
        ordered: bool = True,
        retries: int = 0,
        progress: Progress = False,
    ) -> Iterator[tuple[slice, Any]]:
        """Call the function on chunks of arrays, and yield the results one by one.

        The calls go on in the background, a few chunks ahead of the program that takes the results,
        and end when the iterator is closed. Results need not have rows.

        Parameters
        ----------
        ordered
            Whether results come in the order of their rows. Otherwise they come when they are done.
        arrays, engine, whole, axis, chunk, memory, workers, retries, progress
            As for :meth:`map`.

        Yields
        ------
        Pairs of a slice, the rows of the chunk, and the result of the call.

        Raises
        ------
        MapError, ShapeError, NotImplementedError, TypeError, ValueError
            As :meth:`map`; for unsuitable arguments at once.

        Examples
        --------
        >>> from symtheano import function
        >>> x = T.dvector("x")
        >>> largest = function([x], x.max())
        >>> for rows, result in largest.imap(np.arange(10.0), chunk=4):
        ...     print(rows.start, rows.stop, float(result))
        0 4 3.0
        4 8 7.0
        8 10 9.0
        """
        from symtheano.function.mapping.run import Plan, results_of

        plan = Plan.of(self, arrays, whole, axis, chunk, memory, engine, workers, retries)
        return results_of(plan, ordered, progress)
