/* MRG31k3p (L'Ecuyer and Touzin 2000, "Fast combined multiple recursive generators with multipliers
   of the form a = +-2^q +-2^r"): two recurrences of order 3, modulo 2^31 - 1 and 2^31 - 21069.

   Element i comes from stream i modulo the number of streams, so threads may share the streams. A
   stream is six numbers, those of each recurrence with the latest first. Vectors hold eight
   streams. */
enum { ST_MRG_LANES = 8 };
typedef uint32_t st_mrg_lanes __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t st_mrg_wholes __attribute__((vector_size(32)));
typedef uint64_t st_mrg_words __attribute__((vector_size(32)));

#define ST_MRG_FIRST 2147483647u
#define ST_MRG_SECOND 2147462579u

/* All bits where a condition is true, of scalars and of vectors. */
#define ST_MRG_MASK_uint32_t(condition) (-(uint32_t)(condition))
#define ST_MRG_MASK_st_mrg_lanes(condition) ((st_mrg_lanes)(condition))

/* Modulo m, of a number below 2 m. */
#define ST_MRG_REDUCE(kind, x, m) x -= ST_MRG_MASK_##kind(x >= (m)) & (m)

/* Whether any bit is set. */
#define ST_MRG_ANY_uint32_t(mask) (mask)
#define ST_MRG_ANY_st_mrg_lanes(mask) st_mrg_any((st_mrg_words)(mask))
static inline bool st_mrg_any(st_mrg_words x) { return x[0] | x[1] | x[2] | x[3]; }

#define ST_MRG_REDUCE_ALL(kind) \
    ST_MRG_REDUCE(kind, p0, ST_MRG_FIRST); \
    ST_MRG_REDUCE(kind, p1, ST_MRG_FIRST); \
    ST_MRG_REDUCE(kind, p2, ST_MRG_FIRST); \
    ST_MRG_REDUCE(kind, q0, ST_MRG_SECOND); \
    ST_MRG_REDUCE(kind, q1, ST_MRG_SECOND); \
    ST_MRG_REDUCE(kind, q2, ST_MRG_SECOND)

/* Numbers of no stream, which a user's state may have, are taken modulo m: 2^32 is below 3 m. */
#define ST_MRG_VALID(kind) \
    do { \
        const kind wrong = ST_MRG_MASK_##kind(p0 >= ST_MRG_FIRST) \
            | ST_MRG_MASK_##kind(p1 >= ST_MRG_FIRST) | ST_MRG_MASK_##kind(p2 >= ST_MRG_FIRST) \
            | ST_MRG_MASK_##kind(q0 >= ST_MRG_SECOND) | ST_MRG_MASK_##kind(q1 >= ST_MRG_SECOND) \
            | ST_MRG_MASK_##kind(q2 >= ST_MRG_SECOND); \
        if (ST_MRG_ANY_##kind(wrong)) { \
            ST_MRG_REDUCE_ALL(kind); \
            ST_MRG_REDUCE_ALL(kind); \
        } \
    } while (0)

/* One step of the numbers p0, p1, p2 and q0, q1, q2, which are scalars or vectors. z is what is
   drawn, from 1 to 2^31 - 1. */
#define ST_MRG_STEP(kind, z) \
    do { \
        kind a = ((p1 & 511) << 22) + (p1 >> 9) + ((p2 & 16777215) << 7) + (p2 >> 24); \
        ST_MRG_REDUCE(kind, a, ST_MRG_FIRST); \
        a += p2; \
        ST_MRG_REDUCE(kind, a, ST_MRG_FIRST); \
        kind b = ((q0 & 65535) << 15) + (q0 >> 16) * 21069; \
        kind c = ((q2 & 65535) << 15) + (q2 >> 16) * 21069; \
        ST_MRG_REDUCE(kind, b, ST_MRG_SECOND); \
        ST_MRG_REDUCE(kind, c, ST_MRG_SECOND); \
        c += q2; \
        ST_MRG_REDUCE(kind, c, ST_MRG_SECOND); \
        c += b; \
        ST_MRG_REDUCE(kind, c, ST_MRG_SECOND); \
        p2 = p1, p1 = p0, p0 = a; \
        q2 = q1, q1 = q0, q0 = c; \
        z = a - c + (ST_MRG_MASK_##kind(a <= c) & ST_MRG_FIRST); \
    } while (0)
