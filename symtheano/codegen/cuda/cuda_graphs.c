/* Launches, calls of libraries and small copies to the device wait in a queue until something needs what they
   do. A sequence that a call has had before, with the same arguments, is captured as a graph, and from then
   on one launch. A call has the memory of the last one with the same lengths, so its arguments are the
   same but for arrays that the caller provides: some graphs are kept for these. Where few arguments
   differ, such as numbers that count steps, they are changed in the graph. If anything about graphs
   fails, the launches are plain ones. */
enum {
    ST_MOST_OPERATIONS = 256, /* before the queue grows */
    ST_MOST_SLOTS = 4096,
    ST_MOST_WAITING = 4096, /* operations; those of loops, such as scans, become a graph as a whole */
    ST_MOST_ARGUMENTS = 256,
    ST_LEAST_OPERATIONS = 3, /* fewer are launched one by one */
    ST_MOST_GRAPHS = 8,
    ST_WAITING_BYTES = 1 << 14
};

/* An argument of a kernel, at most a complex number. Other bytes are 0, so that slots compare. */
typedef struct st_slot { unsigned char bytes[16]; } st_slot;

/* A product with its factors alpha and beta. Its bytes between fields are 0. */
typedef struct st_waiting_product { st_product product; st_slot alpha, beta; } st_waiting_product;

enum { ST_LAUNCH, ST_COPY, ST_PRODUCT, ST_TRANSFORM, ST_CONVOLUTION, ST_WINDOWS };

/* What waits: a launch, a copy to the device, or a call of a library, which has what it is asked for as
   arguments. There are no bytes between the fields. */
typedef struct st_operation {
    int64_t kind;
    st_handle kernel;
    uint32_t x, y, threads, arguments; /* slots */
    st_pointer target;
    const void *source;
    size_t bytes;
} st_operation;

typedef struct st_sequence {
    int32_t count, used; /* operations, and slots */
    st_operation *operations;
    st_slot *slots;
} st_sequence;

typedef struct st_graph {
    st_sequence sequence;
    st_handle exec; /* NULL: the sequence has been there once */
    st_handle captured, *nodes; /* the graph from which it was made, and the node of each launch, or NULL */
    bool refused;   /* it can't be captured */
    int64_t time;   /* of its last use */
} st_graph;

typedef struct st_queue {
    st_handle stream;
    int32_t device;
    st_pointer workspace; /* of products; 0 before the first one, or without memory for it */
    bool refused_workspace;
    bool holds; /* all waits until the call ends, and the sequence may grow without limit */
    int32_t most_operations, most_slots;
    st_sequence waiting;
    st_graph graphs[ST_MOST_GRAPHS];
    int64_t time, begun; /* of the last use of a graph; the same, before the call */
    /* Pinned memory with the sources of copies that wait, or NULL: a half for this call, and one that the
       copies of a call on a caller's stream may still read until its event. */
    char *staged;
    int64_t staged_bytes; /* of this call */
    st_handle pending[2]; /* events, or NULL */
    int half;
    st_operation operations[ST_MOST_OPERATIONS];
    st_slot slots[ST_MOST_SLOTS];
} st_queue;

static st_queue *st_new_queue(int32_t device, st_handle stream) {
    st_queue *const queue = calloc(1, sizeof *queue);
    if (!queue) return NULL;
    queue->device = device;
    queue->stream = stream;
    queue->waiting = (st_sequence){0, 0, queue->operations, queue->slots};
    queue->most_operations = ST_MOST_OPERATIONS, queue->most_slots = ST_MOST_SLOTS;
    return queue;
}

static void st_free_grown(st_queue *queue) {
    if (queue->waiting.operations != queue->operations) free(queue->waiting.operations);
    if (queue->waiting.slots != queue->slots) free(queue->waiting.slots);
}

