/* Included before generated files where gcc's address sanitizer watches them: between the slots of a
   workspace are bytes that nothing may touch. Their sizes are noted as the slots are laid out; where
   parts of a program in another file laid out some, there are none. */
#ifdef __SANITIZE_ADDRESS__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1 /* which Python.h defines, and which decides what the first header declares */
#endif
#include <stddef.h>
#include <stdint.h>

void __asan_poison_memory_region(const volatile void *, size_t);

static __thread struct { int64_t count, total, sizes[1024]; } st_slots;

static inline int64_t st_padded(int64_t bytes) {
    const int64_t whole = ((bytes + 63) & -64) + 64;
    st_slots.total += whole;
    if (st_slots.count < 1024) st_slots.sizes[st_slots.count] = bytes;
    st_slots.count++;
    return whole;
}

static inline char *st_guarded(char *arena, int64_t bytes) {
    const int64_t count = st_slots.count <= 1024 && st_slots.total == bytes ? st_slots.count : 0;
    for (int64_t k = 0, at = 0; k < count && arena; k++) {
        const int64_t size = st_slots.sizes[k], whole = ((size + 63) & -64) + 64;
        __asan_poison_memory_region(arena + at + size, (size_t)(whole - size));
        at += whole;
    }
    st_slots.count = st_slots.total = 0;
    return arena;
}
#define st_guarded st_guarded
#endif
