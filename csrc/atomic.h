/* atomic.h - the few things the runtime needs of a system, so that a port has one file to look at: atomic operations, a
 * lock, a nap, a clock, the process, large pages.
 *
 * Counters are read and written in relaxed order: they carry no data. Flags are sequentially consistent, so that of two
 * threads that each set one and then look at the other's, one sees it. What one thread builds and another reads changes
 * hands under the lock.
 */
#ifndef PK_ATOMIC_H
#define PK_ATOMIC_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

static inline uint64_t pk_load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void pk_store(uint64_t *p, uint64_t value) { __atomic_store_n(p, value, __ATOMIC_RELAXED); }
static inline uint64_t pk_add(uint64_t *p, uint64_t value) { return __atomic_fetch_add(p, value, __ATOMIC_RELAXED); }

static inline void *pk_exchange(void **p, void *value) { return __atomic_exchange_n(p, value, __ATOMIC_ACQ_REL); }

static inline int pk_load_int(const int *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }
static inline void pk_store_int(int *p, int value) { __atomic_store_n(p, value, __ATOMIC_SEQ_CST); }

/* Writes `value` if none was written before, or if it is negative and the one before was not. */
static inline void pk_store_worst(int *p, int value) {
    int before = pk_load_int(p);
    while (before == 0 || (value < 0 && before > 0))
        if (__atomic_compare_exchange_n(p, &before, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return;
}

static inline void pk_nap(long microseconds) {
#if defined(_WIN32)
    Sleep((DWORD)(microseconds / 1000 + 1));
#else
    const struct timespec nap = {0, microseconds * 1000};
    nanosleep(&nap, NULL);
#endif
}

/* Held for a few instructions, or while a finished unit's rows are appended; taken once a unit or once a block. */
static inline void pk_lock(int *lock) {
    for (unsigned tries = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); tries++)
        if (tries > 100)
            pk_nap(20);
}
static inline void pk_unlock(int *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

static inline long pk_process(void) {
#if defined(_WIN32)
    return (long)GetCurrentProcessId();
#else
    return (long)getpid();
#endif
}

/* Tells the system that a block will be used from one end to the other. With large pages it is there after a few page
 * faults instead of thousands (the tables of 17 queens: 3 ms instead of 7). A wish: nothing depends on it, and memory
 * that the allocator gives out again later may have it still. Not for rows: a virtual machine that has given free
 * memory back gets large pages slowly (all boards of n = 16 in 0.2 s, but the first time in 0.6; with small pages
 * always in 0.28). */
static inline void pk_large_pages(void *block, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    enum { WORTH = 2 << 20 };
    const uintptr_t into_page = (uintptr_t)block % (uintptr_t)sysconf(_SC_PAGESIZE);
    if (block && bytes >= WORTH)
        madvise((void *)((uintptr_t)block - into_page), bytes + into_page, MADV_HUGEPAGE);
#else
    (void)block;
    (void)bytes;
#endif
}

static inline double pk_seconds(void) {
    struct timespec now;
#if defined(_WIN32)
    timespec_get(&now, TIME_UTC);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
