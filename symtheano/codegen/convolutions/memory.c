/* Memory of a call, and packed filters that outlive it. */

INLINE int64_t size_of_volume(const int64_t *lengths) {
    return st_size_times(st_size_times(lengths[0], lengths[1]), lengths[2]);
}

/* The length along which `count` elements lie that are `distance` apart. */
INLINE int64_t span_of(int64_t count, int64_t distance) {
    return count ? st_size_plus(st_size_times(count - 1, distance), 1) : 0;
}

/* What is made of filters that never change. The host has a list of blocks for each function, which
   it frees: `next` is their first member. A block is in the list when it is complete, and does not
   change any more, so that several threads may call the function. */
typedef struct block {
    struct block *next;
    int64_t call;              /* number of the call in the function */
    int64_t algorithm, wanted; /* who packs it, and for what */
    int64_t size[2];           /* lengths that it depends on, besides the shapes */
    st_windows w;              /* for no items */
} block;

/* Where the blocks are, and the first members of those of a call; its number is 0 if its filter may
   change. */
typedef struct packed {
    block **list;
    int64_t call, algorithm, wanted;
} packed;

/* Blocks that a call keeps, for different shapes. */
enum { MOST_BLOCKS = 4, HEAD = (sizeof(block) + 63) / 64 * 64 };

/* Memory that is given out in parts, each aligned to 64 bytes; with no base, it is only measured. */
typedef struct arena {
    char *base;
    int64_t used;
    packed packed;
} arena;

/* With an address sanitizer, a zone follows each part that must not be touched until the memory is
   released. */
#ifdef __SANITIZE_ADDRESS__
void __asan_poison_memory_region(const volatile void *, __SIZE_TYPE__);
void __asan_unpoison_memory_region(const volatile void *, __SIZE_TYPE__);
enum { ZONE = 128 };
#define FORBID(from, bytes) __asan_poison_memory_region(from, bytes)
#define RELEASE(from, bytes) __asan_unpoison_memory_region(from, bytes)
#else
enum { ZONE = 0 };
#define FORBID(from, bytes) ((void)0)
#define RELEASE(from, bytes) ((void)0)
#endif

static void *take(arena *memory, int64_t count, int64_t size) {
    char *const part = memory->base ? memory->base + memory->used : 0;
    const int64_t bytes = st_size_times(count, size);
    const int64_t padded = st_size_plus(st_size_of(count, size), ZONE);
    if (part) FORBID(part + bytes, padded - bytes);
    memory->used = st_size_plus(memory->used, padded);
    return part;
}
/* Memory for `count` elements, and for a vector that reaches beyond the last one. */
static TYPE *take_elements(arena *memory, int64_t count) {
    return take(memory, st_size_plus(count, LANES), sizeof(TYPE));
}
/* The same for each thread; the parts are so many elements apart. */
static TYPE *take_for_each(arena *memory, int64_t count, int threads, int64_t *apart) {
    arena measured = {0};
    take_elements(&measured, count);
    *apart = measured.used / (int64_t)sizeof(TYPE);
    if (!memory->base) return take(memory, measured.used, threads);
    TYPE *const first = take_elements(memory, count);
    for (int thread = 1; thread < threads; thread++) take_elements(memory, count);
    return first;
}

/* A packed filter: `made` is the block that it is in until keep_filter, or NULL. */
typedef struct packing {
    TYPE *a;
    int is_done;               /* whether an earlier call has packed it */
    block *made;
    block **list;
} packing;

extern void *aligned_alloc(__SIZE_TYPE__, __SIZE_TYPE__);

INLINE block *first_block(block **list) { return __atomic_load_n(list, __ATOMIC_ACQUIRE); }

/* Memory for `count` elements of a filter as an algorithm packs it for the lengths of `w` and, if it
   is not NULL, for a size, whatever the number of items. It is of the arena if the filter may change,
   or no block can be made. */
static packing take_packing(arena *memory, const st_windows *w, const int64_t *size,
                            int64_t count) {
    const packed *of = &memory->packed;
    packing p = {.a = take_elements(memory, count), .list = of->list};
    if (!memory->base || !p.list || !of->call) return p;
    block wanted = {.call = of->call, .algorithm = of->algorithm, .wanted = of->wanted, .w = *w};
    if (size) wanted.size[0] = size[0], wanted.size[1] = size[1];
    wanted.w.n = 0;
    int64_t blocks = 0;
    for (block *b = first_block(p.list); b; b = b->next) {
        wanted.next = b->next;
        if (!__builtin_memcmp(b, &wanted, sizeof(block))) {
            p.a = (TYPE *)((char *)b + HEAD), p.is_done = 1;
            return p;
        }
        blocks += b->call == wanted.call;
    }
    if (blocks >= MOST_BLOCKS) return p;
    const int64_t bytes = st_size_of(st_size_plus(count, LANES), sizeof(TYPE));
    p.made = aligned_alloc(64, st_size_plus(HEAD, bytes));
    if (!p.made) return p;
    *p.made = wanted;
    p.a = (TYPE *)((char *)p.made + HEAD);
    return p;
}

/* Add a filter that has been packed to the list. */
static void keep_filter(const packing *p) {
    if (!p->made) return;
    block *next = first_block(p->list);
    do p->made->next = next;
    while (!__atomic_compare_exchange_n(p->list, &next, p->made, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
}
