/* countdown_text.c - expressions as text, from their tokens in postfix order. */
#include <string.h>

#include "countdown.h"

enum { DIGITS = 20, MOST_TOKENS = 255, DEEPEST = 128 };

/* A sink that only measures when `out` is NULL. */
typedef struct text {
    char *out;
    uint64_t length;
} text;

static void add(text *t, const char *from, size_t length) {
    if (t->out)
        memcpy(t->out + t->length, from, length);
    t->length += length;
}

static void add_number(text *t, uint64_t number) {
    char digits[DIGITS];
    int first = DIGITS;
    do
        digits[--first] = (char)('0' + number % 10);
    while (number /= 10);
    add(t, digits + first, (size_t)(DIGITS - first));
}

static int is_operator(uint8_t token) { return token >= PK_COUNTDOWN_PLUS && token < PK_COUNTDOWN_END; }

static int is_sum(uint8_t token) { return token == PK_COUNTDOWN_PLUS || token == PK_COUNTDOWN_MINUS; }

/* An operand needs parentheses if it is a sum under * or /, or what - or / would otherwise tear apart. */
static int needs_parentheses(uint8_t operand, uint8_t parent, int is_right) {
    if (!is_operator(operand))
        return 0;
    if (is_sum(parent))
        return is_right && parent == PK_COUNTDOWN_MINUS && is_sum(operand);
    return is_sum(operand) || (is_right && parent == PK_COUNTDOWN_OVER);
}

/* Writes the subexpression whose operator is token `last`; returns where the token before it is. */
static int write_infix(text *t, const uint8_t *row, const int *first, int last, const uint64_t *values) {
    static const char signs[][4] = {" + ", " - ", " * ", " / "};
    if (!is_operator(row[last])) {
        add_number(t, values[row[last]]);
        return last - 1;
    }
    const int right = last - 1, left = first[right] - 1;
    for (int side = 0; side < 2; side++) {
        const int operand = side ? right : left;
        const int parentheses = needs_parentheses(row[operand], row[last], side);
        if (side)
            add(t, signs[row[last] - PK_COUNTDOWN_PLUS], 3);
        if (parentheses)
            add(t, "(", 1);
        write_infix(t, row, first, operand, values);
        if (parentheses)
            add(t, ")", 1);
    }
    return first[last] - 1;
}

/* Where the subexpression that ends at each token begins. Returns the number of tokens; 0: the row is no expression. */
static int find_operands(const uint8_t *row, size_t width, int kinds, int *first) {
    int begin[DEEPEST], depth = 0, tokens = 0;
    for (; tokens < (int)width && row[tokens] != PK_COUNTDOWN_END; tokens++) {
        if (is_operator(row[tokens])) {
            if (--depth < 1)
                return 0;
        } else { /* an operator's result begins where its left operand does */
            if (row[tokens] >= kinds || depth == DEEPEST)
                return 0;
            begin[depth++] = tokens;
        }
        first[tokens] = begin[depth - 1];
    }
    return depth == 1 ? tokens : 0;
}

uint64_t pk_countdown_text(const uint8_t *rows, uint64_t count, size_t width, const uint64_t *values, int kinds,
                           const char *head, size_t head_bytes, const char *tail, size_t tail_bytes, char *out) {
    text t = {out, 0};
    for (uint64_t i = 0; i < count; i++, rows += width) {
        int first[MOST_TOKENS];
        const int tokens = width <= MOST_TOKENS ? find_operands(rows, width, kinds, first) : 0;
        if (tokens == 0)
            return 0;
        add(&t, head, head_bytes);
        write_infix(&t, rows, first, tokens - 1, values);
        add(&t, tail, tail_bytes);
    }
    return t.length;
}
