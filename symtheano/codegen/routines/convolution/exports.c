/* What the library exports; see kernels.py. `wanted` is 0 for results, 1 for images, 2 for
   filters. */

static int usable(const st_windows *w) {
    return !w->unshared && st_volume(w->k) > 0 && w->c > 0 && w->o > 0;
}

static void plan(task *t, int wanted, const TYPE *kernel, arena *memory) {
    if (wanted == 0) plan_result(t, kernel, memory);
    else plan_image(t, kernel, memory);
}

/* Bytes of memory for a call. */
EXPORT int64_t st_convolution_memory(int wanted, const st_windows *w, int threads) {
    arena memory = {0, 0};
    if (!usable(w)) return 0;
    if (wanted == 2) {
        sums t = {.w = w};
        plan_sums(&t, &memory);
    } else {
        task t = {.w = w, .threads = threads};
        plan(&t, wanted, 0, &memory);
    }
    return memory.used + 64;
}

/* Compute `made` from two arrays; return 0 if there is no kernel, or too little memory. */
EXPORT int32_t st_convolve(int wanted, const st_windows *w, int threads, const TYPE *first,
                           const TYPE *second, TYPE *made, void *memory, int64_t bytes,
                           void (*finish)(const void *, int64_t, int64_t), const void *context) {
    if (!usable(w) || bytes < st_convolution_memory(wanted, w, threads)) return 0;
    arena lent = {(char *)(((uintptr_t)memory + 63) / 64 * 64), 0};
    if (wanted == 2) {
        sums t = {.w = w, .threads = threads};
        plan_sums(&t, &lent);
        sum_up(&t, first, second, made);
    } else {
        task t = {.w = w, .threads = threads};
        plan(&t, wanted, wanted == 0 ? second : first, &lent);
        run_task(&t, wanted == 0 ? first : second, made, finish, context);
    }
    return 1;
}
