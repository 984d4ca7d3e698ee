/* One C function for all compiled functions of a vector of doubles: what differs is in `data`. */
#include <stdlib.h>
#include <string.h>

typedef int32_t (*st_entry)(const st_runtime *runtime, const st_array *inputs, st_array *outputs,
                            st_error *error);

/* Number of axes, elements (of results) and bytes of an element (of temporary memory). */
typedef struct st_kind { uint64_t ndim, count, itemsize; } st_kind;

/* What a caller passes as data; made by symtheano, never changed. */
typedef struct st_function {
    st_entry entry;
    const st_array *lent;
    const st_blas *blas;
    void *const *functions;
    uint64_t inputs, argument, length, outputs, hidden;
    st_kind kinds[];
} st_function;

typedef struct st_vector_call {
    const st_function *function;
    double *results[2];
    void **hidden;
} st_vector_call;

static void *st_place(void *context, int32_t output, const int64_t *shape) {
    st_vector_call *const call = context;
    const st_function *const function = call->function;
    const st_kind *const kind = &function->kinds[output];
    uint64_t count = 1;
    for (uint64_t axis = 0; axis < kind->ndim; axis++) count *= (uint64_t)shape[axis];
    if ((uint64_t)output < function->outputs)
        return count == kind->count ? call->results[output] : NULL;
    void **const slot = &call->hidden[(uint64_t)output - function->outputs];
    if (count > (SIZE_MAX >> 1) / kind->itemsize) return NULL;
    free(*slot);
    *slot = aligned_alloc(64, (count * kind->itemsize + 127) / 64 * 64);
    return *slot;
}

/* Compute the results of x, of one or two outputs; thread-safe, and without Python. Returns 0, or
   the kind of the error; the results are undefined then. */
ST_EXPORT int st_vector_call_run(const double *x, double *first, double *second, void *data) {
    const st_function *const function = data;
    void *hidden[function->hidden + 1];
    memset(hidden, 0, sizeof hidden);
    st_vector_call call = {function, {first, second}, hidden};
    const st_runtime runtime = {
        .context = &call, .allocate = st_place, .blas = function->blas, .threads = 1,
        .functions = function->functions,
    };
    const int64_t length = (int64_t)function->length;
    st_array inputs[function->inputs + 1], outputs[function->outputs + function->hidden + 1];
    memcpy(inputs, function->lent, function->inputs * sizeof *inputs);
    inputs[function->argument] = (st_array){(void *)x, &length};
    st_error error;
    const int32_t status = function->entry(&runtime, inputs, outputs, &error);
    for (uint64_t k = 0; k < function->hidden; k++) free(hidden[k]);
    return status;
}
