/* One C function for all compiled functions of a vector of doubles: what differs is in `data`. */
#include <pthread.h>
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

/* Temporary memory that a thread keeps for its next call, or an additional piece for one call. The
   bytes for callers follow, at the next multiple of 64. */
typedef struct st_memory {
    struct st_memory *next;
    uint64_t bytes;
} st_memory;

typedef struct st_vector_call {
    const st_function *function;
    double *results[2];
    void **hidden;
    st_memory *kept, *added;
    uint64_t used, wanted;
} st_vector_call;

enum { ST_HEAD = 64 };
/* More than this is given back at the end of a call. */
#define ST_MOST_KEPT ((uint64_t)1 << 26)

static pthread_once_t st_once = PTHREAD_ONCE_INIT;
static pthread_key_t st_key;
static int st_has_key;

/* A thread that ends frees its memory. */
static void st_make_key(void) { st_has_key = pthread_key_create(&st_key, free) == 0; }

static st_memory *st_allocate(uint64_t bytes) {
    st_memory *const memory = aligned_alloc(64, bytes + ST_HEAD);
    if (memory) *memory = (st_memory){NULL, bytes};
    return memory;
}

static void *st_workspace(void *context, int64_t bytes) {
    st_vector_call *const call = context;
    if (bytes < 0 || (uint64_t)bytes > SIZE_MAX >> 1) return NULL;
    const uint64_t size = ((uint64_t)bytes + 63) / 64 * 64;
    call->wanted += size;
    if (call->kept && size <= call->kept->bytes - call->used) {
        char *const place = (char *)call->kept + ST_HEAD + call->used;
        call->used += size;
        return place;
    }
    st_memory *const added = st_allocate(size);
    if (!added) return NULL;
    added->next = call->added;
    call->added = added;
    return (char *)added + ST_HEAD;
}

/* Free what was added, and keep as much as this call wanted for the next one. */
static void st_end_workspace(st_vector_call *call) {
    for (st_memory *added = call->added, *next; added; added = next) {
        next = added->next;
        free(added);
    }
    if (!call->added || !st_has_key || call->wanted > ST_MOST_KEPT) return;
    free(call->kept);
    st_memory *memory = st_allocate(call->wanted);
    if (pthread_setspecific(st_key, memory)) {
        free(memory);
        pthread_setspecific(st_key, NULL);
    }
}

/* Return how many bytes this thread keeps. */
ST_EXPORT uint64_t st_vector_call_kept(void) {
    pthread_once(&st_once, st_make_key);
    const st_memory *const kept = st_has_key ? pthread_getspecific(st_key) : NULL;
    return kept ? kept->bytes : 0;
}

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
    pthread_once(&st_once, st_make_key);
    st_memory *const kept = st_has_key ? pthread_getspecific(st_key) : NULL;
    st_vector_call call = {function, {first, second}, hidden, kept, NULL, 0, 0};
    const st_runtime runtime = {
        .context = &call, .allocate = st_place, .blas = function->blas, .threads = 1,
        .functions = function->functions, .workspace = st_workspace,
    };
    const int64_t length = (int64_t)function->length;
    st_array inputs[function->inputs + 1], outputs[function->outputs + function->hidden + 1];
    memcpy(inputs, function->lent, function->inputs * sizeof *inputs);
    inputs[function->argument] = (st_array){(void *)x, &length};
    st_error error;
    const int32_t status = function->entry(&runtime, inputs, outputs, &error);
    for (uint64_t k = 0; k < function->hidden; k++) free(hidden[k]);
    st_end_workspace(&call);
    return status;
}
