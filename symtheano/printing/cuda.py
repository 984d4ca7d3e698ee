"""The text of a function for CUDA devices, whether there is one or not."""

from __future__ import annotations

from typing import Any

from symtheano.codegen.cuda.program import print_cuda
from symtheano.codegen.devices import CUDA
from symtheano.codegen.lower import lower
from symtheano.graph.eager import quiet
from symtheano.graph.origin import origin_scope
from symtheano.printing.loops import stages_of


def cuda_text(subject: Any) -> str:
    """Return the kernels for a function, or for variables in the default mode, and the host's C.

    Nothing is compiled, and neither a device nor a compiler is needed.

    Parameters
    ----------
    subject
        The function, variable or variables.

    Examples
    --------
    >>> text = cuda_text(T.fvector("x") * 2)
    >>> "ST_KERNEL(256) kernel_0_mul" in text, "ST_EXPORT int32_t" in text
    (True, True)
    """
    stages = stages_of(subject)
    with quiet(), origin_scope(None):
        program = lower(
            stages.final, stages.request.donors, stages.name,
            target=CUDA.without(stages.mode.excluded), wishes=stages.request.wishes,
        ).program  # fmt: skip
    source = print_cuda(program, frozenset(), stages.options.accuracy, CUDA)
    return "\n".join(filter(None, (source.kernels, source.host.text)))
