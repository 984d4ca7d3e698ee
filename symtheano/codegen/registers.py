"""How wide the vectors of C text are: the one place that knows.

Texts are the same for all processors, and ``-march`` says for which one a file is compiled, so the
preprocessor finds the width of registers (``registers.c``), once for each file. Numbers of bytes in
LoopIR do not depend on it (:class:`symtheano.codegen.targets.Vectors`).

Products and convolutions use the widest registers. With vectors of 64 bytes instead of 32,
prototypes of these kernels (one thread, float32, AMD Zen 4) took this part of the time: .80 and .88
for Winograd's algorithm, .81 to 1.10 for the gradients of filters, .98 to 1.03 for most results and
images, 1.12 for results of filters of one element, 1.15 for depthwise filters. The mean of 17 was
.96.

Pooling and Fourier transforms use at most 32 bytes: wider vectors have not been measured there.
``python -m benchmarks.vector_widths`` compares two widths on a machine. On an AMD EPYC with AVX2,
vectors of 32 bytes instead of 16 took .5 to .9 of the time for arithmetic, functions and sums in
the nearest cache, .6 to 1 from memory, .4 to .9 for convolutions and products, .9 for pooling, and
.7 for Fourier transforms.
"""

from __future__ import annotations

from symtheano.codegen.template import file_text

REGISTERS = file_text(__file__, "registers.c")
"""The C text; files have it once, before what uses it."""
