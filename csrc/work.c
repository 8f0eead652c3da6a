/* work.c - runs: units, threads, order, limit, window, cancel and progress, once for every kernel.
 *
 *      taken by the caller    released    head                        next
 *     ...-------------------|-----------|----.----#----#----.----#----|---- units
 *                                       '-- the ring: PK_RING units at most --'
 *
 * In a run with rows workers take units from an atomic counter (next). A finished unit (#) leaves its rows in the ring
 * until all units before it are done; then they are appended to `released`, and the head moves on. So the rows stand in
 * unit order for any number of threads, and a limit is a prefix.
 *
 * A run that only counts needs no order: each worker has a share of consecutive units, keeps its own tally, and helps
 * the others when its share is done. Short units cost no traffic between processors that way, and what a kernel keeps
 * in a worker's scratch memory from one unit to the next serves for longer (queens, n = 17: 48,000 units).
 *
 * Memory stays flat when there is a window. A worker takes no further unit while the ring holds more than `window`
 * bytes; a unit that is not the head gathers a worker's part of the window and then rests until it is the head; the
 * head flushes its rows into `released` as it goes, and rests while that is full. The head is always in work or done,
 * and nobody but the caller can make it wait: there is no deadlock. Buffers double as they grow: some five windows are
 * in memory at worst.
 *
 * Before that, pk_run_direct tries the search on the caller's own thread for a few milliseconds: a thread costs more
 * than many a search. It gives up sooner when the units done so far say that the time will not do; then a worker goes
 * on with its scratch memory. A unit that is not done by then is forgotten and searched again.
 *
 * Tried and left: `omp parallel for` whose body returns early drains a cancelled loop of 1e9 units in seconds; here
 * workers leave at once. They rest in naps, longer and longer ones, and not on condition variables, which C11 has and
 * macOS lacks.
 */
#include <assert.h>
#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "kernel.h"
#include "rows.h"

#define PK_RING 4096
#define COUNTING_ROWS 64 /* space for rows that are only counted, unless a kernel asks for more at once */
#define ALIGNMENT 64
#define SHORT_NAP 100 /* microseconds */
#define LONG_NAP 5000
#define WORTH_TAKING ((size_t)1 << 18) /* bytes for which a caller is woken early */

typedef struct slot {
    pk_rows rows;
    int done;
} slot;

/* Units next .. last - 1 are to be counted; of what its worker has done, whoever's they were, the units and their
 * solutions. A worker's share has cache lines of its own. */
typedef struct share {
    uint64_t next, last, done, found;
    uint64_t apart[12];
} share;

struct pk_run {
    const pk_plan *plan;
    long process; /* that made it */
    uint64_t first, last;
    int counting;
    uint64_t *counts;
    uint64_t limit;
    size_t window;
    size_t unit_window; /* a worker's part of it, for a unit that is not the head */

    int stop;      /* 0, or the pk_status that ends the run early */
    int attention; /* workers should look: stop has been set, or the caller waits for rows */
    int finished;  /* all workers have left */
    uint64_t next, done, found;
    void *spare;     /* scratch memory that the direct phase leaves to a worker */
    share *shares;   /* of a run that counts; there before `share_count` says so */
    int share_count; /* 0 until workers begin */

    int lock; /* guards what follows */
    uint64_t head;
    uint64_t released_rows; /* ever, also those taken */
    pk_rows released;
    slot *ring;
    size_t ring_bytes;
};

/* The sink that a kernel sees, and where the rows really go. */
typedef struct worker {
    pk_sink sink;
    pk_run *run;
    uint64_t unit;
    pk_rows *rows; /* its own buffer; on the caller's thread `released` itself */
    size_t base;   /* where the unit's rows begin in it */
    uint64_t told; /* of the unit's rows, those that progress knows of */
    pk_rows own;
    void *scratch, *scratch_block;
    share *share; /* NULL: its units are noted in the run */
} worker;

static void stop_run(pk_run *run, int status) {
    pk_store_worst(&run->stop, status);
    pk_store_int(&run->attention, 1);
}

