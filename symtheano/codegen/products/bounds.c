enum { NO_TRANS = 111 };
enum { @WANTED@ };
enum { MOST_ROWS = 8 };
/* Bytes of the copy of a panel, of an op(b) that fits in the L1 and in the L2 cache, and of a C
   that does not. */
enum { PANEL = 32768, CLOSE = 24576, NEAR = 524288, FAR = 1048576 };
#define HUGE_C(m, n) ((double)(m) * (n) * sizeof(TYPE) > FAR)
/* Maximum multiplications of a small product, and rows or columns of a narrow one. */
enum { SMALL = 128 * 128 * 128, NARROW = 32 };
/* Whether vectors have 64 bytes: then large products are as fast as the library's, and faster than
   those of a library that does not know the processor. */
enum { WIDE = BYTES == 64 };
/* Rows of op(a) that are copied together for large products: there are 32 registers of 64 bytes,
   and 16 narrower ones. */
enum { STRIP = WIDE ? 14 : 6 };
/* The number of rows from which on panels are copied. */
enum { PACKED_FROM = WIDE ? 32 : 64 };
/* Packed matrices: elements before the first panel, and rows of a panel in the L1 cache. */
enum { PACKED_HEAD = 16, PACKED_DEPTH = 256 };
/* Maximum number of parts of a product, which can run in threads, and minimum multiplications of a
   part. A LARGE product is faster in the library with more threads than there are parts. */
enum { PARTS = 4, PART = 400000, LARGE = 4000000 };
#ifdef _OPENMP
enum { THREADED = 1 };
#else
enum { THREADED = 0 };
#endif

/* Packed matrices: maximum rows of their products, minimum elements, maximum bytes. */
enum { PACKED_ROWS = @MOST_ROWS@, PACKED_LEAST = @LEAST_ELEMENTS@, PACKED_BYTES = @MOST_BYTES@ };
