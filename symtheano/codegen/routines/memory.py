"""Routines that copy, repeat and clear arrays."""

from __future__ import annotations

from symtheano.loopir.routine import Routine, signature

_MEMORY = """\
/* Larger arrays are copied and cleared by all threads. */
#define ST_PARALLEL_BYTES 4194304
"""

_COPY = """\
static void st_copy(const st_runtime *runtime, void *to, const void *from, int64_t bytes) {
    if (to == from) return;  /* it already uses this memory */
    st_announce(runtime, (double)bytes / 8);
#ifdef _OPENMP
    if (runtime->threads > 1 && bytes > ST_PARALLEL_BYTES) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(bytes, 4096);
            __builtin_memcpy((char *)to + share.begin, (const char *)from + share.begin,
                             (size_t)(share.end - share.begin));
        }
        return;
    }
#endif
    __builtin_memcpy(to, from, (size_t)bytes);
}
"""

_REPEAT = """\
/* Copies an array with any strides, in elements; those of repeated axes are 0. */
static __attribute__((noinline)) char *st_repeat_axes(char *to, const char *from,
        int64_t itemsize, int64_t ndim, const int64_t *lengths, const int64_t *strides) {
    if (ndim == 1 && strides[0] == 1) {
        __builtin_memcpy(to, from, (size_t)(lengths[0] * itemsize));
        return to + lengths[0] * itemsize;
    }
    for (int64_t i = 0; i < lengths[0]; i++, from += strides[0] * itemsize) {
        if (ndim > 1) {
            to = st_repeat_axes(to, from, itemsize, ndim - 1, lengths + 1, strides + 1);
        } else {
            __builtin_memcpy(to, from, (size_t)itemsize);
            to += itemsize;
        }
    }
    return to;
}

static void st_repeat(const st_runtime *runtime, void *to, const void *from, int64_t itemsize,
                      int64_t ndim, const int64_t *lengths, const int64_t *strides) {
    double count = 1;
    for (int64_t k = 0; k < ndim; k++) count *= (double)lengths[k];
    st_announce(runtime, count);
    st_repeat_axes(to, from, itemsize, ndim, lengths, strides);
}
"""

_ZERO = """\
static void st_zero(const st_runtime *runtime, void *to, int64_t bytes) {
    st_announce(runtime, (double)bytes / 8);
#ifdef _OPENMP
    if (runtime->threads > 1 && bytes > ST_PARALLEL_BYTES) {
        #pragma omp parallel num_threads(runtime->threads)
        {
            const st_share share = st_my_share(bytes, 4096);
            __builtin_memset((char *)to + share.begin, 0, (size_t)(share.end - share.begin));
        }
        return;
    }
#endif
    __builtin_memset(to, 0, (size_t)bytes);
}
"""


def _shared(text: str) -> tuple[str, ...]:
    """Return the text of a routine that uses all threads."""
    return (_MEMORY, text)


MEMORY = (
    Routine(
        "copy",
        signature("to: out T, from: in T, count: bytes"),
        lambda _: _shared(_COPY),
        prelude=("parallel",),
        typed=False,
    ),
    Routine(
        "zero",
        signature("to: out T, count: bytes"),
        lambda _: _shared(_ZERO),
        prelude=("parallel",),
        typed=False,
    ),
    Routine(
        "repeat",
        signature("to: out T, from: in T, one: bytes, ndim, lengths: lengths, strides: lengths"),
        lambda _: (_REPEAT,),
        typed=False,
    ),
)
"""``copy`` of a contiguous array, ``zero`` for one that is filled with zeros, and ``repeat`` for a
copy of an array with any strides, which are 0 along repeated axes."""
