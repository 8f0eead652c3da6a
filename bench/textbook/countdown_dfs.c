/* countdown_dfs.c - the search that one would write: take any two numbers, put a result in their place, go on.
 *
 * Subtraction and division with the larger number first; nothing is multiplied or divided by 1.
 */
#include <stdint.h>
#include <string.h>

enum { MOST = 8 };

static void combine(const int64_t *numbers, int count, int64_t lo, int64_t hi, uint8_t *reached) {
    for (int i = 0; i < count; i++)
        if (numbers[i] >= lo && numbers[i] <= hi)
            reached[numbers[i] - lo] = 1;
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count; k++) {
            const int64_t a = numbers[i] > numbers[k] ? numbers[i] : numbers[k];
            const int64_t b = numbers[i] > numbers[k] ? numbers[k] : numbers[i];
            int64_t rest[MOST];
            memcpy(rest, numbers, (size_t)count * sizeof *rest);
            rest[k] = rest[count - 1];
            rest[i] = a + b;
            combine(rest, count - 1, lo, hi, reached);
            if (a > b) {
                rest[i] = a - b;
                combine(rest, count - 1, lo, hi, reached);
            }
            if (b > 1) {
                rest[i] = a * b;
                combine(rest, count - 1, lo, hi, reached);
                if (a % b == 0) {
                    rest[i] = a / b;
                    combine(rest, count - 1, lo, hi, reached);
                }
            }
        }
}

/* Marks which of lo .. hi are reached, and returns how many. */
int countdown_dfs(const int64_t *cards, int count, int64_t lo, int64_t hi, uint8_t *reached) {
    memset(reached, 0, (size_t)(hi - lo + 1));
    combine(cards, count, lo, hi, reached);
    int found = 0;
    for (int64_t t = lo; t <= hi; t++)
        found += reached[t - lo];
    return found;
}
