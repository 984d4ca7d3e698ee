typedef int32_t (*function)(int, int, int, int, int64_t, int64_t, int64_t, @TYPE@,
                                    const @TYPE@ *, int64_t, const @TYPE@ *, int64_t, @TYPE@, @TYPE@ *,
                                    int64_t);
