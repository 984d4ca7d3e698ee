/* MRG31k3p (L'Ecuyer and Touzin 2000, "Fast combined multiple recursive generators with multipliers
   of the form a = +-2^q +-2^r"): two recurrences of order 3, modulo 2^31 - 1 and 2^31 - 21069.

   Element i comes from stream i modulo the number of streams, so threads may share the streams. A
   stream is six numbers, those of each recurrence with the latest first. Vectors hold eight
   streams. */
typedef uint32_t st_mrg_lanes __attribute__((vector_size(32), aligned(4)));
enum { ST_MRG_LANES = 8 };

#define ST_MRG_FIRST 2147483647u
#define ST_MRG_SECOND 2147462579u

/* All bits where a condition is true, of scalars and of vectors. */
#define ST_MRG_MASK_uint32_t(condition) (-(uint32_t)(condition))
#define ST_MRG_MASK_st_mrg_lanes(condition) ((st_mrg_lanes)(condition))

/* Modulo m, of a number below 2 m. */
#define ST_MRG_REDUCE(kind, x, m) x -= ST_MRG_MASK_##kind(x >= (m)) & (m)

/* One step of x[6], scalars or vectors; z is the number that is drawn, from 1 to 2^31 - 1. */
#define ST_MRG_STEP(kind, x, z) \
    do { \
        kind a = ((x[1] & 511) << 22) + (x[1] >> 9) + ((x[2] & 16777215) << 7) + (x[2] >> 24); \
        ST_MRG_REDUCE(kind, a, ST_MRG_FIRST); \
        a += x[2]; \
        ST_MRG_REDUCE(kind, a, ST_MRG_FIRST); \
        kind b = ((x[3] & 65535) << 15) + (x[3] >> 16) * 21069; \
        kind c = ((x[5] & 65535) << 15) + (x[5] >> 16) * 21069; \
        ST_MRG_REDUCE(kind, b, ST_MRG_SECOND); \
        ST_MRG_REDUCE(kind, c, ST_MRG_SECOND); \
        c += x[5]; \
        ST_MRG_REDUCE(kind, c, ST_MRG_SECOND); \
        c += b; \
        ST_MRG_REDUCE(kind, c, ST_MRG_SECOND); \
        x[2] = x[1], x[1] = x[0], x[0] = a; \
        x[5] = x[4], x[4] = x[3], x[3] = c; \
        z = a - c + (ST_MRG_MASK_##kind(a <= c) & ST_MRG_FIRST); \
    } while (0)
