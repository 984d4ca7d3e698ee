/* Preloaded: the N-th call of a function fails, once, as SQLite's tests do it.

   The state is in memory that forked processes share, so that what a process did can be read after
   its end; calls fail in the process alone that has armed it. Programs that are started have states
   of their own, in which nothing fails. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

enum { NOTHING, MALLOC, OWN_MALLOC, OPEN, WRITE, RENAME, FORK, MMAP, FSYNC, CLOSE };

typedef struct {
    int kind, error, process;
    long nth, count, fired;
    char own[512], caller[512];
} fault;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static fault *state;
static __thread int inside;

fault *failing_state(void) {
    if (state == NULL) {
        state = (fault *)syscall(SYS_mmap, NULL, sizeof(fault), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    }
    return state;
}

static int is_own(const char *name) {
    return strncmp(name, "/proc/self/fd/", 14) == 0 || strncmp(name, "/dev/fd/", 8) == 0
        || (state->own[0] != 0 && strstr(name, state->own) != NULL);
}

/* Whether this call is to fail; `errno` is set then. */
static int fails(int kind, void *caller) {
    if (state == NULL || inside || state->kind == NOTHING) return 0;
    if (state->process != (int)syscall(SYS_getpid)) return 0;
    const int own = state->kind == OWN_MALLOC;
    if (kind != (own ? MALLOC : state->kind)) return 0;
    inside = 1;
    Dl_info where = {0};
    const char *name = dladdr(caller, &where) && where.dli_fname ? where.dli_fname : "?";
    int hit = 0;
    if (!own || is_own(name)) {
        hit = __atomic_add_fetch(&state->count, 1, __ATOMIC_SEQ_CST) == state->nth;
    }
    if (hit) {
        state->fired = is_own(name) ? 2 : 1;
        strncpy(state->caller, name, sizeof state->caller - 1);
        errno = state->error;
    }
    inside = 0;
    return hit;
}

#define FAILS(kind) fails(kind, __builtin_return_address(0))
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *malloc(size_t size) { return FAILS(MALLOC) ? NULL : __libc_malloc(size); }
void *calloc(size_t n, size_t size) { return FAILS(MALLOC) ? NULL : __libc_calloc(n, size); }
void *realloc(void *old, size_t size) { return FAILS(MALLOC) ? NULL : __libc_realloc(old, size); }
void *aligned_alloc(size_t by, size_t size) {
    return FAILS(MALLOC) ? NULL : __libc_memalign(by, size);
}
int posix_memalign(void **made, size_t by, size_t size) {
    if (FAILS(MALLOC)) return ENOMEM;
    void *found = __libc_memalign(by, size);
    if (found == NULL) return ENOMEM;
    *made = found;
    return 0;
}

static int opened(int folder, const char *path, int flags, va_list more) {
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define OPENS(NAME)                                  \
    int NAME(const char *path, int flags, ...) {     \
        if (FAILS(OPEN)) return -1;                  \
        va_list more;                                \
        va_start(more, flags);                       \
        const int made = opened(AT_FDCWD, path, flags, more); \
        va_end(more);                                \
        return made;                                 \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(NAME)                                        \
    int NAME(int folder, const char *path, int flags, ...) {  \
        if (FAILS(OPEN)) return -1;                           \
        va_list more;                                         \
        va_start(more, flags);                                \
        const int made = opened(folder, path, flags, more);   \
        va_end(more);                                         \
        return made;                                          \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

/* Pipes and terminals of the harness itself are written to while nothing is to fail. */
ssize_t write(int file, const void *data, size_t size) {
    return FAILS(WRITE) ? -1 : syscall(SYS_write, file, data, size);
}
int rename(const char *from, const char *to) {
    return FAILS(RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int a, const char *from, int b, const char *to) {
    return FAILS(RENAME) ? -1 : (int)syscall(SYS_renameat2, a, from, b, to, 0);
}
pid_t fork(void) { return FAILS(FORK) ? -1 : REAL(fork)(); }
pid_t vfork(void) { return FAILS(FORK) ? -1 : REAL(fork)(); } /* a wrapper can't call vfork */
void *mmap(void *at, size_t size, int may, int flags, int file, off_t from) {
    return FAILS(MMAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, size, may, flags, file, from);
}
void *mmap64(void *at, size_t size, int may, int flags, int file, off_t from) {
    return FAILS(MMAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, at, size, may, flags, file, from);
}
int fsync(int file) { return FAILS(FSYNC) ? -1 : (int)syscall(SYS_fsync, file); }
int close(int file) {
    const int hit = FAILS(CLOSE), error = errno; /* it is closed all the same */
    const int done = (int)syscall(SYS_close, file);
    if (hit) errno = error;
    return hit ? -1 : done;
}