/* Let twice as much wait; false without memory for it. */
static bool st_grow(st_queue *queue) {
    st_sequence *const waiting = &queue->waiting;
    const size_t most = 2 * (size_t)queue->most_operations, slots = 2 * (size_t)queue->most_slots;
    st_sequence grown = {waiting->count, waiting->used, malloc(most * sizeof *grown.operations),
                         malloc(slots * sizeof *grown.slots)};
    if (!grown.operations || !grown.slots) {
        free(grown.operations);
        free(grown.slots);
        return false;
    }
    memcpy(grown.operations, waiting->operations, (size_t)waiting->count * sizeof *grown.operations);
    memcpy(grown.slots, waiting->slots, (size_t)waiting->used * sizeof *grown.slots);
    st_free_grown(queue);
    *waiting = grown;
    queue->most_operations = (int32_t)most, queue->most_slots = (int32_t)slots;
    return true;
}

/* Whether an operation with some slots may wait. */
static bool st_has_room(st_queue *queue, int32_t slots) {
    st_sequence *const waiting = &queue->waiting;
    for (;;) {
        const bool fits = waiting->used + slots <= queue->most_slots;
        if (fits && waiting->count < queue->most_operations) return true;
        if (!queue->holds && queue->most_operations >= ST_MOST_WAITING) return false;
        if (!st_grow(queue)) return false;
    }
}

static void st_forget_graph(st_graph *graph, st_handle stream) {
    if (graph->exec) {
        cuda.StreamSynchronize(stream); /* it may still run */
        cuda_graphs.ExecDestroy(graph->exec);
        cuda_graphs.Destroy(graph->captured);
    }
    free(graph->nodes);
    free(graph->sequence.operations);
    free(graph->sequence.slots);
    memset(graph, 0, sizeof *graph);
}

/* Ask once for the workspace of products, whose size depends on the device. */
static void st_need_workspace(st_queue *queue) {
    if (queue->workspace || queue->refused_workspace) return;
    const size_t bytes = st_places[queue->device].workspace;
    queue->refused_workspace = cuda.MemAlloc(&queue->workspace, bytes, queue->stream) != 0;
    if (queue->refused_workspace) queue->workspace = 0;
}

/* Free the workspace, with the graphs that use it; whether there was one. */
static bool st_free_workspace(st_queue *queue) {
    if (queue) queue->refused_workspace = false;
    if (!queue || !queue->workspace) return false;
    for (int k = 0; k < ST_MOST_GRAPHS; k++) st_forget_graph(&queue->graphs[k], queue->stream);
    cuda.MemFree(queue->workspace, queue->stream);
    queue->workspace = 0;
    return true;
}

static void st_free_queue(st_queue *queue) {
    if (!queue) return;
    st_free_workspace(queue);
    for (int k = 0; k < ST_MOST_GRAPHS; k++) st_forget_graph(&queue->graphs[k], queue->stream);
    if (queue->staged) cuda.HostFree(queue->staged);
    st_free_grown(queue);
    free(queue);
}

/* What other libraries are asked for, with the arguments of an operation. */
static int32_t st_issue_transform(st_handle stream, const st_slot *slots);
static int32_t st_issue_convolution(int32_t device, st_handle stream, const st_slot *slots);
static int32_t st_issue_windows(int32_t device, st_handle stream, const st_slot *slots);

/* Multiply, with a workspace of this stream's own, so that results do not depend on other streams. */
static int32_t st_issue_product(const st_queue *queue, const st_slot *slots) {
    st_waiting_product waiting;
    memcpy(&waiting, slots, sizeof waiting);
    waiting.product.alpha = &waiting.alpha, waiting.product.beta = &waiting.beta;
    if (waiting.product.bias) {
        return st_add_bias(queue->device, queue->stream, queue->workspace, &waiting.product);
    }
    return st_multiply_on(queue->device, queue->stream, queue->workspace, &waiting.product);
}

/* The arguments of a launch, whose slots are these. */
static void st_set_arguments(const st_operation *launch, st_slot *slots, void **arguments) {
    for (uint32_t a = 0; a < launch->arguments; a++) arguments[a] = slots++;
    arguments[launch->arguments] = NULL;
}

/* The node of what a stream has captured last, or NULL. */
static st_handle st_last_node(st_handle stream) {
    int status = 0;
    const st_handle *nodes = NULL;
    size_t count = 0;
    if (!cuda_has_updates) return NULL;
    if (cuda_updates.CaptureInfo(stream, &status, NULL, NULL, &nodes, &count) != 0) return NULL;
    return count == 1 ? nodes[0] : NULL;
}

