/* atomic.h - the few atomic operations the runtime needs, a lock and a nap, so that a port has one file to look at.
 *
 * Counters and flags are plain integers read and written with relaxed order: they carry no data. What one thread
 * builds and another reads changes hands under the lock.
 */
#ifndef PK_ATOMIC_H
#define PK_ATOMIC_H

#include <stdint.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#endif

static inline uint64_t pk_load(const uint64_t *p) { return __atomic_load_n(p, __ATOMIC_RELAXED); }
static inline void pk_store(uint64_t *p, uint64_t value) { __atomic_store_n(p, value, __ATOMIC_RELAXED); }
static inline uint64_t pk_add(uint64_t *p, uint64_t value) { return __atomic_fetch_add(p, value, __ATOMIC_RELAXED); }

static inline int pk_load_int(const int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
static inline void pk_store_int(int *p, int value) { __atomic_store_n(p, value, __ATOMIC_RELEASE); }

/* Writes `value` unless another was written before: the first reason to stop is the one that counts. */
static inline void pk_store_first(int *p, int value) {
    int none = 0;
    __atomic_compare_exchange_n(p, &none, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
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
