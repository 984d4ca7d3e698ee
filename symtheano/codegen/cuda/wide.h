/* Kernels with integers of 64 bits, which Python loads when a launch first needs them. */
typedef st_driver *(*st_widen)(void); /* NULL, and `st_tell` says why, if that fails */
typedef struct st_wide { st_widen widen; st_driver *driver; } st_wide;

static st_wide *st_wide_of(st_driver *driver);

/* Say what loads the kernels of a module with integers of 64 bits. */
ST_EXPORT void st_let_widen(st_driver *driver, st_widen widen) { st_wide_of(driver)->widen = widen; }

/* The module with these kernels; NULL if it can't be loaded. */
static const st_driver *st_widened(const st_driver *narrow) {
    st_wide *const wide = st_wide_of((st_driver *)narrow);
    st_driver *driver = __atomic_load_n(&wide->driver, __ATOMIC_ACQUIRE);
    if (!driver && wide->widen && (driver = wide->widen())) {
        __atomic_store_n(&wide->driver, driver, __ATOMIC_RELEASE);
    }
    return driver;
}
