"""Our own convolutions: a library compiled once per element type.

Zeros are written around each image first, so that each element of a filter is a constant distance
in memory (``planes.c``). Then

- *gather*: the result is a product of the filters, packed, and of panels of the image, in which the
  elements that a filter's element meets are neighbours. A tile of the result is held in registers.
  The gradient of an image is the same with panels of the result; with a stride, it is one product
  for each phase of the image.
- *direct*: the same without panels, for few filters, or small planes.
- *scatter*: the gradient of an image as products that are added where they belong.
- *strips*: the same for two or three channels and stride 2, without adding to memory.
- *winograd*: fewer products, for filters of 3 x 3 elements.
- *depthwise*: groups of one channel and one filter.
- *overlap*: for large filters, tiles of the image are transformed (``fourier.c``), multiplied by
  transformed filters, frequency by frequency, and transformed back.
- *correlate*: the gradient of large filters by such transforms, whose products are added tile by
  tile.
- *across* and *sums*: the gradient of a filter is held in registers, for several filters, or as
  vectors of partial sums over pixels.

The library exports, for shapes in ``windows.c``::

    int64_t st_convolution_memory(wanted, windows, threads)
    int32_t st_convolve(wanted, windows, threads, first, second, made, memory, bytes, finish,
                        context, list, call)

Sizes of memory do not overflow (``sizes.c``). There is no kernel for arrays that can't exist, nor
where most of the memory would be zeros, as for filters whose elements are millions apart.

The result is bitwise the same with any number of threads. A file that calls it has plain loops as
well, for when there is no library, or no kernel.
"""

from __future__ import annotations

from symtheano.codegen.products.kernels import OWN_FLAGS, OWN_TYPES, vectors_source
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text

KERNEL_TYPES = tuple(OWN_TYPES)
"""Short names of the element types."""

KERNEL_FLAGS = OWN_FLAGS
"""Flags in addition to those of generated code."""

_ALGORITHMS = {"direct": (0, 0), "default": (2, 1), "fast": (4, 1)}
"""For each value of the option ``convolution``: m of Winograd's F(m, 3), or 0, and whether Fourier
transforms are used."""

_TEXTS = (
    *("windows", "memory", "planes", "gather", "direct", "drive", "scatter", "strips"),
    *("winograd", "fourier", "overlap", "correlate", "sums", "across", "depthwise", "exports"),
)
_THREADS = """\
#ifdef _OPENMP
int omp_get_thread_num(void);
#define THREAD omp_get_thread_num()
#else
#define THREAD 0
#endif
"""


def kernels_source(suffix: str, algorithms: str = "default") -> str:
    """Return the C text of the library for one of :data:`KERNEL_TYPES`.

    Parameters
    ----------
    suffix
        The element type.
    algorithms
        The option ``convolution``.

    Examples
    --------
    >>> "#define TYPE double" in kernels_source("f64")
    True
    """
    winograd, fourier = _ALGORITHMS[algorithms]
    choice = f"#define WINOGRAD {winograd}\n#define FOURIER {fourier}\n"
    return "\n".join((vectors_source(suffix), choice, _THREADS, SIZES, *map(_file, _TEXTS)))


def _file(name: str) -> str:
    return file_text(__file__, f"{name}.c")


WINDOWS = _file("windows")
"""C text of the type of shapes that kernels and generated code share."""
