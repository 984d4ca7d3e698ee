/* What stands after the kernels of a program when they are compiled for the processor: a kernel by
   its name or number, and its launch. */
#define ST_EXPORT extern "C" __attribute__((visibility("default")))

ST_EXPORT const st_kernel *st_find_kernel(const char *name) {
    for (const st_kernel &kernel : st_kernels) {
        if (strcmp(kernel.name, name) == 0) return &kernel;
    }
    return nullptr;
}

ST_EXPORT int32_t st_kernel_count() { return sizeof st_kernels / sizeof *st_kernels; }

ST_EXPORT const st_kernel *st_kernel_at(int32_t number) { return &st_kernels[number]; }

ST_EXPORT int64_t st_run_kernel(const st_kernel *kernel, int64_t blocks, int threads,
                                void **arguments, st_kept *kept) {
    return st_launch(kernel, blocks, threads, arguments, kept);
}
