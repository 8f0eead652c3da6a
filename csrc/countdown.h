/* countdown.h - the numbers game: which values cards reach, and by which expressions. */
#ifndef PK_COUNTDOWN_H
#define PK_COUNTDOWN_H

#include "pk.h"

/* Cards are given as ascending positive values, `kinds` of them, and how many there are of each (`counts`). */

enum {
    PK_COUNTDOWN_PLUS = 240, /* tokens of an expression; a smaller byte is a card's place among the values */
    PK_COUNTDOWN_MINUS = 241,
    PK_COUNTDOWN_TIMES = 242,
    PK_COUNTDOWN_OVER = 243,
    PK_COUNTDOWN_END = 255
};

enum pk_countdown_form {
    PK_COUNTDOWN_RAW = 0,
    PK_COUNTDOWN_PLAIN = 1,       /* nothing is multiplied or divided by 1; 1 / n may be */
    PK_COUNTDOWN_IRREDUNDANT = 2, /* and no terms of a sum or factors of a product cancel out */
    PK_COUNTDOWN_FEWEST = 3       /* some expressions: for each target at least one with the fewest cards */
};

/* The expressions that make a target, each once, as rows of 2 * cards - 1 tokens: postfix, filled up with
 * PK_COUNTDOWN_END. A unit is a target and a set of cards: all sets for the first target, by size, then for the next.
 * With `use_all` there is one set. `fractions` allows any quotients. The target 0 stands for every value. Only sets of
 * up to `largest` cards are searched; with `use_all` that is all cards.
 *
 * The constructor makes tables of the values of small sets: milliseconds for up to eight cards, but seconds for twelve.
 * Then they are made in stages, one for each size of sets: a unit is a set, and the joined rows of all stages so far,
 * 8 bytes each, are `known` to the next one. When a stage has no units, its `known` is what the search wants. Other
 * parameters are the same for all. */
int pk_countdown_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                      int targets_count, int form, int fractions, int use_all, int largest, const uint64_t *known,
                      uint64_t known_rows, pk_plan **plan);
int pk_countdown_stage_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                            int targets_count, int form, int fractions, int use_all, int largest, const uint64_t *known,
                            uint64_t known_rows, pk_plan **plan);

/* The whole numbers that each of `hands` hands reaches: `counts` has a row for each. A unit is a hand. With a window
 * lo .. hi a row is a bit set, bit t % 64 of word t / 64 for the target t, up to hi; every bit is 0 below lo. If hi is
 * 0, a row is one value, 8 bytes; values come in no order, and some more than once. */
int pk_countdown_reach_plan(const uint64_t *values, const uint8_t *counts, int kinds, uint64_t hands, uint64_t lo,
                            uint64_t hi, int fractions, int use_all, pk_plan **plan);

/* All sets of `size` cards in lexicographic order, as rows of counts, of at most 64 kinds. */
void pk_countdown_games(const uint8_t *counts, int kinds, int size, uint8_t *out);

/* The window lo .. hi of every set of `size` cards, at once, in two stages: what two parts of two cards or more make,
 * and then, given the joined rows of that, what the last card makes. Rows have 8 bytes of a set's place in the order
 * of pk_countdown_games and the words of a bit set; a set's targets are the union of its rows. Of the first plan a unit
 * is a set, of the second one a set of one card less. `cpu` is 0 for portable code, 1 for AVX2, 2 for AVX-512.
 * PK_EINVAL: out of the limits, use pk_countdown_reach_plan. The second plan needs the first one, and `reached`, to
 * live as long as it.
 *
 * The first constructor makes tables as well: `known` has those of up to size - 2 stages of pk_countdown_stage_plan,
 * with hi as the target, the form PK_COUNTDOWN_FEWEST and size as `largest`. */
int pk_countdown_survey_plan(const uint64_t *values, const uint8_t *counts, int kinds, int size, uint32_t lo,
                             uint32_t hi, int cpu, const uint64_t *known, uint64_t known_rows, pk_plan **plan);
int pk_countdown_last_card_plan(const pk_plan *survey, const uint64_t *reached, pk_plan **plan);

/* The same for one hand of all the cards, at once: bytes 0 and 1 for lo .. hi. Returns a pk_status. */
int pk_countdown_hand(const uint64_t *values, const uint8_t *counts, int kinds, uint32_t lo, uint32_t hi, int cpu,
                      uint8_t *reached);

/* Joins rows of a survey: `sets` bit sets of `words` words. */
void pk_countdown_join(const uint8_t *rows, uint64_t count, uint32_t words, uint64_t *sets);

/* Bits lo .. hi of each bit set as bytes 0 and 1. */
void pk_countdown_bytes(const uint64_t *sets, uint64_t count, uint32_t words, uint32_t lo, uint32_t hi, uint8_t *out);

enum pk_countdown_trees {
    PK_COUNTDOWN_NATURAL = 0, /* values are positive and whole */
    PK_COUNTDOWN_PRUNED = 1,  /* likewise, operands of + and * in order, no * 1 and no / 1 */
    PK_COUNTDOWN_INTEGER = 2  /* values are whole */
};

/* Counts the binary trees over some of the cards, told apart by position, with a value; if target is 0, all of them. */
int pk_countdown_trees_plan(const uint64_t *cards, int count, uint64_t target, int rule, pk_plan **plan);

/* Expressions as lines of text, with as few parentheses as are needed. A line begins with `head` and ends with `tail`.
 * Returns the bytes of the text; with out == NULL nothing is written. 0: a row is no expression in postfix order. */
uint64_t pk_countdown_text(const uint8_t *rows, uint64_t count, size_t width, const uint64_t *values, int kinds,
                           const char *head, size_t head_bytes, const char *tail, size_t tail_bytes, char *out);

#endif
