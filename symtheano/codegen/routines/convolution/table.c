/* The kernels of the host, for each element type, or NULL; see kernels.py. */
typedef struct st_convolutions { void *memory[COUNT], *run[COUNT]; } st_convolutions;
typedef int64_t st_convolution_memory(int, const st_windows *, int);
