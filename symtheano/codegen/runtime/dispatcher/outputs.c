/* The memory of large outputs: where it begins within a page.

   A loop that loads x[i + 1] after it has stored out[i] waits for each store if the two addresses
   agree in their last 20 bits: the processor takes them for the same address until the store is
   complete. NumPy's arrays often lie so. They begin 16 bytes after a page or after the last array,
   and their sizes are powers of two. Layer normalization of 16 MB took 2.6 times as long.

   An output therefore begins where, or a little before, an input begins within its page: its stores
   then meet addresses that have been loaded already. Its vectors are aligned, too.

   A shared value that is updated in place may lie badly, too. Then its first update moves it.

   The memory is NumPy's own, with the space to choose. Arrays own it, and free it with the handler
   that NumPy keeps for each array. All functions here are called with the GIL. */

#define PAGE 4096
#define PLACE_ALIGNMENT 64
/* More bytes than the array has: a page to choose in, and what `output_header` needs. */
#define SPARE (PAGE + PLACE_ALIGNMENT)

/* What precedes the elements. */
typedef struct {
    void *whole; /* what NumPy's handler returned */
    size_t bytes;
} output_header;

static PyDataMem_Handler *numpy_handler; /* in its default handler, which exists forever */
static size_t wanted_place;

static output_header *header_of(void *data)
{
    return (output_header *)data - 1;
}

static void *placed(char *whole, size_t bytes)
{
    if (whole == NULL) return NULL;
    char *least = whole + sizeof(output_header);
    char *data = least + (wanted_place - (size_t)least) % PAGE;
    *header_of(data) = (output_header){whole, bytes};
    return data;
}

static void *output_malloc(void *context, size_t bytes)
{
    if (bytes > SIZE_MAX - SPARE) return NULL;
    const PyDataMemAllocator *numpy = &numpy_handler->allocator;
    return placed(numpy->malloc(numpy->ctx, bytes + SPARE), bytes);
}

static void *output_calloc(void *context, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - SPARE) / size) return NULL;
    const PyDataMemAllocator *numpy = &numpy_handler->allocator;
    return placed(numpy->calloc(numpy->ctx, 1, count * size + SPARE), count * size);
}

static void output_free(void *context, void *data, size_t bytes)
{
    if (data == NULL) return;
    const PyDataMemAllocator *numpy = &numpy_handler->allocator;
    const output_header header = *header_of(data);
    numpy->free(numpy->ctx, header.whole, header.bytes + SPARE);
}

static void *output_realloc(void *context, void *data, size_t bytes)
{
    void *moved = output_malloc(context, bytes);
    if (moved == NULL || data == NULL) return moved;
    const size_t before = header_of(data)->bytes;
    memcpy(moved, data, before < bytes ? before : bytes);
    output_free(context, data, before);
    return moved;
}

static PyDataMem_Handler output_handler = {
    "symtheano", 1, {NULL, output_malloc, output_calloc, output_realloc, output_free}};
static PyObject *output_capsule;

/* Arrays with fewer elements are not considered, and not more inputs than this number. */
#define LONG ((npy_intp)1 << 14)
#define LONG_INPUTS 8

/* Return where in its page an output begins best: the next loads that meet its stores are as far
   away as possible. */
static size_t best_place(const dispatcher *self, const st_array *inputs)
{
    size_t places[LONG_INPUTS], best = 0, farthest = 0;
    int count = 0;
    for (Py_ssize_t i = 0; i < self->inputs && count < LONG_INPUTS; i++) {
        npy_intp elements = inputs[i].shape != NULL;
        for (int axis = 0; elements && axis < self->input[i].ndim; axis++) {
            elements *= inputs[i].shape[axis];
        }
        if (elements >= LONG) places[count++] = (size_t)inputs[i].data % PAGE;
    }
    for (int k = 0; k < count; k++) {
        const size_t candidate = places[k] / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
        size_t distance = PAGE;
        for (int other = 0; other < count; other++) {
            const size_t ahead = (candidate - places[other] - 1) % PAGE;
            if (ahead < distance) distance = ahead;
        }
        if (distance > farthest) farthest = distance, best = candidate;
    }
    return best;
}

/* Return a new array, in memory whose place suits the inputs; or as NumPy makes it if it is small,
   or if the program has set a handler of its own. */
static PyArrayObject *new_output(const dispatcher *self, int ndim, const npy_intp *shape,
                                 int type_num, const st_array *inputs)
{
    npy_intp elements = 1;
    for (int axis = 0; axis < ndim; axis++) elements *= shape[axis];
    PyObject *before = NULL;
    if (elements >= LONG && numpy_handler != NULL) {
        before = PyDataMem_SetHandler(output_capsule);
        if (before == NULL) return NULL;
        if (before != PyDataMem_DefaultHandler) {
            Py_XDECREF(PyDataMem_SetHandler(before));
            Py_CLEAR(before);
        }
    }
    if (before == NULL) {
        return (PyArrayObject *)PyArray_SimpleNew(ndim, (npy_intp *)shape, type_num);
    }
    wanted_place = best_place(self, inputs);
    PyArrayObject *array =
        (PyArrayObject *)PyArray_SimpleNew(ndim, (npy_intp *)shape, type_num);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    Py_XDECREF(PyDataMem_SetHandler(before));
    PyErr_Restore(type, value, traceback);
    Py_DECREF(before);
    return array;
}

/* Arrays of at least this many bytes may lie in huge pages, where addresses that agree in their
   last 20 bits do so physically. */
#define MOVED_BYTES ((npy_intp)1 << 20)
#define ADDRESSES ((size_t)1 << 20)
/* Loads are at most this number of bytes ahead of stores. */
#define AHEAD 128

/* Return whether stores into the array of an input, which is updated in place, would hold up loads
   of others. Arrays that were placed here once are not moved again. */
static int is_badly_placed(
    const dispatcher *self, const st_array *inputs, Py_ssize_t number, PyArrayObject *array)
{
    if (PyArray_NBYTES(array) < MOVED_BYTES || PyArray_HANDLER(array) == output_capsule) return 0;
    for (Py_ssize_t i = 0; i < self->inputs; i++) {
        if (i == number || inputs[i].shape == NULL || self->input[i].ndim == 0) continue;
        const size_t ahead = ((size_t)inputs[number].data - (size_t)inputs[i].data) % ADDRESSES;
        if (ahead > 0 && ahead <= AHEAD) return 1;
    }
    return 0;
}

/* Return a copy of an array in C order that is placed like an output. */
static PyArrayObject *placed_copy(
    const dispatcher *self, const input_spec *spec, PyArrayObject *array, const st_array *inputs)
{
    PyArrayObject *copy =
        new_output(self, spec->ndim, PyArray_DIMS(array), spec->type_num, inputs);
    if (copy != NULL && PyArray_CopyInto(copy, array) < 0) Py_CLEAR(copy);
    return copy;
}

/* Called once; where it fails, outputs are placed as NumPy does. */
static void prepare_outputs(void)
{
    output_capsule = PyCapsule_New(&output_handler, "mem_handler", NULL);
    if (output_capsule != NULL) {
        numpy_handler = PyCapsule_GetPointer(PyDataMem_DefaultHandler, "mem_handler");
    }
    PyErr_Clear();
}