/* Rests, and returns how long to rest the next time: a caller that takes no rows may be a person who thinks. */
static long rest(long microseconds) {
    pk_nap(microseconds);
    return microseconds < LONG_NAP / 2 ? 2 * microseconds : LONG_NAP;
}

/* A cancelled run still releases what is done; after a limit or a failure what stands is all. */
static int may_release(pk_run *run) {
    const int stop = pk_load_int(&run->stop);
    return stop == 0 || stop == PK_CANCELLED;
}

/* UINT64_MAX stands for a number that does not fit. */
static uint64_t add_up(uint64_t a, uint64_t b) { return b > UINT64_MAX - a ? UINT64_MAX : a + b; }

static uint64_t found_so_far(const pk_run *run) {
    uint64_t found = pk_load(&run->found);
    const int shares = pk_load_int(&run->share_count);
    for (int i = 0; i < shares; i++)
        found = add_up(found, pk_load(&run->shares[i].found));
    return found;
}

/* ---- released rows: the lock is held ---- */

static int is_full(const pk_run *run) { return run->released.used > 0 && run->released.used >= run->window; }

/* How many rows stand from `base` on, after those beyond the limit are cut off. */
static uint64_t cut(const pk_run *run, pk_rows *rows, size_t base) {
    const size_t row_bytes = run->plan->row_bytes;
    const uint64_t left = run->limit - run->released_rows, count = (rows->used - base) / row_bytes;
    if (count <= left)
        return count;
    rows->used = base + (size_t)left * row_bytes;
    return left;
}

static void note_released(pk_run *run, uint64_t count) {
    assert(count <= run->limit - run->released_rows);
    pk_store(&run->released_rows, run->released_rows + count);
    if (run->released_rows == run->limit)
        stop_run(run, PK_LIMIT);
}

static void release(pk_run *run, pk_rows *rows) {
    const uint64_t count = cut(run, rows, 0);
    if (pk_rows_append(&run->released, rows))
        note_released(run, count);
    else
        stop_run(run, PK_ENOMEM);
}

static void advance(pk_run *run) {
    while (run->ring && run->ring[run->head % PK_RING].done && !is_full(run) && may_release(run)) {
        slot *s = &run->ring[run->head % PK_RING];
        run->ring_bytes -= s->rows.used;
        release(run, &s->rows);
        free(s->rows.data);
        *s = (slot){{NULL, 0, 0}, 0};
        pk_store(&run->head, run->head + 1);
    }
}

/* ---- a unit's rows ---- */

static void settle(worker *w) {
    if (!w->sink.counting && w->sink.next)
        w->rows->used = (size_t)(w->sink.next - w->rows->data);
}

static void show_room(worker *w) {
    pk_rows *rows = w->rows;
    w->sink.next = rows->data ? rows->data + rows->used : NULL;
    w->sink.room = (rows->capacity - rows->used) / w->run->plan->row_bytes;
}

/* In a run with a window: hands over the rows of a unit that is the head; rests while the caller has enough, or while
 * the unit is not the head and has gathered its part. */
static void flush_unit(worker *w) {
    pk_run *run = w->run;
    long nap = SHORT_NAP;
    while (may_release(run)) {
        pk_lock(&run->lock);
        const int is_head = run->head == w->unit;
        if (is_head && !is_full(run)) {
            release(run, w->rows);
            pk_add(&run->found, w->sink.found - w->told);
            w->told = w->sink.found;
            pk_unlock(&run->lock);
            return;
        }
        pk_unlock(&run->lock);
        if (pk_load_int(&run->stop) || (!is_head && w->rows->used < run->unit_window))
            return;
        nap = rest(nap);
    }
}

uint8_t *pk_sink_grow(pk_sink *sink, size_t rows) {
    worker *w = (worker *)sink;
    pk_run *run = w->run;
    const size_t row_bytes = run->plan->row_bytes;
    settle(w);
    if (sink->counting) {
        rows = rows > COUNTING_ROWS ? rows : COUNTING_ROWS;
    } else if (sink->timed) {
        /* Nobody takes rows meanwhile, so a full window ends the direct phase. */
        sink->late |= w->rows->used - w->base >= run->window;
    } else if (run->window != SIZE_MAX && w->rows->used) {
        flush_unit(w);
        show_room(w); /* the rows may have changed their block */
    }
    if (pk_load_int(&run->stop) || sink->late || sink->found >= sink->wanted)
        return NULL;
    if (rows > SIZE_MAX / row_bytes || !pk_rows_reserve(w->rows, rows * row_bytes)) {
        stop_run(run, PK_ENOMEM);
        return NULL;
    }
    show_room(w);
    return sink->next;
}

