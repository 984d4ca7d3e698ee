/* How long the steps of a call have taken, for profiles. */
typedef struct st_time { double seconds; int64_t runs; } st_time;

typedef struct st_times { int32_t count; st_time *steps; } st_times;

/* Add the time of one run of a step. Without memory for it, the run is not counted. */
static void st_spend(st_times *times, int32_t step, double seconds) {
    if (step >= times->count) {
        st_time *const steps = realloc(times->steps, (size_t)(step + 1) * sizeof *steps);
        if (!steps) return;
        memset(steps + times->count, 0, (size_t)(step + 1 - times->count) * sizeof *steps);
        *times = (st_times){step + 1, steps};
    }
    times->steps[step].seconds += seconds;
    times->steps[step].runs++;
}

/* Those of the last call of this thread. */
static __thread st_times st_last_times;

static void st_publish(st_times *times) {
    free(st_last_times.steps);
    st_last_times = *times;
    *times = (st_times){0, NULL};
}

/* Take the seconds and runs of the steps of the last call that this thread has ended. */
ST_EXPORT void st_spent(int32_t count, double *seconds, int64_t *runs) {
    for (int32_t k = 0; k < count; k++) {
        const st_time none = {0.0, 0};
        const st_time time = k < st_last_times.count ? st_last_times.steps[k] : none;
        seconds[k] = time.seconds, runs[k] = time.runs;
    }
    free(st_last_times.steps);
    st_last_times = (st_times){0, NULL};
}
