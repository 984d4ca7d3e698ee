/* What is computed, by its number. */
enum { @WANTED@ };

/* The arrays of one image; those that are not read are NULL. */
typedef struct arrays { const TYPE *x, *y, *g; TYPE *made; } arrays;

/* How many elements of memory one image needs, and how it is computed. */
typedef struct algorithm {
    int64_t (*memory)(const st_pools *);
    void (*run)(const st_pools *, const arrays *, TYPE *memory);
} algorithm;
