/* Memory of arrays by an allocator of the caller's, which Python asks. */
typedef void *(*st_lend)(int32_t device, int64_t bytes);  /* NULL if there is none */
typedef int32_t (*st_take)(int32_t device, void *memory); /* whether it has lent this, and has it back */

enum { ST_LENDING_DEVICES = 64 };
static struct { st_lend lend; st_take take; } st_lenders[ST_LENDING_DEVICES];

/* Let Python lend memory of a device from now on, or, if `lend` is NULL, only take it back. */
ST_EXPORT void st_let_lend(int32_t device, st_lend lend, st_take take) {
    if (device < 0 || device >= ST_LENDING_DEVICES) return;
    __atomic_store_n(&st_lenders[device].take, take, __ATOMIC_RELEASE);
    __atomic_store_n(&st_lenders[device].lend, lend, __ATOMIC_RELEASE);
}

static st_lend st_lender_of(int32_t device) {
    const bool known = device >= 0 && device < ST_LENDING_DEVICES;
    return known ? __atomic_load_n(&st_lenders[device].lend, __ATOMIC_ACQUIRE) : NULL;
}

static st_take st_taker_of(int32_t device) {
    const bool known = device >= 0 && device < ST_LENDING_DEVICES;
    return known ? __atomic_load_n(&st_lenders[device].take, __ATOMIC_ACQUIRE) : NULL;
}

/* Say why memory was not lent, in this thread. */
ST_EXPORT void st_tell(const char *reason) { snprintf(st_why, sizeof st_why, "%s", reason); }
