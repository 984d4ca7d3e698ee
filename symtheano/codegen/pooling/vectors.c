/* Vectors: wider ones than the processor has are not compared at once. */
#define BYTES ST_VECTOR_BYTES
#if BYTES == 32
#define LANES_OF(wide, narrow) LIST wide
#else
#define LANES_OF(wide, narrow) LIST narrow
#endif
#define LIST(...) __VA_ARGS__

enum { LANES = BYTES / sizeof(TYPE) };
typedef TYPE vector __attribute__((vector_size(BYTES), aligned(sizeof(TYPE)), may_alias));
typedef INTEGER mask __attribute__((vector_size(BYTES)));

#if defined(__clang__)
#define MIXED(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define MIXED(x, y, ...) __builtin_shuffle(x, y, (mask){__VA_ARGS__})
#endif