/* Ask a library. */
static int32_t st_issue_call(const st_queue *queue, int64_t kind, const st_slot *slots) {
    switch (kind) {
    case ST_TRANSFORM: return st_issue_transform(queue->stream, slots);
    case ST_CONVOLUTION: return st_issue_convolution(queue->device, queue->stream, slots);
    case ST_WINDOWS: return st_issue_windows(queue->device, queue->stream, slots);
    default: return st_issue_product(queue, slots);
    }
}

/* Launch, copy and ask libraries one by one. While that is captured, `nodes` gets the nodes of launches. */
static int32_t st_issue(const st_queue *queue, const st_sequence *sequence, st_handle *nodes) {
    const st_handle stream = queue->stream;
    st_slot *slot = sequence->slots;
    for (int32_t k = 0; k < sequence->count; k++) {
        const st_operation *const op = &sequence->operations[k];
        if (op->kind == ST_COPY) {
            ST_CUDA(CopyToDevice, op->target, op->source, op->bytes, stream);
            continue;
        }
        if (op->kind != ST_LAUNCH) {
            if (st_issue_call(queue, op->kind, slot) != 0) return 1;
            slot += op->arguments;
            continue;
        }
        void *arguments[ST_MOST_ARGUMENTS + 1];
        st_set_arguments(op, slot, arguments);
        slot += op->arguments;
        ST_CUDA(LaunchKernel, op->kernel, op->x, op->y, 1, op->threads, 1, 1, 0, stream, arguments,
                NULL);
        if (nodes) nodes[k] = st_last_node(stream);
    }
    return 0;
}

