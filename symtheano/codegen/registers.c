/* Bytes of vectors, by the instructions for which a file is compiled: of the widest registers, and of
   vectors that are not wider than 32. */
#ifndef ST_WIDEST_BYTES
#ifdef __AVX512F__
#define ST_WIDEST_BYTES 64
#elif defined __AVX__
#define ST_WIDEST_BYTES 32
#else
#define ST_WIDEST_BYTES 16
#endif
#endif
#define ST_VECTOR_BYTES (ST_WIDEST_BYTES < 32 ? ST_WIDEST_BYTES : 32)
