/* The driver of a device: what the host asks it for. Functions that may fail return nonzero then,
   and NULL instead of memory; the driver keeps the reason. What libraries do may also be refused:
   nothing has been written then. Work of a call runs in order. */
enum { ST_REFUSED = 2 };

typedef struct st_driver st_driver;

typedef struct st_call { const st_driver *driver; } st_call;

/* A product of matrices, as for BLAS: type is 0 for float, 1 for double, 2 and 3 for complex. If there is a
   bias, a row that is added to all rows, it may be refused. With tf32, factors of float may be rounded. */
typedef struct st_product {
    int32_t type, tf32, transa, transb;
    int64_t count, m, n, k;
    const void *alpha, *a;
    int64_t lda, a_step;
    const void *b;
    int64_t ldb, b_step;
    const void *beta;
    void *c;
    int64_t ldc, c_step;
    const void *bias; /* or NULL */
} st_product;

enum { ST_FORWARD, ST_INVERSE, ST_TO_HALF, ST_TO_REAL };

/* Fourier transforms along the middle axis of outer * n * inner numbers, without a factor; type is 0
   for float, 1 for double. Of a transform of real numbers there is a half, n / 2 + 1. What becomes
   real numbers may be destroyed. */
typedef struct st_transform {
    int32_t type, kind;
    int64_t outer, n, inner;
    const void *x;
    void *y;
} st_transform;

enum { ST_CHOLESKY, ST_LU, ST_SOLVE, ST_EIGEN, ST_TRIANGULAR, ST_QR, ST_Q, ST_SVD, ST_LONG_LU, ST_GEEV };

/* What is done with a batch of n * n matrices, which are column-major; types are those of products, and
   eigenvalues and singular values are real. Cholesky factors, LU factors and eigenvectors take the place of the matrices a, of which one
   triangle is read, the upper one or not. Systems with LU factors, turned or not, are solved for the k
   columns of a. Those with a triangle, whose diagonal may be units, are solved for the k rows of a:
   a * factor = a, or with the factor turned. Matrices of QR and of singular values are m * n, where they
   begin `step` numbers apart: reflectors take the place of the matrices, and what `values` has of them;
   then k columns of Q take their place. Those of long LU factors are m * n, too, with as many pivots as
   the shorter side has. There are at least as many rows as columns for singular values,
   whose vectors are n columns and n rows, or m and n if `vectors` is 2. Of matrices that are not symmetric,
   `values` has the n eigenvalues, those of real ones as n real and then n imaginary parts, and `right` their
   vectors. What is not told is 0. LU
   factors that no system needs are `alone`. `info` is not 0 where a matrix has no result. */
typedef struct st_matrices {
    int32_t type, kind;
    int64_t batch, m, n, k, step, upper, turned, unit, vectors, alone;
    const void *factor, *input; /* what a is made from */
    const int64_t *order;       /* the pivots of a factor */
    const void *reflectors;     /* what `values` had of them */
    void *a, *values, *left, *right;
    int64_t *pivots;
    int32_t *info;
} st_matrices;

enum { ST_FOR_RESULT, ST_FOR_IMAGE, ST_FOR_KERNEL };

/* A convolution of n items along three axes, in groups with c channels and o filters each: what is made
   of the image, the kernel and the result; type is 0 for float, 1 for double. Lengths i of the image, k
   of the kernel, t of the result; borders p before the first element, and as the lengths tell after the
   last one; strides s, and distances d of elements of the kernel, which may be turned. With tf32, factors
   of float may be rounded. There are no bytes between the fields. */
typedef struct st_convolve {
    int64_t type, tf32, kind, n, groups, c, o, flip, i0, i1, i2, k0, k1, k2, t0, t1, t2, p0, p1, p2, s0, s1, s2, d0, d1, d2;
    const void *image, *kernel, *result;
    void *output;
} st_convolve;

/* Windows of n items with three axes: the largest elements, or, if `counted` is 1 or 2, the means, to which
   the border counts or does not. Lengths i of an item, t of the result; lengths k and distances s of windows,
   borders p. There are no bytes between the fields. */
typedef struct st_pooling {
    int64_t type, n, i0, i1, i2, t0, t1, t2, k0, k1, k2, s0, s1, s2, p0, p1, p2, counted;
    const void *x;
    void *output;
} st_pooling;

struct st_driver {
    void *context;
    st_call *(*begin)(const st_driver *driver);
    /* frees what the call has allocated */
    int32_t (*end)(st_call *call);
    /* `wide`: integers of 32 bits do not suffice, so the kernel's have 64 */
    int32_t (*launch)(st_call *call, int32_t kernel, bool wide, int64_t blocks, int32_t threads,
                      void **arguments);
    int32_t (*to_device)(st_call *call, void *target, const void *source, int64_t bytes);
    /* returns when the bytes are there */
    int32_t (*to_host)(st_call *call, void *target, const void *source, int64_t bytes);
    /* a negative number of bytes is one that is not representable: refused like too many */
    void *(*allocate)(st_call *call, int64_t bytes);
    /* by libraries of the device; NULL if there are none */
    int32_t (*multiply)(st_call *call, const st_product *product);
    int32_t (*transform)(st_call *call, const st_transform *transform);
    int32_t (*matrices)(st_call *call, const st_matrices *matrices);
    int32_t (*convolve)(st_call *call, const st_convolve *convolution);
    int32_t (*pooling)(st_call *call, const st_pooling *pooling);
    /* for profiles: a step of the call begins, or, if it is -1, the last one ends */
    int32_t (*tick)(st_call *call, int32_t step);
};
