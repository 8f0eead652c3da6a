/* canonical.c - many canonical forms: a unit is a block of grids and puzzles. */
#include "canonical.h"

#include <stdlib.h>
#include <string.h>

#include "../sudoku.h"
#include "common.h"
#include "lanes.h"

enum { BLOCK = 256 };

typedef struct forms {
    pk_plan base;
    uint64_t count;
    uint8_t *puzzles;
} forms;

static int search_forms(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const forms *p = (const forms *)plan;
    const uint64_t first = unit * BLOCK, last = p->count - first < BLOCK ? p->count : first + BLOCK;
    canonical_space space = {{NULL, NULL}, {0, 0}};
    int status = PK_OK;
    (void)scratch;
    for (uint64_t i = first; i < last; i++) {
        const uint8_t *const puzzle = p->puzzles + CELLS * i;
        if ((i & 15) == 0 && pk_stop(sink))
            break;
        uint8_t *const row = pk_room(sink, 1);
        if (!row)
            break;
        uint64_t automorphisms = 0;
        if (clashes(puzzle)) {
            memset(row, 0, CELLS);
        } else {
            automorphisms =
                memchr(puzzle, 0, CELLS) ? pk_canonical_puzzle(puzzle, row, &space) : pk_canonical_grid(puzzle, row);
            if (!automorphisms) {
                status = PK_ENOMEM;
                break;
            }
        }
        memcpy(row + CELLS, &automorphisms, sizeof automorphisms);
        pk_keep(sink, 1);
    }
    pk_canonical_space_free(&space);
    return status;
}

static void destroy_forms(pk_plan *plan) {
    free(((forms *)plan)->puzzles);
    free(plan);
}

int pk_sudoku_canonical_plan(const uint8_t *puzzles, uint64_t count, pk_plan **plan) {
    forms *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->puzzles = malloc(count * CELLS + 1);
    if (!p->puzzles) {
        free(p);
        return PK_ENOMEM;
    }
    memcpy(p->puzzles, puzzles, count * CELLS);
    p->count = count;
    p->base = (pk_plan){(count + BLOCK - 1) / BLOCK, CELLS + sizeof(uint64_t), 0, search_forms, destroy_forms};
    *plan = &p->base;
    return PK_OK;
}