static bool st_is_same_slot(const st_slot *a, const st_slot *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* How many arguments of launches differ between two sequences; -1 if these are too many, or anything else
   differs. */
static int32_t st_difference(const st_sequence *a, const st_sequence *b, int32_t most) {
    const bool same = a->count == b->count && a->used == b->used;
    if (!same || memcmp(a->operations, b->operations, (size_t)a->count * sizeof *a->operations) != 0) {
        return -1;
    }
    int32_t differ = 0;
    for (int32_t k = 0, slot = 0; k < a->count; k++) {
        const st_operation *const op = &a->operations[k];
        for (uint32_t end = op->arguments; end > 0; end--, slot++) {
            if (st_is_same_slot(&a->slots[slot], &b->slots[slot])) continue;
            if (op->kind != ST_LAUNCH || ++differ > most) return -1;
        }
    }
    return differ;
}

/* The graph whose sequence differs least, or, if all differ too much, the one that was used least lately. What
   a call has several sequences for gets several graphs: those that are used in this call already are changed
   only if they are all, and never dropped. NULL if there is none. `differ` is set to the number of arguments
   that do, or -1. */
static st_graph *st_find_graph(st_queue *queue, int32_t *differ) {
    const int32_t quarter = cuda_has_updates ? queue->waiting.used / 4 : 0;
    st_graph *oldest = NULL, *nearest[2] = {NULL, NULL};
    int32_t least[2] = {quarter + 1, quarter + 1};
    for (int k = 0; k < ST_MOST_GRAPHS; k++) {
        st_graph *const graph = &queue->graphs[k];
        const int used = graph->time > queue->begun;
        const int32_t count = st_difference(&graph->sequence, &queue->waiting, least[used] - 1);
        if (count >= 0) nearest[used] = graph, least[used] = count;
        if (count == 0) return *differ = 0, graph;
        if (!used && (!oldest || graph->time < oldest->time)) oldest = graph;
    }
    const int used = !nearest[0] && !oldest;
    *differ = nearest[used] ? least[used] : -1;
    return nearest[used] ? nearest[used] : oldest;
}

/* Change the arguments of a graph to those that wait; false if that fails. */
static bool st_change(st_graph *graph, const st_sequence *waiting) {
    const size_t size = sizeof(st_slot);
    st_slot *had = graph->sequence.slots, *wanted = waiting->slots;
    for (int32_t k = 0; k < waiting->count; k++) {
        const st_operation *const op = &waiting->operations[k];
        if (memcmp(had, wanted, op->arguments * size) != 0) {
            void *arguments[ST_MOST_ARGUMENTS + 1];
            st_set_arguments(op, wanted, arguments);
            const st_node_launch launch = {
                op->kernel, op->x, op->y, 1, op->threads, 1, 1, 0, arguments, NULL, NULL, NULL,
            };
            if (graph->exec && !(graph->nodes && graph->nodes[k])) return false;
            if (graph->exec && cuda_updates.SetLaunch(graph->exec, graph->nodes[k], &launch) != 0) {
                return false;
            }
            memcpy(had, wanted, op->arguments * size);
        }
        had += op->arguments, wanted += op->arguments;
    }
    return true;
}

/* Remember a sequence in place of a graph. Without memory for that, it will be a new one again. */
static void st_remember(st_graph *graph, const st_sequence *sequence, st_handle stream) {
    st_forget_graph(graph, stream);
    const size_t operations = (size_t)sequence->count * sizeof *sequence->operations;
    const size_t slots = (size_t)sequence->used * sizeof *sequence->slots;
    st_sequence copy = {sequence->count, sequence->used, malloc(operations), malloc(slots + 1)};
    if (!copy.operations || !copy.slots) {
        free(copy.operations);
        free(copy.slots);
        return;
    }
    memcpy(copy.operations, sequence->operations, operations);
    memcpy(copy.slots, sequence->slots, slots);
    graph->sequence = copy;
}

/* Capture the sequence of a graph. */
static void st_capture(st_graph *graph, const st_queue *queue) {
    const st_handle stream = queue->stream;
    st_handle captured = NULL;
    graph->refused = true;
    /* what other threads do is not restricted */
    if (cuda_graphs.BeginCapture(stream, 1) != 0) return;
    graph->nodes = calloc((size_t)graph->sequence.count, sizeof *graph->nodes);
    const int32_t failed = st_issue(queue, &graph->sequence, graph->nodes);
    if (cuda_graphs.EndCapture(stream, &captured) != 0 || !captured) return;
    if (!failed) graph->refused = cuda_graphs.Instantiate(&graph->exec, captured, 0) != 0;
    graph->captured = captured;
    if (!graph->refused) return;
    graph->exec = NULL;
    cuda_graphs.Destroy(captured);
}

/* Plans of Fourier transforms are used by what waits until that has been launched. */
static void st_let_go_of_plans(const st_sequence *sequence, bool captured);

/* Forget what waits, which has been launched, or captured in a graph of the caller's that lasts. */
static void st_empty_queue(st_queue *queue, bool captured) {
    st_let_go_of_plans(&queue->waiting, captured);
    queue->waiting.count = queue->waiting.used = 0;
}

/* Do all that waits. */
static int32_t st_flush(st_queue *queue) {
    if (queue && queue->holds) return st_refuse_capture("a library works outside of it");
    if (!queue || queue->waiting.count == 0) return 0;
    st_graph *graph = NULL;
    if (cuda_has_graphs && queue->waiting.count >= ST_LEAST_OPERATIONS) {
        int32_t differ;
        st_graph *const nearest = graph = st_find_graph(queue, &differ);
        if (differ < 0 && graph) st_remember(graph, &queue->waiting, queue->stream);
        else if (differ > 0 && !st_change(graph, &queue->waiting)) graph = NULL;
        else if (graph && !graph->exec && !graph->refused) st_capture(graph, queue);
        if (nearest) nearest->time = ++queue->time;
    }
    int32_t failed = 0;
    if (graph && graph->exec) {
        const int code = cuda_graphs.Launch(graph->exec, queue->stream);
        if (code != 0) failed = st_failed("GraphLaunch", code);
    } else {
        failed = st_issue(queue, &queue->waiting, NULL);
    }
    st_empty_queue(queue, false);
    return failed;
}

/* Let a launch wait; false if it can't. `sizes` are those of the arguments, before a 0. */
static bool st_wait_with_launch(st_queue *queue, const st_operation *launch, const char *sizes,
                                void *const *arguments) {
    st_sequence *const waiting = &queue->waiting;
    const int32_t count = (int32_t)strlen(sizes);
    if (count > ST_MOST_ARGUMENTS || !st_has_room(queue, count)) return false;
    st_slot *const slots = waiting->slots + waiting->used;
    memset(slots, 0, (size_t)count * sizeof *slots);
    for (int32_t k = 0; k < count; k++) memcpy(slots[k].bytes, arguments[k], (size_t)sizes[k]);
    st_operation *const op = &waiting->operations[waiting->count++];
    *op = *launch;
    op->arguments = (uint32_t)count;
    waiting->used += count;
    return true;
}

/* The fields of a product, without what lies between them; alpha and beta are left out. */
static void st_set_product(st_product *to, const st_product *p) {
    to->type = p->type, to->tf32 = p->tf32, to->transa = p->transa, to->transb = p->transb;
    to->count = p->count, to->m = p->m, to->n = p->n, to->k = p->k;
    to->a = p->a, to->lda = p->lda, to->a_step = p->a_step;
    to->b = p->b, to->ldb = p->ldb, to->b_step = p->b_step;
    to->c = p->c, to->ldc = p->ldc, to->c_step = p->c_step;
    to->bias = p->bias;
}

/* Let a call of a library wait, with what it is asked for, whose bytes between fields are 0; false if it
   can't. */
static bool st_wait_with_call(st_queue *queue, int64_t kind, const void *asked, size_t bytes) {
    st_sequence *const waiting = &queue->waiting;
    const int32_t count = (int32_t)((bytes + sizeof(st_slot) - 1) / sizeof(st_slot));
    if (!st_has_room(queue, count)) return false;
    st_slot *const slots = waiting->slots + waiting->used;
    memset(slots, 0, (size_t)count * sizeof *slots);
    memcpy(slots, asked, bytes);
    waiting->operations[waiting->count++] = (st_operation){.kind = kind, .arguments = (uint32_t)count};
    waiting->used += count;
    return true;
}

/* Let a product wait; false if it can't. */
static bool st_wait_with_product(st_queue *queue, const st_product *product) {
    static const size_t sizes[] = {4, 8, 8, 16};
    st_waiting_product own;
    memset(&own, 0, sizeof own);
    st_set_product(&own.product, product);
    memcpy(&own.alpha, product->alpha, sizes[product->type]);
    memcpy(&own.beta, product->beta, sizes[product->type]);
    return st_wait_with_call(queue, ST_PRODUCT, &own, sizeof own);
}

/* Choose the half for the copies of a call; wait if both are still read. */
static bool st_choose_half(st_queue *queue) {
    for (int half = 0; half < 2; half++) {
        st_handle *const pending = &queue->pending[half];
        if (*pending && cuda.EventQuery(*pending) == 0) *pending = NULL;
    }
    if (queue->pending[0] && queue->pending[1]) {
        queue->half ^= 1; /* the older one */
        if (cuda.EventSynchronize(queue->pending[queue->half]) != 0) return false;
        queue->pending[queue->half] = NULL;
    } else {
        queue->half = queue->pending[0] != NULL;
    }
    return true;
}

/* Let a copy to the device wait, of bytes that may change at once; false if it can't. */
static bool st_wait_with_copy(st_queue *queue, st_pointer target, const void *source, int64_t bytes) {
    const int64_t whole = (bytes + 63) / 64 * 64;
    if (!st_has_room(queue, 0)) return false;
    if (bytes > ST_WAITING_BYTES || queue->staged_bytes + whole > ST_WAITING_BYTES) return false;
    if (queue->staged_bytes == 0 && !st_choose_half(queue)) return false;
    if (!queue->staged && cuda.HostAlloc((void **)&queue->staged, 2 * ST_WAITING_BYTES, 0) != 0) {
        queue->staged = NULL;
        return false;
    }
    char *const own = queue->staged + queue->half * ST_WAITING_BYTES + queue->staged_bytes;
    memcpy(own, source, (size_t)bytes);
    queue->staged_bytes += whole;
    queue->waiting.operations[queue->waiting.count++] = (st_operation){
        .kind = ST_COPY, .target = target, .source = own, .bytes = (size_t)bytes,
    };
    return true;
}
