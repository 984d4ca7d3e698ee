const st_kernels *kernels = runtime->functions[@LINK@];
    typedef int32_t st_convolve(int, const st_windows *, int, const @TYPE@ *, const @TYPE@ *, @TYPE@ *,
                                void *, int64_t, void (*)(const void *, int64_t, int64_t),
                                const void *, void *, int64_t);
    if (kernels && kernels->run
        && ((st_convolve *)kernels->run)(@WANTED@, w, runtime->threads, @ARRAYS@, memory, bytes,
                                         @FINISH@)) return;
