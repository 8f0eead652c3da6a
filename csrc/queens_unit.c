/* queens_unit.c - opening a unit of the join: its four lists of ways, from tables that are filtered for its frame. A
 * worker filters them when it comes to another frame; units are in the order of frames. */
#include <string.h>

#include "queens_join.h"

static size_t table_words(const quadrant *q) { return (size_t)1 << (q->rows + q->h); }

size_t pk_join_scratch(const join *p, scratch *s, char *memory) {
    size_t used = 0;
    scratch unused = {0};
    s = s ? s : &unused;
    const size_t cells = (size_t)p->h * (size_t)p->h, couples = (size_t)(p->h + p->odd + 1) / 2;
    const sizes *z = &p->sizes;
#define TAKE(pointer, count)                                                                                           \
    ((pointer) = memory ? (void *)(memory + used) : NULL, used += ((size_t)(count) * sizeof *(pointer) + 63) / 64 * 64)
    TAKE(s->plane, 64 * 8);
    TAKE(s->square, (p->h + p->odd) * p->h * 8);
    TAKE(s->all, 8);
    TAKE(s->north_couples, couples * cells * 8);
    TAKE(s->south_couples, couples * cells * 8);
    TAKE(s->north_boards, (z->block + BATCH + 1) * 8);
    TAKE(s->south_boards, (z->block + BATCH + 1) * 8);
    TAKE(s->north_words, z->list + 8);
    TAKE(s->south_words, z->list + 8);
    TAKE(s->north_meets, z->list + 8);
    TAKE(s->south_meets, z->list + 8);
    TAKE(s->batches, ((size_t)1 << p->h) + 1);
    TAKE(s->east, z->east + GROUP + 8);
    TAKE(s->east_origin, z->east + 8);
    for (int c = 0; c < p->classes; c++)
        TAKE(s->pairs[c], z->east + ((size_t)8 << p->h) + 8);
    TAKE(s->east_boards, GROUP);
    for (int i = 0; i < 4; i++) {
        TAKE(s->single[i], (p->h + p->odd) * p->h);
        TAKE(s->fragments[i], couples * cells);
    }
    for (int i = 0; i < 4 && p->odd; i++) {
        quadrant *q = &s->filtered[i];
        const quadrant *largest = &p->tables[0];
        for (int k = 1; k < p->table_count; k++)
            largest = p->tables[k].count > largest->count ? &p->tables[k] : largest;
        if (p->table_count == 1 && i > 1) {
            *q = s->filtered[i - 2]; /* the west is as the east */
            continue;
        }
        TAKE(q->start, table_words(largest) + 1);
        TAKE(q->lines, largest->count + 1);
        TAKE(q->cells, largest->count + 1);
    }
#undef TAKE
    return used;
}

/* The ways of a table that bear the queen of the middle column: it stands on `barred` lines, and leaves `rows`. 0:
 * stopped. */
static int filter(quadrant *to, const quadrant *from, uint64_t barred, uint32_t rows, unsigned least, pk_sink *sink) {
    const int h = from->h;
    const uint32_t all = (uint32_t)1 << h;
    uint32_t count = 0;
    to->h = h;
    to->rows = from->rows;
    to->middle = to->start; /* not needed: any line will do */
    for (uint32_t set = 0; set < (uint32_t)1 << from->rows; set++) {
        if (pk_stop(sink))
            return 0;
        const size_t base = (size_t)set << h;
        const uint32_t *const begin = from->start + base;
        uint32_t *const start = to->start + base;
        const int size = count_bits(set);
        const unsigned limit = !(set & 1) ? 0 : size == 1 ? least : least * (unsigned)h;
        start[0] = start[all] = count;
        for (uint32_t c = set & ~rows ? all : ((uint32_t)1 << size) - 1; c < all; c = c ? next_combination(c) : all) {
            start[c] = count;
            for (uint32_t i = begin[c]; i < begin[c + 1]; i++) {
                to->lines[count] = from->lines[i];
                to->cells[count] = from->cells[i];
                count += !(from->lines[i] & barred) & ((from->cells[i] & 255) >= limit);
            }
            start[c + 1] = count;
        }
        start[all] = count;
    }
    return 1;
}

static int filter_for(const join *p, scratch *s, const frame *f, pk_sink *sink) {
    const uint32_t all = ((uint32_t)2 << p->h) - 2;
    for (int i = 0; i < (p->table_count == 1 ? 2 : 4); i++) {
        const int south = i & SOUTH_EAST;
        const uint32_t rows = f->row == 0 ? all : south ? all | 1 : all ^ 1u << f->row;
        const quadrant *const from = p->quadrants[quadrant_in_frame(f, i)];
        if (!filter(&s->filtered[i], from, f->barred[!!south], rows, f->least, sink))
            return 0;
    }
    for (int i = 2; i < 4 && p->table_count == 1; i++)
        s->filtered[i] = s->filtered[i - 2];
    return 1;
}

scratch *pk_join_open(const join *p, const unit *u, void *memory, lists *l, pk_sink *sink) {
    scratch *s = memory;
    const frame *f = p->frames + u->frame;
    const uint32_t all = ((uint32_t)1 << p->h) - 1;
    if (!s->ready) {
        pk_join_scratch(p, s, (char *)memory + (sizeof *s + 63) / 64 * 64);
        s->ready = 1;
    }
    if (p->odd && s->frame != u->frame + 1) {
        s->frame = 0;
        if (!filter_for(p, s, f, sink))
            return NULL;
        s->frame = u->frame + 1;
    }
    /* Row i of the quadrants is row i + 1 of the tables if n is odd. */
    l->rows[NORTH_EAST] = (uint32_t)u->north << p->odd;
    l->rows[SOUTH_EAST] = (uint32_t)u->south << p->odd;
    l->rows[NORTH_WEST] = (all ^ u->north) << p->odd;
    l->rows[SOUTH_WEST] = (all ^ u->south) << p->odd;
    if (f->row) {
        l->rows[NORTH_WEST] &= ~(1u << f->row);
        l->rows[SOUTH_WEST] |= 1;
    }
    for (int i = 0; i < 4; i++) {
        const quadrant *q = p->odd ? &s->filtered[i] : p->quadrants[i];
        const size_t base = (size_t)l->rows[i] << p->h;
        l->start[i] = q->start + base;
        l->middle[i] = q->middle + base;
        l->first[i] = l->start[i][0];
        l->count[i] = l->start[i][all + 1] - l->first[i];
        l->lines[i] = q->lines + l->first[i];
        l->cells[i] = q->cells + l->first[i];
    }
    return s;
}
