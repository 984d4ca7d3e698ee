#include <stdint.h>
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 64")
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#define BYTES ST_WIDEST_BYTES

#ifdef __has_builtin
#define SHUFFLES __has_builtin(__builtin_shufflevector)
#else
#define SHUFFLES 0
#endif

/* Keep a value in a register, so that it is not loaded again by each instruction that uses it. */
#if defined(__x86_64__) && defined(__AVX__)
#define KEEP(value) __asm__("" : "+x"(value))
#else
#define KEEP(value)
#endif

#define TYPE @TYPE@
#define WORD @WORD@
#define WIDTH @WIDTH@
