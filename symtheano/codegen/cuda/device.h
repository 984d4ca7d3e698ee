/* What kernels use of CUDA C++: the names of threads, shared memory, and types that C has and C++
   lacks. The text of kernels is also compiled for the processor, with emulate.h before it. */

#ifndef ST_EMULATED
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT64_MAX 18446744073709551615ULL

#define ST_DEVICE static __forceinline__
#define ST_CALLED static __noinline__
#define ST_KERNEL(threads) extern "C" __global__ void __launch_bounds__(threads)
#define ST_SHARED(type, name, count) __shared__ type name[count]
#define ST_TABLE static __device__ const
#define ST_UNROLL _Pragma("unroll")
typedef unsigned st_word;
typedef uint2 st_word2;
typedef uint4 st_word4;

/* One instruction, which compilers do not take apart; kernels store vectors in global memory only. */
ST_DEVICE void st_store_word(st_word *place, st_word w) {
    asm("st.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(place)), "r"(w) : "memory");
}
ST_DEVICE void st_store_word(st_word2 *place, st_word2 w) {
    asm("st.global.v2.u32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(place)), "r"(w.x), "r"(w.y)
        : "memory");
}
ST_DEVICE void st_store_word(st_word4 *place, st_word4 w) {
    asm("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(place)), "r"(w.x),
        "r"(w.y), "r"(w.z), "r"(w.w)
        : "memory");
}

ST_DEVICE void st_add_atomically(float *place, float value) { atomicAdd(place, value); }
ST_DEVICE void st_add_atomically(double *place, double value) { atomicAdd(place, value); }
ST_DEVICE void st_add_atomically(int32_t *place, int32_t value) { atomicAdd(place, value); }
ST_DEVICE void st_add_atomically(uint32_t *place, uint32_t value) { atomicAdd(place, value); }
ST_DEVICE void st_add_atomically(uint64_t *place, uint64_t value) { atomicAdd(place, value); }
ST_DEVICE void st_add_atomically(int64_t *place, int64_t value) {
    atomicAdd((uint64_t *)place, (uint64_t)value);
}

ST_DEVICE int64_t st_block() { return (int64_t)blockIdx.y * gridDim.x + blockIdx.x; }
ST_DEVICE unsigned st_block_of_row() { return blockIdx.x; }
ST_DEVICE int st_thread() { return threadIdx.x; }
ST_DEVICE int st_warp() { return threadIdx.x / 32; }
ST_DEVICE int st_lane() { return threadIdx.x % 32; }
ST_DEVICE void st_wait_for_block() { __syncthreads(); }
ST_DEVICE void st_wait_for_warp() { __syncwarp(); }

ST_DEVICE unsigned st_exchanged_bits(unsigned bits, int apart) {
    return __shfl_xor_sync(0xffffffffu, bits, apart);
}

ST_DEVICE uint16_t st_half_of_float(float value) {
    uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
ST_DEVICE uint16_t st_half_of_double(double value) {
    uint16_t bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(value));
    return bits;
}
ST_DEVICE float st_float_of_half(uint16_t bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

/* C's builtin functions. */
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000LL)
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000LL)
#define __builtin_nanf(text) __int_as_float(0x7fc00000)
#define __builtin_fabs fabs
#define __builtin_fabsf fabsf
#define __builtin_copysign(size, sign) copysign((double)(size), (double)(sign))
#define __builtin_copysignf copysignf
#define __builtin_floor floor
#define __builtin_floorf floorf
#define __builtin_ceil ceil
#define __builtin_ceilf ceilf
#define __builtin_trunc trunc
#define __builtin_truncf truncf
#define __builtin_rint rint
#define __builtin_rintf rintf
#define __builtin_sqrt sqrt
#define __builtin_sqrtf sqrtf
#define __builtin_fma fma
#define __builtin_fmaf fmaf
#define __builtin_isinf isinf
#define __builtin_isnan isnan
#define __builtin_memcpy memcpy
#define __builtin_popcountll __popcll
#define __builtin_expect(value, expected) (value)
#endif

/* The same value of the lane that is so many lanes apart. */
template <typename T> ST_DEVICE T st_exchanged(T value, int apart) {
    unsigned words[(sizeof(T) + 3) / 4] = {};
    __builtin_memcpy(words, &value, sizeof(T));
    for (unsigned k = 0; k < (sizeof(T) + 3) / 4; k++) words[k] = st_exchanged_bits(words[k], apart);
    __builtin_memcpy(&value, words, sizeof(T));
    return value;
}

/* What is loaded or stored by one instruction. */
template <int bytes> struct st_words_of;
template <> struct st_words_of<4> { typedef st_word type; };
template <> struct st_words_of<8> { typedef st_word2 type; };
template <> struct st_words_of<16> { typedef st_word4 type; };
template <int bytes> using st_words = typename st_words_of<bytes>::type;

