static int64_t st_@NAME@_bytes_@SUFFIX@(const st_runtime *runtime, const st_windows *w@CONSTANT@) {
@UNUSED@    const st_kernels *kernels = runtime->functions[@LINK@];
    if (!kernels || !kernels->memory) return 0;
    typedef int64_t st_convolution_memory(int, const st_windows *, int);
    return ((st_convolution_memory *)kernels->memory)(@WANTED@, w, runtime->threads);
}
