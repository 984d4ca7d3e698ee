/* The driver of a device: what the host asks it for. Functions that may fail return nonzero then,
   and NULL instead of memory; the driver keeps the reason. Work of a call runs in order. */
typedef struct st_driver st_driver;

typedef struct st_call { const st_driver *driver; } st_call;

struct st_driver {
    void *context;
    st_call *(*begin)(const st_driver *driver);
    /* frees what the call has allocated */
    int32_t (*end)(st_call *call);
    int32_t (*launch)(st_call *call, int32_t kernel, int64_t blocks, int32_t threads,
                      void **arguments);
    int32_t (*to_device)(st_call *call, void *target, const void *source, int64_t bytes);
    /* returns when the bytes are there */
    int32_t (*to_host)(st_call *call, void *target, const void *source, int64_t bytes);
    void *(*allocate)(st_call *call, int64_t bytes);
};
