"""Compiled functions as C functions, for callers that do not use Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.function.callbacks import callback_trouble, number_trouble
from symtheano.function.stages import Stages, open_cache
from symtheano.graph.ports import Ports

if TYPE_CHECKING:
    from symtheano.codegen.runtime.link import Linked
    from symtheano.codegen.runtime.vector_call import VectorCallable


class CallsFromC:
    """The address of a function, and C functions that call it."""

    stages: Stages
    _linked: Linked | None
    _ports: Ports

    if TYPE_CHECKING:

        def _label(self) -> str: ...

        def wait(self) -> None: ...

    @property
    def address(self) -> int:
        """The address of the entry point in ``c_source``; valid as long as this function exists.

        Raises
        ------
        NotImplementedError
            Under the interpreter.
        """
        self.wait()
        if self._linked is None:
            raise NotImplementedError(f"{self._label()} runs in the interpreter and has no C code")
        return self._linked.address

    def low_level_callable(self, signature: str | None = None) -> Any:
        """Return this function as a C callback for SciPy's integrators, filters and others.

        The current values of shared variables are copied. If a check fails in a call, the result is
        NaN or, if the signature returns a status, the status is 0.

        Parameters
        ----------
        signature
            Signature of the C function; by default the first possible one of these:
            ``double (double)``; ``double (int, double *)`` for several numbers or one vector;
            either of them with a last ``void *``; ``int (double *, intptr_t, double *, void *)``.

        Returns
        -------
        A ``scipy.LowLevelCallable``.

        Raises
        ------
        NotImplementedError
            If the function has updates, Python ops, or a result that is not one number, or if it
            runs in the interpreter.

        Examples
        --------
        >>> from symtheano import function
        >>> from scipy.integrate import quad
        >>> x = T.dscalar("x")
        >>> f = function([x], T.exp(-T.sqr(x)))
        >>> round(quad(f.low_level_callable(), -np.inf, np.inf)[0] ** 2, 6)
        3.141593
        """
        from symtheano.codegen.runtime.callback import Callback, callback_source, default_signature

        linked = self._callable_from_c()
        trouble = number_trouble(self.stages.request, linked)
        if trouble is not None:
            raise NotImplementedError(f"{self._label()} can't be called from C as is: {trouble}")
        chosen = signature or default_signature(self._ports)
        output = linked.record.outputs[0][0]
        entry = linked.record.entry
        text = self.stages.compiled_text(linked)
        source = callback_source(text, entry, self._ports, output, chosen)
        store = open_cache(self.stages.options)
        callback = Callback(source, linked, self._ports, store, self.stages.toolchain)
        return callback.low_level_callable(chosen)

    def vector_callable(
        self,
        length: int | None = None,
        sizes: Sequence[int] | None = None,
        fixed: Sequence[Any] = (),
    ) -> VectorCallable:
        """Return this function of a vector as a C function of pointers, for samplers.

        Its signature is ``int (const double *x, double *first, double *second, void *data)``, for
        example for a density and its gradient. Calls need no Python, and may run in any number of
        threads. The current values of shared variables are copied.

        Parameters
        ----------
        length
            Number of elements of the argument, if its type does not say so.
        sizes
            Number of elements of each result; by default 1 for numbers and ``length`` for arrays.
        fixed
            Values of the arguments after the first one, the vector.

        Returns
        -------
        An object with the address of the C function and the pointer ``data``.

        Raises
        ------
        NotImplementedError
            If the first argument is not a float64 vector, the results are not one or two float64
            arrays, or the function has updates or Python ops, or runs in the interpreter.
        ValueError
            If the length is not known, or ``fixed`` has too few or too many values.

        Examples
        --------
        >>> from symtheano import function, grad
        >>> x = T.dvector("x")
        >>> f = function([x], [-T.sqr(x).sum(), -2 * x])
        >>> c = f.vector_callable(3)
        >>> [item.tolist() for item in c(np.array([1.0, 2.0, 3.0]))]
        [[-14.0], [-2.0, -4.0, -6.0]]
        """
        from symtheano.codegen.runtime.vector_call import VectorCallable, vector_trouble

        linked = self._callable_from_c()
        trouble = vector_trouble(linked, self._ports)
        if trouble is not None:
            raise NotImplementedError(f"{self._label()} can't be called with a vector: {trouble}")
        first, *others = [port for port in self._ports.inputs if port.argument is not None]
        if len(fixed) != len(others):
            counts = f"{len(fixed)} fixed values for {len(others)} arguments"
            raise ValueError(f"{self._label()}: {counts}")
        values = [
            np.array(port.type.filter(value), order="C")
            for port, value in zip(others, fixed, strict=True)
        ]
        known = first.type.shape[0]
        if length is None and known is None:
            raise ValueError(f"{self._label()}: give the length of the argument; it is unknown")
        count = known if length is None else length
        specs = linked.record.output_specs()[: len(self.stages.request.outputs)]
        numbers = [count if spec.ndim else 1 for spec in specs] if sizes is None else list(sizes)
        if len(numbers) != len(specs):
            raise ValueError(f"{self._label()}: {len(numbers)} sizes for {len(specs)} results")
        store = open_cache(self.stages.options)
        toolchain = self.stages.toolchain
        return VectorCallable(linked, self._ports, count, numbers, values, store, toolchain)

    def _callable_from_c(self) -> Linked:
        """Return the compiled file, if C can call it without Python."""
        self.wait()
        trouble = callback_trouble(self.stages.request, self._linked, self.stages.options.device)
        if trouble is not None:
            raise NotImplementedError(f"{self._label()} can't be called from C as is: {trouble}")
        assert self._linked is not None
        return self._linked
