/* tiling_skyline.c - the textbook method for comparison: a skyline, its lowest gap, squares from large to small.
 *
 * The Partridge puzzle of order n. The whole search takes very long from n = 8 on, so a part of it is timed: of the
 * states after `depth` squares one in `share` is searched, chosen by a hash of the squares so far, and the time is
 * multiplied by what was left out.
 *
 *     cc -O3 -march=native tiling_skyline.c -o tiling_skyline && ./tiling_skyline 8 9 2000
 *
 * prints: tilings found, states, seconds, and estimates for the whole search: states, seconds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int n, side, depth, left[64], height[2080];
static uint64_t share, states, found, chosen, offered;

/* Of the processor: what else the machine does hardly matters. */
static double now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void descend(int placed, uint64_t hash) {
    if (placed == depth) {
        offered++;
        hash ^= hash >> 29;
        hash *= 0xd6e8feb86659fd93u;
        if ((hash >> 20) % share)
            return;
        chosen++;
    }
    states++;
    int x = 0, width = 1;
    for (int i = 1; i < side; i++)
        if (height[i] < height[x])
            x = i;
    const int low = height[x];
    if (low == side) {
        found++;
        return;
    }
    while (x + width < side && height[x + width] == low)
        width++;
    int most = width < side - low ? width : side - low;
    for (int k = most < n ? most : n; k >= 1; k--) {
        if (!left[k])
            continue;
        left[k]--;
        for (int i = 0; i < k; i++)
            height[x + i] += k;
        descend(placed + 1, hash * 31 + (uint64_t)k);
        for (int i = 0; i < k; i++)
            height[x + i] -= k;
        left[k]++;
    }
}

int main(int count, char **argument) {
    n = count > 1 ? atoi(argument[1]) : 8;
    depth = count > 2 ? atoi(argument[2]) : 0;
    share = count > 3 ? strtoull(argument[3], NULL, 10) : 1;
    if (n < 1 || n > 63 || share < 1)
        return 2;
    side = n * (n + 1) / 2;
    for (int k = 1; k <= n; k++)
        left[k] = k;
    const double began = now();
    descend(0, 1);
    const double seconds = now() - began;
    const double scale = chosen ? (double)offered / (double)chosen : 1;
    printf("%llu %llu %.3f %.3g %.1f\n", (unsigned long long)found, (unsigned long long)states, seconds,
           scale * (double)states, scale * seconds);
    return 0;
}
