/* queens_fragments.c - the fragments of a unit's boards: of one queen, of two, of an east half. */
#include "queens_fragments.h"

/* The byte of row y of a board, counted from the centre, and the column x there. */
static void set_square(const join *p, const frame *f, fragment *to, int south, int y, int west, int x) {
    const int n = p->n, h = p->h;
    int row = south ? h + y : h - 1 + p->odd - y, column = west ? h - 1 + p->odd - x : h + x;
    row = f->flip_rows ? n - 1 - row : row;
    column = f->flip_columns ? n - 1 - column : column;
    to->forward[row] = (uint8_t)column;
    to->turned[n - 1 - row] = (uint8_t)column;
}

/* The fragments of one queen, for the squares of the four quadrants. */
static void make_single_fragments(const join *p, scratch *s, const frame *f) {
    memset(&s->always, 0, sizeof s->always);
    if (p->odd)
        set_square(p, f, &s->always, 0, f->row, 0, 0);
    for (int i = 0; i < 4; i++) {
        fragment *to = s->single[i];
        for (int row = 0; row < p->h + p->odd; row++)
            for (int column = 0; column < p->h; column++, to++) {
                /* A quadrant's column is x - 1 if n is odd, x - 1/2 if it is even; its row is y or y - 1/2. */
                memset(to, 0, sizeof *to);
                set_square(p, f, to, i & SOUTH_EAST, row, i & NORTH_WEST, column + p->odd);
            }
    }
}

void pk_join_fragments(const join *p, scratch *s, const unit *u, const lists *l) {
    const int h = p->h;
    if (s->fragments_frame != u->frame + 1) {
        make_single_fragments(p, s, p->frames + u->frame);
        memset(s->fragments_rows, 0xff, sizeof s->fragments_rows);
        s->fragments_frame = u->frame + 1;
    }
    for (int i = 0; i < 4; i++) {
        if (s->fragments_rows[i] == l->rows[i])
            continue;
        s->fragments_rows[i] = l->rows[i];
        fragment *to = s->fragments[i];
        for (uint32_t rows = l->rows[i]; rows; rows &= rows - 1, to += h * h) {
            const fragment *const first = s->single[i] + __builtin_ctz(rows) * h;
            rows &= rows - 1;
            if (!rows) {
                memcpy(to, first, (size_t)h * sizeof *to);
                break;
            }
            const fragment *const second = s->single[i] + __builtin_ctz(rows) * h;
            for (int a = 0; a < h; a++)
                for (int b = 0; b < h; b++) {
                    to[a * h + b].forward = first[a].forward | second[b].forward;
                    to[a * h + b].turned = first[a].turned | second[b].turned;
                }
        }
    }
}

void pk_join_east_boards(const join *p, scratch *s, const lists *l, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const origin o = s->east_origin[first + i];
        fragment east;
        memset(&east, 0, sizeof east);
        add_fragments(p, s, NORTH_EAST, (count_bits(l->rows[NORTH_EAST]) + 1) / 2, l->cells[NORTH_EAST][o.north],
                      &east);
        add_fragments(p, s, SOUTH_EAST, (count_bits(l->rows[SOUTH_EAST]) + 1) / 2, l->cells[SOUTH_EAST][o.south],
                      &east);
        s->east_boards[i] = east;
    }
}
