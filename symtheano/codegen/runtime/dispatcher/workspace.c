/* Workspaces: memory that calls use while they run, kept for later calls.

   Allocating new pages takes longer than most kernels, so the blocks of a call are kept for the
   next calls of any function. There are never more idle blocks than were in use at one time, and
   none is larger than a call has requested. Blocks that calls did not need for some time, or of
   which they needed only a fraction, are freed.

   Blocks are taken and returned by atomic exchange, without locks. Calls can therefore use them
   without the GIL, and a fork leaves no lock behind. */

#include <stdlib.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#define IDLE_BLOCKS 16
#define BLOCK_ALIGNMENT 64
/* A block is freed after this many requests in a row that needed less than a quarter of it. */
#define MOST_UNUSED 64
/* Blocks of at least this many bytes are aligned to huge pages, which are requested for them. */
#define HUGE_BYTES ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

/* The header of a block; its memory begins `BLOCK_ALIGNMENT` bytes after the header's start. */
typedef struct block {
    struct block *next; /* next block of the same call */
    size_t bytes;
    int unused; /* number of requests since it was last needed */
} block;

#ifdef __SANITIZE_ADDRESS__
void __asan_unpoison_memory_region(const volatile void *, size_t);
#endif

static block *idle_blocks[IDLE_BLOCKS];

static void *block_data(block *one)
{
    return (char *)one + BLOCK_ALIGNMENT;
}

static block *new_block(size_t bytes)
{
    const size_t alignment = bytes >= HUGE_BYTES ? HUGE_PAGE : BLOCK_ALIGNMENT;
    const size_t whole = (bytes + BLOCK_ALIGNMENT + alignment - 1) / alignment * alignment;
    if (whole < bytes) return NULL;
    block *one = aligned_alloc(alignment, whole);
    if (one == NULL) return NULL;
#ifdef MADV_HUGEPAGE
    if (bytes >= HUGE_BYTES) madvise(one, whole, MADV_HUGEPAGE);
#endif
    *one = (block){NULL, whole - BLOCK_ALIGNMENT, 0};
    return one;
}

static void leave_block(block *one)
{
#ifdef __SANITIZE_ADDRESS__
    /* Programs mark the bytes between the slots of a workspace. */
    __asan_unpoison_memory_region(block_data(one), one->bytes);
#endif
    for (int k = 0; k < IDLE_BLOCKS && one->unused <= MOST_UNUSED; k++) {
        block *none = NULL;
        if (__atomic_load_n(&idle_blocks[k], __ATOMIC_RELAXED) == NULL
            && __atomic_compare_exchange_n(&idle_blocks[k], &none, one, 0, __ATOMIC_RELEASE,
                                           __ATOMIC_RELAXED)) return;
    }
    free(one);
}

/* Return whether `one` is a better choice than `other`: the smallest sufficient block is best, and
   otherwise the largest. */
static int serves_better(const block *one, const block *other, size_t bytes)
{
    if (other == NULL) return 1;
    if (one->bytes < bytes) return other->bytes < one->bytes;
    return other->bytes < bytes || one->bytes < other->bytes;
}

static block *take_block(size_t bytes)
{
    block *best = NULL;
    for (int k = 0; k < IDLE_BLOCKS; k++) {
        if (__atomic_load_n(&idle_blocks[k], __ATOMIC_RELAXED) == NULL) continue;
        block *one = __atomic_exchange_n(&idle_blocks[k], NULL, __ATOMIC_ACQUIRE);
        if (one == NULL) continue;
        one->unused++;
        block *worse = one;
        if (serves_better(one, best, bytes)) worse = best, best = one;
        if (worse != NULL) leave_block(worse);
    }
    if (best != NULL && best->bytes >= bytes) {
        if (best->bytes / 4 <= bytes) best->unused = 0;
        return best;
    }
    free(best);
    return new_block(bytes);
}

/* Free all idle blocks. Return how many bytes they had. */
static size_t free_idle_blocks(void)
{
    size_t bytes = 0;
    for (int k = 0; k < IDLE_BLOCKS; k++) {
        block *one = __atomic_exchange_n(&idle_blocks[k], NULL, __ATOMIC_ACQUIRE);
        if (one != NULL) bytes += one->bytes;
        free(one);
    }
    return bytes;
}
