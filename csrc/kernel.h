/* kernel.h - what a kernel is, and the sink it emits into. Only C reads this.
 *
 * A kernel is a plan (a struct that begins with a pk_plan and holds const tables) and a function that searches one
 * unit of it. Threads, buffers, order, limit, cancel and progress are the runtime's: a kernel knows none of them. Its
 * duties:
 *   - a unit depends on the plan and its number alone, and emits its rows in the same order every time;
 *   - before it writes k rows it asks pk_room for them, and after it has written them it says pk_keep;
 *   - it asks pk_stop every 0.1 ms or so, and after a row that was long in coming, but not between pk_room and pk_keep;
 *   - when pk_room says NULL or pk_stop says yes it returns PK_OK at once. The runtime knows why.
 *
 *     uint8_t *row = pk_room(sink, 1);
 *     if (!row)
 *         return PK_OK;
 *     ...                    (in a run that only counts, `row` points to scratch space)
 *     pk_keep(sink, 1);
 */
#ifndef PK_KERNEL_H
#define PK_KERNEL_H

#include "atomic.h"
#include "pk.h"

typedef struct pk_sink {
    uint8_t *next;   /* where the next row goes */
    size_t room;     /* rows that fit there */
    size_t stride;   /* bytes from a row to the next; 0 in a run that only counts: every row goes to the same place */
    uint64_t found;  /* in this unit, so far */
    uint64_t wanted; /* more than these are not needed of this unit */
    int counting;    /* rows are not wanted: pk_found(sink, k) is enough */
    int timed, late; /* on the caller's thread there is a deadline, and it has passed */
    double deadline;
    const int *attention; /* the run's flag: to be stopped, or its caller waits for rows */
} pk_sink;

struct pk_plan {
    uint64_t units;
    size_t row_bytes;     /* at least 1 */
    size_t scratch_bytes; /* for a worker: aligned to 64 bytes, zero before the first unit in it, kept between units */
    int (*search)(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink);
    void (*destroy)(pk_plan *plan);
};

/* The slow parts of pk_room and pk_stop. */
uint8_t *pk_sink_grow(pk_sink *sink, size_t rows);
int pk_sink_attend(pk_sink *sink);
int pk_sink_late(pk_sink *sink);

/* A sink of no run, for the small searches that make a plan: it has room for some rows, and nothing stops it. */
static inline pk_sink pk_sink_alone(uint8_t *next, size_t rows) {
    static const int never = 0;
    return (pk_sink){.next = next, .room = rows, .wanted = UINT64_MAX, .attention = &never};
}

static inline uint8_t *pk_room(pk_sink *sink, size_t rows) {
    return rows <= sink->room ? sink->next : pk_sink_grow(sink, rows);
}

static inline void pk_keep(pk_sink *sink, size_t rows) {
    sink->next += rows * sink->stride;
    sink->room -= rows;
    sink->found += rows;
}

/* A number that does not fit stays at UINT64_MAX, which the runtime takes for an overflow. */
static inline void pk_found(pk_sink *sink, uint64_t count) {
    sink->found = count > UINT64_MAX - sink->found ? UINT64_MAX : sink->found + count;
}

static inline int pk_stop(pk_sink *sink) {
    return (pk_load_int(sink->attention) && pk_sink_attend(sink)) || sink->found >= sink->wanted ||
           (sink->timed && pk_sink_late(sink));
}

#endif