/* Four neighbours in memory, which are loaded and stored at once. */
template <typename T> struct alignas(sizeof(T) < 4 ? 4 * sizeof(T) : 16) st_four { T elements[4]; };
template <typename T> ST_DEVICE bool st_is_aligned(const T *place) {
    return (uint64_t)place % alignof(st_four<T>) == 0;
}
template <typename T> ST_DEVICE st_four<T> st_load_four(const T *place) {
    typedef st_words<alignof(st_four<T>)> word;
    word words[sizeof(st_four<T>) / sizeof(word)];
    for (unsigned k = 0; k < sizeof words / sizeof(word); k++) words[k] = ((const word *)place)[k];
    st_four<T> four;
    __builtin_memcpy(&four, words, sizeof words);
    return four;
}
template <typename T> ST_DEVICE void st_store_four(T *place, st_four<T> four) {
    typedef st_words<alignof(st_four<T>)> word;
    word words[sizeof(st_four<T>) / sizeof(word)];
    __builtin_memcpy(words, &four, sizeof words);
    for (unsigned k = 0; k < sizeof words / sizeof(word); k++) st_store_word((word *)place + k, words[k]);
}

/* A number with 16 bits, which is stored so, and computed with as a float. */
struct st_half {
    uint16_t bits;
    st_half() = default;
    explicit st_half(float value) : bits(st_half_of_float(value)) {}
    explicit st_half(double value) : bits(st_half_of_double(value)) {}
    template <typename T> explicit st_half(T value) : st_half((float)value) {}
    operator float() const { return st_float_of_half(bits); }
};
#define _Float16 st_half

/* Complex numbers, with C's products. */
template <typename P> struct st_complex {
    P re, im;
    st_complex() = default;
    st_complex(P real) : re(real), im(0) {}
    st_complex(P real, P imaginary) : re(real), im(imaginary) {}
    template <typename Q> explicit st_complex(st_complex<Q> z) : re((P)z.re), im((P)z.im) {}
    explicit operator P() const { return re; }
};
typedef st_complex<float> st_complex64;
typedef st_complex<double> st_complex128;
#define __builtin_complex(real, imaginary) st_complex_of(real, imaginary)
#define __builtin_creal(z) ((z).re)
#define __builtin_crealf(z) ((z).re)
#define __builtin_cimag(z) ((z).im)
#define __builtin_cimagf(z) ((z).im)

ST_DEVICE st_complex64 st_complex_of(float re, float im) { return st_complex64(re, im); }
ST_DEVICE st_complex128 st_complex_of(double re, double im) { return st_complex128(re, im); }
ST_DEVICE float cabsf(st_complex64 z) { return hypotf(z.re, z.im); }
ST_DEVICE double cabs(st_complex128 z) { return hypot(z.re, z.im); }

/* Signs of infinite parts, and zeros with the signs of finite ones. */
template <typename P> ST_DEVICE P st_boxed(P x) { return copysign(P(isinf(x) ? 1 : 0), x); }

template <typename P> ST_DEVICE st_complex<P> st_product(st_complex<P> a, st_complex<P> b) {
    const P ac = a.re * b.re, bd = a.im * b.im, ad = a.re * b.im, bc = a.im * b.re;
    P re = ac - bd, im = ad + bc;
    if (isnan(re) && isnan(im)) {  /* an infinite factor makes an infinite product */
        const bool left = isinf(a.re) || isinf(a.im), right = isinf(b.re) || isinf(b.im);
        const bool over = isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc);
        if (left || right || over) {
            const P infinity = P(__builtin_inf());
            if (left) a = st_complex<P>(st_boxed(a.re), st_boxed(a.im));
            if (right) b = st_complex<P>(st_boxed(b.re), st_boxed(b.im));
            if (right || !left) {
                if (isnan(a.re)) a.re = copysign(P(0), a.re);
                if (isnan(a.im)) a.im = copysign(P(0), a.im);
            }
            if (left || !right) {
                if (isnan(b.re)) b.re = copysign(P(0), b.re);
                if (isnan(b.im)) b.im = copysign(P(0), b.im);
            }
            re = infinity * (a.re * b.re - a.im * b.im);
            im = infinity * (a.re * b.im + a.im * b.re);
        }
    }
    return st_complex<P>(re, im);
}

#define ST_COMPLEX_OPERATORS(Z, P) \
    ST_DEVICE Z operator+(Z a, Z b) { return Z(a.re + b.re, a.im + b.im); } \
    ST_DEVICE Z operator-(Z a, Z b) { return Z(a.re - b.re, a.im - b.im); } \
    ST_DEVICE Z operator*(Z a, Z b) { return st_product(a, b); } \
    ST_DEVICE Z operator+(Z a, P b) { return Z(a.re + b, a.im); } \
    ST_DEVICE Z operator-(Z a, P b) { return Z(a.re - b, a.im); } \
    ST_DEVICE Z operator*(Z a, P b) { return Z(a.re * b, a.im * b); } \
    ST_DEVICE Z operator/(Z a, P b) { return Z(a.re / b, a.im / b); } \
    ST_DEVICE Z operator-(Z a) { return Z(-a.re, -a.im); } \
    ST_DEVICE Z &operator+=(Z &a, Z b) { return a = a + b; } \
    ST_DEVICE bool operator==(Z a, Z b) { return a.re == b.re && a.im == b.im; } \
    ST_DEVICE bool operator!=(Z a, Z b) { return !(a == b); } \
    ST_DEVICE bool operator==(Z a, int b) { return a.re == b && a.im == 0; } \
    ST_DEVICE bool operator!=(Z a, int b) { return !(a == b); }

ST_COMPLEX_OPERATORS(st_complex64, float)
ST_COMPLEX_OPERATORS(st_complex128, double)
