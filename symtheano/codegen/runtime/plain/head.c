#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
enum { ROW_MAJOR = 101, NO_TRANS = 111, CONJ_TRANS = 113 };
/* Rows of a strip of A, and depth and width of a block of B, which fits in the L2 cache. */
enum { ROWS = 4, DEPTH = 128, WIDTH = 128 };

/* BLAS passes the lowest address of a vector. If inc < 0, this is its last element. */
#define FIRST(x, n, inc) ((inc) < 0 ? (x) - ((n) - 1) * (inc) : (x))