/* When the caller waits for rows, the head hands over the few it has, even if the next one takes long to find. */
int pk_sink_attend(pk_sink *sink) {
    worker *w = (worker *)sink;
    pk_run *run = w->run;
    if (!sink->counting && !sink->timed && !pk_load_int(&run->stop) && pk_load(&run->head) == w->unit) {
        settle(w);
        if (w->rows->used) {
            pk_store_int(&run->attention, 0);
            flush_unit(w);
            show_room(w);
        }
    }
    const int stop = pk_load_int(&run->stop);
    if (stop)
        pk_store_int(&run->attention, 1); /* it may have been set while the flag was cleared */
    return stop;
}

int pk_sink_late(pk_sink *sink) {
    sink->late |= pk_seconds() > sink->deadline;
    return sink->late;
}

/* ---- workers ---- */

static int open_worker(worker *w, pk_run *run) {
    const size_t bytes = run->plan->scratch_bytes;
    *w = (worker){.run = run, .rows = &w->own};
    w->sink.attention = &run->attention;
    w->sink.counting = run->counting;
    w->sink.stride = run->counting ? 0 : run->plan->row_bytes;
    if (bytes) {
        w->scratch_block = pk_exchange(&run->spare, NULL);
        if (!w->scratch_block) {
            w->scratch_block = calloc(1, bytes + ALIGNMENT);
            pk_large_pages(w->scratch_block, bytes + ALIGNMENT);
        }
        if (!w->scratch_block) {
            stop_run(run, PK_ENOMEM);
            return 0;
        }
        w->scratch = (void *)(((uintptr_t)w->scratch_block + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    }
    return 1;
}

static void close_worker(worker *w) {
    free(w->own.data);
    free(w->scratch_block);
}

static void search_unit(worker *w, uint64_t unit) {
    pk_run *run = w->run;
    w->unit = unit;
    w->base = w->rows->used;
    w->told = w->sink.found = 0;
    w->sink.wanted = UINT64_MAX;
    if (run->limit != UINT64_MAX) {
        const uint64_t have = run->counting ? found_so_far(run) : pk_load(&run->released_rows);
        w->sink.wanted = run->limit - (have < run->limit ? have : run->limit);
    }
    if (run->counting)
        w->sink.room = 0;
    else
        show_room(w);
    const int status = run->plan->search(run->plan, unit, w->scratch, &w->sink);
    if (status < 0)
        stop_run(run, status);
    settle(w);
}

static void note_done(worker *w) {
    pk_run *run = w->run;
    const uint64_t found = w->sink.found;
    if (run->counting && run->counts)
        run->counts[w->unit - run->first] = found;
    uint64_t total;
    if (w->share) {
        total = add_up(w->share->found, found);
        pk_store(&w->share->found, total);
        pk_store(&w->share->done, w->share->done + 1);
    } else {
        total = add_up(pk_add(&run->found, found - w->told), found);
        pk_add(&run->done, 1);
    }
    if (total == UINT64_MAX)
        stop_run(run, PK_EOVERFLOW);
    else if (run->counting && run->limit != UINT64_MAX && found_so_far(run) >= run->limit)
        stop_run(run, PK_LIMIT);
}

/* Leaves a searched unit's rows where they belong. When the run has been stopped the unit may be incomplete: it counts
 * for nothing, except that the head of a cancelled run ends the prefix. */
static void finish_unit(worker *w) {
    pk_run *run = w->run;
    if (run->counting) {
        if (!pk_load_int(&run->stop))
            note_done(w);
        return;
    }
    pk_lock(&run->lock);
    if (pk_load_int(&run->stop)) {
        if (run->head == w->unit && may_release(run))
            release(run, w->rows);
    } else if (run->head == w->unit && !is_full(run)) {
        note_done(w);
        release(run, w->rows);
        pk_store(&run->head, run->head + 1);
        advance(run);
    } else {
        note_done(w);
        pk_rows_shrink(&w->own);
        run->ring[w->unit % PK_RING] = (slot){w->own, 1};
        run->ring_bytes += w->own.used;
        w->own = (pk_rows){NULL, 0, 0};
    }
    pk_unlock(&run->lock);
    w->own.used = 0;
}

/* Waits until the ring has a place for the unit and memory for its rows. 0: the run has been stopped. */
static int wait_for_place(pk_run *run, uint64_t unit) {
    long nap = SHORT_NAP;
    while (!pk_load_int(&run->stop)) {
        pk_lock(&run->lock);
        const int free_place = unit - run->head < PK_RING && (run->ring_bytes < run->window || unit == run->head);
        pk_unlock(&run->lock);
        if (free_place)
            return 1;
        nap = rest(nap);
    }
    return 0;
}

/* The next unit to search; run->last or more if there is none. */
static uint64_t take_unit(worker *w) {
    pk_run *run = w->run;
    if (!run->counting)
        return pk_add(&run->next, 1);
    share *s = w->share;
    for (int i = 0; i < run->share_count; i++) {
        if (pk_load(&s->next) < s->last) {
            const uint64_t unit = pk_add(&s->next, 1);
            if (unit < s->last)
                return unit;
        }
        s = s + 1 < run->shares + run->share_count ? s + 1 : run->shares;
    }
    return run->last;
}

static void work(pk_run *run, int place) {
    worker w;
    if (open_worker(&w, run)) {
        w.share = run->shares ? &run->shares[place] : NULL;
        while (!pk_load_int(&run->stop)) {
            const uint64_t unit = take_unit(&w);
            if (unit >= run->last || !(run->counting || wait_for_place(run, unit)))
                break;
            search_unit(&w, unit);
            finish_unit(&w);
        }
    }
    close_worker(&w);
}

/* What the workers share: the ring, or the units among them. 0: out of memory. */
static int open_run(pk_run *run, int threads) {
    slot *ring = run->counting ? NULL : calloc(PK_RING, sizeof *ring);
    share *shares = run->counting ? calloc((size_t)threads, sizeof *shares) : NULL;
    if (!ring && !shares)
        return 0;
    const uint64_t units = run->last - run->next;
    for (int i = 0; shares && i < threads; i++) {
        shares[i].next = i ? shares[i - 1].last : run->next;
        shares[i].last = shares[i].next + units / (uint64_t)threads + ((uint64_t)i < units % (uint64_t)threads);
    }
    run->shares = shares;
    pk_store_int(&run->share_count, shares ? threads : 0);
    pk_lock(&run->lock);
    run->ring = ring;
    pk_unlock(&run->lock);
    return 1;
}

void pk_run_work(pk_run *run, int threads) {
    run->unit_window = run->window / (size_t)threads;
    if (!open_run(run, threads))
        stop_run(run, PK_ENOMEM);
#ifdef _OPENMP
    if (threads > 1) {
#pragma omp parallel num_threads(threads)
        work(run, omp_get_thread_num());
    } else
#endif
        work(run, 0);
    if (run->counting && found_so_far(run) >= run->limit) /* at the end, two workers may both have missed it */
        stop_run(run, run->limit == UINT64_MAX ? PK_EOVERFLOW : PK_LIMIT);
    pk_store_int(&run->finished, 1);
}

/* Whether units take so long that those from `next` on will not be done in time; told from a fifth of the time. */
static int is_long(const pk_run *run, double spent, double seconds) {
    const double done = (double)(run->next - run->first), total = (double)(run->last - run->first);
    return run->limit == UINT64_MAX && spent > seconds / 5 && spent * total > seconds * done;
}

/* One worker, no ring: every unit is the head, and its rows are written where they will stay. */
int pk_run_direct(pk_run *run, double seconds) {
    worker w;
    int is_cut_off = 0; /* in the middle of a unit */
    if (open_worker(&w, run)) {
        const double began = pk_seconds();
        w.sink.timed = 1;
        w.sink.deadline = began + seconds;
        w.rows = run->counting ? &w.own : &run->released;
        while (run->next < run->last && !pk_load_int(&run->stop) && !is_full(run) && !pk_sink_late(&w.sink) &&
               !is_long(run, pk_seconds() - began, seconds)) {
            search_unit(&w, run->next);
            if (pk_load_int(&run->stop) < 0)
                break;
            is_cut_off = w.sink.late;
            if (is_cut_off) {
                w.rows->used = w.base;
                break;
            }
            if (!run->counting)
                note_released(run, cut(run, &run->released, w.base));
            note_done(&w);
            pk_store(&run->head, ++run->next);
        }
        if (!is_cut_off) {
            run->spare = w.scratch_block;
            w.scratch_block = NULL;
        }
    }
    close_worker(&w);
    if (!pk_load_int(&run->stop) && run->next < run->last)
        return PK_MORE;
    pk_store_int(&run->finished, 1);
    return pk_load_int(&run->stop);
}

/* ---- the caller's side ---- */

pk_run *pk_run_new(const pk_plan *plan, uint64_t first, uint64_t last, int counting, uint64_t *counts, uint64_t limit,
                   size_t window) {
    pk_run *run = calloc(1, sizeof *run);
    if (!run)
        return NULL;
    run->plan = plan;
    run->process = pk_process();
    run->first = run->next = run->head = first;
    run->last = last;
    run->counting = counting;
    run->counts = counts;
    run->limit = limit;
    run->window = window;
    if (limit == 0)
        stop_run(run, PK_LIMIT);
    return run;
}

void pk_run_free(pk_run *run) {
    if (!run || run->process != pk_process())
        return;
    for (int i = 0; run->ring && i < PK_RING; i++)
        free(run->ring[i].rows.data);
    free(run->ring);
    free(run->shares);
    free(run->spare);
    free(run->released.data);
    free(run);
}

uint64_t pk_run_left(const pk_run *run) {
    const uint64_t next = pk_load(&run->next);
    return next < run->last ? run->last - next : 0;
}

void pk_run_cancel(pk_run *run) { stop_run(run, PK_CANCELLED); }

int pk_run_status(const pk_run *run) { return pk_load_int(&run->stop); }

void pk_run_progress(const pk_run *run, uint64_t *done, uint64_t *total, uint64_t *found) {
    const int shares = pk_load_int(&run->share_count), stop = pk_load_int(&run->stop);
    /* A run that was stopped hands over a prefix of what it had found. */
    const int is_prefix = !run->counting && stop && pk_load_int(&run->finished);
    *done = pk_load(&run->done);
    for (int i = 0; i < shares; i++)
        *done += pk_load(&run->shares[i].done);
    *total = run->last - run->first;
    *found = is_prefix ? pk_load(&run->released_rows) : found_so_far(run);
    if (*found > run->limit)
        *found = run->limit;
}

int pk_run_wait(pk_run *run, double seconds) {
    const double deadline = pk_seconds() + seconds;
    for (;;) {
        if (pk_load_int(&run->finished))
            return 1;
        pk_lock(&run->lock);
        const size_t ready = run->released.used;
        pk_unlock(&run->lock);
        if (ready >= WORTH_TAKING)
            return 0;
        if (pk_seconds() > deadline) {
            if (!ready)
                pk_store_int(&run->attention, 1);
            return 0;
        }
        pk_nap(SHORT_NAP);
    }
}

uint8_t *pk_run_take(pk_run *run, uint64_t *rows) {
    pk_lock(&run->lock);
    advance(run);
    *rows = run->released.used / run->plan->row_bytes;
    uint8_t *block = pk_rows_release(&run->released);
    advance(run);
    pk_unlock(&run->lock);
    return block;
}

/* ---- plans ---- */

uint64_t pk_plan_units(const pk_plan *plan) { return plan->units; }

size_t pk_plan_row_bytes(const pk_plan *plan) { return plan->row_bytes; }

void pk_plan_free(pk_plan *plan) {
    if (plan)
        plan->destroy(plan);
}
