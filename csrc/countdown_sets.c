/* countdown_sets.c - see countdown_sets.h. */
#include "countdown_sets.h"

#include <stdlib.h>
#include <string.h>

#include "pk.h"

/* Goes through the sets of `left` more cards from `kind` on in lexicographic order, or only counts them. */
static void list_sets(stock *s, int kind, int left, uint32_t code, uint32_t *next) {
    if (left == 0) {
        if (s->code) {
            s->code[*next] = code;
            s->index[code] = *next;
        }
        ++*next;
        return;
    }
    if (kind == s->kinds)
        return;
    for (int taken = left < s->count[kind] ? left : s->count[kind]; taken >= 0; taken--)
        list_sets(s, kind + 1, left - taken, code + (uint32_t)taken * s->weight[kind], next);
}

int pk_stock_open(stock *s, const uint64_t *value, const uint8_t *count, int kinds, int most) {
    memset(s, 0, sizeof *s);
    if (kinds < 1 || kinds > KINDS || most > MAX_SIZE)
        return PK_EINVAL;
    s->kinds = kinds;
    s->most = most;
    memcpy(s->value, value, (size_t)kinds * sizeof *value);
    memcpy(s->count, count, (size_t)kinds);
    uint64_t codes = 1;
    for (int i = 0; i < kinds; i++) {
        s->weight[i] = (uint32_t)codes;
        s->cards += count[i];
        codes *= count[i] + 1u;
        if (codes > MAX_CODES)
            return PK_EINVAL;
    }
    s->weight[kinds] = (uint32_t)codes;
    uint32_t sets = 0;
    for (int size = 0; size <= most; size++)
        list_sets(s, 0, size, 0, &sets);
    s->code = malloc(sets * sizeof *s->code);
    s->index = malloc((size_t)codes * sizeof *s->index);
    if (!s->code || !s->index) {
        pk_stock_close(s);
        return PK_ENOMEM;
    }
    sets = 0;
    for (int size = 0; size <= most; size++) {
        s->start[size] = sets;
        list_sets(s, 0, size, 0, &sets);
    }
    s->start[most + 1] = sets;
    return PK_OK;
}

void pk_stock_close(stock *s) {
    free(s->code);
    free(s->index);
    s->code = s->index = NULL;
}

size_t pk_stock_parts(const stock *s, uint32_t code, part *parts) {
    size_t count = 1;
    parts[0] = (part){0, 0};
    for (int kind = 0; kind < s->kinds; kind++) {
        const int digit = pk_stock_digit(s, code, kind);
        const size_t before = count;
        for (int taken = 1; taken <= digit; taken++)
            for (size_t i = 0; i < before; i++)
                parts[count++] = (part){parts[i].code + (uint32_t)taken * s->weight[kind], parts[i].size + taken};
    }
    memmove(parts, parts + 1, (count - 2) * sizeof *parts); /* the first is empty, the last the whole */
    return count - 2;
}

uint64_t pk_stock_bound(const stock *s, uint32_t code, int size) {
    uint64_t bound = 1;
    for (int kind = s->kinds - 1; kind >= 0 && size > 0; kind--)
        for (int left = s->count[kind] - pk_stock_digit(s, code, kind); left > 0 && size > 0; left--, size--)
            bound = pk_times_saturated(bound, s->value[kind] < 2 ? 2 : s->value[kind]);
    return bound;
}
