/* The same cuBLAS without cuBLASLt. */
#define WITHOUT_LT
#include "stub_libcublas.c"
