#ifdef _OPENMP
int omp_get_thread_num(void);
#define THREAD omp_get_thread_num()
#else
#define THREAD 0
#endif
