/* pk.h - what Python sees of the runtime: status codes, plans, runs, and rows turned into values or text.
 *
 * This header is compiled by C and, without its '#' lines, read by cffi: plain declarations only.
 *
 * A plan is a compiled search: `units` independent pieces of work, numbered from 0. It is const while it is searched.
 * A run searches a range of a plan's units. Rows come out in unit order, whatever number of threads works on them, so
 * the rows of units [a, b) followed by those of [b, c) are the rows of [a, c).
 */
#ifndef PK_H
#define PK_H

#include <stddef.h>
#include <stdint.h>

enum pk_status {
    PK_OK = 0,
    PK_MORE = 1,       /* the time allowed ran out; go on with pk_run_work */
    PK_LIMIT = 2,      /* partial: as many rows as were asked for */
    PK_CANCELLED = 3,  /* partial: the rows found so far, a prefix */
    PK_ENOMEM = -1,    /* nothing valid from here on */
    PK_EOVERFLOW = -2, /* a count does not fit 64 bits */
    PK_EINVAL = -3     /* the kernel was handed what its module should have refused */
};

typedef struct pk_plan pk_plan;
typedef struct pk_run pk_run;

uint64_t pk_plan_units(const pk_plan *plan);
size_t pk_plan_row_bytes(const pk_plan *plan);
void pk_plan_free(pk_plan *plan);

/* A run over units [first, last). With `counting` it builds no rows, and `counts`, if not NULL, receives one number a
 * unit. `limit` is the greatest number of rows; counting stops when it is reached or passed. `window` bounds the bytes
 * of rows that wait to be taken: SIZE_MAX when they are taken at the end, else workers rest until the caller takes
 * some. NULL when memory is out. The plan and `counts` must outlive the run. In a process
 * that was forked from the one that made it, pk_run_free leaves a run as it is: a thread may have been changing it. */
pk_run *pk_run_new(const pk_plan *plan, uint64_t first, uint64_t last, int counting, uint64_t *counts, uint64_t limit,
                   size_t window);
void pk_run_free(pk_run *run);

/* Works on the calling thread, without OpenMP, for about `seconds`. PK_MORE: the search is longer than that; what was
 * begun and not finished is forgotten. Call it before pk_run_work or not at all. */
int pk_run_direct(pk_run *run, double seconds);

/* Works with `threads` threads until the run ends. Meanwhile other threads may call the functions below. */
void pk_run_work(pk_run *run, int threads);

/* PK_OK, or why the run ended early. With a window it is final when the last rows have been taken. */
int pk_run_status(const pk_run *run);

/* Units that are left when pk_run_direct says PK_MORE. */
uint64_t pk_run_left(const pk_run *run);

void pk_run_cancel(pk_run *run);

/* Units done, units in all, solutions found: a snapshot while the run works, exact when it has ended. */
void pk_run_progress(const pk_run *run, uint64_t *done, uint64_t *total, uint64_t *found);

/* Waits until there are rows worth taking, the run has ended, or `seconds` are over. Non-zero: it has ended. */
int pk_run_wait(pk_run *run, double seconds);

/* Hands over the rows that are ready, in order, as one block that the caller releases with pk_free; NULL if there are
 * none. When the run has ended: all the rest if it has no window, else take until NULL. */
uint8_t *pk_run_take(pk_run *run, uint64_t *rows);

void pk_free(void *block);

/* out[i] = table[symbols[i]]: rows of symbols become rows of 8-byte values. `table` has 256 entries. */
void pk_spread(const uint8_t *symbols, uint64_t count, const uint64_t *table, uint64_t *out);

/* Rows of symbols as lines of text. Symbol s is written as the bytes cells[cell_at[s] .. cell_at[s + 1]), which end
 * with a separator of `separator` bytes; after the last cell of a line that separator gives way to `tail`. A line
 * begins with heads[head_at[h] .. head_at[h + 1]) where h = head[line]; without heads, head is NULL. Returns the bytes
 * of the text; with out == NULL nothing is written. cell_at has 257 entries, and `cells` is 8 bytes longer than it
 * says. */
uint64_t pk_text(const uint8_t *symbols, uint64_t lines, size_t width, const char *cells, const uint32_t *cell_at,
                 size_t separator, const uint32_t *head, const char *heads, const uint32_t *head_at, const char *tail,
                 size_t tail_bytes, char *out);

/* What vectors a kernel may use: a level includes those below it. pk_cpu_level is what this machine has. */
enum pk_cpu { PK_CPU_PORTABLE = 0, PK_CPU_AVX2 = 1, PK_CPU_AVX512 = 2 };
int pk_cpu_level(void);

int pk_has_openmp(void);
int pk_max_threads(void);
const char *pk_compiler(void);

#endif
