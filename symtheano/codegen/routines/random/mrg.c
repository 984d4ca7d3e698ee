/* MRG31k3p (L'Ecuyer and Touzin 2000, "Fast combined multiple recursive generators with multipliers
   of the form a = +-2^q +-2^r"): two recurrences of order 3, modulo 2^31 - 1 and 2^31 - 21069.

   Element i comes from stream i modulo the number of streams, so threads may share the streams. A
   stream is six numbers, those of each recurrence with the latest first. Vectors hold eight
   streams. */
typedef uint32_t st_mrg_lanes __attribute__((vector_size(32), aligned(4)));
enum { ST_MRG_LANES = 8 };

#define ST_MRG_FIRST 2147483647u
#define ST_MRG_SECOND 2147462579u

/* Modulo: the number is below twice the modulus. The smaller one of x and x - m, which wraps around
   where x is below m. */
#define ST_MRG_REDUCE(x, m) ((x) >= (m) ? (x) - (m) : (x))

/* One step of x[6], scalars or vectors; z is the number that is drawn, from 1 to 2^31 - 1. */
#define ST_MRG_STEP(kind, x, z) \
    do { \
        kind a = ((x[1] & 511) << 22) + (x[1] >> 9) + ((x[2] & 16777215) << 7) + (x[2] >> 24); \
        a = ST_MRG_REDUCE(a, ST_MRG_FIRST) + x[2]; \
        a = ST_MRG_REDUCE(a, ST_MRG_FIRST); \
        kind b = ((x[3] & 65535) << 15) + (x[3] >> 16) * 21069; \
        kind c = ((x[5] & 65535) << 15) + (x[5] >> 16) * 21069; \
        b = ST_MRG_REDUCE(b, ST_MRG_SECOND); \
        c = ST_MRG_REDUCE(c, ST_MRG_SECOND) + x[5]; \
        c = ST_MRG_REDUCE(c, ST_MRG_SECOND) + b; \
        c = ST_MRG_REDUCE(c, ST_MRG_SECOND); \
        x[2] = x[1], x[1] = x[0], x[0] = a; \
        x[5] = x[4], x[4] = x[3], x[3] = c; \
        z = a - c + (a <= c ? ST_MRG_FIRST : 0); \
    } while (0)
